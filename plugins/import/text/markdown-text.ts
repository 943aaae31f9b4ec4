import { slug } from "github-slugger";
import { mediaTypeOf } from "#lib/files";
import type { TextReference } from "../../check/contract.js";
import { wikiKey } from "../plan/address-key.js";
import { outsideCode } from "./hidden-code.js";
import { isInComment } from "./template-comments.js";

/** Finds addresses in Markdown. */
export type ScanText = (text: string) => readonly TextReference[];

/** Markdown with changed addresses of links, images, definitions and HTML attributes; code stays as it is. */
export function changeAddresses(
  markdown: string,
  change: (address: string) => string,
  scan: ScanText,
): string {
  let result = "";
  let done = 0;
  for (const { start, end, target } of scan(markdown)) {
    if (start < done) continue;
    const next = change(target);
    if (next === target) continue;
    result += markdown.slice(done, start) + next;
    done = end;
  }
  return result + markdown.slice(done);
}

/** A path as it may stand in a Markdown link: encoded, parentheses included. */
export function encodePath(path: string): string {
  return path
    .split("/")
    .map((name) => encodeURIComponent(name).replaceAll("(", "%28").replaceAll(")", "%29"))
    .join("/");
}

/** Matches `[[Page]]`, `[[Page#Heading|text]]` and `![[picture.png]]`. */
const LINK = /(!?)\[\[([^[\]|#\\\n]{0,300})(#[^[\]|\\\n]{0,300})?(?:\\?\|([^[\]\n]{0,300}))?\]\]/g;

/** The address of a key; null for an unknown one. */
type Find = (key: string) => string | null;

/**
 * Changes wiki links to links of Markdown, outside code. `find` returns the address of a key; without one the text of a
 * link stays, as a vault shows it, and an embed becomes a comment.
 */
export function changeWikiLinks(text: string, find: Find): string {
  return outsideCode(text, (part) => changed(part, find));
}

function changed(text: string, find: Find): string {
  let result = "";
  let done = 0;
  for (const match of text.matchAll(LINK)) {
    const [whole, mark = "", name = "", heading, label] = match;
    if (isInComment(text, match.index)) continue;
    result += text.slice(done, match.index);
    result +=
      formatLink({ mark, name, heading, label }, find) ?? missing({ mark, name, heading, label });
    done = match.index + whole.length;
  }
  return result + text.slice(done);
}

interface WikiLink {
  mark: string;
  name: string;
  heading: string | undefined;
  label: string | undefined;
}

/** The Markdown of a link; null when its target is unknown. */
function formatLink({ mark, name, heading, label }: WikiLink, find: Find): string | null {
  const anchor = toAnchor(heading);
  const part = heading?.slice(1) ?? "";
  const isHere = name.trim() === "" && anchor !== "";
  if (isHere) return `[${label ?? part}](${anchor})`;
  // A block of the same page has no address.
  if (name.trim() === "") return plain(label ?? part);
  const href = find(wikiKey(name));
  if (href === null) return null;
  if (mark === "!" && mediaTypeOf(name).startsWith("image/")) return `![${toAlt(label)}](${href})`;
  // Viewers open a document at a page: `#page=2`.
  const place = /\.pdf$/i.test(name.trim()) && /^#page=\d+$/.test(heading ?? "") ? heading : anchor;
  return `[${plain(label ?? nameWith(name.trim(), part))}](${href}${place})`;
}

/** What a vault shows of a link whose note does not exist. */
function missing({ mark, name, heading, label }: WikiLink): string {
  const shown = label ?? nameWith(name.trim(), heading?.slice(1) ?? "");
  if (mark !== "!") return plain(shown);
  return `<!-- ${`![[${name}${heading ?? ""}]]`.replaceAll("--", "- -")} -->`;
}

function nameWith(name: string, part: string): string {
  return part === "" ? name : `${name} › ${part}`;
}

/** A label such as `300` or `300x200` is a size. */
function toAlt(label: string | undefined): string {
  return label === undefined || /^\d+(?:x\d+)?$/.test(label) ? "" : plain(label);
}

function plain(label: string): string {
  return label.replaceAll(/[[\]]/g, "");
}

/** The last heading of a way such as `#Chapter#Part`; blocks (`#^id`) have no address. */
function toAnchor(heading: string | undefined): string {
  const last = heading?.split("#").at(-1) ?? "";
  return last === "" || last.startsWith("^") ? "" : `#${slug(last)}`;
}

/** Addresses of players, as the addresses of what they play: the site embeds those of allowed providers. */

const PLAYERS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [
    /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,20})/i,
    (id) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [
    /^https?:\/\/(?:www\.)?youtube\.com\/watch\?(?:.*&)?v=([\w-]{6,20})/i,
    (id) => `https://www.youtube.com/watch?v=${id}`,
  ],
  [/^https?:\/\/youtu\.be\/([\w-]{6,20})/i, (id) => `https://www.youtube.com/watch?v=${id}`],
  [/^https?:\/\/player\.vimeo\.com\/video\/(\d+)/i, (id) => `https://vimeo.com/${id}`],
  [/^https?:\/\/(?:www\.)?vimeo\.com\/(\d+)/i, (id) => `https://vimeo.com/${id}`],
  [
    /^https?:\/\/codepen\.io\/([\w-]+)\/(?:embed|pen)(?:\/preview)?\/(\w+)/i,
    (id) => `https://codepen.io/${id}`,
  ],
];

/** The address to write on a line of its own; null for an unknown player. */
export function embedAddress(src: string): string | null {
  for (const [pattern, toAddress] of PLAYERS) {
    const [, id, second] = pattern.exec(src) ?? [];
    if (id !== undefined) return toAddress(second === undefined ? id : `${id}/pen/${second}`);
  }
  return null;
}
