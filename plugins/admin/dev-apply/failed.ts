import { SiteError } from "#kernel";
import { errorCode } from "#kernel/internal";
import type { Verdict } from "./changes.js";

/**
 * Turns an error into the verdict on one change; rethrows errors not meant for clients, which ends
 * the batch.
 */
export function failed(error: unknown): Verdict {
  if (!(error instanceof SiteError)) {
    const code = errorCode(error);
    if (code === "") throw error;
    return { status: "error", errors: [`the file could not be written (${code})`] };
  }
  const details = (error.details ?? []).flatMap(problemText);
  return { status: "error", errors: details.length > 0 ? details : [error.message] };
}

function problemText(problem: unknown): string[] {
  if (typeof problem !== "object" || problem === null) return [];
  if (!("key" in problem && "expected" in problem)) return [];
  return [`${String(problem.key)}: expected ${String(problem.expected)}`];
}
