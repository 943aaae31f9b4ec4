import * as z from "zod";
import { nearest } from "#lib/values";
import { acceptsAbsence, type Schema } from "./schema-tree.js";

/** The expected value, and the fix. */
export interface IssueText {
  expected: string;
  fix: string;
}

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "keys and values",
  record: "keys and values",
  null: "nothing",
  nonoptional: "a value",
  undefined: "nothing",
  never: "nothing",
  date: "a date",
  tuple: "a list",
  map: "keys and values",
  set: "a list",
  bigint: "a whole number",
  nan: "a number",
};

/** Formats of texts, by an example: their patterns are too long to read. */
const FORMATS: Readonly<Record<string, string>> = {
  datetime: "a time such as 2026-12-31T00:00:00Z",
  date: "a date such as 2026-12-31",
  time: "a time of day such as 12:30:00",
  duration: "a duration such as P30D",
  email: "an e-mail address",
  url: "a URL such as https://example.org/",
  uuid: "a UUID",
  guid: "a UUID",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  cidrv4: "a range of IPv4 addresses such as 192.0.2.0/24",
  cidrv6: "a range of IPv6 addresses such as 2001:db8::/32",
  base64: "text in base64",
  base64url: "text in base64url",
  json_string: "text with JSON",
  jwt: "a JSON Web Token",
};
/** Longer patterns are left out of messages. */
const MAX_PATTERN = 60;

const UNITS: Readonly<Record<string, string>> = { string: " characters", array: " entries" };

/** How zod's own messages begin; any other message comes from the schema and says what is expected. */
const LIBRARY_WORDS = /^(Invalid|Too small|Too big|Unrecognized)\b/;

/** A zod issue as a one-line message: the schema's own, else `expected …`. */
export function issueMessage(issue: Issue): string {
  return LIBRARY_WORDS.test(issue.message) ? `expected ${expectation(issue)}` : issue.message;
}

/** Describes a zod issue; `schema` is the one at the issue's path, `received` the value there. */
export function describeIssue(
  issue: Issue,
  received: unknown,
  schema: Schema | undefined,
): IssueText {
  const expected = expectation(issue);
  const given = issue.code === "custom" ? issue.params?.["fix"] : undefined;
  return { expected, fix: typeof given === "string" ? given : suggestion(issue, received, schema) };
}

function expectation(issue: Issue): string {
  if (!LIBRARY_WORDS.test(issue.message)) return issue.message;
  return expectedValue(issue) ?? expectedParts(issue) ?? "another value";
}

function expectedValue(issue: Issue): string | null {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values);
    case "too_small":
    case "too_big":
      return size(issue);
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? formOf(issue.pattern);
    default:
      return null;
  }
}

function formOf(pattern: string | undefined): string {
  const isShort = pattern !== undefined && pattern.length <= MAX_PATTERN;
  return isShort
    ? `text of the form ${pattern}`
    : "text in the form that its documentation describes";
}

function expectedParts(issue: Issue): string | null {
  switch (issue.code) {
    case "invalid_union":
      return alternatives(issue.errors);
    case "invalid_key":
    case "invalid_element":
      return list(issue.issues.map(expectation), "and");
    default:
      return null;
  }
}

function size(issue: Extract<Issue, { code: "too_small" | "too_big" }>): string {
  const [bound, word] =
    issue.code === "too_small" ? [issue.minimum, "at least"] : [issue.maximum, "at most"];
  const unit = UNITS[issue.origin] ?? "";
  if (issue.inclusive === false)
    return `${issue.code === "too_small" ? "more" : "less"} than ${bound}${unit}`;
  return `${word} ${bound}${unit}`;
}

function alternatives(errors: readonly (readonly Issue[])[]): string {
  const deepest = errors.filter((issues) =>
    issues.some((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys"),
  );
  const chosen = deepest.length > 0 ? deepest : errors;
  return list([...new Set(chosen.flatMap((issues) => issues.slice(0, 1).map(withPosition)))], "or");
}

function withPosition(issue: Issue): string {
  const where = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  return where + expectation(issue);
}

function suggestion(issue: Issue, received: unknown, schema: Schema | undefined): string {
  const values = enumValues(issue);
  const meant = typeof received === "string" ? nearest(received, values) : null;
  if (meant !== null) return `did you mean ${JSON.stringify(meant)}?`;
  const fallback = schema ? defaultOf(schema) : undefined;
  if (received === undefined) return "add the key";
  if (fallback !== undefined)
    return `correct the value or remove the key (default: ${JSON.stringify(fallback)})`;
  return schema && acceptsAbsence(schema)
    ? "correct the value or remove the key"
    : "correct the value";
}

function enumValues(issue: Issue): string[] {
  if (issue.code === "invalid_value")
    return issue.values.filter((value) => typeof value === "string");
  if (issue.code === "invalid_union") return issue.errors.flat().flatMap(enumValues);
  return [];
}

function defaultOf(schema: Schema): unknown {
  const parsed = z.safeParse(schema, undefined);
  return parsed.success && typeof parsed.data !== "object" ? parsed.data : undefined;
}

/** `one of "a", "b"`, or the only value. */
export function oneOf(values: readonly unknown[]): string {
  return values.length === 1
    ? JSON.stringify(values[0])
    : `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

function list(parts: readonly string[], word: string): string {
  if (parts.length < 2) return parts[0] ?? "another value";
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}
