/** Values as YAML text in the style of the text that they replace. */
import {
  Document,
  isCollection,
  isScalar,
  isSeq,
  Scalar,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** A part of the source that is replaced. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}
/** A node as the parser returns it. */
export type Parsed = Node | null;

/** `key: value` with its key as it was written; further lines are indented as far as the key. */
export function pairText(
  key: string,
  value: unknown,
  { old = null, indent = 0 }: Style = {},
): string {
  const document = new Document({});
  const node = document.createNode(value);
  keepStyle(node, old);
  document.set(document.createNode("k"), node);
  const text = document.toString({ lineWidth: 0, indentSeq: !isFlushList(old) }).trimEnd();
  return key + indented(text.slice(1), indent);
}

/** A value behind `- `; further lines are indented as far as the dash. */
export function itemText(value: unknown, { old = null, indent = 0 }: Style = {}): string {
  const document = new Document([]);
  const node = document.createNode(value);
  keepStyle(node, old);
  document.add(node);
  const text = document.toString({ lineWidth: 0, indentSeq: false }).trimEnd();
  return indented(text.slice(2), indent);
}

/** A value on one line, as lists in brackets hold it. */
export function flowText(value: unknown, old: Parsed = null): string {
  const document = new Document([]);
  const node = document.createNode(value);
  keepStyle(node, old);
  document.add(node);
  if (isSeq(document.contents)) document.contents.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trim().slice(1, -1);
}

/** Quoted text of a key where it needs quotes. */
export function keyText(key: string): string {
  const document = new Document({});
  document.set(key, 0);
  return document.toString({ lineWidth: 0 }).trimEnd().slice(0, -3);
}

/** What new text takes over. */
export interface Style {
  readonly old?: Parsed;
  /** Column of the key or dash. */
  readonly indent?: number;
}

/** The value of a pair; null for one without. */
export function valueOf({ value }: Pair): Scalar | YAMLMap | YAMLSeq | null {
  return isScalar(value) || isCollection(value) ? (value as Scalar | YAMLMap | YAMLSeq) : null;
}

/** True for values of the same content and order. */
export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function indented(text: string, indent: number): string {
  return indent === 0 ? text : text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(indent)}`);
}

/** True for a list whose dashes stand below the first letter of the key. */
function isFlushList(old: Parsed): boolean {
  return isSeq(old) && old.srcToken?.type === "block-seq" && old.srcToken.indent === 0;
}

function keepStyle(node: unknown, old: Parsed): void {
  if (isScalar(node) && isScalar(old)) {
    if (isQuoted(old) && typeof node.value === "string") node.type = old.type ?? Scalar.PLAIN;
    keepAnchor(node, old);
  } else if (isCollection(node) && isCollection(old)) {
    node.flow = old.flow === true;
    keepAnchor(node, old);
  }
}

function keepAnchor(node: { anchor?: string }, { anchor }: { anchor?: string }): void {
  if (anchor !== undefined) node.anchor = anchor;
}

function isQuoted({ type, value }: Scalar): boolean {
  const isQuote = type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE;
  return isQuote && typeof value === "string";
}
