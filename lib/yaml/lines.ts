/** Where the values of a text are, for messages about them. */
import { isAlias, isDocument, isMap, isScalar, isSeq } from "yaml";
import type { YamlDocument } from "./document.js";

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The line of the key or list item at a path, or of the nearest one above that the text has; 1 without one. */
export function lineOf(
  text: string,
  document: Pick<YamlDocument, "contents">,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsetOf(document, path.slice(0, length));
    if (offset !== undefined) return lineAt(text, offset);
  }
  return 1;
}

/**
 * The offset of the key or list item at a path; undefined when the text has none there. The path ends at an alias,
 * except in a document of the package `yaml`.
 */
export function offsetOf(
  document: Pick<YamlDocument, "contents">,
  path: readonly PropertyKey[],
): number | undefined {
  let node = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isAlias(node) && isDocument(document)) node = node.resolve(document);
    const step = child(node, part);
    if (step === undefined) return undefined;
    offset = step.offset ?? offset;
    node = step.node;
  }
  return offset;
}

function child(
  node: unknown,
  part: PropertyKey,
): { node: unknown; offset: number | undefined } | undefined {
  if (isSeq(node) && typeof part === "number") {
    const item = node.items[part];
    return item === undefined ? undefined : { node: item, offset: rangeStart(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair && { node: pair.value, offset: rangeStart(pair.key) };
}

function rangeStart(node: unknown): number | undefined {
  if (isScalar(node) || isAlias(node) || isMap(node) || isSeq(node)) return node.range?.[0];
  return undefined;
}
