import {
  closeCall,
  type EngineCall,
  type EngineCalls,
  EngineError,
  type EngineErrorOptions,
  type EngineSlot,
  expectEach,
  expectFields,
  expectKind,
  expectMethods,
  expectOptional,
  expectValues,
  HttpError,
  SiteError,
  type ValueCheck,
  within,
} from "#kernel";
import { isPromise } from "#lib/values";
import type { FacetCounts, SearchEngine, SearchQuery } from "./contract.js";

const RETRY_AFTER_SECONDS = 5;
/** Limit of pending engine calls; at the limit, the engine is not called until one ends. */
const MAX_HANGING = 16;

const texts = expectEach(expectKind("string"));
const number = expectKind("number");
const score: ValueCheck = (value) =>
  number(value) ??
  (Number.isFinite(value) ? null : `expected a finite number, received ${String(value)}`);
const total: ValueCheck = (value) =>
  number(value) ??
  (Number(value) >= 0 ? null : `expected a number of at least 0, received ${String(value)}`);
const facets = expectValues(expectValues(number));
const explanation = expectFields({
  score,
  terms: expectEach(
    expectFields({
      term: ["string"],
      matches: expectEach(
        expectFields({ field: ["string"], count: ["number"], points: ["number"] }),
      ),
    }),
  ),
  exactTitle: ["number"],
  factor: ["number"],
});

/** Checks of the values that the members of an engine return. */
export const ENGINE_ANSWERS = {
  search: expectFields({
    total,
    hits: expectEach(
      expectFields({
        route: ["string"],
        score,
        excerpt: ["string", "nothing"],
        highlights: expectOptional(texts),
      }),
    ),
    facets: expectOptional(facets),
  }),
  suggest: texts,
  words: texts,
  facetCounts: facets,
  explain: (value: unknown) => (value === null ? null : explanation(value)),
} as const satisfies Partial<Record<keyof SearchEngine, ValueCheck>>;

/** Time limit of an update of some documents, in ms: all later changes wait for it. */
const UPDATE_MS = 60_000;
const anything: EngineCall = { result: expectKind("anything") };

/** Checks an engine of the slot `search`. */
export const engineProblem = expectMethods(
  ["build", "search", "suggest"],
  ["update", "words", "facetCounts", "explain", "save", "load", "close"],
);
/** The calls of the slot `search`. The guard checks what queries return, and limits their time. */
export const ENGINE_CALLS: EngineCalls<SearchEngine> = {
  // No limit: the time depends on the size of the site.
  build: anything,
  update: { ...anything, limitMs: UPDATE_MS },
  search: anything,
  suggest: anything,
  words: anything,
  facetCounts: anything,
  explain: anything,
  save: { result: expectKind("bytes"), limitMs: UPDATE_MS },
  load: { result: expectKind("boolean"), limitMs: UPDATE_MS },
  close: closeCall,
};

/** Options of the guard. */
export interface GuardOptions {
  readonly timeoutMs: number;
  readonly slot: Pick<EngineSlot<SearchEngine>, "activeName" | "activePlugin">;
}

const FIX = "correct the engine; `searchEngineContract` tests what it must do";

/** Calls an engine with a timeout, checks what it returns, and remembers the last error. */
export class EngineGuard {
  readonly #options: GuardOptions;
  #hanging = 0;
  /** The last error, with engine, plugin and member; null after a success. */
  error: string | null = null;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /**
   * Returns what a member of the engine returns.
   * @throws HttpError 503 when the engine throws, hangs or returns an invalid value. Its cause is
   * ERR_SEARCH_ENGINE, which names engine, plugin and member, and the field and value of an invalid one.
   */
  async ask<T>(member: keyof typeof ENGINE_ANSWERS, question: () => T | Promise<T>): Promise<T> {
    if (this.#hanging >= MAX_HANGING) throw unavailable("the search engine does not answer");
    try {
      const answer = await this.#limited(question);
      const problem = ENGINE_ANSWERS[member](answer);
      if (problem !== null)
        throw this.#fault(member, `it returned a wrong value: ${problem}`, {
          code: "ERR_ENGINE_VALUE",
        });
      this.error = null;
      return answer;
    } catch (cause) {
      const error = this.#failure(member, cause);
      this.error = error.message;
      throw unavailable("search is not available at the moment", error);
    }
  }

  /** The error of a member that does not end. */
  slow(member: keyof SearchEngine): SiteError {
    return this.#failure(member, this.#late());
  }

  #late(): Error {
    return new Error(`no answer within ${this.#options.timeoutMs} ms (search.timeout_ms)`);
  }

  #failure(member: string, cause: unknown): SiteError {
    const fault =
      cause instanceof EngineError
        ? cause
        : this.#fault(member, describeFailure(cause), { code: "ERR_ENGINE_FAILED", cause });
    const { engine, enginePlugin } = fault.of;
    return new SiteError(
      "ERR_SEARCH_ENGINE",
      `\`${member}\` of the engine "${engine}" of plugin "${enginePlugin}" failed: ${fault.reason}`,
      { cause: fault, fix: FIX },
    );
  }

  #fault(
    member: string,
    reason: string,
    why: Pick<EngineErrorOptions, "code" | "cause">,
  ): EngineError {
    const { activeName, activePlugin } = this.#options.slot;
    const of = {
      slot: "search",
      engine: activeName ?? "",
      enginePlugin: activePlugin ?? "",
      member,
    };
    return new EngineError(of, reason, { ...why, fix: FIX });
  }

  async #limited<T>(question: () => T | Promise<T>): Promise<T> {
    const answer = question();
    if (!isPromise(answer)) return answer;
    this.#hanging += 1;
    const settled = Promise.resolve(answer).finally(() => (this.#hanging -= 1));
    return within(this.#options.timeoutMs, settled, () => {
      throw this.#late();
    });
  }
}

/** Returns the reason of a failure, without the engine that an error of a plugin's engine also names. */
export function describeFailure(error: unknown): string {
  if (error instanceof EngineError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

/** The 503 of a search that cannot run now. */
export function unavailable(message: string, cause?: unknown): HttpError {
  return new HttpError(503, message, {
    code: "ERR_SEARCH_UNAVAILABLE",
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
    ...(cause !== undefined && { cause }),
  });
}

/** The counts of an engine that does not return them with its results. */
export async function countFacets(
  guard: EngineGuard,
  engine: SearchEngine,
  query: SearchQuery,
): Promise<FacetCounts> {
  if (query.facets.length === 0 || !engine.facetCounts) return {};
  return guard.ask("facetCounts", () => engine.facetCounts?.(query) ?? {});
}
