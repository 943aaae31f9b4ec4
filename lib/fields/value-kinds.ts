/** Kinds whose value is one number, switch, date, time or text. */
import { zoneDay, zoneMoment } from "#lib/dates";
import { parseEmailAddress } from "#lib/text";
import { canParseUrl } from "#lib/urls";
import { isRecord } from "#lib/values";
import type { Field, FieldFinding, FieldKind, JsonSchema } from "./contract.js";

/** The day of a date with a time. */
const DAY = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

const TOGGLES = new Map<unknown, boolean>([
  ["true", true],
  ["on", true],
  ["1", true],
  [1, true],
  ["false", false],
  ["off", false],
  ["0", false],
  [0, false],
]);

function toNumber(value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}

function checkNumber(value: unknown, { min, max }: Field): FieldFinding | null {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    return { issue: "kind", rest: "must be a number." };
  }
  if (min !== null && value < min) return { issue: "min", rest: `must be at least ${min}.` };
  if (max !== null && value > max) return { issue: "max", rest: `must be at most ${max}.` };
  return null;
}

const number = (control: string): FieldKind => ({
  control,
  coerce: toNumber,
  check: checkNumber,
  jsonSchema: ({ min, max }) => ({
    type: "number",
    ...(min !== null && { minimum: min }),
    ...(max !== null && { maximum: max }),
  }),
});

interface TimeFormat {
  /** The message of a text in another format, without the name of the field. */
  rest: string;
  isFit(value: string): boolean;
  schema: JsonSchema;
}

function when(
  control: string,
  { rest, isFit, schema }: TimeFormat,
): Pick<FieldKind, "control" | "check" | "jsonSchema"> {
  return {
    control,
    check: (value) =>
      typeof value === "string" && isFit(value) ? null : { issue: "format", rest },
    jsonSchema: () => ({ type: "string", ...schema }),
  };
}

/** The kinds of values that are compared: numbers, switches, dates and times. */
export const valueKinds: Readonly<Record<string, FieldKind>> = {
  number: number("number"),
  range: number("range"),
  toggle: {
    control: "checkbox",
    coerce: (value) => TOGGLES.get(value) ?? value,
    check: (value) =>
      typeof value === "boolean" ? null : { issue: "kind", rest: "must be true or false." },
    jsonSchema: () => ({ type: "boolean" }),
  },
  date: {
    ...when("date", {
      rest: "must be a valid date in YYYY-MM-DD format.",
      isFit: isDay,
      schema: { format: "date" },
    }),
    coerce: (value) => (typeof value === "string" ? (DAY.exec(value)?.[1] ?? value) : value),
    valueAt: ({ now, timezone }) => zoneDay(now, timezone),
  },
  datetime: {
    ...when("datetime", {
      rest: "must be a date with a time, such as 2027-06-01T09:00 or 2027-06-01T09:00+02:00.",
      isFit: isMoment,
      schema: { pattern: MOMENT.source },
    }),
    coerce: (value) =>
      typeof value === "string" ? value.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T") : value,
    valueAt: ({ now, timezone }) => zoneMoment(now, timezone),
  },
  time: {
    ...when("time", {
      rest: "must be a time in HH:MM format.",
      isFit: (value) => TIME.test(value),
      schema: { pattern: TIME.source },
    }),
    coerce: toText,
    valueAt: ({ now, timezone }) => zoneMoment(now, timezone).slice(11, 16),
  },
};

function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isMoment(value: string): boolean {
  const [, day = "", time = "", zone = ""] = MOMENT.exec(value) ?? [];
  if (!isDay(day) || !TIME.test(time)) return false;
  return !Number.isNaN(Date.parse(`${day}T${time}${zone === "" ? "Z" : zone}`));
}

/** Maximum length of a text to match: patterns may be slow on long texts. */
const MAX_FOR_PATTERN = 10_000;
const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const SLUG = /^[\p{Ll}\p{Lo}\p{N}]+(?:[-_.][\p{Ll}\p{Lo}\p{N}]+)*$/u;

/** The finding for a value that does not have the format of its field. */
const BAD_FORMAT: FieldFinding = { issue: "format", rest: "has an invalid format." };

/** Numbers and booleans as texts: YAML reads `label: 1` as a number. */
export function toText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** The text in the file in place of a number or a boolean; without one, the value is written as itself. */
export function textInFile(value: unknown, text: unknown): unknown {
  if (typeof value !== "number" && typeof value !== "boolean") return value;
  return typeof text === "string" ? text : String(value);
}

/** Every number in a value as the text in the file, in lists and maps too. */
export function numberTexts(value: unknown, texts: unknown): unknown {
  return withNumbers(value, texts, textInFile);
}

/** Numbers with a text of their own as that text, in lists and maps too; others stay numbers. */
export function writtenNumbers(value: unknown, texts: unknown): unknown {
  return withNumbers(value, texts, (number, text) => (typeof text === "string" ? text : number));
}

function withNumbers(
  value: unknown,
  texts: unknown,
  toValue: (number: number, text: unknown) => unknown,
): unknown {
  if (typeof value === "number") return toValue(value, texts);
  if (Array.isArray(value)) {
    const written: readonly unknown[] = Array.isArray(texts) ? texts : [];
    return value.map((item: unknown, at) => withNumbers(item, written[at], toValue));
  }
  if (!isRecord(value)) return value;
  const written = isRecord(texts) ? texts : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      withNumbers(item, Object.hasOwn(written, key) ? written[key] : undefined, toValue),
    ]),
  );
}

/** Kind, length and pattern of a text. */
export function checkText(
  value: unknown,
  { min, max, pattern }: Pick<Field, "min" | "max" | "pattern">,
): FieldFinding | null {
  if (typeof value !== "string") return { issue: "kind", rest: "must be a text." };
  const { length } = Array.from(value);
  if (min !== null && length < min)
    return { issue: "min", rest: `must be at least ${min} characters.` };
  if (max !== null && length > max)
    return { issue: "max", rest: `must be at most ${max} characters.` };
  if (pattern === null) return null;
  const isMatch = length <= MAX_FOR_PATTERN && new RegExp(`^(?:${pattern})$`, "u").test(value);
  return isMatch ? null : BAD_FORMAT;
}

/** A kind of texts; `test` returns what is missing of its format. */
function textKind(
  control: string,
  schema: JsonSchema = {},
  test?: (value: string) => string | null,
): FieldKind {
  return {
    control,
    coerce: toText,
    texts: textInFile,
    check: (value, field) => {
      const finding = checkText(value, field);
      const rest = finding === null ? (test?.(String(value)) ?? null) : null;
      return rest === null ? finding : { issue: "format", rest };
    },
    jsonSchema: ({ min, max, pattern }) => ({
      type: "string",
      ...(min !== null && { minLength: min }),
      ...(max !== null && { maxLength: max }),
      ...(pattern !== null && { pattern: `^(?:${pattern})$` }),
      ...schema,
    }),
  };
}

function unless(rest: string, isFit: (value: string) => boolean) {
  return (value: string): string | null => (isFit(value) ? null : rest);
}

/** The kinds of texts, by name. */
export const textKinds: Readonly<Record<string, FieldKind>> = {
  text: textKind("text"),
  textarea: textKind("textarea"),
  markdown: textKind("markdown", { contentMediaType: "text/markdown" }),
  code: textKind("code"),
  email: textKind(
    "email",
    { format: "email" },
    unless("must be an email address.", (value) => parseEmailAddress(value) !== null),
  ),
  url: textKind("url", { format: "uri" }, unless("must be a web address.", isWebAddress)),
  slug: textKind(
    "slug",
    {},
    unless("must have only small letters, digits and single dashes.", (value) => SLUG.test(value)),
  ),
  file: textKind("file", {}, unless(BAD_FORMAT.rest, isFileReference)),
  color: textKind(
    "color",
    { pattern: COLOUR.source },
    unless(BAD_FORMAT.rest, (value) => COLOUR.test(value)),
  ),
};

function isWebAddress(value: string): boolean {
  return value.length <= 2_048 && /^https?:\/\/[^/]/i.test(value) && canParseUrl(value);
}

/** A path on this site or a web address; rejects parent segments and executable schemes. */
function isFileReference(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- a control character has no place in an address
  if (value.length > 1_024 || /[\\\u0000-\u001f\u007f]/.test(value)) return false;
  if (/^https?:\/\/[^/]/i.test(value)) return true;
  return !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(value) && !value.split("/").includes("..");
}
