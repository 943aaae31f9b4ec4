/** An engine, its queries and results, and the shared tokenizer and score. */
import type { SearchDocument, SearchFilters } from "./documents.js";

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

/** A change of the documents of an index. */
export interface SearchUpdate {
  /** Documents to replace or add. */
  readonly upsert: readonly SearchDocument[];
  /** Routes of documents to remove; unknown ones are ignored. */
  readonly remove: readonly string[];
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

/** The result of an engine. */
export interface SearchResult {
  /** All matches after filters, not only those of this slice. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly facets?: FacetCounts;
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
