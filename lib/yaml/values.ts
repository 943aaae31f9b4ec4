/** Values of YAML texts, compared and changed as data, and the error of a change that a text cannot have. */

/** A change of a value: set it, remove it, or change what is inside it. */
export type Delta =
  | { readonly kind: "set"; readonly value: unknown }
  | { readonly kind: "remove" }
  | { readonly kind: "inside"; readonly keys: ReadonlyMap<string, Delta> };

/** True for a map of keys and values. */
export function isPlainMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for equal values; the order of keys does not count. */
export function isEqualValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isEqualValue(item, b[at]));
  }
  if (!isPlainMap(a) || !isPlainMap(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqualValue(a[key], b[key]))
  );
}

/** The deltas that turn one map into another. */
export function deltasBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Map<string, Delta> {
  const deltas = new Map<string, Delta>();
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) deltas.set(key, { kind: "remove" });
  }
  for (const [key, value] of Object.entries(after)) deltas.set(key, { kind: "set", value });
  return deltas;
}

/** The value after a change; undefined when nothing is left. */
export function changedValue(before: unknown, delta: Delta): unknown {
  if (delta.kind === "set") return delta.value;
  if (delta.kind === "remove") return undefined;
  if (Array.isArray(before)) {
    return before
      .map((item: unknown, at) => {
        const inner = delta.keys.get(String(at));
        return inner === undefined ? item : changedValue(item, inner);
      })
      .filter((item) => item !== undefined);
  }
  const entries = new Map(isPlainMap(before) ? Object.entries(before) : []);
  for (const [key, inner] of delta.keys) {
    const next = changedValue(entries.get(key), inner);
    if (next === undefined) entries.delete(key);
    else entries.set(key, next);
  }
  // Has a key `__proto__` as a key of its own.
  return Object.fromEntries(entries);
}

/** The place of a failed change. */
export interface YamlEditPlace {
  /** Dotted; absent: the text as a whole. */
  readonly key?: string;
  /** Offset in the text. */
  readonly at: number;
}

/** Why a YAML text could not be changed. The text stays as it was. */
export class YamlEditError extends Error {
  /** What is wrong, without key and line: `is not a map`. */
  readonly problem: string;
  /** Dotted; empty for the text as a whole. */
  readonly key: string;
  /** From 1. */
  readonly line: number;

  constructor(problem: string, { key = "", at }: YamlEditPlace, text: string) {
    const line = text.slice(0, at).split("\n").length;
    const about = key === "" ? "the text" : `key ${JSON.stringify(key.slice(0, 80))}`;
    super(`line ${line}: ${about} ${problem}`);
    this.name = "YamlEditError";
    this.problem = problem;
    this.key = key;
    this.line = line;
  }
}
