/** Describes data that a schema rejects in the words of the project: zod's own are for programmers. */
import * as z from "zod";
import type { ZodType } from "zod";
import { nearest, valueAt, type KeyPath } from "#lib/values";
import { HttpError } from "#lib/errors";
import { schemaAt, schemaKeys, unwrap, type Schema, acceptsAbsence } from "./schema-tree.js";

/** A mistake in data. */
export interface SchemaMistake {
  /** The path of the value; the last part may be a key that is missing or unknown. */
  readonly path: KeyPath;
  /** The value there; undefined when it is missing. */
  readonly received: unknown;
  /** Describes the expected value: `a number`. */
  readonly expected: string;
  readonly fix: string;
  /** Describes the mistake in one line without the place: `expected a number`, or the schema's own words. */
  readonly message: string;
  /** Set for a key that the schema does not know: the keys that it knows, and the nearest of them. */
  readonly unknown?: { readonly known: readonly string[]; readonly meant: string | null };
}
/** The data as its schema returns it, or what is wrong with it: at least one mistake. */
export type ReadData<T> =
  | { readonly data: T; readonly mistakes: null }
  | { readonly data: null; readonly mistakes: readonly [SchemaMistake, ...SchemaMistake[]] };

/** Unknown keys of one map that are reported: each is compared with every known key. */
const MAX_UNKNOWN = 100;

const UNSPECIFIC: SchemaMistake = {
  path: [],
  received: undefined,
  expected: "another value",
  fix: "correct the value",
  message: "expected another value",
};

/** Reads the data of a file, once: its schema is not compiled. */
export function readData<T>(schema: z.ZodType<T>, data: unknown): ReadData<T> {
  const parsed = schema.safeParse(data, { jitless: true });
  if (parsed.success) return { data: parsed.data, mistakes: null };
  const [first = UNSPECIFIC, ...others] = schemaMistakes(schema, data, parsed.error);
  return { data: null, mistakes: [first, ...others] };
}

/**
 * The mistakes of `data`, from the error of its schema. Of alternatives, the one that was meant is reported; a
 * missing key is not when a misspelt one stands in its place.
 */
export function schemaMistakes(
  schema: Schema,
  data: unknown,
  error: z.core.$ZodError | undefined,
): SchemaMistake[] {
  const mistakes = (error?.issues ?? []).flatMap((issue) => toMistakes(schema, data, issue));
  return mistakes.filter(
    ({ path, received, unknown }) =>
      received !== undefined ||
      unknown !== undefined ||
      !mistakes.some((one) => isMeant(one, path)),
  );
}

/** True when `mistake` is a misspelling of the key at `path`. */
function isMeant({ path: mistakePath, unknown }: SchemaMistake, path: KeyPath): boolean {
  return (
    unknown !== undefined &&
    unknown.meant === path.at(-1) &&
    mistakePath.length === path.length &&
    mistakePath.slice(0, -1).every((part, at) => part === path[at])
  );
}

function toMistakes(schema: Schema, data: unknown, issue: Issue): SchemaMistake[] {
  const path = keyPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const keys = schemaKeys(schemaAt(schema, path));
    return issue.keys
      .slice(0, MAX_UNKNOWN)
      .map((key) => unknownKey([...path, key], keys, valueAt(data, [...path, key])));
  }
  if (issue.code === "invalid_key") {
    const { expected } = describeIssue(issue, undefined, undefined);
    const text = { expected: `a key that is ${expected}`, fix: "correct the key" };
    return [{ path, received: path.at(-1), ...text, message: `expected ${text.expected}` }];
  }
  if (issue.code === "invalid_union") {
    const nested = meantBranch(issue);
    if (nested !== null) {
      return nested.flatMap((inner) =>
        toMistakes(schema, data, { ...inner, path: [...issue.path, ...inner.path] }),
      );
    }
  }
  const received = valueAt(data, path);
  const text = discriminated(schema, issue, received) ?? {
    ...describeIssue(issue, received, schemaAt(schema, path)),
    message: issueMessage(issue),
  };
  const meant = misspelt(schema, path);
  return [{ path, received, ...text, ...(meant !== null && { fix: didYouMean(meant) }) }];
}

function unknownKey(path: KeyPath, keys: readonly string[], received: unknown): SchemaMistake {
  const meant = nearest(String(path.at(-1)), keys);
  const names = keys.length === 0 ? "remove the key" : `use one of ${keys.join(", ")}`;
  return {
    path,
    received,
    expected: "a known key",
    fix: meant === null ? names : didYouMean(meant),
    message: "unknown key",
    unknown: { known: keys, meant },
  };
}

/**
 * The issues of the alternative that was meant: the value has its kind (an object, a list) and only parts of it
 * are invalid; of several, the one with the fewest issues. Null when no single alternative fits.
 */
function meantBranch(issue: Extract<Issue, { code: "invalid_union" }>): readonly Issue[] | null {
  const fitting = issue.errors
    .filter((issues) =>
      issues.every((inner) => inner.path.length > 0 || inner.code === "unrecognized_keys"),
    )
    .toSorted((a, b) => a.length - b.length);
  const [first, second] = fitting;
  return first === undefined || first.length === second?.length ? null : first;
}

/** For an alternative that a key of it selects, such as `op`: the values that select one. */
function discriminated(
  schema: Schema,
  issue: Issue,
  received: unknown,
): Pick<SchemaMistake, "expected" | "fix" | "message"> | null {
  if (issue.code !== "invalid_union" || issue.errors.length > 0) return null;
  const path = keyPath(issue.path);
  const parent = schemaAt(schema, path.slice(0, -1));
  const union = parent && unwrap(parent);
  const key = String(path.at(-1));
  const options = union instanceof z.ZodUnion ? union.options : [];
  const values = options.flatMap((option) => {
    const selector = schemaAt(option, [key]);
    return selector instanceof z.ZodLiteral || selector instanceof z.ZodEnum
      ? [...("values" in selector ? selector.values : selector.options)]
      : [];
  });
  if (values.length === 0) return null;
  const expected = listAlternatives(values);
  const names = values.filter((value) => typeof value === "string");
  const meant = typeof received === "string" ? nearest(received, names) : null;
  const fix = meant === null ? "correct the value" : didYouMean(meant);
  return { expected, fix, message: `expected ${expected}` };
}

/** For an invalid value below a key of the user's choice (`providers.githb`) that is similar to a known one. */
function misspelt(schema: Schema, path: KeyPath): string | null {
  for (const [index, part] of path.entries()) {
    const keys = schemaKeys(schemaAt(schema, path.slice(0, index)));
    const meant = keys.includes(String(part)) ? null : nearest(String(part), keys);
    if (meant !== null) return meant;
  }
  return null;
}

function didYouMean(name: string): string {
  return `did you mean ${JSON.stringify(name)}?`;
}

function keyPath(path: readonly PropertyKey[]): KeyPath {
  return path.map((part) => (typeof part === "symbol" ? part.toString() : part));
}

/** Options of `parseWith`. */
export interface ParseOptions {
  /** The status of the error; default: 400. */
  status?: number;
}

/**
 * Parses input with a schema.
 * @throws HttpError 400 (or `status`) with the first invalid parameter in its message and all of them
 * in `details`.
 */
export function parseWith<T>(schema: ZodType<T>, value: unknown, options: ParseOptions = {}): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = schemaMistakes(schema, value, result.error).map(
    ({ path, message, unknown, fix }) => ({
      parameter: path.join("."),
      message: unknown === undefined ? message : `${message}; ${fix}`,
    }),
  );
  const first = details[0];
  const subject = first?.parameter ? `${first.parameter}: ` : "";
  throw new HttpError(options.status ?? 400, `${subject}${first?.message ?? "invalid input"}`, {
    code: "ERR_HTTP_PARAMETER",
    details,
  });
}

/** An issue as Zod reports it. */
type Issue = z.core.$ZodIssue;

/** The expected value, and the fix. */
interface IssueText {
  expected: string;
  fix: string;
}

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
function issueMessage(issue: Issue): string {
  return LIBRARY_WORDS.test(issue.message) ? `expected ${expectation(issue)}` : issue.message;
}

/** Describes a zod issue; `schema` is the one at the issue's path, `received` the value there. */
export function describeIssue(
  issue: Issue,
  received: unknown,
  schema: Schema | undefined,
): IssueText {
  const expected = expectation(issue);
  const fix = issue.code === "custom" ? issue.params?.["fix"] : undefined;
  return { expected, fix: typeof fix === "string" ? fix : suggestion(issue, received, schema) };
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
      return listAlternatives(issue.values);
    case "too_small":
    case "too_big":
      return size(issue);
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? describeForm(issue.pattern);
    default:
      return null;
  }
}

function describeForm(pattern: string | undefined): string {
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
  const fallback = schema ? readDefault(schema) : undefined;
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

function readDefault(schema: Schema): unknown {
  const parsed = z.safeParse(schema, undefined);
  return parsed.success && typeof parsed.data !== "object" ? parsed.data : undefined;
}

/** `one of "a", "b"`, or the only value. */
function listAlternatives(values: readonly unknown[]): string {
  return values.length === 1
    ? JSON.stringify(values[0])
    : `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

function list(parts: readonly string[], word: string): string {
  if (parts.length < 2) return parts[0] ?? "another value";
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}
