import { foldWord } from "../query/terms.js";
import {
  partsOf,
  stemsOf,
  synonymsOf,
  typosOf,
  type Alternative,
  type Likeness,
  type SimilarRules,
} from "./alternatives.js";

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
  const found = new Map<string, SimilarHit>();
  const corrections = new Map<string, string>();
  for (const alternative of await alternativesOf(source, query)) {
    const terms = termsWith(query.terms, alternative, source);
    const hits = await hitsOf(source, alternative, terms);
    const { term, words, matched } = alternative;
    if (hits.length > 0 && matched === "typo" && !corrections.has(term))
      corrections.set(term, words.join(" "));
    for (const { route, score } of hits) {
      const isBetter = score > (found.get(route)?.score ?? 0);
      if (isBetter && !query.shown.has(route)) found.set(route, { route, score, matched, terms });
    }
  }
  const hits = [...found.values()]
    .sort((a, b) => b.score - a.score || source.compare(a.route, b.route))
    .slice(0, query.limit);
  return { hits, didYouMean: corrected(query.text, corrections) };
}

async function alternativesOf(
  source: SimilarSource,
  { terms, total }: SimilarQuery,
): Promise<Alternative[]> {
  const found: Alternative[] = [];
  const wanted = terms.filter((term) => !source.synonyms.isStop(term)).slice(0, MAX_TERMS);
  for (const term of wanted) {
    const part = await partsOf(term, source);
    if (part !== null) found.push(part);
    found.push(...synonymsOf(term, source), ...(await stemsOf(term, source)));
    const isKnown = total > 0 && (terms.length === 1 || (await source.find([term], 1)).total > 0);
    // A word that is found as it is typed has no typo.
    if (!isKnown) found.push(...(await typosOf(term, source)));
  }
  return found.slice(0, MAX_ALTERNATIVES);
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
async function hitsOf(
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
