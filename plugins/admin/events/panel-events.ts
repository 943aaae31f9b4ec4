import type { Change, ChangeBatch } from "#kernel";
import type { PageEntry } from "../../content/contract.js";

/** Something that happened to a page, as sent to open panels. */
export interface PanelEvent {
  readonly event: "saved" | "published" | "deleted";
  readonly data: {
    readonly path: string;
    readonly title: string;
    readonly etag: string | null;
    /** Null: changed on the disk. */
    readonly by: { readonly id: string; readonly name: string } | null;
    /** Unix ms. */
    readonly at: number;
  };
}

/** The events of a batch of changes for open panels. */
export function panelEventsOf({ changes, actor, at }: ChangeBatch): PanelEvent[] {
  const by = actor === null ? null : { id: actor.id, name: actor.name };
  return changes.flatMap((change) => (change.kind === "page" ? eventOf(change, { by, at }) : []));
}

function eventOf(
  { key: path, op, before, after }: Change<"page">,
  about: Pick<PanelEvent["data"], "by" | "at">,
): PanelEvent[] {
  const title = (after ?? before)?.title ?? "";
  if (op === "delete") return [{ event: "deleted", data: { path, title, etag: null, ...about } }];
  // Only the surroundings of the page have changed, or its file cannot be read.
  if (after === null || before?.hash === after.hash) return [];
  const isNew = isPublic(after) && !isPublic(before);
  const data = { path, title, etag: after.hash, ...about };
  return [{ event: isNew ? "published" : "saved", data }];
}

function isPublic(entry: PageEntry | null): boolean {
  return entry?.published === true && entry.status === "published";
}
