/** Terms and how many visible pages have them. */
import type { LanguageChoice } from "../contract.js";
import type { VisibleLists } from "./visible-lists.js";

/** Name to value to number of pages. */
export type TermCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The counts of the configured taxonomies, sorted by value; an unused one is empty. */
export function countTerms(
  lists: VisibleLists,
  language: LanguageChoice,
  names: readonly string[],
): TermCounts {
  return lists.once(`counts ${JSON.stringify(language)}`, isTermCounts, () => {
    const postings = lists.taxonomy(language);
    return Object.fromEntries(
      names.map((name) => [name, countValues(postings.get(name) ?? new Map())]),
    );
  });
}

function countValues(byValue: ReadonlyMap<string, readonly unknown[]>): Record<string, number> {
  const counts = [...byValue].map(([value, pages]): [string, number] => [value, pages.length]);
  return Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isTermCounts(value: unknown): value is TermCounts {
  return value !== undefined;
}
