import type { SearchTools } from "../contract.js";
import { createPoints, explainMatches, scoreMatches } from "./score.js";
import { selectCandidates } from "./select.js";
import { normalizeText, tokenize } from "./terms.js";

/** The shared parts of the default search, with the site's weights. */
export function createSearchTools(
  fields: Readonly<Record<string, { weight: number }>>,
): SearchTools {
  const points = createPoints(fields);
  return {
    tokenize,
    normalizeText,
    points,
    score: (matches, exactTitle) => scoreMatches(matches, exactTitle, points),
    explain: (terms, matches, exactTitle) => explainMatches({ terms, matches }, exactTitle, points),
    select: selectCandidates,
  };
}
