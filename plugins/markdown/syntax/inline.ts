/** Syntax within a line: mark, sub- and superscript, abbreviations. */
import { findAndReplace, type FindAndReplaceTuple } from "mdast-util-find-and-replace";
import type { Delete, Nodes, Paragraph, PhrasingContent, Root } from "mdast";
import { asElement } from "./callouts.js";

const WORD = /[\p{L}\p{N})\]]/u;
const ABBREVIATION = /^ {0,3}\*\[([^\]\n]{1,100})\]:[ \t]*(\S[^\n]*?)[ \t]*$/;
const MAX_ABBREVIATIONS = 200;
const SUPERSCRIPT = /(?<=[\p{L}\p{N})\]])\^([^\s^~]{1,40})\^/gu;

/**
 * `H~2~O`: a single tilde after a word, around text without spaces, is a subscript. Others stay what
 * GFM makes of them.
 */
export function toSubscript(node: Delete, source: string): void {
  const [start, end] = [node.position?.start.offset, node.position?.end.offset];
  if (start === undefined || end === undefined) return;
  const text = source.slice(start, end);
  const isSingle = text.startsWith("~") && !text.startsWith("~~");
  if (isSingle && !/\s/.test(text) && WORD.test(source[start - 1] ?? "")) {
    node.data = { hName: "sub" };
  }
}

/** `a==b==c` is an expression, not a mark: within a word the signs stay. */
export function isInWord({ position }: Nodes, source: string): boolean {
  const [start, end] = [position?.start.offset, position?.end.offset];
  if (start === undefined || end === undefined) return false;
  return /\w/.test(source[start - 1] ?? "") || /\w/.test(source[end] ?? "");
}

/** `x^2^` becomes a superscript. */
export const superscript: FindAndReplaceTuple = [
  SUPERSCRIPT,
  (_all: string, value: string): PhrasingContent => ({
    type: "emphasis",
    data: { hName: "sup" },
    children: [{ type: "text", value }],
  }),
];

/** The abbreviations that a paragraph defines (`*[HTML]: …`); null for any other paragraph. */
export function abbreviationsOf(
  { position }: Paragraph,
  source: string,
): ReadonlyMap<string, string> | null {
  const text = source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const match = ABBREVIATION.exec(line);
    if (match === null) return null;
    found.set(match[1] ?? "", match[2] ?? "");
  }
  return found.size === 0 ? null : found;
}

/** Explains each use of an abbreviation. */
export function markAbbreviations(tree: Root, abbreviations: ReadonlyMap<string, string>): void {
  const names = [...abbreviations.keys()].slice(0, MAX_ABBREVIATIONS);
  if (names.length === 0) return;
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(escapedPattern);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`,
    "gu",
  );
  findAndReplace(tree, [
    pattern,
    (value: string): PhrasingContent => ({
      type: "emphasis",
      data: asElement("abbr", [], { title: abbreviations.get(value) ?? "" }),
      children: [{ type: "text", value }],
    }),
  ]);
}

function escapedPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
