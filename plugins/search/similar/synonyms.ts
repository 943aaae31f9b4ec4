import { tokenize, isTerm, MAX_TERM_LENGTH } from "../query/terms.js";
import type {
  SearchAnswer,
  SearchRequest,
  SearchSummary,
  SuggestedSynonym,
  WordRange,
} from "../contract.js";

/** The file of synonyms and stop words, for one language or for all. */
export interface SynonymLists {
  /** Words that mean the same. */
  readonly groups: readonly (readonly string[])[];
  /** A word to what is found in its place as well. */
  readonly one_way: Readonly<Record<string, readonly string[]>>;
  /** Words without meaning, for which nothing similar is looked up. */
  readonly stop: readonly string[];
}

/** Synonyms and stop words, folded like terms. */
export class Synonyms {
  readonly #of = new Map<string, string[][]>();
  readonly #stop = new Set<string>();

  constructor(lists: readonly SynonymLists[]) {
    for (const { groups, one_way: oneWay, stop } of lists) {
      for (const group of groups) this.#addGroup(group);
      for (const [word, others] of Object.entries(oneWay)) {
        for (const other of others) this.#add(word, other);
      }
      for (const word of stop) for (const term of tokenize(word)) this.#stop.add(term);
    }
  }

  /** The synonyms of a term; one of several words is a list of terms. */
  of(term: string): readonly (readonly string[])[] {
    return this.#of.get(term) ?? [];
  }

  isStop(term: string): boolean {
    return this.#stop.has(term);
  }

  #addGroup(group: readonly string[]): void {
    for (const word of group) for (const other of group) if (word !== other) this.#add(word, other);
  }

  /** Only single words are looked up; what they lead to may have several. */
  #add(word: string, other: string): void {
    const [term, ...more] = tokenize(word);
    const words = tokenize(other);
    if (term === undefined || more.length > 0 || words.length === 0) return;
    const listed = this.#of.get(term) ?? [];
    if (!listed.some((one) => one.join(" ") === words.join(" "))) listed.push(words);
    this.#of.set(term, listed);
  }
}

/** The data from which suggestions are derived. */
export interface SuggestionSource {
  readonly summary: SearchSummary;
  readonly synonyms: Synonyms;
  /** A search of an anonymous visitor. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  words(range: WordRange): Promise<readonly string[]>;
}

const MAX_SUGGESTIONS = 10;
const MAX_CANDIDATES = 3;
/** Candidates that are searched for. */
const MAX_TRIED = 8;
const MIN_LIKENESS = 0.4;
const PREFIX = 2;

/** Suggests words of the site for words that were searched without a result. */
export async function suggestSynonyms(source: SuggestionSource): Promise<SuggestedSynonym[]> {
  const suggestions: SuggestedSynonym[] = [];
  for (const [word, searches] of unknownWords(source)) {
    if (suggestions.length === MAX_SUGGESTIONS) break;
    const now = await find(source, word);
    // A page with the word may have been written since.
    if (now.total > 0) continue;
    const candidates = await findCandidates(word, now.didYouMean ?? null, source);
    if (candidates.length > 0) suggestions.push({ word, searches, candidates });
  }
  return suggestions;
}

/** The words of queries without results by the number of searches, without those of the file. */
function unknownWords({ summary, synonyms }: SuggestionSource): [string, number][] {
  const counts = new Map<string, number>();
  for (const { query, count } of summary.zeroResultQueries)
    for (const word of new Set(tokenize(query))) counts.set(word, (counts.get(word) ?? 0) + count);
  return [...counts]
    .filter(([word]) => !synonyms.isStop(word) && synonyms.of(word).length === 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

async function findCandidates(
  word: string,
  didYouMean: string | null,
  source: SuggestionSource,
): Promise<string[]> {
  const { topQueries } = source.summary;
  const searched = topQueries.filter(({ avgResults }) => avgResults > 0).map(({ query }) => query);
  const range = { prefix: word.slice(0, PREFIX), shortest: PREFIX + 1, longest: MAX_TERM_LENGTH };
  const indexed = await source.words(range);
  const alike = [...new Set([...searched, ...indexed])]
    .filter((other) => other !== word && !other.includes(" ") && isTerm(other))
    .map((other) => ({ other, likeness: compareLetters(word, other) }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || (a.other < b.other ? -1 : 1))
    .map(({ other }) => other);
  const tried = [...new Set([...(didYouMean === null ? [] : [didYouMean]), ...alike])];
  const candidates: string[] = [];
  for (const candidate of tried.slice(0, MAX_TRIED)) {
    if (candidates.length === MAX_CANDIDATES) break;
    // The index has words of pages that visitors may not see.
    if ((await find(source, candidate)).total > 0) candidates.push(candidate);
  }
  return candidates;
}

/** Searches as a visitor; the analytics do not count it. */
function find({ search }: SuggestionSource, text: string): Promise<SearchAnswer> {
  return search({
    text,
    filters: { taxonomy: {}, facets: {} },
    lang: null,
    limit: 1,
    offset: 0,
    sort: "relevance",
    similar: true,
    isCounted: false,
  });
}

/** Share of equal pairs of letters, from 0 to 1. */
function compareLetters(a: string, b: string): number {
  const [left, right] = [letterPairs(a), letterPairs(b)];
  const both = [...left].filter((pair) => right.has(pair)).length;
  return (2 * both) / (left.size + right.size);
}

function letterPairs(word: string): Set<string> {
  const letters = Array.from(word);
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}
