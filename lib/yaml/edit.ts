/** Changes values of a YAML text. Only the bytes of the named keys change. */
import { isMap, isScalar, visit, type Alias, type CST, type Document, type Node } from "yaml";
import { EditList, type Edit } from "./edits.js";
import { readValues } from "./document.js";
import { yamlFaults, type YamlFault } from "./mistakes.js";
import { parseYaml } from "./parse.js";
import type { FileStyle, Way } from "./render.js";
import { columnOf, itemStart } from "./tokens.js";
import { changedValue, isEqualValue, isPlainMap, type Delta, YamlEditError } from "./values.js";

/** A key and its new value. */
export interface YamlChange {
  /** From the outside to the inside: `["author", "name"]`, `["plugins", "0", "config"]`. */
  readonly path: readonly string[];
  /** Maps are given these keys and no others. Undefined removes the key. */
  readonly value: unknown;
}
/** The style of new lines. */
export interface YamlEditing {
  /** Line break of a text that has none; default: `\n`. */
  readonly lineBreak?: "\n" | "\r\n";
}

const WAYS: readonly Way[] = ["small", "quoted", "whole"];

/**
 * The text with these values; everything else stays byte for byte. A value that is equal already stays too.
 * Edits the first document of a text.
 * @throws YamlEditError for invalid YAML, a text that is not a map, a key below a plain value, and a change that
 * would change other values too, such as one of an anchor that others use.
 */
export function editYaml(
  text: string,
  changes: readonly YamlChange[],
  editing: YamlEditing = {},
): string {
  return changes.length === 0
    ? text
    : edited(text, (values) => deltasOf(text, values, changes), editing);
}

/**
 * The text with a patch merged into it (RFC 7396): null removes a key, maps merge, other values replace.
 * @throws YamlEditError, see `editYaml`.
 */
export function mergeYaml(
  text: string,
  patch: Readonly<Record<string, unknown>>,
  editing: YamlEditing = {},
): string {
  return edited(text, (values) => mergeDeltas(values, patch), editing);
}

/**
 * The text without the keys of its first map that `isLeftOut` names. Their lines are left out whole, up to the next
 * key, with the comments between; in braces only the keys are. Empty for a text whose keys are ambiguous.
 */
export function withoutKeys(text: string, isLeftOut: (key: string) => boolean): string {
  const { contents, errors } = parseYaml(text, { allowsMore: true });
  if (!isMap(contents)) return errors.length === 0 ? text : "";
  const keys = contents.items.map(({ key }) =>
    isScalar(key) ? { name: String(key.value), at: key.range?.[0] ?? 0 } : { name: "", at: 0 },
  );
  const leftOut = keys.filter(({ name }) => isLeftOut(name));
  if (leftOut.length === 0) return text;
  if (contents.flow === true) {
    try {
      return editYaml(
        text,
        leftOut.map(({ name }) => ({ path: [name], value: undefined })),
      );
    } catch (error) {
      if (error instanceof YamlEditError) return "";
      throw error;
    }
  }
  const starts = keys.map(({ at }) => text.lastIndexOf("\n", at - 1) + 1);
  const kept = keys.map(({ name }, at) =>
    isLeftOut(name) ? "" : text.slice(starts[at], starts[at + 1] ?? text.length),
  );
  return text.slice(0, starts[0]) + kept.join("");
}

type Deltas = ReadonlyMap<string, Delta>;

function edited(
  text: string,
  deltasFor: (values: Readonly<Record<string, unknown>>) => Deltas,
  { lineBreak = "\n" }: YamlEditing,
): string {
  const document = parseYaml(text, { keepSourceTokens: true, allowsMore: true });
  const [mistake] = yamlFaults(text, document.errors);
  if (mistake !== undefined) throw unreadable(text, mistake);
  const { contents } = document;
  if (contents !== null && contents.range[1] > contents.range[0] && !isMap(contents)) {
    throw new YamlEditError("is not a map of keys and values", { at: contents.range[0] }, text);
  }
  const before = valuesOf(document, text);
  const deltas = deltasFor(before);
  const after = changedValue(before, { kind: "inside", keys: deltas });
  if (isEqualValue(before, after)) return text;
  const style = styleOf(text, document);
  let edits: readonly Edit[] = [];
  for (const way of WAYS) {
    const list = new EditList(text, document, style, way);
    list.changeRoot(deltas);
    edits = list.edits;
    const next = applied(text, edits, breakOf(text, lineBreak));
    if (next !== null && says(next, after)) return next;
  }
  throw cannot(text, document, edits, [...deltas.keys()].join(", "));
}

/** The values of a text. @throws YamlEditError for too many aliases. */
function valuesOf(document: Document.Parsed, text: string): Readonly<Record<string, unknown>> {
  const { values, fault } = readValues(document);
  if (fault !== null) throw unreadable(text, fault);
  return isPlainMap(values) ? values : {};
}

function unreadable(text: string, { message, pos }: YamlFault): YamlEditError {
  return new YamlEditError(`cannot be read: ${message}`, { at: pos[0] }, text);
}

/** True when the text has these values and no mistakes. */
function says(text: string, values: unknown): boolean {
  const document = parseYaml(text, { allowsMore: true });
  if (document.errors.length > 0) return false;
  const read = readValues(document);
  return read.fault === null && isEqualValue(read.values ?? {}, values);
}

function applied(text: string, edits: readonly Edit[], lineBreak: string): string | null {
  let result = "";
  let at = 0;
  for (const { from, to, insert } of edits.toSorted((a, b) => a.from - b.from)) {
    if (from < at) return null;
    result += text.slice(at, from) + insert.replace(/\r?\n/g, lineBreak);
    at = to;
  }
  return result + text.slice(at);
}

function breakOf(text: string, otherwise: string): string {
  const at = text.indexOf("\n");
  if (at === -1) return otherwise;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** Indentation as in the first map and the first list below a key. */
function styleOf(text: string, { contents }: Document.Parsed): FileStyle {
  const steps: { map: number | null; list: number | null } = { map: null, list: null };
  visit(contents, {
    Pair: (_, { srcToken: item }) => {
      if (steps.map !== null && steps.list !== null) return visit.BREAK;
      const step = item === undefined ? null : stepBelow(text, item);
      if (item?.value?.type === "block-map") steps.map ??= step;
      else steps.list ??= step;
      return undefined;
    },
  });
  const { map, list } = steps;
  return { indent: map || list || 2, indentSeq: list !== 0 };
}

/** How much further right the lines of a map or list are than its key; null for other values. */
function stepBelow(text: string, item: CST.CollectionItem): number | null {
  const { value } = item;
  if (value?.type !== "block-map" && value?.type !== "block-seq") return null;
  const inner = value.items.map(itemStart).find((start) => start !== null);
  const start = itemStart(item);
  if (inner === undefined || inner === null || start === null) return null;
  return columnOf(text, inner) - columnOf(text, start);
}

function mergeDeltas(
  values: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Deltas {
  const deltas = new Map<string, Delta>();
  for (const [key, value] of Object.entries(patch)) {
    const old = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) continue;
    if (value === null) deltas.set(key, { kind: "remove" });
    else if (!isPlainMap(value)) deltas.set(key, { kind: "set", value });
    else if (isPlainMap(old)) deltas.set(key, { kind: "inside", keys: mergeDeltas(old, value) });
    else deltas.set(key, { kind: "set", value: withoutNulls(value) });
  }
  return deltas;
}

/** RFC 7396: nulls in a new map are dropped. */
function withoutNulls(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(map).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    kept.map(([key, value]) => [key, isPlainMap(value) ? withoutNulls(value) : value]),
  );
}

/** A delta that later changes are added to. */
type Pending =
  | Exclude<Delta, { readonly kind: "inside" }>
  | { readonly kind: "inside"; readonly keys: Map<string, Pending> };

/** The changes, made one after another: each sees the values after those before it. */
function deltasOf(
  text: string,
  values: Readonly<Record<string, unknown>>,
  changes: readonly YamlChange[],
): Deltas {
  const root: Pending = { kind: "inside", keys: new Map() };
  for (const { path, value } of changes) {
    const missing = assertHolds(text, [values, root], path);
    if (missing && value === undefined) continue;
    const last: Pending = value === undefined ? { kind: "remove" } : { kind: "set", value };
    const [name = "", ...rest] = path;
    root.keys.set(name, withChange(stepInto([values, root], name), rest, last));
  }
  return root.keys;
}

/** A value before all changes, and what changes it so far. */
type Changing = readonly [before: unknown, delta: Pending | undefined];

/** The value of a key, before and after. */
function stepInto([before, delta]: Changing, part: string): Changing {
  const isMissing = isPlainMap(before) && !Object.hasOwn(before, part);
  const inner = isMissing ? undefined : innerOf(before, part);
  if (delta?.kind === "set") {
    const { value } = delta;
    const isOwn = !isPlainMap(value) || Object.hasOwn(value, part);
    return [inner, { kind: "set", value: isOwn ? innerOf(value, part) : undefined }];
  }
  return [inner, delta?.kind === "inside" ? delta.keys.get(part) : delta];
}

/** The value after the changes so far; inside it, only whether it is a map or a list is right. */
function valueSoFar([before, delta]: Changing): unknown {
  if (delta?.kind === "set") return delta.value;
  if (delta?.kind === "remove") return undefined;
  return delta === undefined ? before : (before ?? {});
}

/** True when a key above is missing. @throws YamlEditError for a key below a plain value. */
function assertHolds(text: string, root: Changing, path: readonly string[]): boolean {
  let changing = root;
  for (const [depth, part] of path.slice(0, -1).entries()) {
    changing = stepInto(changing, part);
    const value = valueSoFar(changing);
    if (value === undefined || value === null) return true;
    const next = path[depth + 1] ?? "";
    const isHolder =
      isPlainMap(value) ||
      (Array.isArray(value) && /^\d+$/.test(next) && Number(next) < value.length);
    if (isHolder) continue;
    const key = path.slice(0, depth + 1).join(".");
    const problem = Array.isArray(value)
      ? `is a list without an item ${JSON.stringify(next)}`
      : "is a value and cannot have keys";
    throw new YamlEditError(problem, { key, at: 0 }, text);
  }
  return false;
}

function innerOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return value[Number(part)];
  return isPlainMap(value) ? value[part] : undefined;
}

/** The delta of a value after one more change, of the value itself or of what is inside it. */
function withChange(changing: Changing, path: readonly string[], last: Pending): Pending {
  const [before, known] = changing;
  const [name, ...rest] = path;
  if (name === undefined) return last;
  const inner = withChange(stepInto(changing, name), rest, last);
  if (known?.kind === "set" || known?.kind === "remove") {
    const base = known.kind === "set" ? known.value : {};
    const keys = new Map([[name, inner]]);
    return { kind: "set", value: changedValue(base, { kind: "inside", keys }) };
  }
  const keys = known?.keys ?? new Map<string, Pending>();
  keys.set(name, inner);
  const delta: Pending = { kind: "inside", keys };
  // The items behind a removed one have other numbers for the changes that follow.
  if (!Array.isArray(before) || inner.kind !== "remove") return delta;
  return { kind: "set", value: changedValue(before, delta) };
}

/** The error of a change without an exact edit: usually, another key uses an anchor in it. */
function cannot(
  text: string,
  document: Document.Parsed,
  edits: readonly Edit[],
  key: string,
): YamlEditError {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_, alias) => void aliases.push(alias) });
  for (const alias of aliases) {
    const target = alias.resolve(document);
    const [start, end] = rangeOf(target);
    const [use] = rangeOf(alias);
    const isHit = target !== undefined && edits.some(({ from, to }) => from < end && to >= start);
    if (!isHit || edits.some(({ from, to }) => from <= use && use < to)) continue;
    const line = text.slice(0, use).split("\n").length;
    const problem = `is shared: line ${line} uses its value as *${alias.source}; write the value out there first`;
    return new YamlEditError(problem, { key: keyAt(document, start) ?? key, at: start }, text);
  }
  const problem = "cannot be changed exactly; change it in the file";
  return new YamlEditError(problem, { key, at: edits[0]?.from ?? 0 }, text);
}

/** The first key of a file whose value contains a position. */
function keyAt({ contents }: Document.Parsed, at: number): string | null {
  if (!isMap(contents)) return null;
  const pair = contents.items.findLast(({ key }) => isScalar(key) && (key.range?.[0] ?? 0) <= at);
  return isScalar(pair?.key) ? String(pair.key.value) : null;
}

function rangeOf(node: Node | undefined): readonly [number, number] {
  const range = node?.range;
  return range ? [range[0], range[1]] : [0, 0];
}
