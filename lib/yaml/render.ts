/** Values as YAML text, in the style of the text around them. */
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  visit,
  type Node,
  type ToStringOptions,
} from "yaml";
import { isPlainMap } from "./values.js";

/** How an edit is tried: each way has edits that are larger, or plainer, than the one before. */
export type Way = "small" | "quoted" | "whole";
/** The style of a file. */
export interface FileStyle {
  /** Spaces for each level. */
  readonly indent: number;
  /** True when the dashes below a key are indented. */
  readonly indentSeq: boolean;
}
/** The style that new text takes over. */
export interface TextStyle extends FileStyle {
  /** The value that is replaced, or one beside it: its quotes and brackets are used. */
  readonly like: Node | null;
  readonly anchor: string | null;
  /** True: texts of several lines are written in double quotes. */
  readonly isQuoted: boolean;
}

const PRINTABLE =
  /^[\t\n\x20-\x7E\u00A0-\u2027\u202A-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
/** An integer from here on is written with an exponent: with more than 15 digits it would be a text. */
const LARGE = 1e15;
const QUOTES: ReadonlySet<string> = new Set([Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE]);
const BLOCKS: ReadonlySet<string> = new Set([Scalar.BLOCK_FOLDED, Scalar.BLOCK_LITERAL]);
const OPTIONS = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  aliasDuplicateObjects: false,
} as const;

/** The text behind the colon of a key: ` value`, or lines that are indented below `column`. */
export function pairText(value: unknown, column: number, style: TextStyle): string {
  const { document, node } = nodeFor(value, style, false);
  document.contents = document.createNode({});
  document.set("k", node);
  return shifted(written(document, style).slice("k:".length), column);
}

/** The text behind the dash of an item; further lines are indented below `column`. */
export function itemText(value: unknown, column: number, style: TextStyle): string {
  const { document, node } = nodeFor(value, style, false);
  document.contents = document.createNode([]);
  document.add(node);
  return shifted(written(document, style).slice("-".length), column);
}

/** A value on one line, as brackets hold it. */
export function flowText(value: unknown, style: TextStyle, isPadded = false): string {
  const { document, node } = nodeFor(value, style, true);
  const list = document.createNode([]);
  if (isSeq(list)) list.flow = true;
  document.contents = list;
  document.add(node);
  const text = document.toString({ ...OPTIONS, flowCollectionPadding: isPadded });
  return text.trim().slice(1, -1).trim();
}

/** A key, in quotes where it needs them. @throws for one that is too long for a key. */
export function keyText(key: string, isFlow: boolean): string {
  const scalar = new Scalar(key);
  if (!PRINTABLE.test(key) || key.includes("\n")) scalar.type = Scalar.QUOTE_DOUBLE;
  const document = new Document({});
  document.set(scalar, 0);
  const { contents } = document;
  if (isMap(contents)) contents.flow = isFlow;
  const text = document
    .toString({ ...OPTIONS, flowCollectionPadding: false, simpleKeys: true })
    .trim();
  return (isFlow ? text.slice(1, -1) : text).trim().slice(0, -": 0".length);
}

/** Values as the text of a new file or block. */
export function formatYaml(values: unknown, style: Partial<FileStyle> = {}): string {
  const { indent = 2, indentSeq = true } = style;
  const text = { indent, indentSeq, like: null, anchor: null, isQuoted: false };
  const { document, node } = nodeFor(values, text, false);
  document.contents = node;
  return document.toString({ ...OPTIONS, indent, indentSeq });
}

/** A new document, and the value as a node for it. */
function nodeFor(value: unknown, style: TextStyle, isFlow: boolean) {
  const document = new Document<Node>(null);
  const node = document.createNode(value, { aliasDuplicateObjects: false });
  const { like } = style;
  if (isCollection(node)) {
    node.flow =
      isFlow ||
      node.items.length === 0 ||
      (isCollection(like) && like.items.length > 0 && like.flow === true);
  }
  visit(node, {
    Scalar: (key, scalar) => {
      if (key !== "key") keepReadable(scalar, style.isQuoted || isFlow);
    },
  });
  keepQuotes(node, like);
  if (style.anchor !== null && (isScalar(node) || isCollection(node))) node.anchor = style.anchor;
  return { document, node };
}

/** Numbers and texts in a form that is read as the same value again. */
function keepReadable(scalar: Scalar, isQuoted: boolean): void {
  const { value } = scalar;
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= LARGE) {
    scalar.format = "EXP";
  }
  if (typeof value !== "string") return;
  if (!PRINTABLE.test(value) || (isQuoted && value.includes("\n")))
    scalar.type = Scalar.QUOTE_DOUBLE;
}

/** Quotes and the style of blocks are those of the text before, or of the items of a list. */
function keepQuotes(node: unknown, like: unknown): void {
  if (isSeq(node) && isSeq(like)) {
    const sample = like.items.findLast((item) => isScalar(item) && typeof item.value === "string");
    for (const item of node.items) keepQuotes(item, sample ?? like.items.at(-1));
  } else if (isMap(node) && isMap(like)) {
    const before = new Map(
      like.items.toReversed().map(({ key, value }): [string, unknown] => [String(key), value]),
    );
    for (const pair of node.items) keepQuotes(pair.value, before.get(String(pair.key)));
  } else if (isScalar(node) && isScalar(like)) keepScalar(node, like);
}

function keepScalar(scalar: Scalar, { type, value: before }: Scalar): void {
  const { value } = scalar;
  if (typeof value !== "string" || typeof before !== "string") return;
  if (scalar.type !== undefined || type === undefined) return;
  if (QUOTES.has(type) || (BLOCKS.has(type) && value.includes("\n"))) scalar.type = type;
}

function written(document: Document<Node>, { indent, indentSeq }: TextStyle): string {
  const options: ToStringOptions = { ...OPTIONS, indent, indentSeq, flowCollectionPadding: false };
  return document.toString(options).replace(/\n$/, "");
}

/** Lines after the first one, moved to the right. */
function shifted(text: string, column: number): string {
  return column === 0 ? text : text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(column)}`);
}

/** True for a value that is written on one line. */
export function isOneLine(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\n");
  if (Array.isArray(value)) return value.length === 0;
  return !isPlainMap(value) || Object.keys(value).length === 0;
}
