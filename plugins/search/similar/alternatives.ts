import type { WordRange } from "../contract.js";
import { MAX_TERM_LENGTH } from "../query/terms.js";
import { EditDistance, maxEdits } from "./edit-distance.js";
import type { Synonyms } from "./synonyms.js";
import { containsPart } from "./word-parts.js";

/** Why a hit is similar. */
export type Likeness = "typo" | "synonym" | "stem" | "part";
/** What may stand in place of a term. */
export interface Alternative {
  readonly term: string;
  /** Folded; all of them must match, for a part one of them. */
  readonly words: readonly string[];
  readonly matched: Likeness;
}
/** What similar words are looked up by. */
export interface SimilarRules {
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
export async function typosOf(term: string, rules: SimilarRules): Promise<Alternative[]> {
  const most = maxEdits(term);
  if (!rules.typo || most === 0) return [];
  const [first = ""] = term;
  const range = { prefix: first, shortest: term.length - most, longest: MAX_TERM_LENGTH };
  const found: { word: string; distance: number }[] = [];
  const distances = new EditDistance(term, most);
  for (const word of await rules.words(range)) {
    const distance = distances.to(word);
    if (distance !== null && distance > 0) found.push({ word, distance });
  }
  found.sort(
    (a, b) =>
      a.distance - b.distance ||
      a.word.length - b.word.length ||
      (a.word < b.word ? -1 : Number(a.word > b.word)),
  );
  return found.slice(0, MAX_TYPOS).map(({ word }) => ({ term, words: [word], matched: "typo" }));
}

/** The words of the index that contain a term; null without any. */
export async function partsOf(term: string, rules: SimilarRules): Promise<Alternative | null> {
  const words: string[] = [];
  for (const word of await rules.compounds()) {
    // A word matches a term that it starts with.
    if (!word.startsWith(term) && containsPart(word, term)) words.push(word);
    if (words.length === MAX_WHOLES) break;
  }
  return words.length === 0 ? null : { term, words, matched: "part" };
}

/** Synonyms of a term, in the order of the file. */
export function synonymsOf(term: string, { synonyms }: SimilarRules): Alternative[] {
  const found = synonyms.of(term).slice(0, MAX_SYNONYMS);
  return found.map((words) => ({ term, words, matched: "synonym" }));
}

/** Words of the index with the same stem that the term does not match already. */
export async function stemsOf(term: string, rules: SimilarRules): Promise<Alternative[]> {
  const { stem } = rules;
  if (stem === null || term.length < STEM_PREFIX) return [];
  const prefix = term.slice(0, STEM_PREFIX);
  const root = stem(term);
  const all = await rules.words({ prefix, shortest: STEM_PREFIX, longest: MAX_TERM_LENGTH });
  const found = all.filter((word) => !word.startsWith(term) && stem(word) === root);
  const shortest = found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  // A word matches those that start with it.
  const distinct = shortest.filter(
    (word, at) => !shortest.slice(0, at).some((other) => word.startsWith(other)),
  );
  const words = distinct.slice(0, MAX_STEMS);
  return words.map((word) => ({ term, words: [word], matched: "stem" }));
}
