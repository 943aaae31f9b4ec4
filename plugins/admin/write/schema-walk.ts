/** Walks values beside the JSON Schema of a configuration file. */
import { isRecord } from "#kernel";

/** Keys from the root to a value; items of lists have their index. */
export type KeyPath = readonly string[];
type Json = Readonly<Record<string, unknown>>;

/** The schema of a key, or of the items of a list (null); undefined when the schema does not know the key. */
export function childOf(schema: unknown, name: string | null): unknown {
  const all = alternatives(schema);
  for (const one of all) {
    const properties = isRecord(one["properties"]) ? one["properties"] : {};
    const known = Object.hasOwn(properties, name ?? "") ? properties[name ?? ""] : undefined;
    const child = name === null ? one["items"] : (known ?? one["additionalProperties"]);
    if (isRecord(child)) return child;
  }
  return all.some(isAnything) ? {} : undefined;
}

/** A schema, and those of its alternatives. */
export function alternatives(schema: unknown): readonly Json[] {
  if (!isRecord(schema)) return [];
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => {
    const list: unknown = schema[key];
    return Array.isArray(list) ? list.flatMap((one) => alternatives(one)) : [];
  });
  return [schema, ...inner];
}

/** True when the schema, or one of its alternatives, has the keyword. */
export function isMarked(schema: unknown, keyword: string): boolean {
  return alternatives(schema).some((one) => one[keyword] === true);
}

/** Schemas from the root to a key; undefined from the first key on that the schema does not know. */
export function schemasAlong(schema: unknown, path: KeyPath): unknown[] {
  const along: unknown[] = [schema];
  for (const key of path) {
    const above = along.at(-1);
    along.push(childOf(above, key) ?? (/^\d+$/.test(key) ? childOf(above, null) : undefined));
  }
  return along;
}

/** A text below a key with a mark. */
export interface MarkedText {
  path: KeyPath;
  text: string;
}

/** Every text whose schema has the keyword. */
export function markedTexts(
  value: unknown,
  schema: unknown,
  keyword: string,
  path: KeyPath = [],
): MarkedText[] {
  if (typeof value === "string") return isMarked(schema, keyword) ? [{ path, text: value }] : [];
  if (Array.isArray(value)) {
    const item = childOf(schema, null);
    return value.flatMap((one, at) => markedTexts(one, item, keyword, [...path, String(at)]));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    markedTexts(one, childOf(schema, name), keyword, [...path, name]),
  );
}

/** A key whose value differs between two trees. */
export interface ChangedKey {
  path: KeyPath;
  before: unknown;
  after: unknown;
}

/** The deepest keys that differ; a map or list that appears or disappears is one beside its own keys. */
export function changedKeys(before: unknown, after: unknown, path: KeyPath = []): ChangedKey[] {
  const [old, next] = [entriesOf(before), entriesOf(after)];
  if (old === null && next === null) {
    return before === after ? [] : [{ path, before, after }];
  }
  const isSameKind =
    old !== null && next !== null && Array.isArray(before) === Array.isArray(after);
  const own = isSameKind ? [] : [{ path, before, after }];
  const names = new Set([...(old ?? new Map()).keys(), ...(next ?? new Map()).keys()]);
  const inner = [...names].flatMap((name: string) =>
    changedKeys(old?.get(name), next?.get(name), [...path, name]),
  );
  return [...own, ...inner];
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((item, at) => [String(at), item]));
  return isRecord(value) ? new Map(Object.entries(value)) : null;
}

/** True for a schema that says nothing about the value. */
function isAnything(schema: Json): boolean {
  const said = ["type", "properties", "items", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"];
  return said.every((keyword) => !(keyword in schema));
}

const SECRET = /secret|password|passwd|token|api_?key|credential|private_?key|^pass$|^key$/i;
/** User name and password in a URL: `redis://user:pass@host`. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi;
/** Replacement for a secret. */
export const MASK = "••••••";

/**
 * Masks secrets: values with such a name, and those that the JSON Schema marks as `writeOnly`. `$NAME` is
 * only a reference and stays visible.
 */
export function withoutSecrets(value: unknown, schema?: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutSecrets(item, childOf(schema, null), key));
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        withoutSecrets(item, childOf(schema, name), name),
      ]),
    );
  }
  const isSecret = SECRET.test(key) || isMarked(schema, "writeOnly");
  if (typeof value !== "string" || value.startsWith("$")) return value;
  if (isSecret && value !== "") return MASK;
  return value.replace(USER_INFO, `$1${MASK}@`);
}

/** True when a value contains the mask, which must not be saved. */
export function holdsMask(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(MASK);
}
