import type { Explanation, Points, SearchSection, SearchTools, TermMatch } from "../contract.js";
import { selectCandidates } from "./select.js";
import { normalizeText, tokenize } from "./terms.js";

/** The shared parts of the default search, with the site's weights. */
export function createSearchTools(fields: Readonly<SearchSection["fields"]>): SearchTools {
  const points = createPoints(fields);
  return {
    tokenize,
    normalizeText,
    points,
    score: (matches, exactTitle) => scoreMatches(matches, exactTitle, points),
    explain: (terms, matches, exactTitle) => explainMatches(terms, matches, exactTitle, points),
    select: selectCandidates,
  };
}

/** Maximum number of body occurrences that count per term. */
export const MAX_BODY_OCCURRENCES = 5;
const builtIn = { title: 3, taxonomy: 2, body: 1, exactTitle: 5 } as const;
const ALL_TERMS_FACTOR = 1.5;
const THOUSAND = 1000;

/** Points from `search.fields`: a configured weight replaces the built-in one. */
export function createPoints(fields: Readonly<SearchSection["fields"]>): Points {
  const weights = new Map(Object.entries(fields).map(([name, field]) => [name, field.weight]));
  const worth = (name: string, usual: number): number =>
    Math.round((weights.get(name) ?? usual) * THOUSAND);
  const title = worth("title", builtIn.title);
  return {
    title,
    taxonomy: worth("taxonomy", builtIn.taxonomy),
    body: worth("body", builtIn.body),
    exactTitle: Math.round((title * builtIn.exactTitle) / builtIn.title),
    field: (name) => worth(name, 1),
    configured: Object.fromEntries([...weights.keys()].map((name) => [name, worth(name, 1)])),
  };
}

/** The score for a sum of points; `all` is true when every one of several terms matched. */
export function toScore(points: number, all: boolean): number {
  return (all ? points * ALL_TERMS_FACTOR : points) / THOUSAND;
}

/**
 * The default score, for lunr and searches in browsers. The built-in engine adds up the same points in
 * `engines/builtin/add-scores.ts`; a test compares both for any corpus and query.
 */
export function scoreMatches(
  matches: readonly (TermMatch | null)[],
  exactTitle: boolean,
  points: Points,
): number {
  let sum = exactTitle ? points.exactTitle : 0;
  for (const match of matches) {
    for (const row of match ? toRows(match, points) : []) sum += row.points;
  }
  return toScore(sum, matches.length > 1 && matches.every((match) => match !== null));
}

function toRows(
  match: TermMatch,
  points: Points,
): { field: string; count: number; points: number }[] {
  const body = Math.min(match.body, MAX_BODY_OCCURRENCES);
  const rows = [
    { field: "title", count: match.title ? 1 : 0, points: match.title ? points.title : 0 },
    { field: "taxonomy", count: match.taxonomy, points: match.taxonomy * points.taxonomy },
    { field: "body", count: match.body, points: body * points.body },
    ...match.fields.map((field) => ({ field, count: 1, points: points.field(field) })),
  ];
  return rows.filter((row) => row.count > 0);
}

/** The parts of a score; points as they appear in it. */
export function explainMatches(
  terms: readonly string[],
  matches: readonly (TermMatch | null)[],
  exactTitle: boolean,
  points: Points,
): Explanation {
  const all = matches.length > 1 && matches.every((match) => match !== null);
  return {
    score: scoreMatches(matches, exactTitle, points),
    terms: terms.map((term, at) => {
      const match = matches[at];
      const rows = match ? toRows(match, points) : [];
      return { term, matches: rows.map((row) => ({ ...row, points: row.points / THOUSAND })) };
    }),
    exactTitle: exactTitle ? points.exactTitle / THOUSAND : 0,
    factor: all ? ALL_TERMS_FACTOR : 1,
  };
}
