/** The ids that the headings of a Markdown text get, found without parsing it. */
import GithubSlugger from "github-slugger";
import { stripInline } from "../parse/plain-inline.js";

const HEADING = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?#{1,6}[ \t]+(\S.*)$/;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;
const CLOSING = /(?<![ \t])[ \t]+#+[ \t]*$/;
const CUSTOM = /(?<![ \t])[ \t]*\{#([\p{L}_][\p{L}\p{N}_:.-]*)\}[ \t]*$/u;
const ENDS_WITH_TAG = /[ \t](?:<[^<>]*>)+[ \t]*$/;
const TEMPLATE_TAG = /\{%[^{}]*%\}|\{\{[^{}]*\}\}/g;

/** A heading: the text that its id is made of, and the id. */
export interface HeadingId {
  readonly text: string;
  readonly id: string;
}

/** Headings in document order; `body` is without its code blocks. */
export function headingIds(body: string): HeadingId[] {
  const slugger = new GithubSlugger();
  const found: HeadingId[] = [];
  const lines = body.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const heading = HEADING.exec(line)?.[1] ?? underlined(line, lines[at + 1]);
    if (heading === null) continue;
    const text = heading.replace(CLOSING, "");
    found.push({ text: stripInline(text), id: idOf(text, slugger) });
  }
  return found;
}

function underlined(line: string, next: string | undefined): string | null {
  if (next === undefined || !/[-=]/.test(next) || !UNDERLINE.test(next)) return null;
  const text = line.replace(/^[ \t>]+/, "");
  return text === "" || UNDERLINE.test(line) ? null : text;
}

function idOf(text: string, slugger: GithubSlugger): string {
  const own = CUSTOM.exec(text)?.[1];
  if (own !== undefined) return own;
  // Sanitising removes unknown elements, but not the space before them.
  return slugger.slug(stripInline(text) + (ENDS_WITH_TAG.test(text) ? " " : ""));
}

/**
 * An anchor without what generators of sites make differently: case, accents, signs. `build.target`
 * is `buildtarget` on GitHub and `build-target` in VitePress.
 */
export function foldedAnchor(id: string): string {
  return id
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * Anchors by their folded form; of several the first. Headings with tags of templates, such as
 * `## Events {% addedin "2.0" %}`, are found without these tags too: other generators replace them before
 * they make an anchor.
 */
export function byFolded(
  ids: Iterable<string>,
  headings: Iterable<HeadingId>,
): Map<string, string> {
  const found = new Map<string, string>();
  const add = (text: string, id: string): void => {
    const key = foldedAnchor(text);
    if (key !== "" && !found.has(key)) found.set(key, id);
  };
  for (const id of ids) add(id, id);
  for (const { text, id } of headings) {
    const plain = text.replace(TEMPLATE_TAG, "");
    if (plain !== text) add(plain, id);
  }
  return found;
}
