import { z } from "zod";
import { HttpError } from "#kernel";
import { described, filterParameter, readQuery, type QueryText } from "#lib/query";
import type { FlexListQuery } from "./contract.js";

const WHOLE_NUMBER = /^\d{1,9}$/;
const MOST = 1_000_000;
const FILTER = /^filter\[(_?[A-Za-z][A-Za-z0-9_-]{0,63})\](?:\[\])?$/;

/**
 * The parameters of lists, for their description. `parseListQuery` validates them, because filters need
 * the raw query string.
 */
export const listQuery = z.looseObject({
  limit: described({ type: "integer", minimum: 1, description: "Most records; default all" }),
  offset: described({ type: "integer", minimum: 0, default: 0, description: "Records to skip" }),
  order: described({
    type: "string",
    description: "Fields with :asc or :desc, separated by commas; default the newest first",
  }),
  fields: described({
    type: "string",
    description: "The only fields of records, separated by commas, such as name,price",
  }),
  include: described({
    type: "string",
    description: "What to add to records, separated by commas, as plugins offer it",
  }),
  filter: filterParameter,
  cursor: described({
    type: "string",
    description: "X-Next-Cursor of the last response; empty for the first page",
  }),
});

/**
 * The query of a list that says more than `order=field:dir` and `filter[field]=value`; null for others.
 * @throws HttpError 400 that names the parameter.
 */
export function readTypedQuery(search: string): (QueryText & TypedSlice) | null {
  const parameters = new URLSearchParams(search);
  const isPlain = [...parameters.keys()].every((name) => !BEYOND_PLAIN.test(name));
  if (isPlain && parameters.get("order")?.includes(",") !== true) return null;
  const query = readQuery(search);
  const offset = parseNumber(parameters, "offset", 0) ?? 0;
  return { ...query, offset, limit: parseNumber(parameters, "limit", 1) ?? undefined };
}

/** Parameters that plain lists do not have: `filter[or][0]…`, `filter[field][operator]`, `fields`, … */
const BEYOND_PLAIN = /^(?:(?:fields|include|cursor)(?:$|\[)|filter\[[^\]]*\]\[[^\]]+\])/;

interface TypedSlice {
  readonly offset: number;
  /** Undefined: all. */
  readonly limit: number | undefined;
}

/** True for the name of a parameter of lists, without brackets. */
export function isListParameter(name: string): boolean {
  return Object.hasOwn(listQuery.shape, name);
}

/**
 * The query of a list: `limit`, `offset`, `order=field:dir`, `filter[field]=value` (repeatable: one
 * of the values). Unknown parameters are ignored.
 * @throws HttpError 400 that names the parameter.
 */
export function parseListQuery(search: string): FlexListQuery {
  const query = new URLSearchParams(search);
  const limit = parseNumber(query, "limit", 1);
  const offset = parseNumber(query, "offset", 0);
  const order = parseOrder(query);
  const filter = parseFilters(query);
  return {
    ...(limit !== null && { limit }),
    ...(offset !== null && { offset }),
    ...(order !== null && { order }),
    ...(filter !== null && { filter }),
  };
}

function parseNumber(query: URLSearchParams, name: string, least: number): number | null {
  const value = single(query, name);
  if (value === null) return null;
  const number = WHOLE_NUMBER.test(value) ? Number(value) : -1;
  if (number >= least) return Math.min(number, MOST);
  throw refuse(name, `${shown(value)} is not a whole number from ${least}`);
}

function parseOrder(query: URLSearchParams): FlexListQuery["order"] | null {
  const value = single(query, "order");
  if (value === null) return null;
  const [by = "", dir = "asc", ...rest] = value.split(":");
  if (by === "" || rest.length > 0)
    throw refuse("order", `${shown(value)} is not field:asc or field:desc`);
  if (dir === "asc" || dir === "desc") return { by, dir };
  throw refuse("order", `${shown(dir)} is neither asc nor desc`);
}

function parseFilters(query: URLSearchParams): Record<string, string[]> | null {
  const filters = new Map<string, string[]>();
  for (const [key, value] of query) {
    const field = FILTER.exec(key)?.[1];
    if (field === undefined && /^filter(?:$|\[)/.test(key)) {
      throw refuse("filter", `${shown(key)} is not filter[field]`);
    }
    if (field === undefined) continue;
    filters.set(field, [...(filters.get(field) ?? []), value]);
  }
  return filters.size === 0 ? null : Object.fromEntries(filters);
}

function single(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  const isList = [...query.keys()].some((key) => key.startsWith(`${name}[`));
  if (values.length > 1 || isList) throw refuse(name, "given more than once");
  return values[0] ?? null;
}

function shown(value: string): string {
  return JSON.stringify(value.slice(0, 40));
}

function refuse(parameter: string, message: string): HttpError {
  return new HttpError(400, `${parameter}: ${message}`, {
    code: "ERR_HTTP_PARAMETER",
    details: [{ parameter, message }],
  });
}
