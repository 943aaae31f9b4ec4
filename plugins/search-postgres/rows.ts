import { createHash } from "node:crypto";
import type { SearchDocument, SearchTools } from "../search/contract.js";
import { clean, cleanLists } from "./schema.js";

/** Increase when documents are stored in another form. */
const LAYOUT = 1;

/**
 * A position outside title and body: `v` and the index of a taxonomy value, or `f` and a field's
 * name.
 */
export const placeOf = {
  value: (position: number): string => `v${position}`,
  field: (name: string): string => `f${name}`,
};

/** A row of `documents`. */
export interface DocumentRow {
  readonly route: string;
  readonly digest: string;
  readonly title: string;
  readonly title_key: string;
  readonly day: string | null;
  readonly template: string;
  readonly lang: string;
  readonly access: string;
  readonly taxonomy: Readonly<Record<string, readonly string[]>>;
  readonly facets: Readonly<Record<string, readonly string[]>>;
}
/** A row of `postings`, its document by route. */
export interface PostingRow {
  readonly route: string;
  readonly term: string;
  title: boolean;
  body: number;
  readonly places: string[];
}

/** The row of a document. */
export function documentRow(document: SearchDocument, tools: SearchTools): DocumentRow {
  return {
    route: clean(document.route),
    digest: createHash("sha1")
      .update(JSON.stringify([LAYOUT, document]))
      .digest("base64url"),
    title: clean(document.title),
    title_key: tools.normalizeText(document.title),
    day: document.date,
    template: clean(document.template),
    lang: clean(document.lang),
    access: clean(document.access),
    taxonomy: cleanLists(document.taxonomy),
    facets: cleanLists(document.facets),
  };
}

/** One row per term of a document. */
export function postingRows(document: SearchDocument, tools: SearchTools): PostingRow[] {
  const rows = new Map<string, PostingRow>();
  const route = clean(document.route);
  const rowOf = (term: string): PostingRow => {
    let row = rows.get(term);
    if (!row) rows.set(term, (row = { route, term, title: false, body: 0, places: [] }));
    return row;
  };
  for (const term of tools.tokenize(document.title)) rowOf(term).title = true;
  for (const term of tools.tokenize(document.body)) rowOf(term).body += 1;
  const place = (text: string, name: string): void => {
    for (const term of new Set(tools.tokenize(text))) rowOf(term).places.push(name);
  };
  for (const [name, text] of Object.entries(document.fields))
    place(text, placeOf.field(clean(name)));
  Object.values(document.taxonomy)
    .flat()
    .forEach((value, position) => place(value, placeOf.value(position)));
  return [...rows.values()];
}
