/** What others may know of search: documents, the engine contract, the hooks, the service. */
import type { CreateHook } from "#kernel";
import type { Viewer } from "../content/contract.js";

/** One searchable thing: a page, a flex record or a contributed record. */
export interface SearchDocument {
  /** Public address with language prefix and the key: one document per route. */
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
  /** Language code; empty for what has none and is found in each. */
  readonly lang: string;
  /**
   * Values per configured facet field. On a site in several languages `:readers` has those whose
   * readers get the document, as a stand-in where it is not translated.
   */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  /** Who may find it: empty for everybody, else a key that must be among `SearchQuery.access`. */
  readonly access: string;
}

/** What a document must match besides the words; everything given must hold. */
export interface SearchFilters {
  readonly template?: string;
  /** First and last day, YYYY-MM-DD; undated documents match neither. */
  readonly from?: string;
  readonly to?: string;
  /** Per taxonomy one of the values. */
  readonly taxonomy: Readonly<Record<string, readonly string[]>>;
  /** Per facet field one of the values. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
}

/** A query, parsed and checked once by the service. */
export interface SearchQuery {
  /** The words as typed, at most 256 characters. */
  readonly text: string;
  /** The words folded, unique, in order, at most 16. Empty: everything that passes the filters. */
  readonly terms: readonly string[];
  readonly filters: SearchFilters;
  /** `date`: newest first, undated last. Without terms the order is by date in either case. */
  readonly sort: "relevance" | "date";
  readonly limit: number;
  readonly offset: number;
  /** Null: every language. Else documents of this one, and those that have none. */
  readonly lang: string | null;
  /** Access keys the viewer holds; always contains the empty one. */
  readonly access: readonly string[];
  /** Facet fields to count. */
  readonly facets: readonly string[];
}

/** One match. */
export interface SearchHit {
  readonly route: string;
  readonly score: number;
  /** HTML: escaped text with `<mark>`. Absent: the service cuts one from the page's text. */
  readonly excerpt?: string;
  /** HTML-escaped words. */
  readonly highlights?: readonly string[];
}
/** Per facet field: value to number of matches, its own selection left out of account. */
export type FacetCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;
/** What an engine answers. */
export interface SearchResult {
  /** All matches after filters, not only the ones of this slice. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly facets?: FacetCounts;
}
/** What suggestions may be drawn from. */
export interface SuggestScope {
  readonly access: readonly string[];
  /** As in a query. */
  readonly lang: string | null;
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
  /** Points for a title equal to the whole query; 0 when it is not. */
  readonly exactTitle: number;
  /** 1.5 when there are several terms and all of them matched, else 1. */
  readonly factor: number;
}

/**
 * A search engine. The service in front of it parses queries, keeps drafts out, pages, cuts
 * excerpts and limits the time; an engine finds and ranks. `build` is complete before any other
 * member is called.
 */
export interface SearchEngine {
  /** Replaces everything by these documents; searches go on in the old state until it resolves. */
  build(documents: AsyncIterable<SearchDocument>): Promise<void>;
  /** Applies a change. Absent: the service builds anew. */
  update?(change: { upsert: readonly SearchDocument[]; remove: readonly string[] }): Promise<void>;
  search(query: SearchQuery): SearchResult | Promise<SearchResult>;
  /** Titles, then terms by document frequency, that begin with the prefix. */
  suggest(
    prefix: string,
    limit: number,
    scope?: SuggestScope,
  ): readonly string[] | Promise<readonly string[]>;
  /** Facet counts when `search` does not bring them along. */
  facetCounts?(query: SearchQuery): FacetCounts | Promise<FacetCounts>;
  /** Null when the document does not match. */
  explain?(query: SearchQuery, route: string): Explanation | null | Promise<Explanation | null>;
  /** The state as bytes for the next start, and back; `load` answers false when it cannot read them. */
  save?(): Promise<Uint8Array>;
  load?(bytes: Uint8Array): Promise<boolean>;
  close?(): void | Promise<void>;
}

/** What a plugin contributes through `onSearchRecordsCollect`; the route is where its result leads. */
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
  /** Language code. Default: none; it is found in each. */
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
  loadText(page: { readonly route: string }): Promise<string>;
  readonly settings: SearchSection;
  /** The shared tokeniser, score and selection, for engines that want the specified order. */
  readonly tools: SearchTools;
}

/** How often one query term occurs in a document. */
export interface TermMatch {
  readonly title: boolean;
  /** Number of taxonomy values with a matching word. */
  readonly taxonomy: number;
  /** Occurrences in the body. */
  readonly body: number;
  /** Names of the further fields with a matching word. */
  readonly fields: readonly string[];
}
/** What a match is worth, in thousandths, so that sums are whole numbers and the same in any order. */
export interface Points {
  readonly title: number;
  readonly taxonomy: number;
  readonly body: number;
  readonly exactTitle: number;
  field(name: string): number;
  /** The configured ones by name, for engines that score elsewhere; others are worth 1000. */
  readonly configured: Readonly<Record<string, number>>;
}
/** A document that matched, with its score. */
export interface Candidate {
  readonly document: Omit<SearchDocument, "body">;
  readonly score: number;
}
/** Tokeniser, score and selection. */
export interface SearchTools {
  /** Terms of a text, in order. */
  tokenize(text: string): string[];
  /** A text as titles and queries compare. */
  normalizeText(text: string): string;
  /** Values in thousandths from `search.fields`. */
  points: Points;
  /** The specified score; `matches` has one entry per query term, null where it did not match. */
  score(matches: readonly (TermMatch | null)[], exactTitle: boolean): number;
  explain(
    terms: readonly string[],
    matches: readonly (TermMatch | null)[],
    exactTitle: boolean,
  ): Explanation;
  /** Filters, counts facets, sorts and slices candidates; drops a score of 0 when there are terms. */
  select(candidates: Iterable<Candidate>, query: SearchQuery): SearchResult;
}

/** One result as the API shows it (specification: Search result item). */
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
/** An answered query. */
export interface SearchAnswer {
  total: number;
  items: readonly SearchItem[];
  facets: FacetCounts;
  hasMore: boolean;
}
/** What is asked of the service; terms and access keys are its own work. */
export interface SearchRequest {
  text: string;
  filters: SearchFilters;
  sort: "relevance" | "date";
  limit: number;
  offset: number;
  lang: string | null;
  /** True: pages of the default language stand in for missing translations; default false. */
  fallback?: boolean;
  explain?: boolean;
}
/** A search page. */
export interface SearchPlace {
  path: string;
  /** The language whose pages it finds; null: there is but one. */
  lang: string | null;
}
/** How search is doing. */
export interface SearchState {
  engine: string;
  documents: number;
  /** Unix ms at which the index was last brought up to date; null before the first one is complete. */
  builtAt: number | null;
  /** `building` only before the first index is complete. */
  status: "building" | "ready" | "failing";
  /** What went wrong last; null when the last build and the last query were fine. */
  error: string | null;
}
/** One row of the summary of searches. */
export interface QueryCount {
  query: string;
  count: number;
  avgResults: number;
}
/** Summary of the analytics log (specification: GET /admin/api/search/analytics). */
export interface SearchSummary {
  totalSearches: number;
  topQueries: readonly QueryCount[];
  zeroResultQueries: readonly { query: string; count: number }[];
}
/** The index of an export: files to write, files that stay, and what the next export is given. */
export interface ExportedIndex {
  /** Name to text; `index.json` is read first. */
  readonly files: ReadonlyMap<string, string>;
  readonly kept: readonly string[];
  /** Plain data. */
  readonly state: unknown;
}
/** Search as other plugins see it. */
export interface SearchService {
  /** Throws HttpError 503 with `Retry-After` while the engine fails or is too slow. */
  search(request: SearchRequest, viewer: Viewer): Promise<SearchAnswer>;
  /** At most ten; empty for a prefix under two characters. */
  suggest(
    prefix: string,
    scope: { viewer: Viewer; lang: string | null; fallback?: boolean },
  ): Promise<readonly string[]>;
  state(): SearchState;
  /** The search pages for people. */
  readonly pages: readonly SearchPlace[];
  /** Data of the admin's analytics route. */
  analytics(): Promise<SearchSummary>;
  /** Collects records again and builds anew. */
  rebuild(): Promise<void>;
  /** Collects records again and takes over those that have changed: for whoever contributes them. */
  refreshRecords(): Promise<void>;
  /**
   * The index that a static export carries, for a browser that searches without a server: what
   * everybody may find. `last`: the state of the last export, null for none.
   */
  exportIndex(last: unknown): Promise<ExportedIndex>;
  /** The script that searches it: a module that lies beside the files of the index. */
  exportScript(): Promise<string>;
  /** Everything that can be searched, as an engine's `build` takes it. */
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
}

declare module "#kernel" {
  interface Services {
    search: SearchService;
  }
  interface Engines {
    search: SearchEngine;
  }
  interface SystemSettings {
    search: SearchSection;
  }
  interface HookMap {
    onSearchRecordsCollect: CreateHook<{ records: SearchRecord[] }>;
    onSearchEngineCreate: CreateHook<SearchEngineCreate>;
  }
}
