/** Where nodes of a parsed YAML text stand in it. */
import { isAlias, isMap, isScalar, isSeq, type Document, type Pair } from "yaml";
import type { Parsed } from "./yaml-text.js";

/** A parsed text. */
export interface Source {
  readonly text: string;
  readonly document: Document;
  /** True inside brackets, where commas end a text. */
  readonly isFlow?: boolean;
}

/** From the key's first to the character behind its last one. */
export function keyRange({ key }: Pair): readonly [number, number] {
  const range = isScalar(key) ? key.range : null;
  return range ? [range[0], range[1]] : [0, 0];
}

/** Where the value of a pair ends; a comment behind it stays outside. */
export function endOf({ text }: Pick<Source, "text">, pair: Pair): number {
  // An empty value ends at its key: its colon belongs to the range.
  const colon = text.indexOf(":", keyRange(pair)[1]) + 1;
  return trimmedEnd(text, Math.max(nodeOf(pair.value)?.range?.[1] ?? 0, colon), colon);
}

/** The node's end without the white space before it. */
export function trimmedEnd(text: string, end: number, least = 0): number {
  let at = end;
  while (at > least && /\s/.test(text[at - 1] ?? "")) at -= 1;
  return at;
}

/** The end of the line that a position is in. */
export function lineEnd(text: string, at: number): number {
  const next = text.indexOf("\n", at);
  if (next === -1) return text.length;
  return text[next - 1] === "\r" ? next - 1 : next;
}

/** Characters between the start of the line and a position. */
export function columnOf(text: string, at: number): number {
  return at - text.lastIndexOf("\n", at - 1) - 1;
}

/** The value of a node. */
export function jsOf({ document }: Source, node: Parsed): unknown {
  return node === null ? null : node.toJS(document);
}

/** A node of the tree; null for what is not one. */
export function nodeOf(value: unknown): Parsed {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}
