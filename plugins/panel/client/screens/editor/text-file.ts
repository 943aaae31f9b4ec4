/**
 * A page's file as front matter and body. Joined again, both are the file byte for byte: an edit
 * changes the lines of its key and nothing else.
 */
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** A file in three parts: `open + yaml + close + body` is the file. */
export interface TextFile {
  /** Byte order mark and opening fence; empty without front matter. */
  readonly open: string;
  readonly yaml: string;
  readonly close: string;
  readonly body: string;
}
/** The values of front matter, or why they cannot be read. */
export type FrontMatter =
  | { readonly values: Readonly<Record<string, unknown>>; readonly error: null }
  | { readonly values: null; readonly error: string };

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /^---[ \t\r]*(?:\n|$)/m;

/** Splits a file at its fences. */
export function splitFile(raw: string): TextFile {
  const open = OPENING.exec(raw)?.[0] ?? "";
  const rest = raw.slice(open.length);
  const close = open === "" ? null : CLOSING.exec(rest);
  if (close === null) {
    const mark = raw.startsWith("\uFEFF") ? "\uFEFF" : "";
    return { open: mark, yaml: "", close: "", body: raw.slice(mark.length) };
  }
  const after = close.index + close[0].length;
  return { open, yaml: rest.slice(0, close.index), close: close[0], body: rest.slice(after) };
}

/** The whole file. */
export function joinFile({ open, yaml, close, body }: TextFile): string {
  return open + yaml + close + body;
}

/** The values of the front matter. */
export function readFrontMatter(yaml: string): FrontMatter {
  const document = parseDocument(yaml, { version: "1.2" });
  const [error] = document.errors;
  if (error !== undefined) return { values: null, error: error.message };
  if (document.contents === null) return { values: {}, error: null };
  if (!isMap(document.contents)) return { values: null, error: "front matter is not a map" };
  try {
    const values: Record<string, unknown> = document.toJS({ maxAliasCount: 100 });
    return { values, error: null };
  } catch (failure) {
    return { values: null, error: failure instanceof Error ? failure.message : String(failure) };
  }
}

/** A file with one key of its front matter set; undefined removes the key. */
export function setKey(file: TextFile, key: string, value: unknown): TextFile {
  if (file.close === "") {
    if (value === undefined) return file;
    const end = file.body.includes("\r\n") ? "\r\n" : "\n";
    const fence = `---${end}`;
    return setKey({ ...file, open: `${file.open}${fence}`, close: fence }, key, value);
  }
  const yaml = editYaml(file, key, value);
  return yaml === file.yaml ? file : { ...file, yaml };
}

function editYaml({ yaml, open }: TextFile, key: string, value: unknown): string {
  const document = parseDocument(yaml, { keepSourceTokens: true });
  const { contents } = document;
  if (contents !== null && !isMap(contents)) return yaml;
  const pair = pairOf(contents?.items ?? [], key);
  if (value === undefined) return pair === undefined ? yaml : withoutPair(yaml, pair);
  if (pair === undefined) {
    const end = open.endsWith("\r\n") ? "\r\n" : "\n";
    return appended(yaml, lineOf(key, value, null).replaceAll("\n", end), end);
  }
  return isEqual(valueOf(pair)?.toJS(document), value) ? yaml : withValue(yaml, pair, value);
}

function withValue(yaml: string, pair: Pair, value: unknown): string {
  const [start, end] = rangeOf(yaml, pair);
  const key = isScalar(pair.key) ? String(pair.key.value) : "";
  const line = withEnds(lineOf(key, value, valueOf(pair)), yaml);
  return yaml.slice(0, start) + line + yaml.slice(end);
}

function pairOf(pairs: readonly Pair[], name: string): Pair | undefined {
  return pairs.find(({ key }) => isScalar(key) && key.value === name);
}

function withoutPair(yaml: string, pair: Pair): string {
  const [start, end] = rangeOf(yaml, pair);
  const next = yaml.indexOf("\n", end);
  return yaml.slice(0, start) + (next === -1 ? "" : yaml.slice(next + 1));
}

function valueOf({ value }: Pair): Scalar | YAMLMap | YAMLSeq | null {
  return isScalar(value) || isMap(value) || isSeq(value) ? value : null;
}

/** From the key to the end of its value; a comment behind the value stays outside. */
function rangeOf(yaml: string, pair: Pair): [number, number] {
  const [start, keyEnd] = (isScalar(pair.key) ? pair.key.range : null) ?? [0, 0, 0];
  // An empty value ends at its key: its colon belongs to the range.
  const colon = yaml.indexOf(":", keyEnd) + 1;
  let end = Math.max(valueOf(pair)?.range?.[1] ?? 0, colon);
  while (end > colon && /\s/.test(yaml[end - 1] ?? "")) end -= 1;
  return [start, end];
}

function appended(yaml: string, line: string, end: string): string {
  const gap = yaml === "" || yaml.endsWith("\n") ? "" : end;
  return `${yaml}${gap}${line}${end}`;
}

/** `key: value` in the style of the value before: its quotes, its brackets. */
function lineOf(key: string, value: unknown, old: Node | null): string {
  const document = new Document({});
  const node = document.createNode(value);
  keepStyle(node, old);
  document.set(document.createNode(key), node);
  return document.toString({ lineWidth: 0, indentSeq: !isFlushList(old) }).trimEnd();
}

/** True for a list whose dashes stand below the first letter of the key. */
function isFlushList(old: Node | null): boolean {
  return isSeq(old) && old.srcToken?.type === "block-seq" && old.srcToken.indent === 0;
}

function keepStyle(node: unknown, old: Node | null): void {
  if (isScalar(node) && isScalar(old)) {
    const isText = typeof node.value === "string" && typeof old.value === "string";
    const isQuoted = old.type === Scalar.QUOTE_DOUBLE || old.type === Scalar.QUOTE_SINGLE;
    if (isText && isQuoted) node.type = old.type;
  } else if (isCollection(node) && isCollection(old)) {
    node.flow = old.flow ?? false;
  }
}

function withEnds(text: string, like: string): string {
  return like.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
