import { ApiError, call } from "./request.js";
import type { Draft } from "./types.js";

/** The working copy of a page; null without one. */
export async function readDraft(path: string): Promise<Draft | null> {
  // The list first: a browser logs a 404 as an error.
  const { total } = await call("GET /drafts", { query: { path } });
  if (total === 0) return null;
  try {
    return await call("GET /drafts/*path", { params: { path } });
  } catch (error) {
    // Published or discarded in between.
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
