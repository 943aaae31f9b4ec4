import type { ExtendedSyntax, SearchEngine, SearchQuery } from "../contract.js";
import type { EngineGuard } from "../engine-guard.js";
import type { Sources } from "../index/sources.js";
import { normalizeText, tokenize } from "./terms.js";

/** Documents that phrases and exclusions leave: one of `only` unless null, and none of `except`. */
export interface Narrowed<Key> {
  readonly only: readonly Key[] | null;
  readonly except: readonly Key[];
}
/** The index that phrases are looked up in. */
export interface PhraseSource<Key> {
  /** All documents with one of the terms, best first. */
  find(terms: readonly string[]): Promise<readonly Key[]>;
  /** The title, the text and the taxonomy values of a document. */
  texts(key: Key): Promise<readonly string[]>;
}

/** Documents whose texts are read for one phrase, best first. */
const MAX_READ = 5000;

/** Finds the documents that the phrases and exclusions of a query leave. */
export async function narrow<Key>(
  source: PhraseSource<Key>,
  { phrases, notPhrases, notTerms }: ExtendedSyntax,
): Promise<Narrowed<Key>> {
  let only: readonly Key[] | null = null;
  for (const phrase of phrases) {
    const keys: readonly Key[] = await withPhrase(source, phrase, only);
    only = keys;
  }
  const except = new Set<Key>();
  for (const term of notTerms) for (const key of await source.find([term])) except.add(key);
  for (const phrase of notPhrases)
    for (const key of await withPhrase(source, phrase, only)) except.add(key);
  return { only, except: [...except] };
}

/** Engines keep no positions: the texts of the documents with all words of the phrase are read. */
async function withPhrase<Key>(
  source: PhraseSource<Key>,
  phrase: string,
  within: readonly Key[] | null,
): Promise<Key[]> {
  const terms = [...new Set(tokenize(phrase))];
  const sets = [new Set(within ?? (await source.find(terms)))];
  if (within !== null || terms.length > 1)
    for (const term of terms) sets.push(new Set(await source.find([term])));
  const candidates = [...(sets[0] ?? [])].filter((key) => sets.every((set) => set.has(key)));
  const keys: Key[] = [];
  for (const key of candidates.slice(0, MAX_READ)) {
    const texts = await source.texts(key);
    if (texts.some((text) => hasPhrase(text, phrase))) keys.push(key);
  }
  return keys;
}

/** True when the words of a phrase follow each other in a text. */
function hasPhrase(text: string, phrase: string): boolean {
  return ` ${normalizeText(text)} `.includes(` ${phrase} `);
}

/** The query for all of `count` documents that have one of the terms. */
export function toAnyTermQuery(
  terms: readonly string[],
  access: SearchQuery["access"],
  count: number,
): SearchQuery {
  return {
    text: terms.join(" "),
    terms,
    filters: { taxonomy: {}, facets: {} },
    sort: "relevance",
    limit: Math.max(1, count),
    offset: 0,
    lang: null,
    access,
    facets: [],
  };
}

/** The sources of documents and their texts. */
interface NarrowingOptions {
  readonly sources: Sources;
  readonly guard: EngineGuard;
  /** The active engine. */
  engine(): SearchEngine;
}

/** Turns the phrases and exclusions of a query into the documents that every engine can select. */
export class Narrowing {
  readonly #options: NarrowingOptions;
  // Not in site.cache: by query object, which the exact and the similar search of a request share.
  readonly #known = new WeakMap<SearchQuery, Promise<SearchQuery>>();

  constructor(options: NarrowingOptions) {
    this.#options = options;
  }

  /** The query with `routes`; a query in plain syntax stays the same. */
  async apply(query: SearchQuery): Promise<SearchQuery> {
    const { extended } = query;
    if (extended === undefined) return query;
    const cached =
      this.#known.get(query) ??
      narrow(this.#source(query), extended).then((routes) => ({ ...query, routes }));
    this.#known.set(query, cached);
    return cached;
  }

  #source(query: SearchQuery): PhraseSource<string> {
    const { sources, guard, engine } = this.#options;
    return {
      find: async (terms) => {
        const anyTerm = toAnyTermQuery(terms, query.access, sources.size);
        const { hits } = await guard.ask("search", () => engine().search(anyTerm));
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
