/** Filtered, sorted pages: each combination is computed once per generation. */
import type { LanguageChoice, ListQuery, PageEntry } from "../contract.js";
import { isEntries, type VisibleLists } from "./visible-lists.js";

/** Every page that a query matches, in its order. */
export function listPages(
  lists: VisibleLists,
  query: ListQuery,
  language: LanguageChoice,
): readonly PageEntry[] {
  const { by, dir } = query.order ?? { by: "date", dir: "desc" };
  const taxonomy = Object.entries(query.taxonomy ?? {});
  if (query.template === undefined && taxonomy.length === 0)
    return lists.ordered(language, by, dir);
  // A value that no page has must not occupy the cache.
  if (!canMatch(lists, query, language)) return [];
  const key = `list ${JSON.stringify([language, by, dir, query.template ?? null, taxonomy.sort()])}`;
  return lists.once(key, isEntries, () =>
    lists.ordered(language, by, dir).filter((entry) => matches(entry, query.template, taxonomy)),
  );
}

function canMatch(
  lists: VisibleLists,
  { template, taxonomy }: ListQuery,
  language: LanguageChoice,
): boolean {
  if (template !== undefined && !lists.templates(language).has(template)) return false;
  const postings = lists.taxonomy(language);
  return Object.entries(taxonomy ?? {}).every(
    ([name, value]) => postings.get(name)?.has(value) === true,
  );
}

function matches(
  entry: PageEntry,
  template: string | undefined,
  taxonomy: readonly (readonly [string, string])[],
): boolean {
  if (template !== undefined && entry.template !== template) return false;
  return taxonomy.every(([name, value]) => termsOf(entry, name).includes(value));
}

/** The values a page has of a taxonomy. */
export function termsOf(entry: PageEntry, name: string): readonly string[] {
  return Object.hasOwn(entry.taxonomy, name) ? (entry.taxonomy[name] ?? []) : [];
}
