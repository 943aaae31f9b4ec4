/** Splits a change feed batch into a save and pages that changed on disk. */
import type { ChangeBatch } from "#kernel";
import type { PageEntry } from "../content/contract.js";
import type { Save, SavedChange } from "./save-journal.js";

/** The changes written through the site; null without any. */
export function toSave({ changes, actor, message, at }: ChangeBatch): Save | null {
  const saved = changes.flatMap((change): SavedChange[] => {
    if (change.kind !== "file") return [];
    const { key: path, op, to, before, after } = change;
    if (op === "move") return to === undefined ? [] : [{ op, path, to }];
    const kind = op === "delete" ? "delete" : "write";
    return [{ op: kind, path, before: before?.bytes ?? null, after: after?.bytes ?? null }];
  });
  return saved.length === 0 ? null : { changes: saved, actor, message: message || null, at };
}

/** New or changed pages that were not written through the site. */
export function foundPages({ changes, actor }: ChangeBatch): PageEntry[] {
  if (actor !== null) return [];
  const written = new Set(changes.flatMap(({ kind, key }) => (kind === "file" ? [key] : [])));
  return changes.flatMap((change) => {
    if (change.kind !== "page" || change.after === null || written.has(change.key)) return [];
    return change.before?.hash === change.after.hash ? [] : [change.after];
  });
}
