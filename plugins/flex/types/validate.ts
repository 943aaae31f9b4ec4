import type { FlexField, FlexFieldError, FlexType } from "../contract.js";
import { coerceValue, isEmpty } from "./coerce.js";

type Finding = readonly [code: string, rest: string];

/** Maximum length of a text to match: patterns may be slow on long texts. */
const MAX_FOR_PATTERN = 10_000;

/** The coerced non-empty fields of a record, and their problems. */
export function checkRecord(
  type: FlexType,
  data: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; errors: FlexFieldError[] } {
  const values: Record<string, unknown> = {};
  const errors: FlexFieldError[] = [];
  for (const field of type.fields) {
    const value = coerceValue(
      field,
      Object.hasOwn(data, field.name) ? data[field.name] : undefined,
    );
    if (value !== undefined) values[field.name] = value;
    const finding = checkValue(field, value);
    if (finding === null) continue;
    const [code, rest] = finding;
    errors.push({ field: field.name, code, message: `${field.label} ${rest}` });
  }
  return { values, errors };
}

function checkValue(field: FlexField, value: unknown): Finding | null {
  if (isEmpty(value)) return field.required ? ["ERR_FLEX_REQUIRED", "is required."] : null;
  return KIND_CHECKS[field.type](field, value);
}

const KIND_CHECKS: Record<FlexField["type"], (field: FlexField, value: unknown) => Finding | null> =
  {
    text: checkText,
    textarea: checkText,
    markdown: checkText,
    number: checkNumber,
    toggle: (_field, value) =>
      typeof value === "boolean" ? null : ["ERR_FLEX_KIND", "must be true or false."],
    date: (_field, value) =>
      isDay(value) ? null : ["ERR_FLEX_FORMAT", "must be a valid date in YYYY-MM-DD format."],
    select: ({ options }, value) =>
      options.some((option) => option.value === value)
        ? null
        : ["ERR_FLEX_OPTION", "has an invalid selection."],
    list: checkList,
    file: (field, value) =>
      checkText(field, value) ?? (isFileReference(String(value)) ? null : BAD_FORMAT),
    color: (_field, value) => (typeof value === "string" && COLOUR.test(value) ? null : BAD_FORMAT),
  };

const BAD_FORMAT: Finding = ["ERR_FLEX_FORMAT", "has an invalid format."];
const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

function checkText({ min, max, pattern }: FlexField, value: unknown): Finding | null {
  if (typeof value !== "string") return ["ERR_FLEX_KIND", "must be a text."];
  const { length } = Array.from(value);
  if (min !== null && length < min) return ["ERR_FLEX_MIN", `must be at least ${min} characters.`];
  if (max !== null && length > max) return ["ERR_FLEX_MAX", `must be at most ${max} characters.`];
  if (pattern === null) return null;
  const isMatch = length <= MAX_FOR_PATTERN && new RegExp(`^(?:${pattern})$`, "u").test(value);
  return isMatch ? null : BAD_FORMAT;
}

function checkNumber({ min, max }: FlexField, value: unknown): Finding | null {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    return ["ERR_FLEX_KIND", "must be a number."];
  }
  if (min !== null && value < min) return ["ERR_FLEX_MIN", `must be at least ${min}.`];
  if (max !== null && value > max) return ["ERR_FLEX_MAX", `must be at most ${max}.`];
  return null;
}

function checkList({ min, max }: FlexField, value: unknown): Finding | null {
  if (!Array.isArray(value)) return ["ERR_FLEX_KIND", "must be a list."];
  if (min !== null && value.length < min)
    return ["ERR_FLEX_MIN", `requires at least ${min} item(s).`];
  if (max !== null && value.length > max) return ["ERR_FLEX_MAX", `allows at most ${max} item(s).`];
  return null;
}

function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** A path on this site or a web address; rejects parent segments and executable schemes. */
function isFileReference(value: string): boolean {
  if (value.length > 1_024 || /[\\\u0000-\u001f\u007f]/.test(value)) return false;
  if (/^https?:\/\/[^/]/i.test(value)) return true;
  return !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(value) && !value.split("/").includes("..");
}
