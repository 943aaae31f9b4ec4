import { closest, distance } from "fastest-levenshtein";

/** Maximum length compared: the distance is quadratic. */
const MAX_LENGTH = 64;

/**
 * The candidate that was probably meant: the nearest by edit distance, ignoring case, when at most
 * about a third of its letters (and at least one) differ. Null when none is similar.
 */
export function nearest(name: string, candidates: readonly string[]): string | null {
  if (name === "" || name.length > MAX_LENGTH || candidates.length === 0) return null;
  const wanted = name.toLowerCase();
  const lowered = candidates.map((candidate) => candidate.toLowerCase().slice(0, MAX_LENGTH));
  const found = closest(wanted, lowered);
  const allowed = Math.max(1, Math.floor((Math.max(wanted.length, found.length) + 1) / 3));
  if (distance(wanted, found) > allowed) return null;
  return candidates[lowered.indexOf(found)] ?? null;
}
