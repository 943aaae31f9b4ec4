import { HttpError, within } from "#kernel";
import type { SearchResult } from "./contract.js";

const retryAfterSeconds = 5;
/** Calls that may hang at once; beyond it the engine is not asked until one of them ends. */
const mostHanging = 16;

/** Asks an engine within a time limit, and remembers how that went. */
export class EngineGuard {
  readonly #timeoutMs: number;
  #hanging = 0;
  /** What the last question failed with; null when it was answered. */
  error: string | null = null;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The engine's answer. Throws HttpError 503 when it throws, hangs or answers nonsense. */
  async ask<T>(
    question: () => T | Promise<T>,
    isAnswer: (value: unknown) => value is T,
  ): Promise<T> {
    if (this.#hanging >= mostHanging) throw unavailable("the search engine does not answer");
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

/** The 503 of a search that cannot be answered now. */
export function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError(503, message, {
    code: "ERR_SEARCH_UNAVAILABLE",
    headers: { "Retry-After": String(retryAfterSeconds) },
    ...(cause !== undefined && { cause }),
  });
}

/** True for a result that can be shown. */
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
