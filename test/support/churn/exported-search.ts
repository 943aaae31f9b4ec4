import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClientSearch } from "../../../plugins/search/client/client-search.js";
import { WORDS } from "./page-texts.js";

/** The files of an exported search index, whose layout depends on the exports before. */
export const SEARCH_FILES = ["index.json", "late-*.json", "pages-*.json", "rows-*.json"].concat(
  "terms-*.json",
);

/** What the search page of an export finds for each word. */
export async function exportedSearches(folder: string): Promise<Map<string, unknown>> {
  const search = new ClientSearch(async (name): Promise<unknown> =>
    JSON.parse(readFileSync(join(folder, "_site/search", name), "utf8")),
  );
  const found = new Map<string, unknown>([["documents", (await search.head()).documents]]);
  for (const text of WORDS) {
    const request = {
      text,
      filters: { taxonomy: {}, facets: {} },
      limit: 50,
      offset: 0,
      lang: null,
    };
    for (const sort of ["relevance", "date"] as const)
      found.set(`${text} by ${sort}`, await search.search({ ...request, sort }));
  }
  return found;
}
