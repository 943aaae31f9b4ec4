/** Fires the page hooks for what has changed in the index, whoever changed it. */
import type { Hooks } from "#kernel";
import type { StoreChange } from "./content-store.js";
import type {} from "./contract.js";

/** Tells of pages that came, changed, went, or changed their status. */
export function announcePages(
  hooks: Pick<Hooks, "notify">,
  { changes, before, after }: StoreChange,
): void {
  for (const { sourcePath, title } of changes.created) {
    // A file that could not be read before is not new.
    const hook = before.records.has(sourcePath) ? "onPageUpdate" : "onPageCreate";
    hooks.notify(hook, { sourcePath, title });
  }
  for (const entry of changes.updated) {
    const { sourcePath, title, hash, status } = entry;
    const old = before.bySource.get(sourcePath);
    if (old === undefined || old.hash === hash) continue;
    hooks.notify("onPageUpdate", { sourcePath, title });
    if (old.status !== status) {
      hooks.notify("onWorkflowChange", { sourcePath, from: old.status, to: status });
    }
  }
  for (const { sourcePath } of changes.deleted) {
    if (!after.records.has(sourcePath)) hooks.notify("onPageDelete", { sourcePath });
  }
}
