import type { SiteContext } from "#kernel";
import {
  pickFields,
  resolveName,
  type QueryName,
  type QueryOrder,
  type QueryResult,
  type QueryText,
} from "#kernel/internal";
import type { PageEntry } from "../../content/contract.js";
import type { Fragments } from "../page/fragments.js";
import { htmlOfModule } from "../page/included-modules.js";
import type { Includes } from "../page/includes.js";
import type { PageNames } from "./page-names.js";
import { sendList, trace, type Exchange } from "../routes/send.js";

/** A list of pages as a query selects it. */
export interface QueriedList {
  readonly result: QueryResult<PageEntry>;
  /** Whole items. */
  readonly fragments: Fragments<PageEntry>;
  readonly meta: Record<string, unknown>;
}
/** What items show beside or instead of their usual keys. */
interface Shape {
  readonly fields: readonly QueryName<PageEntry>[] | null;
  readonly include: readonly string[];
}

/** A condition that a plain parameter stands for. */
export function plainCondition(name: string, value: string) {
  return { parameter: name, name, operator: "is", values: [value] } as const;
}

/** The order with all directions; `fallback`: those of keys without one. */
export function directed(
  order: readonly QueryOrder[],
  fallback: (name: string) => "asc" | "desc",
): (QueryOrder & { dir: "asc" | "desc" })[] {
  const keys = order.length === 0 ? [{ name: "date", dir: null }] : order;
  return keys.map(({ name, dir }) => ({ name, dir: dir ?? fallback(name) }));
}

/** What items show. @throws HttpError 400 for an unknown name. */
export function shapeOf(
  { fields, include }: Pick<QueryText, "fields" | "include">,
  names: PageNames,
  includes: Includes,
): Shape {
  for (const name of include) includes.assertName(name);
  if (fields === null) return { fields, include };
  // `fields=title,summary`: an include, unless pages have such a key.
  const added = fields.filter(
    (name) => includes.has(name) && names.find(name, "fields") === undefined,
  );
  const own = fields.filter((name) => !added.includes(name));
  return {
    fields: own.map((name) => resolveName(names, name, "fields")),
    include: [...new Set([...include, ...added])],
  };
}

/** Sends the items in the shape of the query. */
export async function sendQueried(
  site: SiteContext,
  { req, res, view }: Exchange,
  { shape, includes, list }: { shape: Shape; includes: Includes; list: QueriedList },
): Promise<unknown> {
  const { result, fragments } = list;
  const meta = { ...list.meta, nextCursor: result.nextCursor };
  const { fields, include } = shape;
  const hasModules = result.items.some(({ isModule }) => isModule);
  if (fields === null && include.length === 0 && !hasModules)
    return sendList(site, { req, res, view }, { fragments, found: result.items, meta });
  const items: unknown[] = [];
  for (const entry of result.items) {
    const item =
      fields === null
        ? { ...fragments.item(entry), ...(await htmlOfModule(site, view, entry)) }
        : pickFields(entry, fields);
    const added = include.length === 0 ? {} : await includes.valuesOf(include, entry, view);
    items.push({ ...item, ...added });
  }
  return site.http.json(req, res, { items, meta }, trace(view));
}
