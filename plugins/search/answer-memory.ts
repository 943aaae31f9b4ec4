import { LRUCache } from "lru-cache";
import type { SearchAnswer, SearchQuery } from "./contract.js";

const mostAnswers = 300;
/** Deeper slices are rarely asked for again. */
const farthest = 100;

/** Answers of this version of the index, by query and access keys: popular queries are computed once. */
export class AnswerMemory {
  readonly #answers = new LRUCache<string, SearchAnswer>({ max: mostAnswers });
  #version = -1;

  /** The kept answer, else the one that `ask` gives. */
  async answer(
    query: SearchQuery,
    version: number,
    ask: () => Promise<SearchAnswer>,
  ): Promise<SearchAnswer> {
    if (version !== this.#version) {
      this.#answers.clear();
      this.#version = version;
    }
    if (query.limit > farthest || query.offset > farthest) return ask();
    const key = JSON.stringify(query);
    const kept = this.#answers.get(key);
    if (kept) return kept;
    const answer = await ask();
    // An answer that was under way while the index changed may be of either version.
    if (version === this.#version) this.#answers.set(key, answer);
    return answer;
  }
}
