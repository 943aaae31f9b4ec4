import { errorCode, SiteError } from "#kernel";
import type { Verdict } from "./changes.js";

/** An error as the verdict on one change; what is not meant for clients ends the batch instead. */
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
