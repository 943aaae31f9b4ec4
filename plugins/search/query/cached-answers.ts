import type { Caches, CacheSpace } from "#kernel";
import { INDEX_TAG } from "../tags.js";
import type { SearchAnswer, SearchQuery } from "../contract.js";

const MAX_ANSWERS = 300;
const MAX_BYTES = 16 * 1_024 * 1_024;
/** Approximate bytes of an item. */
const ITEM_BYTES = 1_000;
/** Deeper slices are rarely requested again. */
const MAX_DEPTH = 100;

/**
 * Caches results by query, access keys and index version, so that popular queries are computed
 * once. A change of the index drops them, because no later query has their key.
 */
export class CachedAnswers {
  readonly #answers: CacheSpace<SearchAnswer>;

  constructor(caches: Pick<Caches, "open">) {
    this.#answers = caches.open<SearchAnswer>("search-answers", {
      maxBytes: MAX_BYTES,
      maxEntries: MAX_ANSWERS,
      sizeOf: ({ items }) => ITEM_BYTES * (1 + items.length),
    });
  }

  /** Returns the cached result, or that of `ask`. The index version is part of the key. */
  get(
    query: SearchQuery,
    version: number,
    ask: () => Promise<SearchAnswer>,
  ): Promise<SearchAnswer> {
    if (query.limit > MAX_DEPTH || query.offset > MAX_DEPTH) return ask();
    return this.#answers.get(`${version} ${JSON.stringify(query)}`, ({ tags }) => {
      tags.add(INDEX_TAG);
      return ask();
    });
  }
}
