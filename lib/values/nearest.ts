import { closest, distance } from "fastest-levenshtein";

/** Maximum length compared: the distance is quadratic. */
const MAX_LENGTH = 64;

/**
 * The candidate that was probably meant: the nearest by edit distance, ignoring case, when at most
 * about a third of its letters (and at least one) differ, or two neighbours are swapped. Null when none is similar.
 */
export function nearest(name: string, candidates: readonly string[]): string | null {
  if (name === "" || name.length > MAX_LENGTH || candidates.length === 0) return null;
  const lowerName = name.toLowerCase();
  const lowered = candidates.map((candidate) => candidate.toLowerCase().slice(0, MAX_LENGTH));
  const swapped = lowered.findIndex((candidate) => isSwapped(lowerName, candidate));
  if (swapped !== -1) return candidates[swapped] ?? null;
  const match = closest(lowerName, lowered);
  const allowed = Math.max(1, Math.floor((Math.max(lowerName.length, match.length) + 1) / 3));
  if (distance(lowerName, match) > allowed) return null;
  return candidates[lowered.indexOf(match)] ?? null;
}

/** True when two letters beside each other are swapped: `nmae`, the edit distance of which is two. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (at === a.length) return false;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
