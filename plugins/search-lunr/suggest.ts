import type { SearchDocument, SuggestScope, SearchTools } from "../search/contract.js";

type Head = Omit<SearchDocument, "body">;

/** Source of suggestions. */
export interface Vocabulary {
  readonly documents: Iterable<Head>;
  /** Sorted. */
  readonly terms: readonly string[];
  /** Documents with exactly this term. */
  find(term: string): readonly Head[];
}

/** Matching titles, then terms by the number of documents in scope. */
export function suggestFrom(
  from: Vocabulary,
  wanted: { prefix: string; limit: number; scope: SuggestScope },
  tools: SearchTools,
): string[] {
  const prefix = tools.normalizeText(wanted.prefix);
  if (prefix.length < 2) return [];
  const { access, lang } = wanted.scope;
  const inScope = (document: Head): boolean =>
    access.includes(document.access) && (lang === null || [lang, ""].includes(document.lang));
  const titles = new Map<string, string>();
  for (const document of from.documents) {
    const key = tools.normalizeText(document.title);
    if (!key.startsWith(prefix) || titles.has(key) || !inScope(document)) continue;
    if (tools.tokenize(document.title).length > 0) titles.set(key, document.title);
  }
  const found = new Map([...titles].sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const term of termsByFrequency(from, prefix, inScope))
    if (!found.has(term)) found.set(term, term);
  return [...found.values()].slice(0, wanted.limit);
}

function termsByFrequency(
  from: Vocabulary,
  prefix: string,
  inScope: (document: Head) => boolean,
): string[] {
  return from.terms
    .filter((term) => term.startsWith(prefix))
    .map((term) => ({ term, count: from.find(term).filter(inScope).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    .map(({ term }) => term);
}
