/** The public contract of search: documents, engines, hooks, service. */
import type { CreateHook } from "#kernel";
import type { Viewer } from "../content/contract.js";

/** One searchable item: a page, a flex record or a contributed record. */
export interface SearchDocument {
  /** Public address with language prefix, and the key: one document per route. */
  readonly route: string;
  readonly title: string;
  /** Plain text, without markup. */
  readonly body: string;
  /** Further indexed texts by field name: `template`, `description`, custom fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly template: string;
  /** YYYY-MM-DD; null when undated. */
  readonly date: string | null;
  readonly taxonomy: Readonly<Record<string, readonly string[]>>;
  /** Language code; empty for documents without a language, which every language finds. */
  readonly lang: string;
  /**
   * Values per configured facet field. On a multilingual site, `:readers` lists the languages whose
   * readers get the document, also in place of a missing translation.
   */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  /** Access key: empty for public documents, otherwise it must be in `SearchQuery.access`. */
  readonly access: string;
}

/** Filters on documents; all of them must match. */
export interface SearchFilters {
  readonly template?: string;
  /** First and last day, YYYY-MM-DD; undated documents match neither. */
  readonly from?: string;
  readonly to?: string;
  /** One of the values per taxonomy. */
  readonly taxonomy: Readonly<Record<string, readonly string[]>>;
  /** One of the values per facet field. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
}

/** A query that the service has parsed and validated. */
export interface SearchQuery {
  /** The words as typed, at most 256 characters. */
  readonly text: string;
  /**
   * The folded words: unique, in order, at most 16. If empty, all documents that pass the filters
   * match.
   */
  readonly terms: readonly string[];
  readonly filters: SearchFilters;
  /** `date`: newest first, undated last. Without terms, the order is always by date. */
  readonly sort: "relevance" | "date";
  readonly limit: number;
  readonly offset: number;
  /** Null: every language. Otherwise documents in this language or without one. */
  readonly lang: string | null;
  /** Access keys of the viewer; always contains the empty one. */
  readonly access: readonly string[];
  /** Facet fields to count. */
  readonly facets: readonly string[];
  /**
   * Limits the matches, before totals and facet counts: to the routes of `only` unless it is null, and
   * to none of `except`. The service derives it from the phrases and exclusions of a query.
   */
  readonly routes?: { readonly only: readonly string[] | null; readonly except: readonly string[] };
  /** The phrases and exclusions, which the service applies; engines need only `routes`. */
  readonly extended?: ExtendedSyntax;
}

/** The phrases and exclusions of a query in extended syntax, folded like titles and terms. */
export interface ExtendedSyntax {
  /** The query as typed; `SearchQuery.text` is without its exclusions. */
  readonly typed: string;
  readonly phrases: readonly string[];
  readonly notPhrases: readonly string[];
  readonly notTerms: readonly string[];
}

/** One match. */
export interface SearchHit {
  readonly route: string;
  readonly score: number;
  /**
   * HTML: escaped text with `<mark>`. If absent, the service cuts an excerpt from the page's text.
   */
  readonly excerpt?: string;
  /** HTML-escaped words. */
  readonly highlights?: readonly string[];
}
/** Per facet field: value to number of matches, ignoring the field's own selection. */
export type FacetCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;
/** The result of an engine. */
export interface SearchResult {
  /** All matches after filters, not only those of this slice. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly facets?: FacetCounts;
}
/** The documents from which suggestions may come. */
export interface SuggestScope {
  /** Access keys of the viewer, as in `SearchQuery`. */
  readonly access: readonly string[];
  /** Null: every language. Otherwise documents in this language or without one. */
  readonly lang: string | null;
}
/** Selects the terms that `words` returns by their beginning and their length in UTF-16 units. */
export interface WordRange {
  readonly prefix: string;
  readonly shortest: number;
  readonly longest: number;
}
/** Why a document has its score. */
export interface Explanation {
  readonly score: number;
  readonly terms: readonly {
    readonly term: string;
    readonly matches: readonly {
      readonly field: string;
      readonly count: number;
      readonly points: number;
    }[];
  }[];
  /** Points for a title equal to the whole query, else 0. */
  readonly exactTitle: number;
  /** 1.5 when there are several terms and all of them match, else 1. */
  readonly factor: number;
}

/** A change of the documents of an index. */
export interface SearchUpdate {
  /** Documents to replace or add. */
  readonly upsert: readonly SearchDocument[];
  /** Routes of documents to remove; unknown ones are ignored. */
  readonly remove: readonly string[];
}

/**
 * A search engine finds and ranks documents. The service parses queries, excludes drafts,
 * paginates, cuts excerpts and enforces the timeout. `build` completes before any other member is
 * called.
 */
export interface SearchEngine {
  /** Replaces all documents; searches use the old state until the promise resolves. */
  build(documents: AsyncIterable<SearchDocument>): Promise<void>;
  /** Applies a change. If absent, the service rebuilds the index. */
  update?(change: SearchUpdate): Promise<void>;
  /** Sorted by score, the best first, then by date, the newest first, then by route. */
  search(query: SearchQuery): SearchResult | Promise<SearchResult>;
  /**
   * Titles that begin with the prefix, in alphabetical order, then terms that begin with it, the most frequent
   * first. A term that equals a suggested title is left out.
   */
  suggest(
    prefix: string,
    limit: number,
    scope?: SuggestScope,
  ): readonly string[] | Promise<readonly string[]>;
  /**
   * Indexed terms with a beginning, by length in UTF-16 units, in any order. Without it, no typos and
   * stems are found.
   */
  words?(range: WordRange): readonly string[] | Promise<readonly string[]>;
  /** Facet counts, if `search` does not return them. */
  facetCounts?(query: SearchQuery): FacetCounts | Promise<FacetCounts>;
  /** Null when the document does not match. */
  explain?(query: SearchQuery, route: string): Explanation | null | Promise<Explanation | null>;
  /** The state as bytes for the next startup; `load` returns false for bytes it cannot read. */
  save?(): Promise<Uint8Array>;
  load?(bytes: Uint8Array): Promise<boolean>;
  close?(): void | Promise<void>;
}

/** A record that a plugin contributes through `onSearchRecordsCollect`; its result links to the route. */
export interface SearchRecord {
  route: string;
  title: string;
  /** Plain text. */
  body: string;
  /** Further indexed texts; `subtype` is also the value of that facet. */
  fields?: Record<string, string>;
  /** Default `page`. */
  template?: string;
  /** YYYY-MM-DD. */
  date?: string | null;
  taxonomy?: Record<string, readonly string[]>;
  /** Language code. Default: none, so that searches in every language find it. */
  lang?: string;
  /** Shown as `type` of the result: the name of the flex type. */
  type?: string;
}

/** Payload of `onSearchEngineCreate`. */
export interface SearchEngineCreate {
  register(name: string, engine: SearchEngine): void;
  activate(name: string): void;
  /** Same as `activate`. */
  setActiveEngine(name: string): void;
  /** Every document without its body, at the time of the call. */
  readonly documents: readonly Omit<SearchDocument, "body">[];
  /** Plain text of a document; empty when it cannot be read. */
  loadText(page: Pick<SearchDocument, "route">): Promise<string>;
  readonly settings: SearchSection;
  /** The shared tokenizer, score and selection, for engines that want the default order. */
  readonly tools: SearchTools;
}

/** The occurrences of one query term in a document. */
export interface TermMatch {
  readonly title: boolean;
  /** Number of taxonomy values with a matching word. */
  readonly taxonomy: number;
  /** Occurrences in the body. */
  readonly body: number;
  /** Names of the further fields with a matching word. */
  readonly fields: readonly string[];
}
/** Points of a match in thousandths: sums are integers, equal in any order. */
export interface Points {
  readonly title: number;
  readonly taxonomy: number;
  readonly body: number;
  readonly exactTitle: number;
  field(name: string): number;
  /**
   * The configured values by name, for engines with their own score; other fields are worth 1000.
   */
  readonly configured: Readonly<Record<string, number>>;
}
/** A matching document and its score. */
export interface Candidate {
  readonly document: Omit<SearchDocument, "body">;
  readonly score: number;
}
/** Tokenizer, score and selection. */
export interface SearchTools {
  /**
   * Terms of a text, in order, with repetitions: words between spaces, folded as `normalizeText` does, of at least
   * two characters. Terms of a query come from the same function.
   */
  tokenize(text: string): string[];
  /**
   * A text for comparing titles and queries: words in lower case, without accents and surrounding punctuation, one
   * space between them.
   */
  normalizeText(text: string): string;
  /** Points of each field in thousandths, from `search.fields`, for scores of your own. */
  points: Points;
  /**
   * The default score; `matches` has one entry per query term, null if it does not match. `exactTitle`: the
   * normalized title equals the normalized `query.text`.
   */
  score(matches: readonly (TermMatch | null)[], exactTitle: boolean): number;
  /** Returns the explanation of these matches, for `SearchEngine.explain`. */
  explain(
    terms: readonly string[],
    matches: readonly (TermMatch | null)[],
    exactTitle: boolean,
  ): Explanation;
  /**
   * For engines without filters: applies filters, access, language and `routes`, counts facets, sorts and slices
   * candidates; drops a score of 0 when there are terms.
   */
  select(candidates: Iterable<Candidate>, query: SearchQuery): SearchResult;
}

/** One result in the API. */
export interface SearchItem {
  route: string;
  title: string;
  template: string;
  /** YYYY-MM-DD; empty when undated. */
  date: string;
  taxonomy: Readonly<Record<string, readonly string[]>>;
  score: number;
  /** HTML. */
  excerpt: string;
  /** HTML-escaped words, present when highlighting is on. */
  highlights?: readonly string[];
  type?: string;
  /** With `fallback`: the language of a page that stands in for a missing translation. */
  lang?: string;
  fallback?: true;
  explanation?: Explanation | null;
}
/** A result beside the exact ones, and why it is similar. */
export interface SimilarItem extends SearchItem {
  matched: "typo" | "synonym" | "stem" | "part";
}
/** A part of a page that a query matches. */
export interface SearchSectionHit {
  /** The anchor of its heading. */
  id: string;
  title: string;
  /** HTML. */
  excerpt: string;
}
/** The part of an answer that `similar` adds. */
export interface SimilarAnswer {
  similar: readonly SimilarItem[];
  /** The query with its typos corrected, if that finds something; else null. */
  didYouMean: string | null;
}
/** A query and its results. */
export interface SearchAnswer extends Partial<SimilarAnswer> {
  /** With `sections`: the best sections of the first items, by route. */
  sections?: Readonly<Record<string, readonly SearchSectionHit[]>>;
  total: number;
  items: readonly SearchItem[];
  facets: FacetCounts;
  hasMore: boolean;
}
/** A request to the service, which derives terms and access keys. */
export interface SearchRequest {
  text: string;
  filters: SearchFilters;
  sort: "relevance" | "date";
  limit: number;
  offset: number;
  lang: string | null;
  /** True: pages of the default language replace missing translations; default false. */
  fallback?: boolean;
  explain?: boolean;
  /** True: adds similar hits; the others stay the same. */
  similar?: boolean;
  /** True: adds the sections of the first items. */
  sections?: boolean;
  /** False: left out of the analytics; default true. */
  isCounted?: boolean;
}
/** Synonyms and stop words as written. */
export interface SynonymTextLists {
  groups: string[][];
  one_way: Record<string, string[]>;
  stop: string[];
}
/** The file of synonyms. */
export interface SynonymText {
  /** Below the root. */
  readonly path: string;
  readonly hash: string;
  /** Why the file cannot be used; null when it can. */
  readonly problem: string | null;
  /** By language; those of all languages under an empty one. */
  readonly lists: Readonly<Record<string, SynonymTextLists>>;
}
/** Options of writing the file of synonyms. */
export interface SynonymWriteOptions {
  /** The `hash` that was read; writing fails if the file has another one. Default: any. */
  readonly ifHash?: string;
}
/** Reads and writes the file of synonyms and stop words. */
export interface SynonymSource {
  read(): Promise<SynonymText>;
  /**
   * Sets the lists of a language, `""` for all; searches use them at once. The rest of the file stays.
   * @throws HttpError 400 for invalid lists, 409 for an unreadable file or another hash than `ifHash`.
   */
  write(lang: string, lists: SynonymTextLists, options?: SynonymWriteOptions): Promise<SynonymText>;
}
/** A request for suggestions. */
export interface SuggestRequest {
  readonly viewer: Viewer;
  /** Null: every language. */
  readonly lang: string | null;
  /** True: also what finds pages of the default language in place of a translation; default false. */
  readonly fallback?: boolean;
}
/** The address of a search page. */
export interface SearchRoute {
  path: string;
  /** The language of the pages it finds; null on a site with one language. */
  lang: string | null;
}
/** Status of search. */
export interface SearchState {
  engine: string;
  documents: number;
  /** Unix ms of the last index update; null before the first build completes. */
  builtAt: number | null;
  /** `building` only before the first build completes. */
  status: "building" | "ready" | "failing";
  /** The last error; null when the last build and the last query succeeded. */
  error: string | null;
}
/** One row of the summary of searches. */
export interface QueryCount {
  query: string;
  count: number;
  avgResults: number;
}
/** Summary of the search log. */
export interface SearchSummary {
  totalSearches: number;
  topQueries: readonly QueryCount[];
  zeroResultQueries: readonly { query: string; count: number }[];
}
/** A word that was searched without a result, and words that readers may have meant. */
export interface SuggestedSynonym {
  readonly word: string;
  /** Number of searches without a result that have the word. */
  readonly searches: number;
  /** Each of them finds something; the likeliest first, at most three. */
  readonly candidates: readonly string[];
}
/** The index of an export: files to write, files that stay, and the state for the next export. */
export interface ExportedIndex {
  /** Name to text; `index.json` is read first. */
  readonly files: ReadonlyMap<string, string>;
  readonly kept: readonly string[];
  /** Plain data. */
  readonly state: unknown;
}
/**
 * The service `search` for other plugins.
 *
 * @example
 * const filters = { taxonomy: {}, facets: {} };
 * const { items } = await site.use("search").search(
 *   { text: "sloop", filters, sort: "relevance", limit: 10, offset: 0, lang: null },
 *   { roles: null, seesUnpublished: false }, // an anonymous visitor
 * );
 */
export interface SearchService {
  /** @throws HttpError 503 with `Retry-After` while the engine fails or is too slow. */
  search(request: SearchRequest, viewer: Viewer): Promise<SearchAnswer>;
  /** At most ten suggestions; empty for a prefix under two characters. */
  suggest(prefix: string, request: SuggestRequest): Promise<readonly string[]>;
  state(): SearchState;
  /** The HTML search pages. */
  readonly pages: readonly SearchRoute[];
  readonly synonyms: SynonymSource;
  /** Data of the admin's analytics route. */
  analytics(): Promise<SearchSummary>;
  /** Synonyms for what readers searched without a result; the most frequent words first, at most ten. */
  suggestedSynonyms(): Promise<readonly SuggestedSynonym[]>;
  /** Collects all records and rebuilds the index. */
  rebuild(): Promise<void>;
  /** Collects all records and indexes those that changed; call it when your records change. */
  refreshRecords(): Promise<void>;
  /**
   * Builds the index of a static export, which a browser searches without a server; it contains
   * only public documents. `last`: the state of the last export, or null.
   */
  exportIndex(last: unknown): Promise<ExportedIndex>;
  /** The script that searches it: a module in the folder of the index. */
  exportScript(): Promise<string>;
  /** All searchable documents, as input for an engine's `build`. */
  documents(): AsyncIterable<SearchDocument>;
  readonly tools: SearchTools;
}

/** Section `search` of system.yaml. */
export interface SearchSection {
  customFields: string[];
  highlight: boolean;
  excerpt_length: number;
  include_flex: string[];
  facets: { field: string }[];
  fields: Record<string, { weight: number }>;
  page_size: number | null;
  engine: string;
  timeout_ms: number;
  analytics_max_mb: number;
  /** `extended`: `"two words"` is a phrase, `-word` an exclusion. */
  syntax: "plain" | "extended";
  similar: {
    typo: boolean;
    /** Path of the file below the root. */
    synonyms: string;
    stemming: boolean;
  };
}

declare module "#kernel" {
  interface Services {
    search: SearchService;
  }
  interface Engines {
    /**
     * Register an engine in `onSearchEngineCreate`.
     *
     * @example
     * site.hooks.on("onSearchEngineCreate", ({ data }) => {
     *   const titled = (text: string) => data.documents.filter(({ title }) => title.includes(text));
     *   data.register("titles", {
     *     build: async () => {},
     *     search: (q) => data.tools.select(titled(q.text).map((document) => ({ document, score: 1 })), q),
     *     suggest: () => [],
     *   });
     * });
     */
    search: SearchEngine;
  }
  interface SystemSettings {
    search: SearchSection;
  }
  interface HookMap {
    /**
     * When the index is built: add records that are not pages.
     *
     * @example
     * site.hooks.on("onSearchRecordsCollect", ({ data }) => {
     *   data.records.push({ route: "/boats/aurora", title: "Aurora", body: "A wooden sloop", type: "boat" });
     * });
     */
    onSearchRecordsCollect: CreateHook<{ records: SearchRecord[] }>;
    /**
     * When the site gets ready: register an engine for the slot `search`.
     *
     * @example
     * import type { SearchEngine } from "sitewright/plugins";
     * declare const engine: SearchEngine; // a search server
     * site.hooks.on("onSearchEngineCreate", ({ data }) => data.register("mine", engine));
     */
    onSearchEngineCreate: CreateHook<SearchEngineCreate>;
  }
}
