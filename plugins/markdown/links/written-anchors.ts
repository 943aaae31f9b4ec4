/** The anchors of a Markdown text: `id` and `name` attributes of its raw HTML, and its headings. */
import type { Caches, CacheSpace } from "#kernel";
import type { ContentService, PageEntry } from "../../content/contract.js";
import { ID_PREFIX } from "../render/html/sanitize-schema.js";
import { headingAnchor, byFolded, foldedAnchor, headingIds } from "./anchors.js";
import { decoded } from "./page-table.js";

const MAX_BYTES = 4 * 1_024 * 1_024;
const FENCE = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?(`{3,}(?!.*`)|~{3,})/;
const TAG = /<([a-z][a-z\d]*)\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi;
const ANCHOR = /\s(id|name)\s{0,9}=\s{0,9}(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>=`]+))/gi;

/** Dependencies of the anchor lookup. */
export interface WrittenAnchorsOptions {
  content: Pick<ContentService, "source">;
  /** True for a page whose HTML is not sanitised. */
  isTrusted(entry: PageEntry): boolean;
  cache: Pick<Caches, "open">;
}

/** The anchors of a page. */
interface PageAnchors {
  /** Written by hand, without the sanitising prefix. */
  readonly written: ReadonlySet<string>;
  /** The ids of headings. */
  readonly headings: ReadonlySet<string>;
  /** Either, by its folded form. */
  readonly folded: ReadonlyMap<string, string>;
}

/**
 * Looks up anchors of other pages. Sanitising prefixes those written by hand, so links need the prefix
 * too. Ids of headings as other generators make them lead to the same heading.
 */
export class WrittenAnchors {
  readonly #options: WrittenAnchorsOptions;
  /** By source path and hash. */
  readonly #pages: CacheSpace<PageAnchors>;

  constructor(options: WrittenAnchorsOptions, pages = openCache(options)) {
    this.#options = options;
    this.#pages = pages;
  }

  /** The anchors of other content: the cache is the same, because it knows pages by their bytes. */
  in(content: WrittenAnchorsOptions["content"]): WrittenAnchors {
    return new WrittenAnchors({ ...this.#options, content }, this.#pages);
  }

  /** The fragment (with `#`) that leads to what a fragment means; null when it stays as it is. */
  async resolveFragment(entry: PageEntry, fragment: string): Promise<string | null> {
    if (entry.format !== "md" && entry.format !== "mdx") return null;
    const id = decoded(fragment.slice(1)) ?? fragment.slice(1);
    const { written, headings, folded } = await this.#anchors(entry);
    if (written.has(id)) return this.#writtenFragment(entry, id);
    if (isForEveryPage(id)) return null;
    const meant = headings.has(id) ? id : folded.get(foldedAnchor(id));
    if (meant === undefined) return null;
    if (!headings.has(meant)) return this.#writtenFragment(entry, meant);
    const anchor = headingAnchor(meant);
    return anchor === id ? null : `#${encodeURIComponent(anchor)}`;
  }

  #writtenFragment(entry: PageEntry, id: string): string | null {
    const isPrefixed = entry.format === "md" && !this.#options.isTrusted(entry);
    return isPrefixed ? `#${encodeURIComponent(ID_PREFIX + id)}` : null;
  }

  async #anchors(entry: PageEntry): Promise<PageAnchors> {
    const key = `${entry.sourcePath}\0${entry.hash}`;
    const cached = this.#pages.peek(key);
    if (cached !== undefined) return cached;
    const page = await this.#options.content.source(entry.sourcePath);
    const body = page?.body ?? "";
    const written = writtenAnchors(body);
    const ids = headingIds(withoutFences(body));
    const headings = new Set(ids.map(({ id }) => id));
    const anchors = { written, headings, folded: byFolded([...headings, ...written], ids) };
    if (page?.entry.hash === entry.hash) this.#pages.set(key, anchors);
    return anchors;
  }
}

function openCache({ cache }: WrittenAnchorsOptions): CacheSpace<PageAnchors> {
  return cache.open<PageAnchors>("page-anchors", {
    maxBytes: MAX_BYTES,
    untagged: true,
    sizeOf: ({ written, headings }) => 100 + (written.size + headings.size) * 200,
  });
}

/** `#top` and text fragments. */
function isForEveryPage(id: string): boolean {
  return id.startsWith(":") || id.toLowerCase() === "top";
}

/**
 * Anchors outside of code, without the sanitising prefix. Scans the text once without parsing it.
 */
export function writtenAnchors(body: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  if (!/\b(?:id|name)\s{0,9}=/i.test(body)) return anchors;
  for (const [tag, element = ""] of withoutCode(body).matchAll(TAG)) {
    for (const id of readAnchors(tag, element.toLowerCase())) {
      anchors.add(id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : id);
    }
  }
  return anchors;
}

function readAnchors(tag: string, element: string): string[] {
  return [...tag.matchAll(ANCHOR)].flatMap(([, attribute = "", ...values]) => {
    // Sanitising allows `name` on links only.
    const isAllowed = element === "a" || attribute.toLowerCase() === "id";
    return isAllowed ? values.filter(Boolean) : [];
  });
}

/** Removes fenced code and code spans. A span across lines stays, so that no anchor is lost. */
function withoutCode(body: string): string {
  return withoutFences(body).split("\n").map(withoutSpans).join("\n");
}

/** A line that begins raw HTML, apart from a comment of one line. */
const RAW_HTML = /^[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+){0,9}<(?!!--(?:(?!-->).)*-->[ \t]*$)/;
/** A line that raw HTML would hide, because it is Markdown only after an empty line. */
const BLOCK = /^[ \t>]*(?:#{1,6}[ \t]|=+[ \t]*$|-+[ \t]*$|`{3}|~{3})/;
const ATTRIBUTES =
  "(?:[ \\t]+[a-z][\\w:.-]*(?:=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\\s\"'<>=`]+))?)*[ \\t]*/?";
/** Elements in which headings stay headings, and that hide nothing when they are not closed. */
const HARMLESS =
  "a abbr article aside b br center cite code dd del details div dl dt em figcaption figure font footer header hr i img ins kbd li main mark nav ol p picture s samp section small source span strong sub summary sup table tbody td tfoot th thead tr tt u ul var".replaceAll(
    " ",
    "|",
  );
/** Any other tag, an unfinished one, and a comment of several lines. */
const OTHER_TAG = new RegExp(
  `<(?=[a-z/!?])(?!/?(?:${HARMLESS})${ATTRIBUTES}>|https?://[^\\s<>]*>|!--(?:(?!-->).)*-->)`,
  "i",
);

/**
 * Ids of headings that rendering certainly gives: those of `#` at the start of a line. None of a text with
 * raw HTML in which such a line may be no heading.
 */
export function certainHeadings(body: string): ReadonlySet<string> {
  const text = withoutFences(body);
  if (!isPlainHtml(body.split("\n"), text.split("\n"))) return new Set();
  const headings = headingIds(text).filter(({ isPlain }) => isPlain);
  return new Set(headings.map(({ id }) => headingAnchor(id)));
}

/** True when raw HTML hides no heading; `lines`: those of the text without its fenced code. */
function isPlainHtml(written: readonly string[], lines: readonly string[]): boolean {
  if (!lines.some((line) => RAW_HTML.test(line))) return true;
  let isInHtml = false;
  return lines.every((line, at) => {
    if (isInHtml && BLOCK.test(written[at] ?? "")) return false;
    if ((written[at] ?? "").trim() === "") isInHtml = false;
    else isInHtml ||= RAW_HTML.test(line);
    return !OTHER_TAG.test(line);
  });
}

/** True for a text with this mark outside of code; a code span across lines counts as text. */
export function hasOutsideCode(body: string, mark: string): boolean {
  return body.includes(mark) && withoutCode(body).includes(mark);
}

/** Empties the lines of fenced code. */
function withoutFences(body: string): string {
  let fence: string | null = null;
  const lines = body.split("\n").map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      return "";
    }
    if (mark !== undefined) fence = mark;
    return mark === undefined ? line : "";
  });
  return lines.join("\n");
}

function withoutSpans(line: string): string {
  const runs = line.split(/(`+)/);
  let result = "";
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at] ?? "";
    const end = run.startsWith("`") ? runs.indexOf(run, at + 1) : -1;
    if (end === -1) result += run;
    else at = end;
  }
  return result;
}
