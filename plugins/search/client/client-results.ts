import type { Candidate, FacetCounts, SearchFilters, SearchItem } from "../contract.js";
import { cutExcerpt } from "../query/excerpt.js";
import type { DocumentRow, IndexFileHead, ShownDocument } from "./format.js";

/** A query from the search page of an export. */
export interface ClientRequest {
  text: string;
  filters: SearchFilters;
  sort: "relevance" | "date";
  limit: number;
  offset: number;
  /** Null: every language. */
  lang: string | null;
}
/** The result, in the format of the server's API. */
export interface ClientAnswer {
  total: number;
  items: SearchItem[];
  facets: FacetCounts;
  hasMore: boolean;
}
/** Matching documents by number. */
export interface Found {
  total: number;
  facets: FacetCounts;
  hits: readonly { id: number; score: number }[];
}

/** Equal scores are ordered newest first, which is also the order of document numbers. */
export function best(
  scores: ReadonlyMap<number, number>,
  { offset, limit }: Pick<ClientRequest, "offset" | "limit">,
): Found {
  const hits = [...scores]
    .map(([id, score]) => ({ id, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id - b.id);
  return { total: hits.length, facets: {}, hits: hits.slice(offset, offset + limit) };
}

/** The documents that filters select from. */
export function* candidatesOf(
  scores: ReadonlyMap<number, number>,
  rows: ReadonlyMap<number, DocumentRow>,
  isBrowsing: boolean,
): Generator<Candidate> {
  for (const [id, row] of rows) {
    const score = scores.get(id) ?? 0;
    if (score === 0 && !isBrowsing) continue;
    const [route, lang, template, date, taxonomy, facets] = row;
    const document = { route, lang, template, date, taxonomy, facets };
    yield { score, document: { ...document, title: "", fields: {}, access: "" } };
  }
}

/** A result, as the API returns it. */
export function toItem(
  shown: ShownDocument | undefined,
  head: IndexFileHead,
  terms: readonly string[],
  score: number,
): SearchItem {
  const { text, ...item } = shown ?? NOTHING;
  const { highlight, excerptLength: length } = head;
  const cut = cutExcerpt(text, { terms, length, highlight });
  const found = { ...item, score, excerpt: cut.html };
  return highlight ? { ...found, highlights: cut.highlights } : found;
}

const NOTHING: ShownDocument = {
  route: "/",
  title: "",
  template: "",
  date: "",
  taxonomy: {},
  text: "",
};
