import type { SearchEngine, SearchQuery, SearchRequest, SuggestScope } from "../contract.js";
import type { EngineGuard } from "../engine-guard.js";

const MAX_SUGGESTIONS = 10;

/** Dependencies of suggestions. */
export interface SuggestionParts {
  readonly guard: EngineGuard;
  engine(): SearchEngine;
  /** The default language. */
  main(): string;
  toQuery(request: SearchRequest): SearchQuery;
}

/** Completes what is being typed, from any engine. */
export class Suggestions {
  readonly #parts: SuggestionParts;

  constructor(parts: SuggestionParts) {
    this.#parts = parts;
  }

  /** Suggestions of a language; with `fallback` also those of pages in place of a translation. */
  async of(
    prefix: string,
    { access, lang, fallback }: SuggestScope & { fallback?: boolean },
  ): Promise<readonly string[]> {
    const found = await this.#ask(prefix, { access, lang });
    const main = this.#parts.main();
    if (fallback !== true || lang === null || lang === main) return found;
    const more = await this.#ask(prefix, { access, lang: main });
    const useful = await Promise.all(
      more.map(async (text) => ((await this.#isFound(text, { access, lang })) ? [text] : [])),
    );
    return [...new Set([...found, ...useful.flat()])].slice(0, MAX_SUGGESTIONS);
  }

  async #ask(prefix: string, within: SuggestScope): Promise<readonly string[]> {
    const engine = this.#parts.engine();
    const found = await this.#parts.guard.ask("suggest", () =>
      engine.suggest(prefix, MAX_SUGGESTIONS, within),
    );
    return found.slice(0, MAX_SUGGESTIONS);
  }

  /**
   * True when readers of a language find documents by text, including pages in place of a
   * translation.
   */
  async #isFound(text: string, { access, lang }: SuggestScope): Promise<boolean> {
    const filters = { taxonomy: {}, facets: {} };
    const request = { text, filters, sort: "relevance", limit: 1, offset: 0, lang } as const;
    const query = { ...this.#parts.toQuery({ ...request, fallback: true }), access, facets: [] };
    const engine = this.#parts.engine();
    return (await this.#parts.guard.ask("search", () => engine.search(query))).total > 0;
  }
}
