import type { SearchEngine, SearchQuery } from "../contract.js";
import type { EngineGuard } from "../engine-guard.js";
import type { Sources } from "../index/sources.js";
import { narrow, type PhraseSource } from "./phrases.js";

/** Dependencies of phrases and exclusions. */
export interface NarrowingParts {
  readonly sources: Sources;
  readonly guard: EngineGuard;
  engine(): SearchEngine;
}

/** Turns the phrases and exclusions of a query into the documents that every engine can select. */
export class Narrowing {
  readonly #parts: NarrowingParts;
  // Not in site.cache: by query object, which the exact and the similar search of a request share.
  readonly #known = new WeakMap<SearchQuery, Promise<SearchQuery>>();

  constructor(parts: NarrowingParts) {
    this.#parts = parts;
  }

  /** The query with `routes`; a query in plain syntax stays the same. */
  async apply(query: SearchQuery): Promise<SearchQuery> {
    const { extended } = query;
    if (extended === undefined) return query;
    const known =
      this.#known.get(query) ??
      narrow(this.#source(query), extended).then((routes) => ({ ...query, routes }));
    this.#known.set(query, known);
    return known;
  }

  #source(query: SearchQuery): PhraseSource<string> {
    const { sources, guard, engine } = this.#parts;
    return {
      find: async (terms) => {
        const wanted = {
          text: terms.join(" "),
          terms,
          sort: "relevance" as const,
          facets: [],
          filters: { taxonomy: {}, facets: {} },
          lang: null,
          access: query.access,
          limit: Math.max(1, sources.size),
          offset: 0,
        };
        const { hits } = await guard.ask("search", () => engine().search(wanted));
        return hits.map(({ route }) => route);
      },
      texts: async (route) => {
        const source = sources.get(route);
        if (source === undefined) return [];
        const { title, taxonomy } = sources.shown(source);
        return [title, await sources.text(route), ...Object.values(taxonomy).flat()];
      },
    };
  }
}
