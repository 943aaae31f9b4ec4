import { json, queryText } from "../request.js";
import type { Explanation, SuggestedSynonym } from "../../../../search/contract.js";

export type { Explanation, SuggestedSynonym } from "../../../../search/contract.js";

/** A result. */
export interface SearchHit {
  readonly route: string;
  readonly title: string;
  readonly template: string;
  readonly score: number;
}
/** The results that visitors get for a query. */
export interface ExplainedSearch {
  readonly total: number;
  readonly items: readonly (SearchHit & { readonly explanation: Explanation | null })[];
  readonly similar: readonly (SearchHit & {
    readonly matched: "typo" | "synonym" | "stem" | "part";
  })[];
  readonly didYouMean: string | null;
  readonly engine: string;
}
/** Synonyms and stop words of a language, or of all. */
export interface SynonymLists {
  readonly groups: readonly (readonly string[])[];
  readonly one_way: Readonly<Record<string, readonly string[]>>;
  readonly stop: readonly string[];
}
/** The file of synonyms. */
export interface Synonyms {
  readonly path: string;
  readonly hash: string;
  /** The reason why the file cannot be used; null when it can. */
  readonly problem: string | null;
  /** The lists by language; those of all languages have an empty name. */
  readonly lists: Readonly<Record<string, SynonymLists>>;
  readonly languages: readonly string[];
}

/** Returns the results of anonymous visitors, with the reasons. */
export function explainSearch(q: string): Promise<ExplainedSearch> {
  return json(`/search/explain${queryText({ q })}`);
}

/** The synonyms and stop words. */
export function readSynonyms(): Promise<Synonyms> {
  return json("/search/synonyms");
}

/** Synonyms for what readers searched without a result. */
export function suggestedSynonyms(): Promise<{ items: readonly SuggestedSynonym[] }> {
  return json("/search/synonyms/suggestions");
}

/** Sets those of a language; empty: of all. @throws ApiError 409 when the file has another hash. */
export function writeSynonyms(
  lang: string,
  lists: SynonymLists,
  ifMatch: string,
): Promise<Synonyms> {
  return json("/search/synonyms", { method: "PUT", body: { lang, lists }, ifMatch });
}
