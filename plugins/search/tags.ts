/** Read tags of a response: the index, and every list of pages until the index is up to date. */
export const tags: ReadonlySet<string> = new Set(["search", "list"]);
