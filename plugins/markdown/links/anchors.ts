import type { Element, Root } from "hast";
import GithubSlugger from "github-slugger";
import { decodeAddress } from "#lib/urls";
import { eachElement, elementText } from "../parse/elements.js";
import { isExternal } from "../render/html/safe-url.js";
import { ID_PREFIX } from "../render/html/sanitize-schema.js";
import { stripInline } from "../parse/plain-inline.js";
import type { Rendered } from "../contract.js";

const ID_LISTS = ["ariaDescribedBy", "ariaLabelledBy", "headers"];

/**
 * Prefixes authors' ids and names once, so that none shadows a property of `document` or `window`.
 */
export function prefixIds(tree: Root, keep: ReadonlySet<string>): void {
  const prefixed = (id: string): string =>
    id.startsWith(ID_PREFIX) || keep.has(id) ? id : ID_PREFIX + id;
  eachElement(tree, ({ properties }) => {
    for (const name of ["id", "name"]) {
      const value = properties[name];
      if (typeof value === "string") properties[name] = prefixed(value);
    }
    for (const name of ID_LISTS) {
      const value = properties[name];
      if (value !== undefined) properties[name] = toWords(value).map(prefixed);
    }
  });
}

/** The id that a heading has in the HTML: names of `Object.prototype` are prefixed. */
export function headingAnchor(id: string): string {
  return id in Object.prototype ? ID_PREFIX + id : id;
}

/** Gives headings the ids of `headingAnchor`. */
export function defuseHeadingIds(tree: Root): void {
  eachElement(tree, ({ properties }) => {
    const { id } = properties;
    if (typeof id === "string") properties["id"] = headingAnchor(id);
  });
}

/** Points `#name` to the prefixed id if only that exists, else to the id that another generator spells so. */
export function repairAnchors(tree: Root): void {
  const ids = new Set<string>();
  const headings: HeadingId[] = [];
  const links: Element[] = [];
  eachElement(tree, (element) => {
    const { id, name, href } = element.properties;
    if (typeof id === "string") ids.add(id);
    if (typeof id === "string" && headingLevel(element) > 0)
      headings.push({ text: elementText(element), id });
    if (typeof name === "string") ids.add(name);
    if (typeof href === "string" && href.startsWith("#")) links.push(element);
  });
  let folded: ReadonlyMap<string, string> | null = null;
  for (const { properties } of links) {
    const target = decodeAddress(String(properties["href"]).slice(1));
    if (ids.has(target)) continue;
    const prefixed = ID_PREFIX + target;
    folded ??= foldedIds(ids, headings);
    const meant = ids.has(prefixed) ? prefixed : folded.get(foldedAnchor(target));
    if (meant !== undefined) properties["href"] = `#${encodeURIComponent(meant)}`;
  }
}

/** Ids by their folded form without the prefix. */
function foldedIds(
  ids: ReadonlySet<string>,
  headings: readonly HeadingId[],
): ReadonlyMap<string, string> {
  const folded = new Map<string, string>();
  for (const [key, id] of byFolded([...ids].map(withoutPrefix), headings)) {
    folded.set(key, ids.has(id) ? id : ID_PREFIX + id);
  }
  return folded;
}

function withoutPrefix(id: string): string {
  return id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : id;
}

/**
 * Adds `rel` to links that leave the site or open a window, so that they cannot access
 * `window.opener`.
 */
export function secureLinks(tree: Root): void {
  eachElement(tree, ({ tagName, properties }) => {
    if (tagName !== "a") return;
    const { href, target } = properties;
    const needed: string[] = [];
    if (typeof href === "string" && isExternal(href)) needed.push("noopener");
    if (target !== undefined && target !== "_self") needed.push("noopener", "noreferrer");
    if (needed.length === 0) return;
    properties["rel"] = [...new Set([...toWords(properties["rel"]), ...needed])];
  });
}

function toWords(value: unknown): string[] {
  const words = Array.isArray(value) ? value.map(String) : String(value ?? "").split(/\s+/);
  return words.filter((word) => word !== "");
}

const HEADING = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?#{1,6}[ \t]+(\S.*)$/;
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;
const CLOSING = /(?<![ \t])[ \t]+#+[ \t]*$/;
const CUSTOM = /(?<![ \t])[ \t]*\{#([\p{L}_][\p{L}\p{N}_:.-]*)\}[ \t]*$/u;
const ENDS_WITH_TAG = /[ \t](?:<[^<>]*>)+[ \t]*$/;
const TEMPLATE_TAG = /\{%[^{}]*%\}|\{\{[^{}]*\}\}/g;

/** A heading: the text that its id is made of, and the id. */
interface HeadingId {
  readonly text: string;
  readonly id: string;
}

/** A heading in a text. */
interface WrittenHeading extends HeadingId {
  /** True for one of `#` at the start of its line: in no list, quote or indented code. */
  readonly isPlain: boolean;
}

/** Headings in document order; `body` is without its code blocks. */
export function headingIds(body: string): WrittenHeading[] {
  const slugger = new GithubSlugger();
  const ids: WrittenHeading[] = [];
  const lines = body.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const heading = HEADING.exec(line)?.[1] ?? underlined(line, lines[at + 1]);
    if (heading === null) continue;
    const text = heading.replace(CLOSING, "");
    const isPlain = line.startsWith("#");
    ids.push({ text: stripInline(text), id: headingId(text, slugger), isPlain });
  }
  return ids;
}

function underlined(line: string, next: string | undefined): string | null {
  if (next === undefined || !/[-=]/.test(next) || !UNDERLINE.test(next)) return null;
  const text = line.replace(/^[ \t>]+/, "");
  return text === "" || UNDERLINE.test(line) ? null : text;
}

function headingId(text: string, slugger: GithubSlugger): string {
  const custom = CUSTOM.exec(text)?.[1];
  if (custom !== undefined) return custom;
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
  const anchors = new Map<string, string>();
  const add = (text: string, id: string): void => {
    const key = foldedAnchor(text);
    if (key !== "" && !anchors.has(key)) anchors.set(key, id);
  };
  for (const id of ids) add(id, id);
  for (const { text, id } of headings) {
    const plain = text.replace(TEMPLATE_TAG, "");
    if (plain !== text) add(plain, id);
  }
  return anchors;
}

const CUSTOM_ID = /\{#([\p{L}_][\p{L}\p{N}_:.-]*)\}$/u;

/** The slug of no text: the first, and later ones on the page. */
const EMPTY_SLUG = /^(?:-\d+)?$/;

/** 1 to 6 for a heading, else 0. */
export function headingLevel({ tagName }: Element): number {
  return /^h[1-6]$/.test(tagName) ? Number(tagName.slice(1)) : 0;
}

/** `## Title {#id}`: removes the marker from the text and sets the heading's id. */
export function applyCustomIds(tree: Root): void {
  eachElement(tree, (element) => {
    const last = element.children.at(-1);
    if (headingLevel(element) === 0 || last?.type !== "text") return;
    const match = CUSTOM_ID.exec(last.value.trimEnd());
    if (match === null) return;
    last.value = last.value.slice(0, match.index).trimEnd();
    element.properties["id"] = match[1];
  });
}

/**
 * Names headings whose text has no letters or digits (`_1`, `_2`), and leaves empty ones without an
 * id: a slug of either is empty.
 */
export function nameSymbolHeadings(tree: Root): void {
  let count = 0;
  eachElement(tree, (element) => {
    const { id } = element.properties;
    if (headingLevel(element) === 0 || typeof id !== "string" || !EMPTY_SLUG.test(id)) return;
    delete element.properties["id"];
    if (elementText(element).trim() === "") return;
    count += 1;
    element.properties["id"] = `_${count}`;
  });
}

/** Headings with an id, in document order. */
export function listHeadings(tree: Root): Rendered["headings"] {
  const headings: { level: number; id: string; text: string }[] = [];
  eachElement(tree, (element) => {
    const level = headingLevel(element);
    const { id } = element.properties;
    if (level === 0 || typeof id !== "string" || isFootnoteLabel(id)) return;
    headings.push({ level, id, text: elementText(element).replace(/\s+/g, " ").trim() });
  });
  return headings;
}

/** True for the id of the generated footnotes heading. */
export function isFootnoteLabel(id: unknown): boolean {
  return typeof id === "string" && id.endsWith("footnote-label");
}
