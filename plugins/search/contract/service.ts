/** The service `search` for other plugins. */
import type { Viewer } from "../../content/contract.js";
import type { SearchDocument, SearchFilters } from "./documents.js";
import type { Explanation, FacetCounts, SearchTools } from "./engines.js";

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

/** A query and its results. */
export interface SearchAnswer extends Partial<SimilarAnswer> {
  /** With `sections`: the best sections of the first items, by route. */
  sections?: Readonly<Record<string, readonly SearchSectionHit[]>>;
  total: number;
  items: readonly SearchItem[];
  facets: FacetCounts;
  hasMore: boolean;
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

/** A part of a page that a query matches. */
export interface SearchSectionHit {
  /** The anchor of its heading. */
  id: string;
  title: string;
  /** HTML. */
  excerpt: string;
}

/** A result beside the exact ones, and why it is similar. */
export interface SimilarItem extends SearchItem {
  matched: "typo" | "synonym" | "stem" | "part";
}

/** The part of an answer that `similar` adds. */
export interface SimilarAnswer {
  similar: readonly SimilarItem[];
  /** The query with its typos corrected, if that finds something; else null. */
  didYouMean: string | null;
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

/** Summary of the search log. */
export interface SearchSummary {
  totalSearches: number;
  topQueries: readonly QueryCount[];
  zeroResultQueries: readonly { query: string; count: number }[];
}

/** One row of the summary of searches. */
export interface QueryCount {
  query: string;
  count: number;
  avgResults: number;
}

/** A word that was searched without a result, and words that readers may have meant. */
export interface SuggestedSynonym {
  readonly word: string;
  /** Number of searches without a result that have the word. */
  readonly searches: number;
  /** Each of them finds something; the likeliest first, at most three. */
  readonly candidates: readonly string[];
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

/** Synonyms and stop words as written. */
export interface SynonymTextLists {
  groups: string[][];
  one_way: Record<string, string[]>;
  stop: string[];
}

/** Options of writing the file of synonyms. */
export interface SynonymWriteOptions {
  /** The `hash` that was read; writing fails if the file has another one. Default: any. */
  readonly ifHash?: string;
}

/** The index of an export: files to write, files that stay, and the state for the next export. */
export interface ExportedIndex {
  /** Name to text; `index.json` is read first. */
  readonly files: ReadonlyMap<string, string>;
  readonly kept: readonly string[];
  /** Plain data. */
  readonly state: unknown;
}
