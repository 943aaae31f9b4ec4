import type { FieldKinds } from "#kernel";
import { relationKind } from "#kernel/internal";

const anyKey = (): null => null;

/** Adds the kinds whose values name pages, their files and accounts. */
export function addPageKinds(kinds: FieldKinds): void {
  kinds.add("page", relationKind({ target: "page", isList: false, form: anyKey }));
  kinds.add("pages", relationKind({ target: "page", isList: true, form: anyKey }));
  const form = (key: string): string | null =>
    /^[^/].*\.[A-Za-z0-9]{1,10}$/s.test(key) ? null : "must be the name of a file.";
  kinds.add("user", relationKind({ target: "user", isList: false, form: anyKey }));
  kinds.add("media", relationKind({ target: "media", isList: false, form }));
}
