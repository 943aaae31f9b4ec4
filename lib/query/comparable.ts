import { isCalendarDay, parseMoment } from "#lib/dates";
import type { Field } from "#lib/fields";
import { isRecord } from "#lib/values";
import type { QueryKind } from "./contract.js";

/** A value in a form that can be compared; null: it has none. */
export type Comparable = string | number | boolean | null;
/** Compares a value with that of a condition: -1 before it, 0 equal, 1 after it; null: they cannot be compared. */
export type Position = (value: Comparable) => -1 | 0 | 1 | null;
/** Compares texts and dates of a site. */
export interface Comparing {
  compareTexts(a: string, b: string): number;
  readonly timezone: string;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The value of a scalar as its kind compares it; lists and objects are null. */
export function toComparable(value: unknown, kind: QueryKind, timezone: string): Comparable {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    return null;
  if (kind === "any") return value;
  if (kind === "text") return String(value);
  if (kind === "number") return toNumber(value);
  if (kind === "boolean") return toBoolean(value);
  return typeof value === "string" ? parseMoment(value, timezone) : null;
}

function toNumber(value: string | number | boolean): number | null {
  if (typeof value === "boolean" || (typeof value === "string" && value.trim() === "")) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function toBoolean(value: string | number | boolean): boolean | null {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  return null;
}

/** The position of values beside a written one; null when it is not of the kind. */
export function createPosition(text: string, kind: QueryKind, by: Comparing): Position | null {
  if (kind === "any") return anyPosition(text, by);
  if (kind === "text") return textPosition(text, by);
  if (kind === "date") return momentPosition(text, by.timezone);
  const expected = toComparable(text, kind, by.timezone);
  return expected === null ? null : (value) => compareNumbers(value, Number(expected));
}

function compareNumbers(value: Comparable, expected: number): -1 | 0 | 1 | null {
  if (value === null || typeof value === "string") return null;
  const number = Number(value);
  return number < expected ? -1 : number > expected ? 1 : 0;
}

function textPosition(text: string, { compareTexts }: Comparing): Position {
  return (value) => {
    if (typeof value !== "string") return null;
    const order = compareTexts(value, text);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  };
}

/** A day stands for all of its moments. */
function momentPosition(text: string, timezone: string): Position | null {
  const from = parseMoment(text, timezone);
  if (from === null) return null;
  const until = endOfDay(text, timezone);
  return (value) => {
    if (typeof value !== "number") return null;
    if (value < from) return -1;
    return until === null ? (value > from ? 1 : 0) : value >= until ? 1 : 0;
  };
}

/** The start of the next day; null for a text with a time of day. */
function endOfDay(text: string, timezone: string): number | null {
  const [, year, month, day] = DAY.exec(text.trim()) ?? [];
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return null;
  const next = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)) + DAY_MS);
  return parseMoment(next.toISOString().slice(0, 10), timezone);
}

/** Numbers compare with numbers, dates with dates, all else as texts. */
function anyPosition(text: string, by: Comparing): Position {
  const number = toNumber(text);
  const truth = toBoolean(text);
  const moment = momentPosition(text, by.timezone);
  const asText = textPosition(text, by);
  return (value) => {
    if (typeof value === "number") return number === null ? null : compareNumbers(value, number);
    if (typeof value === "boolean")
      return truth === null ? null : compareNumbers(value, Number(truth));
    const parsed = moment === null ? null : parseMoment(value, by.timezone);
    return parsed === null || moment === null ? asText(value) : moment(parsed);
  };
}

const KINDS: Readonly<Record<string, QueryKind>> = {
  number: "number",
  integer: "number",
  boolean: "boolean",
  string: "text",
};

/** Tells how values of a field compare, by its JSON Schema; lists compare by their items. */
export function queryKindOf(field: Field): QueryKind {
  return kindOfSchema(field.kind.jsonSchema(field));
}

function kindOfSchema(schema: unknown): QueryKind {
  if (!isRecord(schema)) return "any";
  const { type, format, items } = schema;
  if (type === "array") return kindOfSchema(items);
  if (format === "date" || format === "date-time") return "date";
  return typeof type === "string" && Object.hasOwn(KINDS, type) ? (KINDS[type] ?? "any") : "any";
}
