/** Where the parts of a YAML document stand in its text. */
import { isMap, isScalar, isSeq, type Node, type Pair } from "yaml";

/** The start of the line after a node; null without one. */
export function lineAfter(text: string, node: Node | null | undefined): number | null {
  if (!node) return null;
  let end = rangeOf(node)[1];
  while (/\s/.test(text[end - 1] ?? "")) end -= 1;
  const next = text.indexOf("\n", end);
  return next === -1 ? text.length : next + 1;
}

/** Where the value of a pair ends, without white space and the comment behind it. */
export function endOf(text: string, pair: Pair): number {
  const least = keyEnd(text, pair);
  let at = Math.max(rangeOf(nodeOf(pair.value))[1], least);
  while (at > least && /\s/.test(text[at - 1] ?? "")) at -= 1;
  return at;
}

/** The start of a key. */
export function keyStart({ key }: Pair): number {
  return rangeOf(nodeOf(key))[0];
}

/** The position behind the colon of a key. */
export function keyEnd(text: string, { key }: Pair): number {
  return text.indexOf(":", rangeOf(nodeOf(key))[1]) + 1;
}

/** The end of the line with a position, before its line break. */
export function lineEnd(text: string, at: number): number {
  const next = text.indexOf("\n", at);
  if (next === -1) return text.length;
  return text[next - 1] === "\r" ? next - 1 : next;
}

/** The number of characters before a position on its line. */
export function columnOf(text: string, at: number): number {
  return at - text.lastIndexOf("\n", at - 1) - 1;
}

/** Lines after the first one, moved to the right. */
export function indented(text: string, columns: number): string {
  return text.trimEnd().replaceAll(/\n(?=.)/g, `\n${" ".repeat(columns)}`);
}

/** A value as a node with a position; null for others, such as aliases. */
export function nodeOf(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) ? value : null;
}

/** Start and end of the text of a node; zeros without one. */
export function rangeOf(node: Node | null): [number, number] {
  const range = node?.range;
  return range ? [range[0], range[1]] : [0, 0];
}
