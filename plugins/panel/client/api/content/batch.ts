import { json } from "../request.js";

/** One change of a batch. */
export interface Operation {
  readonly op: "publish" | "unpublish" | "archive" | "delete" | "tag" | "untag";
  readonly path: string;
  /** The term of `tag` and `untag`. */
  readonly value?: string;
}
/** What became of a change. */
export interface OperationResult {
  readonly status: "done" | "error";
  readonly error?: string;
}

/** Runs all changes; each succeeds or fails alone. At most 200. */
export async function runBatch(
  operations: readonly Operation[],
): Promise<readonly OperationResult[]> {
  const { results } = await json<{ results: readonly OperationResult[] }>("/batch", {
    method: "POST",
    body: { operations },
  });
  return results;
}
