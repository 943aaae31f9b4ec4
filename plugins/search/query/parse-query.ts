import type {
  ExtendedSyntax,
  SearchFilters,
  SearchSection,
  SearchQuery,
  SearchRequest,
} from "../contract.js";
import {
  foldWord,
  isTerm,
  MAX_QUERY_LENGTH,
  normalizeText,
  queryTerms,
  tokenize,
} from "./terms.js";
import { forReaders } from "./select.js";

/** A query as its syntax reads it. */
export interface ParsedQuery {
  /** The words to find, without what is excluded. */
  readonly text: string;
  readonly terms: readonly string[];
  /** Null in plain syntax, and without phrases and exclusions. */
  readonly extended: ExtendedSyntax | null;
}

const MAX_PHRASES = 8;
const MAX_EXCLUSIONS = 16;
/** A phrase in quotes, or a word; keyboards of phones write curly quotes. */
const PART = /(?<!\S)(?<not>-?)"(?<phrase>[^"]*)"\S*|\S+/gu;
const QUOTES = /[“”„‟«»]/gu;
const EXCLUSION = /^-[\p{L}\p{N}]/u;

/** Reads a query; in extended syntax, `"two words"` is a phrase and `-word` an exclusion. */
export function parseQuery(text: string, syntax: SearchSection["syntax"]): ParsedQuery {
  const typed = text.slice(0, MAX_QUERY_LENGTH);
  const plain = { text: typed, terms: queryTerms(typed), extended: null };
  return syntax === "plain" ? plain : (extended(typed) ?? plain);
}

/** Collects the words, phrases and exclusions of a query. */
class Parts {
  readonly wanted: string[] = [];
  readonly phrases = new Set<string>();
  readonly notPhrases = new Set<string>();
  readonly notTerms = new Set<string>();

  addPhrase(phrase: string, isExcluded: boolean): void {
    if (!isExcluded) this.wanted.push(phrase);
    // Engines have no words of one character, so that nothing would find such a phrase.
    if (tokenize(phrase).length === 0) return;
    (isExcluded ? this.notPhrases : this.phrases).add(normalizeText(phrase));
  }

  addWord(word: string): void {
    if (!EXCLUSION.test(word)) this.wanted.push(word);
    else if (isTerm(foldWord(word))) this.notTerms.add(foldWord(word));
  }

  get isPlain(): boolean {
    return this.phrases.size + this.notPhrases.size + this.notTerms.size === 0;
  }
}

function extended(typed: string): ParsedQuery | null {
  const parts = new Parts();
  for (const { 0: part, groups } of typed.replace(QUOTES, '"').matchAll(PART)) {
    const phrase = groups?.["phrase"];
    if (phrase === undefined) parts.addWord(part);
    else parts.addPhrase(phrase, groups?.["not"] === "-");
  }
  if (parts.isPlain) return null;
  const text = parts.wanted.join(" ");
  return {
    text,
    terms: queryTerms(text),
    extended: {
      typed,
      phrases: [...parts.phrases].slice(0, MAX_PHRASES),
      notPhrases: [...parts.notPhrases].slice(0, MAX_PHRASES),
      notTerms: [...parts.notTerms].slice(0, MAX_EXCLUSIONS),
    },
  };
}

/** Settings that a query depends on besides its request. */
interface QueryScope {
  /** Facet fields to count. */
  readonly facets: readonly string[];
  readonly isMultilingual: boolean;
  readonly syntax: SearchSection["syntax"];
}

/** The query of a request, for an anonymous viewer. */
export function toQuery(request: SearchRequest, scope: QueryScope): SearchQuery {
  const { sort, limit, offset } = request;
  // With fallback, the `:readers` facet replaces the language filter.
  const isForReaders = request.fallback === true && scope.isMultilingual;
  const { lang, filters } =
    isForReaders && request.lang !== null
      ? { lang: null, filters: forReaders(request.filters, request.lang) }
      : request;
  const { text, terms, extended } = parseQuery(request.text, scope.syntax);
  return {
    text,
    terms,
    filters,
    sort,
    limit,
    offset,
    lang,
    access: [""],
    facets: scope.facets,
    ...(extended !== null && { extended }),
  };
}

/** True when the query has filters, which also work without words. */
export function isBrowsing({ text, filters }: SearchRequest): boolean {
  return text.trim() === "" && hasFilters(filters);
}

/** True when any filter is set. */
export function hasFilters({ template, from, to, taxonomy, facets }: SearchFilters): boolean {
  const isLimited = [template, from, to].some((value) => value !== undefined);
  return isLimited || Object.keys(taxonomy).length + Object.keys(facets).length > 0;
}
