import { HttpError, within } from "#kernel";
import type { FacetCounts, SearchEngine, SearchQuery, SearchResult } from "./contract.js";

const RETRY_AFTER_SECONDS = 5;
/** Limit of pending engine calls; at the limit, the engine is not called until one ends. */
const MAX_HANGING = 16;

/** Calls an engine with a timeout, and remembers the last error. */
export class EngineGuard {
  readonly #timeoutMs: number;
  #hanging = 0;
  /** The last error; null after a success. */
  error: string | null = null;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the engine's result.
   * @throws HttpError 503 when the engine throws, hangs or returns an invalid result.
   */
  async ask<T>(
    question: () => T | Promise<T>,
    isAnswer: (value: unknown) => value is T,
  ): Promise<T> {
    if (this.#hanging >= MAX_HANGING) throw unavailable("the search engine does not answer");
    try {
      const answer: unknown = await this.#limited(question);
      if (!isAnswer(answer)) throw new TypeError("the engine's answer is not of the agreed shape");
      this.error = null;
      return answer;
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
      throw unavailable("search is not available at the moment", error);
    }
  }

  async #limited<T>(question: () => T | Promise<T>): Promise<T> {
    const answer = question();
    if (!(answer instanceof Promise)) return answer;
    this.#hanging += 1;
    const settled = answer.finally(() => (this.#hanging -= 1));
    return within(this.#timeoutMs, settled, () => {
      throw new Error(`no answer within ${this.#timeoutMs} ms`);
    });
  }
}

/** The 503 of a search that cannot run now. */
export function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError(503, message, {
    code: "ERR_SEARCH_UNAVAILABLE",
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
    ...(cause !== undefined && { cause }),
  });
}

/** True for a valid result. */
export function isSearchResult(value: unknown): value is SearchResult {
  if (typeof value !== "object" || value === null) return false;
  const { total, hits } = value as Partial<Record<string, unknown>>;
  return typeof total === "number" && total >= 0 && Array.isArray(hits) && hits.every(isHit);
}

function isHit(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { route, score } = value as Partial<Record<string, unknown>>;
  return typeof route === "string" && typeof score === "number" && Number.isFinite(score);
}

/** True for a list of suggestions. */
export function isSuggestions(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The counts of an engine that does not return them with its results. */
export async function facetsOf(
  guard: EngineGuard,
  engine: SearchEngine,
  query: SearchQuery,
): Promise<FacetCounts> {
  if (query.facets.length === 0 || !engine.facetCounts) return {};
  return guard.ask(() => engine.facetCounts?.(query) ?? {}, isFacetCounts);
}

function isFacetCounts(value: unknown): value is FacetCounts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
