/** Collections: sources, filter, order, and the requested slice. */
import type { Collection, CollectionItem, CollectionQuery } from "../contract.js";
import {
  collectItems,
  isOfTree,
  sourcesOf,
  treeItems,
  type CollectionScope,
} from "./collection-items.js";
import { filterOf, orderOf } from "./collection-order.js";
import { isEntries } from "./visible-lists.js";

const DEFAULT_PAGE_SIZE = 10;
const MAX_KEY_LENGTH = 2000;

/** Resolves a collection; `pageNumber` counts from 1 and matters with `pagination`. */
export async function resolveCollection(
  query: CollectionQuery,
  scope: CollectionScope,
  pageNumber: number,
): Promise<Collection> {
  return sliced(await sortedItems(query, scope), query, pageNumber);
}

async function sortedItems(
  query: CollectionQuery,
  scope: CollectionScope,
): Promise<readonly CollectionItem[]> {
  const { items, filter, order } = query;
  const pairs = sourcesOf(items);
  if (!isOfTree(pairs)) return sorted(await collectItems(pairs, scope), query);
  const make = (): readonly CollectionItem[] => sorted(treeItems(pairs, scope), query);
  const key = `collection ${JSON.stringify([scope.language, scope.self?.sourcePath ?? null, pairs, filter, order])}`;
  return key.length > MAX_KEY_LENGTH ? make() : scope.lists.once(key, isEntries, make);
}

function sorted(
  items: readonly CollectionItem[],
  query: CollectionQuery,
): readonly CollectionItem[] {
  const isWanted = filterOf(query.filter);
  const kept = isWanted === null ? items : items.filter(isWanted);
  const compare = orderOf(query.order);
  return compare === null ? kept : [...kept].sort(compare);
}

function sliced(
  items: readonly CollectionItem[],
  query: CollectionQuery,
  pageNumber: number,
): Collection {
  const size = pageSizeOf(query.pagination);
  const offset = atLeast(query.offset, 0) ?? 0;
  const limit = atLeast(query.limit, 1);
  return size === null
    ? window(items, offset, limit)
    : pageOf(items.slice(offset, limit && offset + limit), size, pageNumber);
}

function window(
  items: readonly CollectionItem[],
  offset: number,
  limit: number | undefined,
): Collection {
  const total = items.length;
  const end = limit === undefined ? total : offset + limit;
  return {
    items: items.slice(offset, end),
    total,
    page: limit === undefined ? 1 : Math.floor(offset / limit) + 1,
    pages: limit === undefined ? Math.min(total, 1) : Math.ceil(total / limit),
    hasNext: end < total,
    hasPrev: offset > 0,
  };
}

function pageOf(items: readonly CollectionItem[], size: number, page: number): Collection {
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
function pageSizeOf(pagination: unknown): number | null {
  if (pagination === undefined || pagination === null || pagination === false) return null;
  const size: unknown =
    typeof pagination === "object" && "size" in pagination ? pagination.size : null;
  return atLeast(size, 1) ?? DEFAULT_PAGE_SIZE;
}

function atLeast(value: unknown, least: number): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= least ? value : undefined;
}
