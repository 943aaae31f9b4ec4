import { createHash } from "node:crypto";
import type { SearchDocument, SearchTools } from "../search/contract.js";
import { clean, cleanLists } from "./schema.js";

/** The connection of a transaction. */
export interface Client {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Schema and tokeniser for written documents. */
export interface WriteOptions {
  readonly schema: string;
  readonly tools: SearchTools;
}

/** Removes documents by route; ignores unknown ones. */
export async function removeRoutes(
  client: Client,
  schema: string,
  routes: readonly string[],
): Promise<void> {
  if (routes.length === 0) return;
  await client.query(`delete from "${schema}".documents where route = any($1::text[])`, [
    routes.map(clean),
  ]);
}

/** Writes documents that are not already stored in the same form. */
export async function writeDocuments(
  client: Client,
  documents: readonly SearchDocument[],
  { schema, tools }: WriteOptions,
): Promise<void> {
  if (documents.length === 0) return;
  const rows = documents.map((document) => documentRow(document, tools));
  const stored = await client.query(
    `select route, digest from "${schema}".documents where route = any($1::text[])`,
    [rows.map((row) => row.route)],
  );
  const digests = new Map(stored.rows.map(({ route, digest }) => [route, digest]));
  const changed = rows
    .map((row, at) => ({ row, document: documents[at] }))
    .filter(({ row }) => digests.get(row.route) !== row.digest);
  if (changed.length === 0) return;
  await removeRoutes(
    client,
    schema,
    changed.map(({ row }) => row.route),
  );
  await client.query(
    `insert into "${schema}".documents (route, digest, title, title_key, day, template, lang, access, taxonomy, facets)
 select route, digest, title, title_key, day, template, lang, access, taxonomy, facets
 from jsonb_to_recordset($1::jsonb) as x(route text, digest text, title text, title_key text, day text, template text, lang text, access text, taxonomy jsonb, facets jsonb)`,
    [JSON.stringify(changed.map(({ row }) => row))],
  );
  const postings = changed.flatMap(({ document }) =>
    document ? postingRows(document, tools) : [],
  );
  await client.query(
    `with rows as materialized (select * from jsonb_to_recordset($1::jsonb)
 as x(route text, term text, title boolean, body integer, places jsonb)),
new_words as (insert into "${schema}".words (term) select distinct term from rows on conflict do nothing)
insert into "${schema}".postings (term, document, title, body, places)
 select term, d.id, r.title, r.body, array(select jsonb_array_elements_text(r.places))
 from rows r join "${schema}".documents d on d.route = r.route`,
    [JSON.stringify(postings)],
  );
}

/** Increase when documents are stored in another form. */
const LAYOUT = 1;

/**
 * A position outside title and body: `v` and the index of a taxonomy value, or `f` and a field's
 * name.
 */
const placeOf = {
  value: (position: number): string => `v${position}`,
  field: (name: string): string => `f${name}`,
};

/** A row of `documents`. */
interface DocumentRow {
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
interface PostingRow {
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
  const findOrAddRow = (term: string): PostingRow => {
    let row = rows.get(term);
    if (!row) rows.set(term, (row = { route, term, title: false, body: 0, places: [] }));
    return row;
  };
  for (const term of tools.tokenize(document.title)) findOrAddRow(term).title = true;
  for (const term of tools.tokenize(document.body)) findOrAddRow(term).body += 1;
  const addPlaces = (text: string, name: string): void => {
    for (const term of new Set(tools.tokenize(text))) findOrAddRow(term).places.push(name);
  };
  for (const [name, text] of Object.entries(document.fields))
    addPlaces(text, placeOf.field(clean(name)));
  Object.values(document.taxonomy)
    .flat()
    .forEach((value, position) => addPlaces(value, placeOf.value(position)));
  return [...rows.values()];
}
