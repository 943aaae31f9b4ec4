import type { SuggestScope, SearchTools } from "../search/contract.js";
import type { Statement } from "./query-sql.js";
import { afterPrefix, clean } from "./schema.js";

/** Minimum similarity (pg_trgm) of a word suggested for a mistyped one. */
const MIN_SIMILARITY = 0.3;

/** Dependencies of suggestions. */
export interface SuggestSource {
  readonly schema: string;
  readonly tools: SearchTools;
  ask<R>(statement: Statement): Promise<R[]>;
}
/** A request for suggestions. */
export interface SuggestRequest {
  readonly prefix: string;
  readonly limit: number;
  readonly scope: SuggestScope;
}

/** Matching titles, then terms by document frequency; without any match, similar words. */
export async function suggestions(
  source: SuggestSource,
  request: SuggestRequest,
): Promise<string[]> {
  const prefix = source.tools.normalizeText(request.prefix);
  if (prefix.length < 2) return [];
  const found = new Map<string, string>();
  for (const { title, key } of await titles(source, prefix, request)) found.set(key, title);
  for (const term of await terms(source, prefix, request))
    if (!found.has(term)) found.set(term, term);
  if (found.size === 0) return similar(source, prefix, request);
  return [...found.values()].slice(0, request.limit);
}

/** Indexed terms with a beginning, by length in UTF-16 units. */
export async function words(
  { schema, ask }: SuggestSource,
  [prefix, shortest, longest]: readonly [string, number, number],
): Promise<string[]> {
  const text = `select w.term from "${schema}".words w where starts_with(w.term, $1) and length(w.term) <= $2
 and exists (select from "${schema}".postings p where p.term = w.term collate "C")`;
  const rows = await ask<{ term: string }>({ text, values: [prefix, longest] });
  const isMeant = ({ length }: string): boolean => length >= shortest && length <= longest;
  return rows.map(({ term }) => term).filter(isMeant);
}

async function titles(
  { schema, tools, ask }: SuggestSource,
  prefix: string,
  { limit, scope }: SuggestRequest,
): Promise<{ title: string; key: string }[]> {
  const text = `select distinct on (title_key) title_key as key, title from "${schema}".documents
 where title_key >= $1 collate "C" and title_key < $2 collate "C" and access = any($3::text[]) and ($4::text is null or lang in ('', $4))
 order by title_key, day desc nulls last, route limit $5`;
  const values = [prefix, afterPrefix(prefix), scope.access.map(clean), scope.lang, limit * 3];
  const rows = await ask<{ title: string; key: string }>({ text, values });
  return rows.filter(({ title }) => tools.tokenize(title).length > 0);
}

async function terms(
  { schema, ask }: SuggestSource,
  prefix: string,
  { limit, scope }: SuggestRequest,
): Promise<string[]> {
  const text = `select p.term from "${schema}".postings p join "${schema}".documents d on d.id = p.document
 where p.term >= $1 collate "C" and p.term < $2 collate "C" and d.access = any($3::text[]) and ($4::text is null or d.lang in ('', $4))
 group by p.term order by count(*) desc, p.term limit $5`;
  const values = [prefix, afterPrefix(prefix), scope.access.map(clean), scope.lang, limit * 2];
  return (await ask<{ term: string }>({ text, values })).map(({ term }) => term);
}

async function similar(
  { schema, ask }: SuggestSource,
  prefix: string,
  { limit, scope }: SuggestRequest,
): Promise<string[]> {
  const text = `select w.term from "${schema}".words w where w.term % $1 and similarity(w.term, $1) >= $2
 and exists (select from "${schema}".postings p join "${schema}".documents d on d.id = p.document
 where p.term = w.term collate "C" and d.access = any($3::text[]) and ($4::text is null or d.lang in ('', $4)))
 order by similarity(w.term, $1) desc, w.term limit $5`;
  const values = [prefix, MIN_SIMILARITY, scope.access.map(clean), scope.lang, limit];
  return (await ask<{ term: string }>({ text, values })).map(({ term }) => term);
}
