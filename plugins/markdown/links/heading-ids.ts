/** The ids that the headings of a Markdown text get, found without parsing it. */
import GithubSlugger from "github-slugger";
import { stripInline } from "../parse/plain-inline.js";

const HEADING = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?#{1,6}[ \t]+(\S.*)$/;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;
const CLOSING = /[ \t]+#+[ \t]*$/;
const CUSTOM = /[ \t]*\{#([\p{L}_][\p{L}\p{N}_:.-]*)\}[ \t]*$/u;
const ENDS_WITH_TAG = /[ \t]<[^<>]*>[ \t]*$/;

/** Ids in document order; `body` is without its code blocks. */
export function headingIds(body: string): string[] {
  const slugger = new GithubSlugger();
  const ids: string[] = [];
  const lines = body.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const text = HEADING.exec(line)?.[1] ?? underlined(line, lines[at + 1]);
    if (text !== null) ids.push(idOf(text.replace(CLOSING, ""), slugger));
  }
  return ids;
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

/** Anchors by their folded form; of several the first. */
export function byFolded(ids: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const id of ids) {
    const key = foldedAnchor(id);
    if (key !== "" && !found.has(key)) found.set(key, id);
  }
  return found;
}
