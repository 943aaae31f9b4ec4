/**
 * A strict reader for plain front matter: scalars, lists and maps in block style, one-line lists.
 * It gives up (undefined) at anything else, also at anything doubtful, and the `yaml` package
 * decides; where it answers, it answers what `yaml` would (core schema).
 */
type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const giveUp = Symbol("give up");
type OrGiveUp<T> = T | typeof giveUp;

interface Cursor {
  readonly lines: string[];
  at: number;
}

// Tabs, control characters and the line breaks of YAML 1.1 are the business of the full parser.
const unusual =
  /[^\n\r\x20-\x7E\u00A0-\u2027\u202A-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]|\r(?!\n|$)/u;
const keyPattern = /^([A-Za-z_][\w.-]*):(?: +(.*))?$/;
const keyStart = /^[A-Za-z_][\w.-]*:(?: |$)/;
const numeric =
  /^[-+]?(?:0o[0-7]+|0x[\da-fA-F]+|(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|\.(?:inf|Inf|INF|nan|NaN|NAN))$/;
const plainNumber = /^(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,8})\.\d{1,6})$/;
const doubleQuoted = /^"([^"\\]*)"$/;
const singleQuoted = /^'((?:[^']|'')*)'$/;
const notPlainStart = "&*!|>%@`#,[]{}?:'\"";
const words = new Map<string, null | boolean>([
  ["~", null],
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);

/** The map of a plain front matter text; undefined when it is not plain. */
export function readPlainYaml(text: string): Record<string, unknown> | undefined {
  if (unusual.test(text)) return undefined;
  const cursor: Cursor = { lines: text.split("\n"), at: 0 };
  if (nextIndent(cursor) === -1) return {};
  const map = readMap(cursor, 0);
  return map === giveUp || cursor.at < cursor.lines.length ? undefined : map;
}

/** Moves to the next line with content; its indentation, -1 at the end. */
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

/** What stands on the current line after its indentation. */
function content(cursor: Cursor, indent: number): string {
  return (cursor.lines[cursor.at] ?? "").slice(indent).trimEnd();
}

function readMap(cursor: Cursor, indent: number): OrGiveUp<{ [key: string]: Value }> {
  const map: { [key: string]: Value } = {};
  for (;;) {
    const found = nextIndent(cursor);
    if (found < indent) return map;
    if (found > indent) return giveUp;
    const match = keyPattern.exec(content(cursor, indent));
    const key = match?.[1];
    if (key === undefined || isSpecialKey(key) || Object.hasOwn(map, key)) return giveUp;
    cursor.at += 1;
    const rest = match?.[2] ?? "";
    const value = rest === "" ? readNested(cursor, indent) : readScalar(rest);
    if (value === giveUp) return giveUp;
    map[key] = value;
  }
}

function isSpecialKey(key: string): boolean {
  return key === "__proto__" || words.has(key);
}

/** The value of a key with nothing behind the colon. */
function readNested(cursor: Cursor, indent: number): OrGiveUp<Value> {
  const found = nextIndent(cursor);
  if (found < indent) return null;
  const isList = content(cursor, found).startsWith("- ");
  if (found === indent) return isList ? readList(cursor, found) : null;
  return isList ? readList(cursor, found) : readMap(cursor, found);
}

function readList(cursor: Cursor, indent: number): OrGiveUp<Value[]> {
  const list: Value[] = [];
  for (;;) {
    const found = nextIndent(cursor);
    if (found < indent) return list;
    const text = content(cursor, indent);
    if (found > indent || text === "-") return giveUp;
    if (!text.startsWith("- ")) return list;
    const item = readItem(cursor, indent, text);
    if (item === giveUp) return giveUp;
    list.push(item);
  }
}

function readItem(cursor: Cursor, indent: number, text: string): OrGiveUp<Value> {
  const item = text.slice(2).trimStart();
  if (!keyStart.test(item)) {
    cursor.at += 1;
    return readScalar(item);
  }
  // `- key: value` is a map that begins where its first key stands.
  const inner = indent + text.length - item.length;
  cursor.lines[cursor.at] = " ".repeat(inner) + item;
  return readMap(cursor, inner);
}

function readScalar(text: string): OrGiveUp<Value> {
  const first = text.charAt(0);
  if (first === '"') return doubleQuoted.exec(text)?.[1] ?? giveUp;
  if (first === "'") return singleQuoted.exec(text)?.[1]?.replaceAll("''", "'") ?? giveUp;
  if (first === "[") return readFlowList(text);
  if (text === "{}") return {};
  return readPlain(text);
}

function readPlain(text: string): OrGiveUp<Value> {
  if (notPlainStart.includes(text.charAt(0))) return giveUp;
  if (text.startsWith("-") && !/^-[\dA-Za-z.]/.test(text)) return giveUp;
  if (text.endsWith(":") || text.includes(": ") || text.includes(" #")) return giveUp;
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text) || !numeric.test(text)) return text.startsWith("...") ? giveUp : text;
  return plainNumber.test(text) ? Number(text) : giveUp;
}

function readFlowList(text: string): OrGiveUp<Value[]> {
  if (!text.endsWith("]") || /[[\]{}:#]/.test(text.slice(1, -1))) return giveUp;
  const inner = text.slice(1, -1).trim();
  const list: Value[] = [];
  for (const part of inner === "" ? [] : inner.split(",")) {
    const item = part.trim();
    if (item === "" || /^[^"'].*["']/.test(item)) return giveUp;
    const value = readScalar(item);
    if (value === giveUp) return giveUp;
    list.push(value);
  }
  return list;
}
