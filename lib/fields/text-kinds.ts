/** Kinds whose value is one text. */
import { parseEmailAddress } from "#lib/text";
import { canParseUrl } from "#lib/urls";
import { isRecord } from "#lib/values";
import type { Field, FieldFinding, FieldKind, JsonSchema } from "./contract.js";

/** Maximum length of a text to match: patterns may be slow on long texts. */
const MAX_FOR_PATTERN = 10_000;
const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const SLUG = /^[\p{Ll}\p{Lo}\p{N}]+(?:[-_.][\p{Ll}\p{Lo}\p{N}]+)*$/u;

/** What a value without its field's format receives. */
export const BAD_FORMAT: FieldFinding = { issue: "format", rest: "has an invalid format." };

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
export function isFileReference(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- a control character has no place in an address
  if (value.length > 1_024 || /[\\\u0000-\u001f\u007f]/.test(value)) return false;
  if (/^https?:\/\/[^/]/i.test(value)) return true;
  return !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(value) && !value.split("/").includes("..");
}
