/** Streams the children of `channel` of a WordPress export one at a time, and reads the fields of its items. */
import { basename } from "node:path";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { sourceError } from "../../errors.js";
import { detached, readText } from "../source-files.js";

const MAX_DEPTH = 64;
const MAX_ELEMENTS = 200_000;
const MAX_TEXT = 32 * 1_048_576;
/** Exports contain these characters although XML does not allow them. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** An element with its text and the elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  text: string;
  readonly children: XmlElement[];
}

/** Yields every child of `channel`. @throws ERR_IMPORT_SOURCE with file and line for broken XML. */
export async function* readChannel(path: string): AsyncGenerator<XmlElement> {
  const reader = new ChannelReader(basename(path));
  for await (const part of readText(path)) {
    reader.write(part.replaceAll(CONTROLS, ""));
    yield* reader.take();
  }
  reader.close();
  yield* reader.take();
}

class ChannelReader {
  readonly #file: string;
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #open: XmlElement[] = [];
  #found: XmlElement[] = [];
  #isRss = false;
  #elements = 0;
  #length = 0;
  #pending = 0;

  constructor(file: string) {
    this.#file = file;
    this.#parser.on("error", (error) =>
      this.#fail(error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, "")),
    );
    this.#parser.on("doctype", (text) => {
      if (text.includes("<!ENTITY")) this.#fail("entity declarations are not read");
    });
    this.#parser.on("opentag", (tag) => this.#start(tag));
    this.#parser.on("text", (text) => this.#text(text));
    this.#parser.on("cdata", (text) => this.#text(text));
    this.#parser.on("closetag", () => this.#end());
  }

  write(part: string): void {
    // The parser collects a text until it ends.
    this.#pending += part.length;
    if (this.#pending > MAX_TEXT) this.#fail(`an element is longer than ${MAX_TEXT} characters`);
    this.#parser.write(part);
  }

  close(): void {
    this.#parser.close();
    if (!this.#isRss) this.#fail("it is no export of WordPress: the element rss is missing");
  }

  take(): XmlElement[] {
    const taken = this.#found;
    this.#found = [];
    return taken;
  }

  #start({ name, attributes }: SaxesTagPlain): void {
    this.#pending = 0;
    const depth = this.#open.length;
    if (depth === 0 && name !== "rss") {
      this.#fail(
        `it is no export of WordPress: the first element is ${JSON.stringify(name.slice(0, 40))}, not "rss"`,
      );
    }
    this.#isRss = true;
    if (depth >= MAX_DEPTH) this.#fail(`elements are nested more than ${MAX_DEPTH} deep`);
    const element = { name, attributes, line: this.#parser.line, text: "", children: [] };
    // The children of `channel` start a new count; those of `rss` are not collected.
    if (depth <= 2) [this.#elements, this.#length] = [0, 0];
    else this.#open.at(-1)?.children.push(element);
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) this.#fail(`an item has more than ${MAX_ELEMENTS} elements`);
    this.#open.push(element);
  }

  #text(text: string): void {
    this.#pending = 0;
    if (this.#open.length < 3) return;
    this.#length += text.length;
    if (this.#length > MAX_TEXT) this.#fail(`an item is longer than ${MAX_TEXT} characters`);
    const element = this.#open.at(-1);
    // Addresses are remembered to the end.
    if (element !== undefined) element.text += detached(text);
  }

  #end(): void {
    this.#pending = 0;
    const element = this.#open.pop();
    if (element !== undefined && this.#open.length === 2) this.#found.push(element);
  }

  #fail(problem: string): never {
    throw sourceError({ file: this.#file, line: this.#parser.line }, problem);
  }
}

/** A category, tag or other term of an item. */
export interface WxrTerm {
  readonly domain: string;
  readonly name: string;
  /** The name in its address; may be empty. */
  readonly slug: string;
}
/** An item: post, page, attachment, menu entry or another type. */
export interface WxrItem {
  readonly line: number;
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly title: string;
  readonly slug: string;
  readonly link: string;
  readonly guid: string;
  readonly creator: string;
  readonly parent: string;
  readonly content: string;
  readonly excerpt: string;
  /** `2020-05-01 08:30:00`, in the time of the old site. */
  readonly date: string;
  readonly menuOrder: number;
  readonly isSticky: boolean;
  readonly hasPassword: boolean;
  readonly attachmentUrl: string;
  readonly terms: readonly WxrTerm[];
  readonly meta: ReadonlyMap<string, string>;
  readonly comments: number;
}

/** Reads an `item`. */
export function toItem(element: XmlElement): WxrItem {
  const text = (name: string): string => childText(element, name);
  return {
    line: element.line,
    id: text("wp:post_id"),
    type: text("wp:post_type") || "post",
    status: text("wp:status") || "publish",
    title: decodeEntities(text("title")),
    slug: text("wp:post_name"),
    link: text("link"),
    guid: text("guid"),
    creator: text("dc:creator"),
    parent: text("wp:post_parent"),
    content: rawText(element, "content:encoded"),
    excerpt: text("excerpt:encoded"),
    date: text("wp:post_date"),
    menuOrder: Number.parseInt(text("wp:menu_order"), 10) || 0,
    isSticky: text("wp:is_sticky") === "1",
    hasPassword: text("wp:post_password") !== "",
    attachmentUrl: text("wp:attachment_url"),
    terms: readTerms(element),
    meta: readMeta(element),
    comments: element.children.filter(({ name }) => name === "wp:comment").length,
  };
}

/** The trimmed text of a child; empty without one. */
export function childText(element: XmlElement, name: string): string {
  return rawText(element, name).trim();
}

function rawText({ children }: XmlElement, name: string): string {
  return children.find((child) => child.name === name)?.text ?? "";
}

function readTerms({ children }: XmlElement): WxrTerm[] {
  return children
    .filter(({ name }) => name === "category")
    .map(({ attributes, text }) => ({
      domain: attributes["domain"] ?? "category",
      name: decodeEntities(text.trim()),
      slug: attributes["nicename"] ?? "",
    }))
    .filter(({ name }) => name !== "");
}

function readMeta({ children }: XmlElement): ReadonlyMap<string, string> {
  return new Map(
    children
      .filter(({ name }) => name === "wp:postmeta")
      .map((child) => [childText(child, "wp:meta_key"), childText(child, "wp:meta_value")]),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Titles and terms are HTML in the database. */
export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
