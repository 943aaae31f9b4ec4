import type {
  SearchDocument,
  SearchQuery,
  SearchResult,
} from "../../../plugins/search/contract.js";

/**
 * The specified search, literally, word by word over every document: the reference for engines. It
 * shares no code with them.
 */
export function naiveSearch(
  documents: readonly SearchDocument[],
  query: SearchQuery,
  weights: Readonly<Record<string, number>> = {},
): SearchResult {
  const scored = documents
    .map((document) => ({ document, score: naiveScore(document, query, weights) }))
    .filter(({ score }) => query.terms.length === 0 || (score !== null && score > 0))
    .map(({ document, score }) => ({ document, score: score ?? 0 }));
  const matches = scored.filter(({ document }) => passes(document, query, null));
  const byDate = query.sort === "date" || query.terms.length === 0;
  matches.sort(
    (a, b) =>
      (byDate ? 0 : b.score - a.score) ||
      newer(a.document, b.document) ||
      (a.document.route < b.document.route ? -1 : 1),
  );
  return {
    total: matches.length,
    hits: matches
      .slice(query.offset, query.offset + query.limit)
      .map(({ document, score }) => ({ route: document.route, score })),
    facets: Object.fromEntries(
      query.facets.map((field) => {
        const counts = new Map<string, number>();
        for (const { document } of scored) {
          if (!passes(document, query, field)) continue;
          for (const value of new Set(own(document.facets, field)))
            counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        return [field, Object.fromEntries(counts)];
      }),
    ),
  };
}

/** Folding for tests: enough for the generated words. */
function naiveTokens(text: string): string[] {
  return text
    .split(/\s+/u)
    .map((word) =>
      word
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/gu, "")
        .normalize("NFC")
        .toLowerCase(),
    )
    .map((word) => word.replace(/^[^\p{L}\p{N}]+/u, "").replace(/[^\p{L}\p{N}]+$/u, ""))
    .filter((word) => word !== "");
}

function naiveScore(
  document: SearchDocument,
  query: SearchQuery,
  weights: Readonly<Record<string, number>>,
): number | null {
  // In thousandths of a point, as scores have three decimals.
  const weight = (name: string, usual: number): number =>
    Math.round((weights[name] ?? usual) * 1_000);
  const occurrences = (text: string, term: string): number =>
    naiveTokens(text).filter((token) => token.length > 1 && token.startsWith(term)).length;
  let sum = 0;
  let matched = 0;
  for (const term of query.terms) {
    const values = Object.values(document.taxonomy)
      .flat()
      .filter((value) => occurrences(value, term) > 0);
    const fields = Object.entries(document.fields).filter(
      ([, text]) => occurrences(text, term) > 0,
    );
    const body = occurrences(document.body, term);
    const title = occurrences(document.title, term) > 0;
    if (title || body > 0 || values.length > 0 || fields.length > 0) matched += 1;
    if (title) sum += weight("title", 3);
    sum += values.length * weight("taxonomy", 2) + Math.min(body, 5) * weight("body", 1);
    for (const [name] of fields) sum += weight(name, 1);
  }
  if (matched === 0) return null;
  if (naiveTokens(document.title).join(" ") === naiveTokens(query.text).join(" "))
    sum += Math.round((weight("title", 3) * 5) / 3);
  const factor = query.terms.length > 1 && matched === query.terms.length ? 1.5 : 1;
  return (sum * factor) / 1_000;
}

function passes(document: SearchDocument, query: SearchQuery, without: string | null): boolean {
  const { template, from, to, taxonomy, facets } = query.filters;
  return (
    query.access.includes(document.access) &&
    (query.lang === null || document.lang === query.lang) &&
    (template === undefined || document.template === template) &&
    (from === undefined || (document.date ?? "") >= from) &&
    (to === undefined || (document.date !== null && document.date <= to)) &&
    Object.entries(taxonomy).every(([name, values]) =>
      own(document.taxonomy, name).some((value) => values.includes(value)),
    ) &&
    Object.entries(facets).every(
      ([field, values]) =>
        field === without || own(document.facets, field).some((value) => values.includes(value)),
    )
  );
}

function own(record: Readonly<Record<string, readonly string[]>>, name: string): readonly string[] {
  return Object.hasOwn(record, name) ? (record[name] ?? []) : [];
}

function newer(a: SearchDocument, b: SearchDocument): number {
  const [left, right] = [a.date ?? "", b.date ?? ""];
  return left < right ? 1 : left > right ? -1 : 0;
}
