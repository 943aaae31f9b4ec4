import { json } from "./request.js";

/** One change of a batch. */
export interface Operation {
  readonly op: "publish" | "unpublish" | "archive" | "delete" | "move" | "tag" | "untag" | "set";
  readonly path: string;
  readonly [setting: string]: unknown;
}
/** What became of a change. */
export interface OperationResult {
  readonly ok: boolean;
  readonly error?: string;
}

/** Runs all changes; each succeeds or fails alone. */
export async function runBatch(
  operations: readonly Operation[],
): Promise<readonly OperationResult[]> {
  const { results } = await json<{ results: readonly OperationResult[] }>("/batch", {
    method: "POST",
    body: { operations },
  });
  return results;
}
