import type { Caches, CacheSpace } from "#kernel";
import type { SearchAnswer, SearchQuery } from "./contract.js";

const MAX_ANSWERS = 300;
const MAX_BYTES = 16 * 1_024 * 1_024;
/** Bytes of an item, about. */
const ITEM_BYTES = 1_000;
/** Deeper slices are rarely requested again. */
const MAX_DEPTH = 100;

/** Answers by query, access keys and version of the index: popular queries are computed once. */
export class CachedAnswers {
  readonly #answers: CacheSpace<SearchAnswer>;

  constructor(caches: Pick<Caches, "open">) {
    this.#answers = caches.open<SearchAnswer>("search-answers", {
      ...{ maxBytes: MAX_BYTES, maxEntries: MAX_ANSWERS, untagged: true },
      sizeOf: ({ items }) => ITEM_BYTES * (1 + items.length),
    });
  }

  /** The cached answer, else that of `ask`. An answer of an older version is under another key. */
  get(
    query: SearchQuery,
    version: number,
    ask: () => Promise<SearchAnswer>,
  ): Promise<SearchAnswer> {
    if (query.limit > MAX_DEPTH || query.offset > MAX_DEPTH) return ask();
    return this.#answers.get(`${version} ${JSON.stringify(query)}`, ask);
  }
}
