import { type SiteContext, expectKind } from "#kernel";
import {
  pickFields,
  resolveName,
  unknownName,
  type QueryResult,
  type QueryText,
} from "#kernel/internal";
import type { ContentView } from "../../content/contract.js";
import type { RecordInclude } from "../contract.js";
import type { RecordList } from "../records/record-list.js";
import type { StoredRecord } from "../records/record-file.js";

/** A query with its slice. */
export type ListQuery = QueryText & { offset: number; limit: number | undefined };
/** Finds what `include=` offers. */
export interface FindInclude {
  (name: string): RecordInclude | undefined;
}

/** The includes of all plugins. */
export function recordIncludes(site: SiteContext) {
  const list = site.extensions.open("recordIncludes", {
    check: expectKind("object"),
    isKeyed: true,
  });
  const find: FindInclude = (name) => list.values.find((one) => Object.hasOwn(one, name))?.[name];
  return { find, names: () => list.values.flatMap((one) => Object.keys(one)) };
}

/** The records of a query, as the response shows them. @throws HttpError 400 for an unknown name. */
export async function queriedRecords(
  list: RecordList,
  query: ListQuery,
  { view, includes, timezone }: QueryParts,
): Promise<QueryResult<unknown>> {
  const { names, table } = list.table(timezone);
  for (const name of query.include) {
    if (includes.find(name) === undefined) throw unknownName("include", name, includes.names());
  }
  const fields = query.fields?.map((name) => resolveName(names, name, "fields"));
  const order = query.order.map(({ name, dir }) => ({ name, dir: dir ?? ("asc" as const) }));
  const newest = { name: "_createdAt", dir: "desc" } as const;
  const whole = { ...query, order: order.length === 0 ? [newest] : order };
  const result = table.select(whole, query);
  const items: unknown[] = [];
  for (const stored of result.items) {
    const shown = fields === undefined ? stored.record : pickFields(stored, fields);
    items.push({ ...shown, ...(await addedTo(stored, query.include, { view, includes })) });
  }
  return { ...result, items };
}

/** What queries need. */
export interface QueryParts {
  readonly view: ContentView;
  readonly includes: ReturnType<typeof recordIncludes>;
  readonly timezone: string;
}

async function addedTo(
  { record }: StoredRecord,
  names: readonly string[],
  { view, includes }: Pick<QueryParts, "view" | "includes">,
): Promise<Record<string, unknown>> {
  const added: Record<string, unknown> = {};
  for (const name of names) {
    const value: unknown = await includes.find(name)?.of(record, view);
    if (value !== undefined) added[name] = value;
  }
  return added;
}
