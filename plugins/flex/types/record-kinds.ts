import { existsSync } from "node:fs";
import { join } from "node:path";
import { relationKind } from "#kernel/internal";
import type { ContentService } from "../../content/contract.js";
import { isFlexName } from "./names.js";

/** Adds the kinds `record` and `records`; `folder`: absolute path of the records. */
export function addRecordKinds(content: ContentService, folder: string): void {
  const form = (key: string): string | null =>
    key.split("/").length <= 2 && key.split("/").every(isFlexName)
      ? null
      : "must be the id of a record, or its type and id: product/chair.";
  content.addFieldKind("record", relationKind({ target: "record", isList: false, form }));
  content.addFieldKind("records", relationKind({ target: "record", isList: true, form }));
  content.relations.addTarget("record", (key, of) => {
    const [first = "", second] = key.split("/");
    const [only] = of;
    const type = second === undefined ? (of.length === 1 ? only : undefined) : first;
    if (type === undefined || (of.length > 0 && !of.includes(type))) return false;
    return existsSync(join(folder, type, `${second ?? first}.yaml`));
  });
}
