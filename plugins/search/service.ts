import { readFile } from "node:fs/promises";
import { within, type EngineSlot, type SiteContext, type Caches, type CacheSpace } from "#kernel";
import { runningFile } from "#kernel/internal";
import type {
  ContentView,
  Viewer,
  ContentAddresses,
  LanguagesSection,
} from "../content/contract.js";
import { exportIndex, type ExportSection } from "./client/export-index.js";
import type { SearchEvent, Analytics } from "./analytics.js";
import type {
  SearchAnswer,
  SearchEngine,
  SearchQuery,
  SearchRequest,
  SearchService,
  SearchState,
  SuggestedSynonym,
  SearchTools,
  SuggestScope,
  SearchRoute,
} from "./contract.js";
import { EngineGuard, facetsOf, unavailable } from "./engine-guard.js";
import { MomentSearch } from "./query/moment-search.js";
import { toItems } from "./query/results.js";
import { Narrowing } from "./query/phrases.js";
import { parseQuery, isBrowsing, toQuery } from "./query/parse-query.js";
import { SectionSearch } from "./similar/section-search.js";
import { SimilarSearch } from "./similar/similar-search.js";
import { suggestSynonyms } from "./similar/suggest-synonyms.js";
import { SynonymEditor } from "./similar/synonym-file.js";
import { type SearchIndex, INDEX_TAG } from "./index/search-index.js";
import { isTerm, MAX_QUERY_LENGTH, normalizeText } from "./query/terms.js";
import type { Sources } from "./index/sources.js";
import type { Texts } from "./index/texts.js";

/** Dependencies of the service. */
interface SearchParts {
  readonly site: SiteContext;
  readonly slot: EngineSlot<SearchEngine>;
  readonly sources: Sources;
  readonly texts: Texts;
  readonly analytics: Analytics;
  readonly tools: SearchTools;
  /** Null until the engine is chosen. */
  index(): SearchIndex | null;
}

/**
 * Further methods for the routes, whose responses may be cached and sent without a call to the
 * service.
 */
export interface InternalSearchService extends SearchService {
  /** Records a search again each time its cached response is sent. */
  noteOf(request: SearchRequest, total: number): () => void;
  /** Unix ms until which current results are valid; Infinity when nothing is scheduled. */
  trueUntil(): number;
}

/** The service `search`, in front of any engine. */
export function createSearchService(parts: SearchParts): InternalSearchService {
  const front = new SearchFront(parts);
  const { trace } = parts.site.runtime;
  return {
    noteOf: (request, total) => front.noteOf(request, total),
    trueUntil: () => parts.sources.nextChange,
    search: (request, viewer) =>
      trace.on
        ? trace.span("search", () => front.search(request, viewer))
        : front.search(request, viewer),
    suggest: (prefix, scope) => front.suggest(prefix, scope),
    state: () => front.state(),
    pages: searchPages(parts.site.settings.system.languages, parts.site.use("content").addresses),
    analytics: () => parts.analytics.summary(),
    suggestedSynonyms: () => front.suggestedSynonyms(),
    synonyms: front.synonyms,
    rebuild: async () => parts.index()?.rebuild(),
    refreshRecords: async () => parts.index()?.refreshRecords(),
    documents: () => parts.sources.documents(),
    exportIndex: async (last) => exportIndex(parts.sources, await front.exported(), last),
    exportScript: () => readFile(runningFile("plugins/search/assets/search.js"), "utf8"),
    tools: parts.tools,
  };
}

class SearchFront {
  readonly #parts: SearchParts;
  readonly #guard: EngineGuard;
  readonly #answers: CachedAnswers;
  readonly #narrowing: Narrowing;
  readonly #suggestions: Suggestions;
  readonly #similar: SimilarSearch;
  readonly #sections: SectionSearch;
  readonly #moments: MomentSearch;
  readonly synonyms: SynonymEditor;
  #refreshing: Promise<void> | null = null;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#answers = new CachedAnswers(parts.site.cache);
    this.#guard = new EngineGuard({
      timeoutMs: parts.site.settings.system.search.timeout_ms,
      slot: parts.slot,
    });
    this.#moments = new MomentSearch(parts);
    this.#sections = new SectionSearch(parts.site, parts.sources);
    const engine = (): SearchEngine => parts.slot.active;
    this.#narrowing = new Narrowing({ sources: parts.sources, guard: this.#guard, engine });
    this.#suggestions = new Suggestions({
      guard: this.#guard,
      engine,
      main: () => parts.site.use("content").languages.main,
      toQuery: (request) => this.#toQuery(request),
    });
    this.#similar = new SimilarSearch({
      site: parts.site,
      sources: parts.sources,
      guard: this.#guard,
      engine,
      narrowing: this.#narrowing,
    });
    this.synonyms = new SynonymEditor(parts.site, async () => void (await this.#similar.refresh()));
  }

  async search(request: SearchRequest, viewer: Viewer): Promise<SearchAnswer> {
    const started = performance.now();
    const query = this.#toQuery(request);
    if (query.terms.length === 0 && !isBrowsing(request)) return nothing;
    const { moment } = viewer;
    if (moment !== undefined) return this.#moments.search(query, { ...viewer, moment });
    await this.#current();
    const view = this.#parts.site.use("content").view(viewer);
    const allowed = { ...query, access: this.#parts.sources.accessOf(view) };
    const ask = (): Promise<SearchAnswer> => this.#answer(allowed, view, request.explain === true);
    const version = this.#parts.index()?.version ?? 0;
    const exact = await (request.explain === true
      ? ask()
      : this.#answers.get(allowed, version, ask));
    const answer: SearchAnswer =
      request.similar === true
        ? { ...exact, ...(await this.#similar.search(allowed, exact, { version, view })) }
        : { ...exact };
    if (request.sections === true)
      answer.sections = await this.#sections.of(exact.items, query.terms, view);
    const ms = Math.round(performance.now() - started);
    if (request.isCounted !== false) {
      this.#parts.analytics.record({ ...this.#eventOf(request, answer.total), ms });
    }
    return answer;
  }

  async suggestedSynonyms(): Promise<SuggestedSynonym[]> {
    return suggestSynonyms({
      summary: await this.#parts.analytics.summary(),
      synonyms: await this.#similar.synonyms(),
      search: (request) => this.search(request, anonymous),
      words: (range) => this.#similar.words(range),
    });
  }

  /** The settings of an export, which has the synonyms in its index. */
  async exported(): Promise<ExportSection> {
    const { search, languages } = this.#parts.site.settings.system;
    return { ...search, lists: await this.#similar.lists(), main: languages.default };
  }

  noteOf(request: SearchRequest, total: number): () => void {
    const event = this.#eventOf(request, total);
    const isSearch = this.#parsed(request.text).terms.length > 0;
    return () => isSearch && this.#parts.analytics.record(event);
  }

  #eventOf({ text, lang }: SearchRequest, total: number): SearchEvent {
    const { default: usual } = this.#parts.site.settings.system.languages;
    return { q: normalizeText(this.#parsed(text).text), n: total, ms: 0, lang: lang ?? usual };
  }

  #parsed(text: string): ReturnType<typeof parseQuery> {
    return parseQuery(text, this.#parts.site.settings.system.search.syntax);
  }

  async suggest(
    prefix: string,
    { viewer, ...scope }: { viewer: Viewer; lang: string | null; fallback?: boolean },
  ): Promise<readonly string[]> {
    // No engine has the words of another moment.
    if (viewer.moment !== undefined) return [];
    const cut = prefix.slice(0, MAX_QUERY_LENGTH);
    if (!isTerm(normalizeText(cut))) return [];
    await this.#current();
    const view = this.#parts.site.use("content").view(viewer);
    const access = this.#parts.sources.accessOf(view);
    return this.#suggestions.of(cut, { ...scope, access });
  }

  state(): SearchState {
    const index = this.#parts.index();
    const error = index?.error ?? this.#guard.error;
    const builtAt = index?.builtAt ?? null;
    const ready = builtAt === null ? "building" : "ready";
    return {
      engine: this.#parts.slot.activeName ?? "",
      documents: this.#parts.sources.size,
      builtAt,
      status: error === null ? ready : "failing",
      error,
    };
  }

  #toQuery(request: SearchRequest): SearchQuery {
    const { supported } = this.#parts.site.use("content").languages;
    const { facets: counted, syntax } = this.#parts.site.settings.system.search;
    const facets = counted.map(({ field }) => field);
    return toQuery(request, { facets, syntax, isMultilingual: supported.length > 1 });
  }

  /**
   * Applies scheduled changes of pages.
   * @throws HttpError 503 while there is no index.
   */
  async #current(): Promise<void> {
    const { site, sources } = this.#parts;
    const index = this.#parts.index();
    if (site.runtime.clock.now() >= sources.nextChange) await this.#refreshed(index);
    if (index !== null && index.builtAt !== null) return;
    const error = index?.error ?? null;
    throw error === null
      ? unavailable("the search index is being built")
      : unavailable("search is not available at the moment", new Error(error));
  }

  /** Queries wait for one refresh, and no longer than for an answer. */
  async #refreshed(index: SearchIndex | null): Promise<void> {
    this.#refreshing ??= Promise.resolve(index?.refresh()).finally(() => (this.#refreshing = null));
    const { timeout_ms: timeoutMs } = this.#parts.site.settings.system.search;
    await within(timeoutMs, this.#refreshing, () => {
      throw unavailable("search is not available at the moment", this.#guard.slow("update"));
    });
  }

  async #answer(asked: SearchQuery, view: ContentView, explain: boolean): Promise<SearchAnswer> {
    const { site, sources, slot } = this.#parts;
    const engine = slot.active;
    const query = await this.#narrowing.apply(asked);
    const result = await this.#guard.ask("search", () => engine.search(query));
    const { addresses } = site.use("content");
    const { items, routes, total } = await toItems(result, query, {
      sources,
      view,
      addresses,
      section: site.settings.system.search,
    });
    for (const [at, item] of explain ? items.entries() : []) {
      const route = routes[at] ?? item.route;
      const ask = () => engine.explain?.(query, route) ?? null;
      item.explanation = await this.#guard.ask("explain", ask);
    }
    const facets = result.facets ?? (await facetsOf(this.#guard, engine, query));
    return { total, items, facets, hasMore: query.offset + query.limit < total };
  }
}

const anonymous: Viewer = { roles: null, seesUnpublished: false };
const nothing: SearchAnswer = { total: 0, items: [], facets: {}, hasMore: false };

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

const MAX_SUGGESTIONS = 10;

/** Dependencies of suggestions. */
interface SuggestionParts {
  readonly guard: EngineGuard;
  engine(): SearchEngine;
  /** The default language. */
  main(): string;
  toQuery(request: SearchRequest): SearchQuery;
}

/** Completes what is being typed, from any engine. */
class Suggestions {
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

/** Address of the search page; a multilingual site has one per language. */
export function searchPages(
  { supported, default: main }: LanguagesSection,
  addresses: Pick<ContentAddresses, "prefixOf">,
): readonly SearchRoute[] {
  if (supported.length < 2) return [{ path: "/search", lang: null }];
  const prefixed = supported.filter((lang) => addresses.prefixOf(lang) !== "");
  return [
    { path: "/search", lang: main },
    ...prefixed.map((lang) => ({ path: `${addresses.prefixOf(lang)}/search`, lang })),
  ];
}
