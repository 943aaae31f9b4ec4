import { readFile } from "node:fs/promises";
import { within, type EngineSlot, type SiteContext, type Caches, type CacheSpace } from "#kernel";
import { runningFile } from "#lib/packages";
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
  SuggestRequest,
  SuggestScope,
  SearchRoute,
} from "./contract.js";
import { EngineGuard, countFacets, unavailable } from "./engine-guard.js";
import { MomentSearch } from "./query/moment-search.js";
import { toItems, SectionSearch } from "./query/results.js";
import { Narrowing } from "./query/phrases.js";
import { isBrowsing, toQuery } from "./query/parse-query.js";
import { SimilarSearch } from "./similar/similar-search.js";
import { suggestSynonyms } from "./similar/synonyms.js";
import { SynonymEditor } from "./similar/synonym-file.js";
import { type SearchIndex, INDEX_TAG } from "./index/search-index.js";
import { isTerm, MAX_QUERY_LENGTH, normalizeText } from "./query/terms.js";
import type { Sources } from "./index/sources.js";
import type { Texts } from "./index/texts.js";

/** Dependencies of the service. */
interface SearchDependencies {
  readonly site: SiteContext;
  readonly slot: EngineSlot<SearchEngine>;
  readonly sources: Sources;
  /** The texts of pages, for searches at other moments. */
  readonly texts: Texts;
  readonly analytics: Analytics;
  readonly tools: SearchTools;
  /** Null until the engine is chosen. */
  index(): SearchIndex | null;
}

/** The answer to a search whose response may be cached. */
export interface CountedAnswer {
  readonly answer: SearchAnswer;
  /** Records the search in the analytics again; call it whenever the cached response is sent. */
  readonly recordHit: () => void;
}

/** Further methods for the routes, whose responses may be sent from a cache. */
export interface InternalSearchService extends SearchService {
  /** Searches like `search`; returns the answer with its `recordHit`. */
  searchCounted(request: SearchRequest, viewer: Viewer): Promise<CountedAnswer>;
  /** Unix ms until which current results are valid; Infinity when nothing is scheduled. */
  trueUntil(): number;
}

/** The service `search`, in front of any engine. */
export function createSearchService(parts: SearchDependencies): InternalSearchService {
  const front = new SearchFront(parts);
  const { trace } = parts.site.runtime;
  const searchCounted = (request: SearchRequest, viewer: Viewer): Promise<CountedAnswer> =>
    trace.on
      ? trace.span("search", () => front.search(request, viewer))
      : front.search(request, viewer);
  return {
    searchCounted,
    trueUntil: () => parts.sources.nextChange,
    search: async (request, viewer) => (await searchCounted(request, viewer)).answer,
    suggest: (prefix, request) => front.suggest(prefix, request),
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
  readonly #parts: SearchDependencies;
  readonly #guard: EngineGuard;
  readonly #answers: CachedAnswers;
  readonly #narrowing: Narrowing;
  readonly #similar: SimilarSearch;
  readonly #sections: SectionSearch;
  readonly #moments: MomentSearch;
  readonly synonyms: SynonymEditor;
  #refreshing: Promise<void> | null = null;

  constructor(parts: SearchDependencies) {
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
    this.#similar = new SimilarSearch({
      site: parts.site,
      sources: parts.sources,
      guard: this.#guard,
      engine,
      narrowing: this.#narrowing,
    });
    this.synonyms = new SynonymEditor(parts.site, async () => void (await this.#similar.refresh()));
  }

  async search(request: SearchRequest, viewer: Viewer): Promise<CountedAnswer> {
    const { site, analytics } = this.#parts;
    const started = performance.now();
    const query = this.#toQuery(request);
    const answer = await this.#find(query, request, viewer);
    const ms = Math.round(performance.now() - started);
    const isCounted =
      query.terms.length > 0 && viewer.moment === undefined && request.isCounted !== false;
    const event: Omit<SearchEvent, "ms"> = {
      q: normalizeText(query.text),
      n: answer.total,
      lang: request.lang ?? site.settings.system.languages.default,
    };
    const record = (took: number): void => {
      if (isCounted) analytics.record({ ...event, ms: took });
    };
    record(ms);
    return { answer, recordHit: () => record(0) };
  }

  async #find(query: SearchQuery, request: SearchRequest, viewer: Viewer): Promise<SearchAnswer> {
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
    return answer;
  }

  async suggestedSynonyms(): Promise<SuggestedSynonym[]> {
    await this.#current();
    return suggestSynonyms({
      summary: await this.#parts.analytics.summary(),
      synonyms: await this.#similar.synonyms(),
      search: async (request) => (await this.search(request, anonymous)).answer,
      words: (range) => this.#similar.words(range),
    });
  }

  /** The settings of an export, which has the synonyms in its index. */
  async exported(): Promise<ExportSection> {
    const { search, languages } = this.#parts.site.settings.system;
    return { ...search, lists: await this.#similar.lists(), main: languages.default };
  }

  /** With `fallback`, also suggests what finds pages in place of a missing translation. */
  async suggest(
    prefix: string,
    { viewer, lang, fallback }: SuggestRequest,
  ): Promise<readonly string[]> {
    // No engine has the words of another moment.
    if (viewer.moment !== undefined) return [];
    const cut = prefix.slice(0, MAX_QUERY_LENGTH);
    if (!isTerm(normalizeText(cut))) return [];
    await this.#current();
    const content = this.#parts.site.use("content");
    const access = this.#parts.sources.accessOf(content.view(viewer));
    const suggestions = await this.#suggestions(cut, { access, lang });
    const { main } = content.languages;
    if (fallback !== true || lang === null || lang === main) return suggestions;
    const more = await this.#suggestions(cut, { access, lang: main });
    const useful = await Promise.all(
      more.map(async (text) => ((await this.#isFound(text, { access, lang })) ? [text] : [])),
    );
    return [...new Set([...suggestions, ...useful.flat()])].slice(0, MAX_SUGGESTIONS);
  }

  async #suggestions(prefix: string, scope: SuggestScope): Promise<readonly string[]> {
    const engine = this.#parts.slot.active;
    const suggestions = await this.#guard.ask("suggest", () =>
      engine.suggest(prefix, MAX_SUGGESTIONS, scope),
    );
    return suggestions.slice(0, MAX_SUGGESTIONS);
  }

  /** True when readers of a language find documents, including pages in place of a translation. */
  async #isFound(text: string, { access, lang }: SuggestScope): Promise<boolean> {
    const query = this.#toQuery({
      text,
      filters: { taxonomy: {}, facets: {} },
      sort: "relevance",
      limit: 1,
      offset: 0,
      lang,
      fallback: true,
    });
    const engine = this.#parts.slot.active;
    const { total } = await this.#guard.ask("search", () =>
      engine.search({ ...query, access, facets: [] }),
    );
    return total > 0;
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
   * Waits for the first index, no longer than for an answer, and applies scheduled changes of pages.
   * @throws HttpError 503 while there is no index.
   */
  async #current(): Promise<void> {
    const { site, sources } = this.#parts;
    const index = this.#parts.index();
    if (index !== null && index.builtAt === null && index.error === null) {
      const { timeout_ms: timeoutMs } = site.settings.system.search;
      await within(timeoutMs, index.start(), () => undefined);
    }
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
    const facets = result.facets ?? (await countFacets(this.#guard, engine, query));
    return { total, items, facets, hasMore: query.offset + query.limit < total };
  }
}

const anonymous: Viewer = { roles: null, seesUnpublished: false };
const nothing: SearchAnswer = { total: 0, items: [], facets: {}, hasMore: false };
const MAX_SUGGESTIONS = 10;

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
