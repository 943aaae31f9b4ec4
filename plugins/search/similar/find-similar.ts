import { foldWord, MAX_TERM_LENGTH, containsPart } from "../query/terms.js";
import type { WordRange } from "../contract.js";
import type { Synonyms } from "./synonyms.js";

/** Matches of a search, best first. */
export interface Matching {
  readonly total: number;
  readonly hits: readonly { readonly route: string; readonly score: number }[];
}
/** An index in which similar documents are looked up. */
export interface SimilarSource extends SimilarRules {
  /** Documents with one of the terms, at most `limit`. */
  find(terms: readonly string[], limit: number): Promise<Matching>;
  /** The order of equal scores. */
  compare(a: string, b: string): number;
}
/** A query and its exact result. */
export interface SimilarQuery {
  readonly text: string;
  readonly terms: readonly string[];
  readonly total: number;
  /** Routes of the exact hits that are shown. */
  readonly shown: ReadonlySet<string>;
  readonly limit: number;
}
/** A document that matches a similar word. */
export interface SimilarHit {
  readonly route: string;
  readonly score: number;
  readonly matched: Likeness;
  /** The terms that it was found by. */
  readonly terms: readonly string[];
}
/** Similar documents, and the query with its typos corrected; null without typos. */
export interface SimilarResult {
  readonly hits: readonly SimilarHit[];
  readonly didYouMean: string | null;
}

/** Only the first terms are looked at. */
const MAX_TERMS = 4;
const MAX_ALTERNATIVES = 8;
/** Documents that are looked through for one alternative. */
const MAX_MATCHES = 500;
/** A word without the quotes and the minus of extended syntax, which stay around it. */
const WORD = /(?!-)[^\s"“”„]+/gu;

/** Documents that match words similar to those of a query: typos, synonyms, stems. */
export async function findSimilar(
  source: SimilarSource,
  query: SimilarQuery,
): Promise<SimilarResult> {
  const byRoute = new Map<string, SimilarHit>();
  const corrections = new Map<string, string>();
  for (const alternative of await findAlternatives(source, query)) {
    const terms = termsWith(query.terms, alternative, source);
    const hits = await findHits(source, alternative, terms);
    const { term, words, matched } = alternative;
    if (hits.length > 0 && matched === "typo" && !corrections.has(term))
      corrections.set(term, words.join(" "));
    for (const { route, score } of hits) {
      const isBetter = score > (byRoute.get(route)?.score ?? 0);
      if (isBetter && !query.shown.has(route)) byRoute.set(route, { route, score, matched, terms });
    }
  }
  const hits = [...byRoute.values()]
    .sort((a, b) => b.score - a.score || source.compare(a.route, b.route))
    .slice(0, query.limit);
  return { hits, didYouMean: corrected(query.text, corrections) };
}

async function findAlternatives(
  source: SimilarSource,
  { terms, total }: SimilarQuery,
): Promise<Alternative[]> {
  const alternatives: Alternative[] = [];
  const searched = terms.filter((term) => !source.synonyms.isStop(term)).slice(0, MAX_TERMS);
  for (const term of searched) {
    const part = await findParts(term, source);
    if (part !== null) alternatives.push(part);
    alternatives.push(...findSynonyms(term, source), ...(await findStems(term, source)));
    const isKnown = total > 0 && (terms.length === 1 || (await source.find([term], 1)).total > 0);
    // A word that is found as it is typed has no typo.
    if (!isKnown) alternatives.push(...(await findTypos(term, source)));
  }
  return alternatives.slice(0, MAX_ALTERNATIVES);
}

/** The terms of a query with an alternative in place of its term, without stop words. */
function termsWith(
  terms: readonly string[],
  { term, words }: Alternative,
  { synonyms }: SimilarSource,
): string[] {
  const all = terms.flatMap((one) => {
    if (one === term) return words;
    return synonyms.isStop(one) ? [] : [one];
  });
  return [...new Set(all)];
}

/** Documents with the words of an alternative, with the score of the whole query. */
async function findHits(
  source: SimilarSource,
  { words, matched }: Alternative,
  terms: readonly string[],
): Promise<Matching["hits"]> {
  const { hits } = await source.find(terms, MAX_MATCHES);
  if (hits.length === 0 || terms.length === 1) return hits;
  // Other terms alone do not make a document similar; of the words that contain a term, one is enough.
  const needed = matched === "part" ? [words] : words.map((word) => [word]);
  const each = await Promise.all(needed.map((some) => source.find(some, MAX_MATCHES)));
  const routes = each.map((one) => new Set(one.hits.map(({ route }) => route)));
  return hits.filter(({ route }) => routes.every((those) => those.has(route)));
}

function corrected(text: string, corrections: ReadonlyMap<string, string>): string | null {
  if (corrections.size === 0) return null;
  return text.trim().replace(WORD, (word) => corrections.get(foldWord(word)) ?? word);
}

/** Why a hit is similar. */
type Likeness = "typo" | "synonym" | "stem" | "part";
/** Words that may replace a term. */
interface Alternative {
  readonly term: string;
  /** Folded; all of them must match, for a part one of them. */
  readonly words: readonly string[];
  readonly matched: Likeness;
}
/** The rules and the words by which similar words are found. */
interface SimilarRules {
  readonly typo: boolean;
  readonly synonyms: Synonyms;
  /** Null without stemming. */
  readonly stem: ((word: string) => string) | null;
  words(range: WordRange): readonly string[] | Promise<readonly string[]>;
  /** The words of the index that may contain other words; see `isCompound`. */
  compounds(): Promise<readonly string[]>;
}

const MAX_TYPOS = 3;
const MAX_SYNONYMS = 4;
const MAX_STEMS = 3;
/** Words that contain a term. */
const MAX_WHOLES = 100;
/** Letters that words of one stem share. */
const STEM_PREFIX = 3;

/** Words of the index that a mistyped term may mean, the nearest first. */
async function findTypos(term: string, rules: SimilarRules): Promise<Alternative[]> {
  const most = maxEdits(term);
  if (!rules.typo || most === 0) return [];
  const [first = ""] = term;
  const range = { prefix: first, shortest: term.length - most, longest: MAX_TERM_LENGTH };
  const near: { word: string; distance: number }[] = [];
  const distances = new EditDistance(term, most);
  for (const word of await rules.words(range)) {
    const distance = distances.to(word);
    if (distance !== null && distance > 0) near.push({ word, distance });
  }
  near.sort(
    (a, b) =>
      a.distance - b.distance ||
      a.word.length - b.word.length ||
      (a.word < b.word ? -1 : Number(a.word > b.word)),
  );
  return near.slice(0, MAX_TYPOS).map(({ word }) => ({ term, words: [word], matched: "typo" }));
}

/** The words of the index that contain a term; null without any. */
async function findParts(term: string, rules: SimilarRules): Promise<Alternative | null> {
  const words: string[] = [];
  for (const word of await rules.compounds()) {
    // A word matches a term that it starts with.
    if (!word.startsWith(term) && containsPart(word, term)) words.push(word);
    if (words.length === MAX_WHOLES) break;
  }
  return words.length === 0 ? null : { term, words, matched: "part" };
}

/** Synonyms of a term, in the order of the file. */
function findSynonyms(term: string, { synonyms }: SimilarRules): Alternative[] {
  const meanings = synonyms.of(term).slice(0, MAX_SYNONYMS);
  return meanings.map((words) => ({ term, words, matched: "synonym" }));
}

/** Words of the index with the same stem that the term does not match already. */
async function findStems(term: string, rules: SimilarRules): Promise<Alternative[]> {
  const { stem } = rules;
  if (stem === null || term.length < STEM_PREFIX) return [];
  const prefix = term.slice(0, STEM_PREFIX);
  const root = stem(term);
  const all = await rules.words({ prefix, shortest: STEM_PREFIX, longest: MAX_TERM_LENGTH });
  const related = all.filter((word) => !word.startsWith(term) && stem(word) === root);
  const shortest = related.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  // A word matches those that start with it.
  const distinct = shortest.filter(
    (word, at) => !shortest.slice(0, at).some((other) => word.startsWith(other)),
  );
  const words = distinct.slice(0, MAX_STEMS);
  return words.map((word) => ({ term, words: [word], matched: "stem" }));
}

/** Terms shorter than this have no typos: too many words are one edit away. */
const SHORTEST = 4;
const SHORTEST_FOR_TWO = 7;
/** From this length on, the beginning of a word counts too, because terms match by prefix. */
const SHORTEST_BEGINNING = 5;

/** The maximum number of edits between a term and a word. */
export function maxEdits(term: string): number {
  if (term.length < SHORTEST) return 0;
  return term.length < SHORTEST_FOR_TWO ? 1 : 2;
}

/**
 * The edits between a term and a word or, for longer terms, its beginning: letters inserted, deleted,
 * replaced, or swapped with their neighbour. Null for more than `most`.
 */
export function editDistance(term: string, word: string, most: number): number | null {
  return new EditDistance(term, most).to(word);
}

/** The distances of many words to one term. */
class EditDistance {
  readonly #term: string;
  readonly #most: number;
  readonly #isByBeginning: boolean;
  /** Rows of the table of distances: the last but one, the last, and the current one. */
  #rows: readonly [Uint16Array, Uint16Array, Uint16Array];

  constructor(term: string, most: number) {
    const width = term.length + most + 2;
    this.#term = term;
    this.#most = most;
    this.#isByBeginning = term.length >= SHORTEST_BEGINNING;
    this.#rows = [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)];
  }

  /** As `editDistance`. */
  to(word: string): number | null {
    const [length, most] = [this.#term.length, this.#most];
    if (word.length < length - most) return null;
    if (!this.#isByBeginning && word.length > length + most) return null;
    const width = Math.min(word.length, length + most);
    if (!this.#fill(word, width)) return null;
    const [, last] = this.#rows;
    let distance = most + 1;
    const from = this.#isByBeginning ? Math.max(0, length - most) : word.length;
    for (let at = from; at <= width; at++) distance = Math.min(distance, last[at] as number);
    return distance <= most ? distance : null;
  }

  /** Computes the last row; false when all distances exceed the maximum before. */
  #fill(word: string, width: number): boolean {
    const [, first] = this.#rows;
    for (let at = 0; at <= width; at++) first[at] = at;
    for (let i = 1; i <= this.#term.length; i++) {
      if (this.#fillRow(i, word, width) > this.#most) return false;
      const [before, row, next] = this.#rows;
      this.#rows = [row, next, before];
    }
    return true;
  }

  /** The least distance of a row. Only cells near the diagonal count: others are more edits away. */
  #fillRow(i: number, word: string, width: number): number {
    const [term, most] = [this.#term, this.#most];
    const [before, row, next] = this.#rows;
    const [from, to] = [Math.max(1, i - most), Math.min(width, i + most)];
    const [letter, letterBefore] = [term.charCodeAt(i - 1), i > 1 ? term.charCodeAt(i - 2) : -1];
    next[from - 1] = from === 1 ? i : most + 1;
    let least = next[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const other = word.charCodeAt(j - 1);
      let edits = (row[j - 1] as number) + (letter === other ? 0 : 1);
      edits = Math.min(edits, (next[j - 1] as number) + 1);
      if (j < i + most) edits = Math.min(edits, (row[j] as number) + 1);
      if (j > 1 && other === letterBefore && letter === word.charCodeAt(j - 2))
        edits = Math.min(edits, (before[j - 2] as number) + 1);
      next[j] = edits;
      if (edits < least) least = edits;
    }
    return least;
  }
}
