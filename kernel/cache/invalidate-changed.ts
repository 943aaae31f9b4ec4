import type { Caches, NewChangeBatch } from "../contracts.js";

/** Drops everything cached that depends on what changed: pages, lists, search results, responses. */
export function invalidateChanged(
  cache: Pick<Caches, "clear" | "invalidate">,
  { tags }: Pick<NewChangeBatch, "tags">,
): void {
  if (tags === null) cache.clear();
  else cache.invalidate(tags);
}
