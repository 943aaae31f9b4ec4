import type {
  FacetCounts,
  SearchDocument,
  SearchQuery,
  SearchResult,
  Candidate,
  SearchFilters,
} from "../contract.js";
import type { DocumentHead } from "../index/documents.js";

type Row = Omit<SearchDocument, "body">;
interface Rule {
  /** The facet field that the rule filters; null for every other filter. */
  readonly facet: string | null;
  passes(document: Row): boolean;
}

/** Filters, counts facets, sorts and slices candidates, for engines without filters. */
export function selectCandidates(
  candidates: Iterable<Candidate>,
  query: SearchQuery,
): SearchResult {
  const rules = toRules(query);
  const counts = new Map(query.facets.map((field) => [field, new Map<string, number>()]));
  const matches: Candidate[] = [];
  for (const candidate of candidates) {
    if (candidate.score === 0 && query.terms.length > 0) continue;
    const failed = rules.filter((rule) => !rule.passes(candidate.document));
    if (failed.length === 0) matches.push(candidate);
    count(counts, candidate.document, failed);
  }
  matches.sort(query.sort === "date" || query.terms.length === 0 ? byDate : byScore);
  const slice = matches.slice(query.offset, query.offset + query.limit);
  return {
    total: matches.length,
    hits: slice.map(({ document, score }) => ({ route: document.route, score })),
    facets: toCounts(counts),
  };
}

/** Newest first, undated last, then by route: the order of equal scores. */
export function compareRecency(
  a: Pick<Row, "date" | "route">,
  b: Pick<Row, "date" | "route">,
): number {
  const [left, right] = [a.date ?? "", b.date ?? ""];
  if (left !== right) return left < right ? 1 : -1;
  return a.route < b.route ? -1 : a.route > b.route ? 1 : 0;
}

function byDate(a: Candidate, b: Candidate): number {
  return compareRecency(a.document, b.document);
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || compareRecency(a.document, b.document);
}

function toRules(query: SearchQuery): Rule[] {
  const { template, from, to, taxonomy, facets } = query.filters;
  const access = new Set(query.access);
  const rules: Rule[] = [{ facet: null, passes: (row) => access.has(row.access) }];
  const add = (passes: Rule["passes"], facet: string | null = null): void =>
    void rules.push({ facet, passes });
  if (query.routes !== undefined) {
    const only = query.routes.only === null ? null : new Set(query.routes.only);
    const except = new Set(query.routes.except);
    add(({ route }) => only?.has(route) !== false && !except.has(route));
  }
  if (query.lang !== null) add((row) => row.lang === query.lang || row.lang === "");
  if (template !== undefined) add((row) => row.template === template);
  if (from !== undefined) add((row) => row.date !== null && row.date >= from);
  if (to !== undefined) add((row) => row.date !== null && row.date <= to);
  for (const [name, values] of Object.entries(taxonomy)) {
    add((row) => ownValues(row.taxonomy, name).some((value) => values.includes(value)));
  }
  for (const [field, values] of Object.entries(facets)) {
    add((row) => ownValues(row.facets, field).some((value) => values.includes(value)), field);
  }
  return rules;
}

function count(
  counts: Map<string, Map<string, number>>,
  document: Row,
  failed: readonly Rule[],
): void {
  const only = failed[0];
  if (failed.length > 1 || (only && only.facet === null)) return;
  for (const [field, values] of counts) {
    if (only && only.facet !== field) continue;
    for (const value of new Set(ownValues(document.facets, field))) {
      values.set(value, (values.get(value) ?? 0) + 1);
    }
  }
}

/** Own values only: `__proto__` and `constructor` are valid names. */
function ownValues(
  record: Readonly<Record<string, readonly string[]>>,
  name: string,
): readonly string[] {
  return Object.hasOwn(record, name) ? (record[name] ?? []) : [];
}

/** Maps to plain records, most frequent value first. */
function toCounts(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): FacetCounts {
  return Object.fromEntries(
    [...counts].map(([field, values]) => [field, orderedCounts([...values])]),
  );
}

/** A facet value and its number of matches. */
export type ValueCount = [value: string, count: number];

/** Values as a record, most frequent first, then by value; sorts the list it is given. */
export function orderedCounts(values: ValueCount[]): Record<string, number> {
  values.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return Object.fromEntries(values);
}

/**
 * The facet of every document of a multilingual site: the languages whose readers get it, in its
 * own language or in place of a missing translation. No configured facet starts with a colon.
 */
export const READERS = ":readers";

/** Adds the filter for a language's readers. */
export function forReaders(filters: SearchFilters, lang: string): SearchFilters {
  return { ...filters, facets: { ...filters.facets, [READERS]: [lang] } };
}

/** The language whose readers a query is for; null for a query without fallback. */
export function readersOf({ facets }: SearchFilters): string | null {
  return facets[READERS]?.[0] ?? null;
}

/** A site with one language has no choice. */
export function withReaders<D extends DocumentHead>(document: D, readers: readonly string[]): D {
  if (readers.length < 1 || (document.lang === "" && readers.length < 2)) return document;
  return { ...document, facets: { ...document.facets, [READERS]: readers } };
}
