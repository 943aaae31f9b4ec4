/** What is wrong with data that a schema rejects, in the words of the project: zod's own are for programmers. */
import * as z from "zod";
import { nearest, valueAt, type KeyPath } from "#lib/values";
import { describeIssue, issueMessage, oneOf } from "./describe-issue.js";
import { schemaAt, schemaKeys, unwrap, type Schema } from "./schema-tree.js";

/** A mistake in data. */
export interface SchemaMistake {
  /** Where it is; the last part may be a key that is missing or unknown. */
  readonly path: KeyPath;
  /** The value there; undefined when it is missing. */
  readonly received: unknown;
  /** What was expected: `a number`. */
  readonly expected: string;
  readonly fix: string;
  /** What is wrong, in one line without the place: `expected a number`, or the schema's own words. */
  readonly message: string;
  /** Set for a key that the schema does not know: the keys that it knows, and the nearest of them. */
  readonly unknown?: { readonly known: readonly string[]; readonly meant: string | null };
}
/** The data as its schema returns it, or what is wrong with it: at least one mistake. */
export type ReadData<T> =
  | { readonly data: T; readonly mistakes: null }
  | { readonly data: null; readonly mistakes: readonly [SchemaMistake, ...SchemaMistake[]] };

type Issue = z.core.$ZodIssue;

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
  const found = (error?.issues ?? []).flatMap((issue) => mistakesOf(schema, data, issue));
  return found.filter(
    ({ path, received, unknown }) =>
      received !== undefined || unknown !== undefined || !found.some((one) => isMeant(one, path)),
  );
}

/** True when `mistake` is a misspelling of the key at `path`. */
function isMeant({ path: own, unknown }: SchemaMistake, path: KeyPath): boolean {
  return (
    unknown !== undefined &&
    unknown.meant === path.at(-1) &&
    own.length === path.length &&
    own.slice(0, -1).every((part, at) => part === path[at])
  );
}

function mistakesOf(schema: Schema, data: unknown, issue: Issue): SchemaMistake[] {
  const path = keyPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = schemaKeys(schemaAt(schema, path));
    return issue.keys
      .slice(0, MAX_UNKNOWN)
      .map((key) => unknownKey([...path, key], known, valueAt(data, [...path, key])));
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
        mistakesOf(schema, data, { ...inner, path: [...issue.path, ...inner.path] }),
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

function unknownKey(path: KeyPath, known: readonly string[], received: unknown): SchemaMistake {
  const meant = nearest(String(path.at(-1)), known);
  const names = known.length === 0 ? "remove the key" : `use one of ${known.join(", ")}`;
  return {
    path,
    received,
    expected: "a known key",
    fix: meant === null ? names : didYouMean(meant),
    message: "unknown key",
    unknown: { known, meant },
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
  const expected = oneOf(values);
  const names = values.filter((value) => typeof value === "string");
  const meant = typeof received === "string" ? nearest(received, names) : null;
  const fix = meant === null ? "correct the value" : didYouMean(meant);
  return { expected, fix, message: `expected ${expected}` };
}

/** For an invalid value below a key of the user's choice (`providers.githb`) that is similar to a known one. */
function misspelt(schema: Schema, path: KeyPath): string | null {
  for (const [index, part] of path.entries()) {
    const known = schemaKeys(schemaAt(schema, path.slice(0, index)));
    const meant = known.includes(String(part)) ? null : nearest(String(part), known);
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
