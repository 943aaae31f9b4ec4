/** Changes of many pages in one request. */
import { done } from "../../app/toasts.js";
import { call, type Body } from "../../api/request.js";
import { undoDeletions } from "../../api/trash.js";
import type { PageRow } from "../../api/answers.js";
import { t } from "./pages-texts.js";

/** A page that was not changed. */
export interface BulkFailure {
  readonly page: PageRow;
  /** The reason of the server. */
  readonly reason: string;
}

/** One change of a batch. */
export type Operation = Body<"POST /batch">["operations"][number];

/** Most changes of one request. */
const MAX_OPERATIONS = 200;

/**
 * Runs all changes; each succeeds or fails alone. Reports the pages that changed, and returns those that did not.
 * `onRestored` is called after deletions were taken back.
 */
export async function runBatch(
  pages: readonly PageRow[],
  make: (page: PageRow) => readonly Operation[],
  onRestored: () => void,
): Promise<BulkFailure[]> {
  const steps = pages.flatMap((page) => make(page).map((operation) => ({ page, operation })));
  const reasons = new Map<PageRow, string>();
  const deletions: (string | null)[] = [];
  for (let at = 0; at < steps.length; at += MAX_OPERATIONS) {
    const part = steps.slice(at, at + MAX_OPERATIONS);
    const operations = part.map(({ operation }) => operation);
    const { results } = await call("POST /batch", { body: { operations } });
    for (const [place, { page }] of part.entries()) {
      const result = results[place];
      if (result?.status === "error") reasons.set(page, result.error ?? "");
      else if (result?.op === "delete") deletions.push(result.trashId ?? null);
    }
  }
  const n = pages.length - reasons.size;
  const isDelete = steps[0]?.operation.op === "delete";
  const undo = undoDeletions(deletions, onRestored);
  if (n > 0) done(t(isDelete ? "delete.done" : "changed.done", { n }), undo);
  return [...reasons].map(([page, reason]) => ({ page, reason }));
}
