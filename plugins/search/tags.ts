/** Read tag of everything that comes from the index; published when the index changes. */
export const INDEX_TAG = "search";

/** Read tags of a response: the index, and every list of pages until the index is up to date. */
export const tags: ReadonlySet<string> = new Set([INDEX_TAG, "list"]);
