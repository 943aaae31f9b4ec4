/**
 * A fast reader for plain front matter: scalars, lists and maps in block style, one-line lists.
 * It returns undefined for anything else or ambiguous, and the `yaml` package takes over.
 * Its results equal those of `readYaml`.
 */
import { plainValue } from "#lib/yaml";

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const giveUp = Symbol("give up");
type OrGiveUp<T> = T | typeof giveUp;

interface Cursor {
  readonly lines: string[];
  at: number;
  /** True: numbers and booleans are read as the texts in the file. */
  readonly asTexts: boolean;
  /** True when a number or boolean is written in another way than JavaScript writes it. */
  hasTexts: boolean;
}
/** The values of a text; `texts`: those that are written in another way, as they stand in the file. */
export interface PlainYaml {
  readonly data: Record<string, unknown>;
  readonly texts: Record<string, unknown> | null;
}

// The full parser handles tabs, control characters and the line breaks of YAML 1.1.
const unusual =
  /[^\n\r\x20-\x7E\u00A0-\u2027\u202A-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]|\r(?!\n)/u;
const NOT_ASCII = /[^\n\x20-\x7E]/;
const KEY_PATTERN = /^([A-Za-z_][\w.-]*):(?: +(.*))?$/;
const KEY_START = /^[A-Za-z_][\w.-]*:(?: |$)/;
const DOUBLE_QUOTED = /^"([^"\\]*)"$/;
const SINGLE_QUOTED = /^'((?:[^']|'')*)'$/;
const notPlainStart = "&*!|>%@`#,[]{}?:'\"";
/** The map of a plain front matter text; undefined when it is not plain. */
export function readPlainYaml(text: string): PlainYaml | undefined {
  if (NOT_ASCII.test(text) && unusual.test(text)) return undefined;
  const parsed = readAll(text, false);
  if (parsed === undefined) return undefined;
  const { data, hasTexts } = parsed;
  return { data, texts: hasTexts ? (readAll(text, true)?.data ?? null) : null };
}

function readAll(
  text: string,
  asTexts: boolean,
): { data: Record<string, unknown>; hasTexts: boolean } | undefined {
  const cursor: Cursor = { lines: text.split("\n"), at: 0, asTexts, hasTexts: false };
  if (nextIndent(cursor) === -1) return { data: {}, hasTexts: false };
  const data = readMap(cursor, 0);
  if (data === giveUp || cursor.at < cursor.lines.length) return undefined;
  return { data, hasTexts: cursor.hasTexts };
}

/** Moves to the next non-empty line and returns its indentation; -1 at the end. */
function nextIndent(cursor: Cursor): number {
  for (; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = cursor.lines[cursor.at] ?? "";
    let indent = 0;
    while (line.charCodeAt(indent) === 32) indent += 1;
    const first = line.charAt(indent);
    if (first !== "" && first !== "\r" && first !== "#") return indent;
  }
  return -1;
}

/** The content of the current line after its indentation. */
function content(cursor: Cursor, indent: number): string {
  return trimmed(cursor.lines[cursor.at] ?? "", indent);
}

/** Trims only spaces, because YAML preserves the other characters that `trim` removes. */
function trimmed(text: string, from = 0): string {
  let start = from;
  let end = text.length;
  while (text.charCodeAt(start) === 32) start += 1;
  while (end > start && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 13))
    end -= 1;
  return text.slice(start, end);
}

function readMap(cursor: Cursor, indent: number): OrGiveUp<{ [key: string]: Value }> {
  const map: { [key: string]: Value } = {};
  for (;;) {
    const width = nextIndent(cursor);
    if (width < indent) return map;
    if (width > indent) return giveUp;
    const [, key, rest = ""] = KEY_PATTERN.exec(content(cursor, indent)) ?? [];
    if (key === undefined || isTaken(key, map)) return giveUp;
    cursor.at += 1;
    const value = rest === "" ? readNested(cursor, indent) : readScalar(rest, cursor);
    if (value === giveUp) return giveUp;
    map[key] = value;
  }
}

/** True for duplicate keys and for keys with a special meaning. */
function isTaken(key: string, map: object): boolean {
  return key === "__proto__" || Object.hasOwn(map, key);
}

/** The value of a key with an empty line after the colon. */
function readNested(cursor: Cursor, indent: number): OrGiveUp<Value> {
  const width = nextIndent(cursor);
  if (width < indent) return null;
  const isList = content(cursor, width).startsWith("- ");
  if (width === indent) return isList ? readList(cursor, width) : null;
  return isList ? readList(cursor, width) : readMap(cursor, width);
}

function readList(cursor: Cursor, indent: number): OrGiveUp<Value[]> {
  const list: Value[] = [];
  for (;;) {
    const width = nextIndent(cursor);
    if (width < indent) return list;
    const text = content(cursor, indent);
    if (width > indent || text === "-") return giveUp;
    if (!text.startsWith("- ")) return list;
    const item = readItem(cursor, indent, text);
    if (item === giveUp) return giveUp;
    list.push(item);
  }
}

function readItem(cursor: Cursor, indent: number, text: string): OrGiveUp<Value> {
  const item = trimmed(text, 2);
  if (!KEY_START.test(item)) {
    cursor.at += 1;
    return readScalar(item, cursor);
  }
  // `- key: value` is a map whose indentation is that of its first key.
  const inner = indent + text.length - item.length;
  cursor.lines[cursor.at] = " ".repeat(inner) + item;
  return readMap(cursor, inner);
}

function readScalar(text: string, cursor: Cursor): OrGiveUp<Value> {
  const first = text.charAt(0);
  if (first === '"') return DOUBLE_QUOTED.exec(text)?.[1] ?? giveUp;
  if (first === "'") return SINGLE_QUOTED.exec(text)?.[1]?.replaceAll("''", "'") ?? giveUp;
  if (first === "[") return readFlowList(text, cursor);
  if (text === "{}") return {};
  return isPlain(text) ? readPlain(text, cursor) : giveUp;
}

function readPlain(text: string, cursor: Cursor): Value {
  const value = plainValue(text);
  if (value === null || value === text || String(value) === text) return value;
  cursor.hasTexts = true;
  return cursor.asTexts ? text : value;
}

function isPlain(text: string): boolean {
  if (notPlainStart.includes(text.charAt(0)) || text.startsWith("...")) return false;
  if (text.startsWith("-") && !/^-[\dA-Za-z.]/.test(text)) return false;
  return !(text.endsWith(":") || text.includes(": ") || text.includes(" #"));
}

function readFlowList(text: string, cursor: Cursor): OrGiveUp<Value[]> {
  if (!text.endsWith("]") || /[[\]{}:#]/.test(text.slice(1, -1))) return giveUp;
  const inner = trimmed(text.slice(1, -1));
  const list: Value[] = [];
  for (const part of inner === "" ? [] : inner.split(",")) {
    const item = trimmed(part);
    if (item === "" || /^[^"'].*["']/.test(item)) return giveUp;
    const value = readScalar(item, cursor);
    if (value === giveUp) return giveUp;
    list.push(value);
  }
  return list;
}
