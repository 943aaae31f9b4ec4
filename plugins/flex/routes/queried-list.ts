import type { ExtensionList, Extensions, SiteContext } from "#kernel";
import {
  FAILED_PART_MS,
  INCLUDE_RULES,
  pickFields,
  resolveName,
  unknownName,
  type QueryResult,
  type QueryText,
} from "#kernel/internal";
import type { ContentView } from "../../content/contract.js";
import type { RecordList } from "../records/record-list.js";
import type { StoredRecord } from "../records/record-file.js";

/** A query with its slice. */
export type ListQuery = QueryText & { offset: number; limit: number | undefined };

/** What `include=` offers: the includes of all plugins. */
export class RecordIncludeList {
  readonly #list: ExtensionList<Extensions["recordIncludes"]>;
  readonly #now: () => number;

  constructor(site: Pick<SiteContext, "extensions" | "runtime">) {
    this.#list = site.extensions.open("recordIncludes", INCLUDE_RULES);
    this.#now = () => site.runtime.clock.now();
  }

  /** @throws HttpError 400 for a name that no include has. */
  assertName(name: string): void {
    const { keys } = this.#list;
    if (!keys.includes(name)) throw unknownName("include", name, [...keys]);
  }

  /** The values of the named includes for a record; one that fails is left out. */
  async valuesOf(
    names: readonly string[],
    { record }: StoredRecord,
    view: ContentView,
  ): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const name of names) {
      const value: unknown = await this.#list.part(name)?.call(
        (include) => include.of(record, view),
        () => view.expireAt(this.#now() + FAILED_PART_MS),
      );
      if (value !== undefined) values[name] = value;
    }
    return values;
  }
}

/** The records of a query, as the response shows them. @throws HttpError 400 for an unknown name. */
export async function queriedRecords(
  list: RecordList,
  query: ListQuery,
  { view, includes, timezone }: QueryParts,
): Promise<QueryResult<unknown>> {
  const { names, table } = list.table(timezone);
  for (const name of query.include) includes.assertName(name);
  const fields = query.fields?.map((name) => resolveName(names, name, "fields"));
  const order = query.order.map(({ name, dir }) => ({ name, dir: dir ?? ("asc" as const) }));
  const newest = { name: "_createdAt", dir: "desc" } as const;
  const whole = { ...query, order: order.length === 0 ? [newest] : order };
  const result = table.select(whole, query);
  const items: unknown[] = [];
  for (const stored of result.items) {
    const shown = fields === undefined ? stored.record : pickFields(stored, fields);
    items.push({ ...shown, ...(await includes.valuesOf(query.include, stored, view)) });
  }
  return { ...result, items };
}

/** What queries need. */
export interface QueryParts {
  readonly view: ContentView;
  readonly includes: RecordIncludeList;
  readonly timezone: string;
}
