/** Checks of values that plugins hand over: cheap enough for every call, worded for the plugin's author. */
import { nearest } from "./nearest.js";

/** Describes what is wrong with a value, such as `html: expected a string, received 42`; null: nothing. */
export type ValueCheck = (value: unknown) => string | null;

const TYPES = {
  string: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
  boolean: (value: unknown) => typeof value === "boolean",
  function: (value: unknown) => typeof value === "function",
  object: (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
  list: (value: unknown) => Array.isArray(value),
  bytes: (value: unknown) => value instanceof Uint8Array,
  null: (value: unknown) => value === null,
  nothing: (value: unknown) => value === undefined,
  anything: () => true,
} as const;

/** A kind of value, as messages name it. */
export type ValueKind = keyof typeof TYPES;

const ARTICLES: Readonly<Partial<Record<ValueKind, string>>> = {
  object: "an object",
  bytes: "bytes",
  null: "null",
  nothing: "nothing",
  anything: "anything",
};

/** Longest part of a value that a message shows, in characters. */
const SHOWN = 80;

/**
 * Checks that a value is of one of these kinds.
 *
 * @example
 * const check = expectKind("string", "null");
 * check(42); // expected a string or null, received 42
 */
export function expectKind(...kinds: readonly ValueKind[]): ValueCheck {
  const expected = kinds.map((kind) => ARTICLES[kind] ?? `a ${kind}`).join(" or ");
  const isOfKind = matchAny(kinds.map((kind) => TYPES[kind]));
  return (value) =>
    isOfKind(value) ? null : `expected ${expected}, received ${shownValue(value)}`;
}

/**
 * Checks the fields of an object: each is of one of its kinds, or passes its own check. Other fields may
 * be there.
 *
 * @example
 * const check = expectFields({ html: ["string"], page: ["object", "null"] });
 * check({ html: 42, page: null }); // html: expected a string, received 42
 */
export function expectFields(
  fields: Readonly<Record<string, readonly ValueKind[] | ValueCheck>>,
): ValueCheck {
  const isObject = expectKind("object");
  const checks = Object.entries(fields).map(([name, field]) => ({
    name,
    check: typeof field === "function" ? field : expectKind(...field),
  }));
  return (value) => {
    if (typeof value !== "object" || value === null) return isObject(value);
    const properties: Readonly<Record<string, unknown>> = Object(value);
    for (const { name, check } of checks)
      if (check(properties[name]) !== null)
        return isObject(value) ?? fieldProblem(properties, checks);
    return null;
  };
}

interface FieldCheck {
  readonly name: string;
  readonly check: ValueCheck;
}

/** The first field with a wrong value; if none has one, the first missing field, beside those that are there. */
function fieldProblem(
  fields: Readonly<Record<string, unknown>>,
  checks: readonly FieldCheck[],
): string | null {
  const problems = checks.flatMap(({ name, check }) => {
    const problem = check(fields[name]);
    return problem === null ? [] : [{ name, problem }];
  });
  const wrong = problems.find(({ name }) => fields[name] !== undefined);
  if (wrong !== undefined) return within(wrong.name, wrong.problem);
  const [missing] = problems;
  if (missing === undefined) return null;
  const others = Object.keys(fields).filter((name) => !checks.some((field) => field.name === name));
  const nested = within(missing.name, missing.problem);
  if (others.length === 0 && problems.length === 1) return nested;
  const required = checks.filter(({ check }) => check(undefined) !== null);
  const needed = cut(required.map(({ name }) => name).join(", "));
  const keys = Object.keys(fields);
  const shown =
    keys.length === 0
      ? "the object has no fields"
      : `the fields of the object are ${cut(keys.join(", "))}`;
  return `${nested}; ${shown}; required: ${needed}`;
}

/**
 * Checks that an object has these methods, and that the optional ones are functions where they are there.
 *
 * @example
 * const check = expectMethods(["get", "set"], ["close"]);
 * check({ get() {}, set() {}, close: 5 }); // close: expected a function or nothing, received 5
 */
export function expectMethods(
  names: readonly string[],
  optional: readonly string[] = [],
): ValueCheck {
  const fields = new Map<string, readonly ValueKind[]>();
  for (const name of names) fields.set(name, ["function"]);
  for (const name of optional) fields.set(name, ["function", "nothing"]);
  return expectFields(Object.fromEntries(fields));
}

type Test = (value: unknown) => boolean;

/** One and two alternatives, which nearly all fields have, need no loop: pages run these checks. */
function matchAny(tests: readonly Test[]): Test {
  const [first, second, ...others] = tests;
  if (first === undefined) return () => false;
  if (second === undefined) return first;
  if (others.length === 0) return (value) => first(value) || second(value);
  return (value) => tests.some((test) => test(value));
}

/** Accepts a missing value, and checks any other. */
export function expectOptional(check: ValueCheck): ValueCheck {
  return (value) => (value === undefined ? null : check(value));
}

/** Accepts null, and checks any other value. */
export function expectNullable(check: ValueCheck): ValueCheck {
  return (value) => (value === null ? null : check(value));
}

/** Checks each value of an object, whatever its keys are. */
export function expectValues(check: ValueCheck): ValueCheck {
  const isObject = expectKind("object");
  return (value) => {
    const problem = isObject(value);
    if (problem !== null) return problem;
    for (const [name, one] of Object.entries(Object(value))) {
      const wrong = check(one);
      if (wrong !== null) return within(name, wrong);
    }
    return null;
  };
}

/** Checks each item of a list. */
export function expectEach(check: ValueCheck): ValueCheck {
  const isList = expectKind("list");
  return (value) => {
    if (!Array.isArray(value)) return isList(value);
    for (const [at, item] of value.entries()) {
      const problem = check(item);
      if (problem !== null) return within(String(at), problem);
    }
    return null;
  };
}

/** Checks that a value can be sent as JSON: `JSON.stringify` takes it, and it is no function and no symbol. */
export function expectJson(): ValueCheck {
  return (value) => {
    const isLost = typeof value === "function" || typeof value === "symbol";
    const reason = isLost ? "" : jsonProblem(value);
    return reason === null ? null : `expected JSON, received ${shownValue(value)}${reason}`;
  };
}

function jsonProblem(value: unknown): string | null {
  try {
    JSON.stringify(value);
    return null;
  } catch (error) {
    // Messages about cycles have several lines.
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return ` (${reason})`;
  }
}

/** Accepts text that is not empty. */
export const expectText: ValueCheck = (value) =>
  typeof value === "string" && value.trim() !== ""
    ? null
    : `expected text, received ${shownValue(value)}`;

/** Accepts one of these names, and proposes the nearest. */
export function expectOneOf(...names: readonly string[]): ValueCheck {
  return (value) => {
    if (names.some((name) => name === value)) return null;
    const meant = typeof value === "string" ? nearest(value, names) : null;
    const hint = meant === null ? "" : `; did you mean "${meant}"?`;
    return `expected ${names.join(", ")}, received ${shownValue(value)}${hint}`;
  };
}

/** The problem of a part, with its place: `page.media.0.url: expected …`. */
function within(name: string, problem: string): string {
  return /^[\w.]+: /.test(problem) ? `${name}.${problem}` : `${name}: ${problem}`;
}

/** A value as messages show it: short, and without calling what a plugin has written. */
export function shownValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (["number", "bigint", "symbol"].includes(typeof value)) return String(value);
  if (typeof value !== "object" || value === null) return cut(JSON.stringify(value));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  // Getters of a plugin may throw, and objects may refer to themselves: only names are shown.
  const names = Object.keys(value);
  if (typeof Reflect.get(value, "then") === "function") return "a promise";
  return names.length === 0 ? "an empty object" : cut(`an object with ${names.join(", ")}`);
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** True for what `await` waits for. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}

/** True for an object of keys and values: not null, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A path in data: keys of mappings and indexes of lists. */
export type KeyPath = readonly (string | number)[];

/** `a.b[0].c`. */
export function formatKey(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

/** The value at `path`, own properties only; undefined when it is missing. */
export function valueAt(data: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return typeof part === "number" ? value[part] : undefined;
    return isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, data);
}
