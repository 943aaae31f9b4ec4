/** Lines of a YAML text, for messages about it. */
import { isCollection, isNode } from "yaml";

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The line of the value at a path; `contents`: of the parsed document. Undefined when it has none there. */
export function lineOf(
  text: string,
  contents: unknown,
  path: readonly PropertyKey[],
): number | undefined {
  const node = isCollection(contents) ? contents.getIn(path, true) : null;
  const start = isNode(node) ? node.range?.[0] : undefined;
  return start === undefined ? undefined : lineAt(text, start);
}
