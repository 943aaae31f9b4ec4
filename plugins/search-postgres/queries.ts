import type { SearchQuery, SearchTools, SuggestScope, WordRange } from "../search/contract.js";
import { afterPrefix, clean } from "./schema.js";

/** A statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Collects parameters and returns their placeholders. */
class Parameters {
  readonly values: unknown[] = [];
  add(value: unknown, type = "text"): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/**
 * The whole result in one statement: integer points like those of the shared score (times two, so
 * that the factor 1.5 stays an integer), filters, total, slice and facet counts.
 */
export function searchSql(schema: string, query: SearchQuery, tools: SearchTools): Statement {
  const by = new Parameters();
  const { plain, facets } = conditions(query, by);
  const scored = query.terms.length === 0 ? browseSql(schema) : scoreSql(schema, query, tools, by);
  const order = query.sort === "date" || query.terms.length === 0 ? "" : "points desc, ";
  const selected =
    [...facets.values()].map((condition) => `(${condition})`).join(" and ") || "true";
  const text = `with ${scored},
found as materialized (select * from scored where ${plain.join(" and ")}),
matched as materialized (select * from found where ${selected})
select (select count(*)::int from matched) as total,
(select coalesce(json_agg(h), '[]') from (select route, points::float8 from matched
 order by ${order}day desc nulls last, route limit ${by.add(query.limit, "int")} offset ${by.add(query.offset, "int")}) h) as hits,
${facetsSql(query.facets, facets, by)} as facets`;
  return { text, values: by.values };
}

function browseSql(schema: string): string {
  return `scored as (select d.*, 0 as points from "${schema}".documents d)`;
}

function scoreSql(schema: string, query: SearchQuery, tools: SearchTools, by: Parameters): string {
  const { points } = tools;
  const terms = by.add(query.terms, "text[]");
  const ends = by.add(query.terms.map(afterPrefix), "text[]");
  const weights = by.add(JSON.stringify(points.configured), "jsonb");
  const key = by.add(tools.normalizeText(query.text));
  const many = query.terms.length > 1 ? query.terms.length : 1_000_000;
  return `asked as (select * from unnest(${terms}, ${ends}) with ordinality as a(low, high, at)),
met as materialized (select p.document, a.at, p.title, p.body, p.places from asked a
 join "${schema}".postings p on p.term >= a.low collate "C" and p.term < a.high collate "C"),
texts as (select document, at, (case when bool_or(title) then ${points.title} else 0 end)
 + least(sum(body), 5) * ${points.body} as points from met group by document, at),
places as (select document, sum(case when left(place, 1) = 'v' then ${points.taxonomy}
 else coalesce((${weights} ->> substr(place, 2))::int, 1000) end) as points
 from (select distinct document, at, unnest(places) as place from met) each_place group by document),
sums as (select document, sum(points) as points, count(*) as matched from texts group by document),
scored as (select d.*, (s.points + coalesce(p.points, 0) + case when d.title_key = ${key} then ${points.exactTitle} else 0 end)
 * case when s.matched = ${many} then 3 else 2 end as points
 from sums s join "${schema}".documents d on d.id = s.document left join places p on p.document = s.document)`;
}

/** Conditions of a query: common ones, and one per selected facet. */
function conditions(
  query: SearchQuery,
  by: Parameters,
): { plain: string[]; facets: Map<string, string> } {
  const { template, from, to, taxonomy, facets } = query.filters;
  const plain = [`access = any(${by.add(query.access.map(clean), "text[]")})`];
  if (query.terms.length > 0) plain.push("points > 0");
  plain.push(...routeConditions(query, by));
  if (query.lang !== null) plain.push(`lang in ('', ${by.add(clean(query.lang))})`);
  if (template !== undefined) plain.push(`template = ${by.add(clean(template))}`);
  if (from !== undefined) plain.push(`day >= ${by.add(from)}`);
  if (to !== undefined) plain.push(`day <= ${by.add(to)}`);
  const selects = (column: string, [name, values]: [string, readonly string[]]): string =>
    `coalesce(${column} -> ${by.add(clean(name))} ?| ${by.add(values.map(clean), "text[]")}, false)`;
  for (const entry of Object.entries(taxonomy)) plain.push(selects("taxonomy", entry));
  return {
    plain,
    facets: new Map(Object.entries(facets).map((entry) => [entry[0], selects("facets", entry)])),
  };
}

function routeConditions({ routes }: SearchQuery, by: Parameters): string[] {
  if (routes === undefined) return [];
  const except = `route <> all(${by.add(routes.except.map(clean), "text[]")})`;
  if (routes.only === null) return [except];
  return [except, `route = any(${by.add(routes.only.map(clean), "text[]")})`];
}

function facetsSql(
  fields: readonly string[],
  selected: ReadonlyMap<string, string>,
  by: Parameters,
): string {
  const counts = fields.map((field) => {
    const others = [...selected]
      .filter(([name]) => name !== field)
      .map(([, condition]) => condition);
    const where = others.join(" and ") || "true";
    const name = by.add(clean(field));
    return `${name}, (select coalesce(json_object_agg(value, count order by count desc, value collate "C"), '{}')
 from (select value, count(*)::int from found, jsonb_array_elements_text(facets -> ${name}) value where ${where} group by value) v)`;
  });
  return `json_build_object(${counts.join(", ")})`;
}

/** Minimum similarity (pg_trgm) of a word suggested for a mistyped one. */
const MIN_SIMILARITY = 0.3;

/** Dependencies of suggestions. */
interface SuggestSource {
  readonly schema: string;
  readonly tools: SearchTools;
  ask<R>(statement: Statement): Promise<R[]>;
}
/** A request for suggestions. */
interface SuggestRequest {
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
  const unique = new Map<string, string>();
  for (const { title, key } of await titles(source, prefix, request)) unique.set(key, title);
  for (const term of await terms(source, prefix, request))
    if (!unique.has(term)) unique.set(term, term);
  if (unique.size === 0) return similar(source, prefix, request);
  return [...unique.values()].slice(0, request.limit);
}

/** Indexed terms with a beginning, by length in UTF-16 units. */
export async function words(
  { schema, ask }: SuggestSource,
  { prefix, shortest, longest }: WordRange,
): Promise<string[]> {
  const text = `select w.term from "${schema}".words w where starts_with(w.term, $1) and length(w.term) <= $2
 and exists (select from "${schema}".postings p where p.term = w.term collate "C")`;
  const rows = await ask<{ term: string }>({ text, values: [clean(prefix), longest] });
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
