import type { SearchDocument, SearchTools } from "../search/contract.js";
import { documentRow, postingRows } from "./rows.js";
import { clean } from "./schema.js";

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
