import { z } from "zod";
import { nearest, expectFields, expectJson, expectValues, type ValueCheck } from "#lib/values";
import { HttpError } from "#lib/errors";
import type { QueryCondition, QueryOperator, QueryOrder, QueryText } from "./contract.js";

/** Operators that requests name; `filter[name]=value` is `is`. */
export const QUERY_OPERATORS = [
  ...(["eq", "ne", "lt", "lte", "gt", "gte"] as const),
  ...(["in", "nin", "contains", "startsWith", "exists"] as const),
];
/** Parameters of the query language. */
export const QUERY_PARAMETERS = ["fields", "include", "filter", "order", "cursor"] as const;

const MAX_CONDITIONS = 100;
const MAX_VALUES = 200;
const MAX_NAMES = 50;
const MAX_ORDERS = 8;
/** `filter`, the group of `[or]`, the name, the operator, and `[]` of a list. */
const FILTER = /^filter(?:\[or\]\[(\d{1,3})\])?\[([^[\]]{1,200})\](?:\[([^[\]]*)\])?(?:\[\])?$/;

/**
 * The query of a request: `fields`, `include`, `filter[…]`, `order`, `cursor`. Other parameters are ignored.
 * @throws HttpError 400 that names the parameter.
 */
export function readQuery(search: string): QueryText {
  const params = new URLSearchParams(search);
  return {
    fields: readNames(params, "fields"),
    include: readNames(params, "include") ?? [],
    ...readFilter(params),
    order: readOrder(params),
    cursor: single(params, "cursor"),
  };
}

/** True for a query that says more than `order=name:dir`. */
export function isTypedQuery({ fields, include, all, any, order, cursor }: QueryText): boolean {
  const isFiltered = all.length + any.length > 0;
  return isFiltered || fields !== null || include.length > 0 || order.length > 1 || cursor !== null;
}

function single(params: URLSearchParams, name: string): string | null {
  const values = params.getAll(name);
  const isList = [...params.keys()].some((key) => key.startsWith(`${name}[`));
  if (values.length > 1 || isList) throw queryError(name, "expected one value");
  return values[0] ?? null;
}

function readNames(params: URLSearchParams, parameter: string): string[] | null {
  const text = single(params, parameter);
  if (text === null) return null;
  const names = [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);
  if (names.length === 0) throw queryError(parameter, "expected names separated by commas");
  if (names.length > MAX_NAMES) throw queryError(parameter, `expected at most ${MAX_NAMES} names`);
  return names;
}

function readOrder(params: URLSearchParams): QueryOrder[] {
  const text = single(params, "order");
  if (text === null) return [];
  const keys = text.split(",");
  if (keys.length > MAX_ORDERS) throw queryError("order", `expected at most ${MAX_ORDERS} names`);
  return keys.map((key) => {
    const [, name = "", dir] = /^\s*([^:]+?)\s*(?::(asc|desc))?\s*$/.exec(key) ?? [];
    if (name === "")
      throw queryError("order", `${shownText(key)} is not name, name:asc or name:desc`);
    return { name, dir: dir === "asc" || dir === "desc" ? dir : null };
  });
}

function readFilter(params: URLSearchParams): Pick<QueryText, "all" | "any"> {
  const conditions = new Map<string, QueryCondition>();
  const groups = new Map<string, string>();
  let values = 0;
  for (const [parameter, value] of params) {
    if (!/^filter(?:$|\[)/.test(parameter)) continue;
    const { group, ...target } = readTarget(parameter);
    const id = JSON.stringify([group, target.name, target.operator]);
    const before = conditions.get(id)?.values ?? [];
    const added = splitValues(target.operator, value);
    values += added.length;
    if (values > MAX_VALUES) throw queryError("filter", `expected at most ${MAX_VALUES} values`);
    if (before.length > 0 && !REPEATED.includes(target.operator))
      throw queryError(parameter, "given more than once");
    conditions.set(id, { parameter, ...target, values: [...before, ...added] });
    if (conditions.size > MAX_CONDITIONS)
      throw queryError("filter", `expected at most ${MAX_CONDITIONS} conditions`);
    if (group !== null) groups.set(id, group);
  }
  const isGrouped = ([id]: readonly [string, QueryCondition]): boolean => groups.has(id);
  const all = [...conditions].filter((one) => !isGrouped(one)).map(([, condition]) => condition);
  const numbers = [...new Set(groups.values())];
  const any = numbers.map((number) =>
    [...conditions].filter(([id]) => groups.get(id) === number).map(([, condition]) => condition),
  );
  return { all, any };
}

const REPEATED: readonly QueryOperator[] = ["is", "in", "nin"];

interface Target {
  readonly group: string | null;
  readonly name: string;
  readonly operator: QueryOperator;
}

/** `filter[name]`, `filter[name][operator]`, and both below `filter[or][0]`. */
function readTarget(parameter: string): Target {
  const [, group = null, name, operator = ""] = FILTER.exec(parameter) ?? [];
  if (name !== undefined) return { group, name, operator: readOperator(parameter, operator) };
  const forms = "filter[name], filter[name][operator] or filter[or][0][name][operator]";
  throw queryError("filter", `${shownText(parameter)} is not ${forms}`);
}

function readOperator(parameter: string, text: string): QueryOperator {
  if (text === "") return "is";
  const operator = QUERY_OPERATORS.find((one) => one === text);
  if (operator !== undefined) return operator;
  const hint = nearest(text, QUERY_OPERATORS);
  const expected =
    hint === null ? `expected ${QUERY_OPERATORS.join(", ")}` : `did you mean ${hint}?`;
  throw queryError(parameter, `unknown operator ${shownText(text)}, ${expected}`);
}

/** `in` and `nin` take commas; `\,` is a comma, `\\` a backslash. */
function splitValues(operator: QueryOperator, text: string): string[] {
  if (operator !== "in" && operator !== "nin") return [text];
  const values = [""];
  for (const [part] of text.matchAll(/\\[\\,]|[^]/gu)) {
    if (part === ",") values.push("");
    else
      values.push(
        (values.pop() ?? "") + (part.length === 2 && part.startsWith("\\") ? part.slice(1) : part),
      );
  }
  return values;
}

/** A parameter that `readQuery` validates, with its description. */
export function described(schema: Readonly<Record<string, unknown>>) {
  return z.unknown().optional().meta(schema);
}

const text = { type: "string" };
const texts = { anyOf: [text, { type: "array", items: text }] };
const condition = {
  anyOf: [
    ...texts.anyOf,
    {
      type: "object",
      properties: Object.fromEntries(
        QUERY_OPERATORS.map((name) => {
          if (name === "exists") return [name, { type: "string", enum: ["true", "false"] }];
          return [name, name === "in" || name === "nin" ? texts : text];
        }),
      ),
      additionalProperties: false,
    },
  ],
};

/** The parameter `filter`. */
export const filterParameter = described({
  type: "object",
  // The last form is that of `filter[or]`.
  additionalProperties: {
    anyOf: [
      ...condition.anyOf,
      { type: "array", items: { type: "object", additionalProperties: condition } },
    ],
  },
  description: `filter[name]=value, filter[name][operator]=value, filter[or][0][name]=value; operators ${QUERY_OPERATORS.join(", ")}`,
});

const MAX_SHOWN = 64;

/** A 400 that names the parameter. */
export function queryError(parameter: string, message: string): HttpError {
  const name = parameter.slice(0, MAX_SHOWN);
  return new HttpError(400, `${name}: ${message}`, {
    code: "ERR_HTTP_PARAMETER",
    details: [{ parameter: name, message }],
  });
}

/** A received text for a message. */
export function shownText(text: string): string {
  return JSON.stringify(text.slice(0, MAX_SHOWN));
}

/** A 400 for an unknown name, with the nearest one. */
export function unknownName(parameter: string, name: string, names: readonly string[]): HttpError {
  const hint = nearest(name, names);
  const rest = hint === null ? "" : `, did you mean ${hint}?`;
  return queryError(parameter, `unknown name ${shownText(name)}${rest}`);
}

const areIncludes = expectValues(expectFields({ description: ["string"], of: ["function"] }));
/** Names stand in a query, separated by commas. */
const NAME = /^[a-z][a-z0-9]*$/i;

const check: ValueCheck = (includes) => {
  const problem = areIncludes(includes);
  if (problem !== null) return problem;
  const wrong = Object.keys(Object(includes)).find((name) => !NAME.test(name));
  return wrong === undefined
    ? null
    : `expected names of letters and digits, received ${JSON.stringify(wrong)}`;
};

/** Rules of an extension list that offers names for `include=`. */
export const INCLUDE_RULES = {
  check,
  fix: 'add objects by name: { words: { description: "Number of words", of: (item, view) => 42 } }',
  result: expectJson(),
  isKeyed: true,
} as const;
