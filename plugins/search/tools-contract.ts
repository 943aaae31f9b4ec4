/** The shared parts of the specified search, as an engine of another plugin receives them. */
import type { Explanation, SearchDocument, SearchQuery, SearchResult } from "./contract.js";

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
  explain(terms: readonly string[], matches: readonly (TermMatch | null)[], exactTitle: boolean): Explanation;
  /** Filters, counts facets, sorts and slices candidates; drops a score of 0 when there are terms. */
  select(candidates: Iterable<Candidate>, query: SearchQuery): SearchResult;
}
