import type { Change, ChangeBatch } from "#kernel";
import type { PageEvent } from "../contract.js";

/** The page hook events of a batch: pages created, updated, deleted, or with a new status. */
export function pageEvents({ changes }: Pick<ChangeBatch, "changes">): PageEvent[] {
  return changes.flatMap((change) => (change.kind === "page" ? eventsOf(change) : []));
}

function eventsOf({ key: sourcePath, op, before, after }: Change<"page">): PageEvent[] {
  if (op === "delete") return [{ hook: "onPageDelete", data: { sourcePath } }];
  // The file exists but cannot be read at the moment.
  if (after === null) return [];
  const { title, status } = after;
  if (op === "create") return [{ hook: "onPageCreate", data: { sourcePath, title } }];
  const update: PageEvent = { hook: "onPageUpdate", data: { sourcePath, title } };
  if (before === null || before === after) return [update];
  // Only the page's surroundings changed.
  if (before.hash === after.hash) return [];
  if (before.status === status) return [update];
  const data = { sourcePath, from: before.status, to: status };
  return [update, { hook: "onWorkflowChange", data }];
}
