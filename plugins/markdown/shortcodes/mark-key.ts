import type { Mark } from "./shortcode-syntax.js";

// Markdown and HTML parsers replace this character, so no reference of an author starts with it.
const START = "\0";

/** The key of a shortcode among the references of a body. */
export function markKey({ source, line }: Mark): string {
  return `${START}${line} ${source}`;
}

/** True for the key of a shortcode. */
export function isMarkKey(reference: string): boolean {
  return reference.startsWith(START);
}

/** The shortcode of a key. */
export function toMark(key: string): Mark {
  const space = key.indexOf(" ");
  return { line: Number(key.slice(START.length, space)), source: key.slice(space + 1) };
}
