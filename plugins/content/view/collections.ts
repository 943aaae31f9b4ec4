/** Collections: sources, filter, order, and the requested slice. */
import { QueryTable, type QueryResult } from "#lib/query";
import { compareTexts } from "#lib/text";
import type { Collection, CollectionItem, CollectionQuery } from "../contract.js";
import { toTerms } from "../read/front-matter/fields.js";
import { isMap } from "../read/front-matter/full-yaml.js";
import { isPublished } from "../schedule/publication-time.js";
import { toComparator, type Comparator, type Direction } from "../index/orders.js";
import {
  collectItems,
  isOfTree,
  listSources,
  treeItems,
  type CollectionScope,
} from "./collection-items.js";
import { isEntries, isPageTable, listTerms } from "./visible-lists.js";

const DEFAULT_PAGE_SIZE = 10;
const MAX_KEY_LENGTH = 2000;

/** Resolves a collection; `pageNumber` counts from 1 and matters with `pagination`. */
export async function resolveCollection(
  query: CollectionQuery,
  scope: CollectionScope,
  pageNumber: number,
): Promise<Collection> {
  if (query.query === undefined) {
    const items = await resolved(query, scope, isEntries, (all) => sorted(all, query));
    return sliced(items, query, pageNumber);
  }
  const { names } = scope;
  const table = await resolved(query, scope, isPageTable, (all) => {
    return new QueryTable(sorted(all, { ...query, order: {} }), names);
  });
  const offset = atLeast(query.offset, 0) ?? 0;
  const limit = atLeast(query.limit, 1);
  const selection = table.select(query.query, { offset, limit }, names);
  const { items, nextCursor } = selection;
  return { items, ...countParts(selection, limit), nextCursor };
}

/** The result of `make` for the items of the sources; cached if they depend only on the generation. */
async function resolved<T>(
  { items, filter, order, query }: CollectionQuery,
  scope: CollectionScope,
  isT: (value: unknown) => value is T,
  make: (items: readonly CollectionItem[]) => T,
): Promise<T> {
  const pairs = listSources(items);
  if (!isOfTree(pairs)) return make(await collectItems(pairs, scope));
  const sorting = query === undefined ? { order } : "table";
  const key = `collection ${JSON.stringify([scope.language, scope.self?.sourcePath ?? null, pairs, filter, sorting])}`;
  const makeNow = (): T => make(treeItems(pairs, scope));
  return key.length > MAX_KEY_LENGTH ? makeNow() : scope.lists.once(key, isT, makeNow);
}

function sorted(
  items: readonly CollectionItem[],
  query: CollectionQuery,
): readonly CollectionItem[] {
  const isWanted = compileFilter(query.filter);
  const filtered = isWanted === null ? items : items.filter(isWanted);
  const compare = compileOrder(query.order);
  return compare === null ? filtered : [...filtered].sort(compare);
}

function sliced(
  items: readonly CollectionItem[],
  query: CollectionQuery,
  pageNumber: number,
): Collection {
  const size = readPageSize(query.pagination);
  const offset = atLeast(query.offset, 0) ?? 0;
  const limit = atLeast(query.limit, 1);
  return size === null
    ? window(items, offset, limit)
    : cutPage(items.slice(offset, limit && offset + limit), size, pageNumber);
}

function window(
  items: readonly CollectionItem[],
  offset: number,
  limit: number | undefined,
): Collection {
  const end = limit === undefined ? items.length : offset + limit;
  return { items: items.slice(offset, end), ...countParts({ total: items.length, offset }, limit) };
}

/** The numbers of a part that begins at `offset`. */
function countParts(
  { total, offset }: Pick<QueryResult<CollectionItem>, "total" | "offset">,
  limit: number | undefined,
) {
  return {
    total,
    page: limit === undefined ? 1 : Math.floor(offset / limit) + 1,
    pages: limit === undefined ? Math.min(total, 1) : Math.ceil(total / limit),
    hasNext: limit !== undefined && offset + limit < total,
    hasPrev: offset > 0,
  };
}

function cutPage(items: readonly CollectionItem[], size: number, page: number): Collection {
  const pages = Math.ceil(items.length / size);
  return {
    items: items.slice((page - 1) * size, page * size),
    total: items.length,
    page,
    pages,
    hasNext: page < pages,
    hasPrev: page > 1,
  };
}

/** `pagination: true` means ten items per page. */
function readPageSize(pagination: unknown): number | null {
  if (pagination === undefined || pagination === null || pagination === false) return null;
  const size: unknown =
    typeof pagination === "object" && "size" in pagination ? pagination.size : null;
  return atLeast(size, 1) ?? DEFAULT_PAGE_SIZE;
}

function atLeast(value: unknown, least: number): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= least ? value : undefined;
}

const standard = ["date", "title", "order", "route"] as const;
type Standard = (typeof standard)[number];

/** True for the items a `filter` lets through: names are ANDed, values of one name are ORed. */
export function compileFilter(
  filter: CollectionQuery["filter"],
): ((item: CollectionItem) => boolean) | null {
  const tests = Object.entries(filter ?? {}).map(([key, expected]) => compileTest(key, expected));
  if (tests.length === 0) return null;
  return (item) => tests.every((test) => test(item));
}

function compileTest(key: string, expected: unknown): (item: CollectionItem) => boolean {
  if (key === "taxonomy") return taxonomyTest(expected);
  const values: unknown[] = Array.isArray(expected) ? expected : [expected];
  return (item) => {
    const value = lookUp(item, key);
    const itemValues: unknown[] = Array.isArray(value) ? value : [value ?? null];
    return itemValues.some((one) => values.some((other) => isSame(one, other)));
  };
}

function taxonomyTest(expected: unknown): (item: CollectionItem) => boolean {
  const names = isMap(expected) ? Object.entries(expected) : [];
  const terms = names.map(([name, values]) => ({ name, values: toTerms(values) }));
  return (item) =>
    terms.every(({ name, values }) => listTerms(item, name).some((term) => values.includes(term)));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a !== null && b !== null && String(a) === String(b));
}

/** The comparator of `order`; null keeps the order of the source. */
export function compileOrder(order: CollectionQuery["order"]): Comparator | null {
  const by = order?.by;
  if (by === undefined || by === "default") return null;
  const dir = readDirection(order?.dir, by);
  if (isStandard(by)) return toComparator(by, dir);
  const sign = dir === "asc" ? 1 : -1;
  return (a, b) => compareValues(lookUp(a, by), lookUp(b, by), sign) || byRoute(a, b);
}

const byRoute = toComparator("route", "asc");

/** Default direction: dates descending, everything else ascending. */
function readDirection(dir: unknown, by: string): Direction {
  if (dir === "asc" || dir === "desc") return dir;
  return by === "date" ? "desc" : "asc";
}

function isStandard(by: string): by is Standard {
  return standard.some((name) => name === by);
}

/** Compares numbers by value, the rest as titles; items without the value come last either way. */
function compareValues(a: unknown, b: unknown, sign: number): number {
  const [hasA, hasB] = [a !== undefined && a !== null, b !== undefined && b !== null];
  if (!hasA || !hasB) return Number(hasB) - Number(hasA);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * compareTexts(String(a), String(b));
}

const fields: Readonly<Record<string, (item: CollectionItem) => unknown>> = {
  published: isPublished,
  visible: ({ visible }) => visible,
  routable: ({ routable }) => routable,
  template: ({ template }) => template,
  format: ({ format }) => format,
  date: ({ date }) => date,
  title: ({ title }) => title,
  order: ({ order }) => order,
  route: ({ route }) => route,
  lang: ({ lang }) => lang,
};

/** A field of the entry, or of the front matter by dotted path (`custom.rating`). */
function lookUp(item: CollectionItem, key: string): unknown {
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (field !== undefined) return field(item);
  const path = key.startsWith("frontmatter.") ? key.slice("frontmatter.".length) : key;
  let value: unknown = item.frontmatter;
  for (const part of path.split(".")) {
    value = isMap(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}
