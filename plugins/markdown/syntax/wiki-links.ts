/** `[[Page]]` and `[[Page|text]]` in a body: their syntax, the pages that they name, and reports of links without one. */
import { posix } from "node:path";
import { normalizeIdentifier } from "micromark-util-normalize-identifier";
import type { Processor } from "unified";
import { slug } from "github-slugger";
import { nearest } from "#lib/values";
import { withoutExtension, withoutOrders } from "#lib/text";
import { addTextConstruct, type Construct, type State } from "./shortcode-syntax.js";
import type { ContentService, Generation, PageEntry, Page } from "../../content/contract.js";
import type { ReferenceFact } from "../render/render-job.js";
import type { PageProblems } from "../links/problems.js";

const [OPEN, CLOSE, PAREN, COLON] = [0x5b, 0x5d, 0x28, 0x3a] as const;
const MAX_LENGTH = 300;
/** Unclosed ones in a body, after which no more are looked for. */
const MAX_UNCLOSED = 200;
const TOC = /^_?toc_?$/i;

/** A wiki link as written. */
export interface WikiName {
  /** Title, slug or file name of a page; empty for a heading of this page. */
  readonly page: string;
  /** A heading of the page. */
  readonly heading: string;
  readonly text: string;
}

/**
 * Parses wiki links as one node of inline HTML: real HTML starts with `<`. Links and references of
 * CommonMark win: `[[a]](/b)`, `[[a]][b]`, and `[[a]]` where `[a]` is defined.
 */
export function wikiLinkSyntax(this: Processor): void {
  addTextConstruct(this, OPEN, { name: "wikiLink", tokenize: tokenizerOf() });
}

function tokenizerOf(): Construct["tokenize"] {
  let unclosed = 0;
  return function tokenize(effects, ok, nok) {
    const { parser, previous } = this;
    let text = "";
    const fail: State = (code) => {
      unclosed += 1;
      return nok(code);
    };
    const start: State = (code) => {
      effects.enter("htmlText");
      effects.enter("htmlTextData");
      effects.consume(code);
      return second;
    };
    const second: State = (code) => {
      // `![[…]]` and `[[[…]]]` are something else.
      if (code !== OPEN || unclosed > MAX_UNCLOSED || previous === OPEN) return nok(code);
      effects.consume(code);
      return inside;
    };
    const inside: State = (code) => {
      if (code === null || code < 0 || code === OPEN || text.length > MAX_LENGTH) return fail(code);
      effects.consume(code);
      if (code === CLOSE) return last;
      text += String.fromCharCode(code);
      return inside;
    };
    const last: State = (code) => {
      if (code !== CLOSE || !isName(text)) return fail(code);
      effects.consume(code);
      effects.exit("htmlTextData");
      effects.exit("htmlText");
      return after;
    };
    const after: State = (code) => {
      const isOther = code === PAREN || code === OPEN || code === COLON || code === CLOSE;
      const isDefined = parser.defined.includes(normalizeIdentifier(text));
      return isOther || isDefined ? nok(code) : ok(code);
    };
    return start;
  };
}

function isName(text: string): boolean {
  return text !== "" && text.trim() === text && /[\p{L}\p{N}]/u.test(text) && !TOC.test(text);
}

/** Takes `[[Page#Heading|text]]` apart. */
export function parseWikiLink(source: string): WikiName {
  const inner = source.slice(2, -2);
  const bar = inner.indexOf("|");
  const name = (bar === -1 ? inner : inner.slice(0, bar)).trim();
  const mark = name.indexOf("#");
  const page = (mark === -1 ? name : name.slice(0, mark)).trim();
  const heading = mark === -1 ? "" : name.slice(mark + 1).trim();
  const written = bar === -1 ? "" : inner.slice(bar + 1).trim();
  return { page, heading, text: written || (page === "" ? heading : name) };
}

// Markdown and HTML parsers replace this character, so no reference of an author starts with it.
const START = "\0[[";

/** The key of a wiki link among the references of a body. */
export function wikiKey(line: number, name: string): string {
  return `${START}${line} ${name}`;
}

/** True for the key of a wiki link. */
export function isWikiKey(reference: string): boolean {
  return reference.startsWith(START);
}

/** Line and name of a key. */
export function fromWikiKey(key: string): { line: number; name: string } {
  const space = key.indexOf(" ");
  return { line: Number(key.slice(START.length, space)), name: key.slice(space + 1) };
}

type Table = ReadonlyMap<string, readonly PageEntry[]>;

/** Finds pages by title, slug or file name, the nearest in the tree first. */
export class WikiPages {
  readonly #content: Pick<ContentService, "generation" | "addressIn">;
  // Not in site.cache: tables of one generation of the index, which go with it.
  readonly #tables = new WeakMap<Generation, readonly Table[]>();

  constructor(content: Pick<ContentService, "generation" | "addressIn">) {
    this.#content = content;
  }

  /** The URL of `Page#Heading`; null when there is no such page. */
  findUrl(from: PageEntry, name: string): string | null {
    const mark = name.indexOf("#");
    const page = mark === -1 ? name : name.slice(0, mark);
    const heading = mark === -1 ? "" : name.slice(mark + 1);
    const fragment = heading === "" ? "" : `#${slug(heading)}`;
    if (page === "") return fragment;
    const entry = this.find(from, page);
    const lang = from.standsInFor ?? from.lang;
    return entry === null ? null : this.#content.addressIn(entry, lang) + fragment;
  }

  /** The page that a name stands for. */
  find(from: PageEntry, name: string): PageEntry | null {
    const generation = this.#content.generation();
    const key = folded(name);
    for (const table of this.#tablesOf(generation)) {
      const pages = table.get(key);
      if (pages !== undefined) return closest(from, pages, generation);
    }
    return null;
  }

  /** The title most like a name; null when none is similar. */
  nearestTitle(name: string): string | null {
    const { entries } = this.#content.generation();
    const titles = entries.flatMap(({ title, routable }) => (routable ? [title] : []));
    const [page = ""] = name.split("#", 1);
    return nearest(page, titles);
  }

  #tablesOf(generation: Generation): readonly Table[] {
    const cached = this.#tables.get(generation);
    if (cached !== undefined) return cached;
    const pages = generation.entries.filter(({ routable }) => routable);
    const tables = [listTitles, listSlugs, listFileNames].map((namesOf) =>
      buildTable(pages, namesOf),
    );
    this.#tables.set(generation, tables);
    return tables;
  }
}

function buildTable(pages: readonly PageEntry[], namesOf: (entry: PageEntry) => string[]): Table {
  const table = new Map<string, PageEntry[]>();
  for (const entry of pages) {
    for (const name of new Set(namesOf(entry).map(folded))) {
      const list = table.get(name);
      if (list === undefined) table.set(name, [entry]);
      else list.push(entry);
    }
  }
  return table;
}

function listTitles({ title, navTitle }: PageEntry): string[] {
  return [title, navTitle];
}

function listSlugs({ route }: PageEntry): string[] {
  return [posix.basename(route), route.replace(/^\//, "")];
}

/** The file's name, with and without folders and numbers; the folder's for its own page. */
function listFileNames({ sourcePath, folder }: PageEntry): string[] {
  const stem = withoutExtension(sourcePath);
  return [stem, posix.basename(stem), posix.basename(folder)].map(withoutOrders);
}

/** The page in the reader's language and fewest folders away; then the first by path. */
function closest(
  from: PageEntry,
  pages: readonly PageEntry[],
  generation: Generation,
): PageEntry | null {
  const lang = from.standsInFor ?? from.lang;
  const ranked = pages.toSorted(
    (a, b) =>
      Number(b.lang === lang) - Number(a.lang === lang) ||
      distance(from.folder, a.folder) - distance(from.folder, b.folder) ||
      (a.sourcePath < b.sourcePath ? -1 : 1),
  );
  const [first] = ranked;
  return first === undefined ? null : (generation.at(first.route, lang) ?? first);
}

function distance(a: string, b: string): number {
  const [from, to] = [a.split("/").filter(Boolean), b.split("/").filter(Boolean)];
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  return from.length + to.length - 2 * common;
}

function folded(name: string): string {
  return name.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Resolves wiki links. */
export class WikiLinks {
  readonly problems: PageProblems;
  readonly #pages: WikiPages;

  constructor(pages: WikiPages, problems: PageProblems) {
    this.#pages = pages;
    this.problems = problems;
  }

  /** The facts of links by their keys; those without a page are absent, and reported. */
  facts(page: Page, keys: readonly string[]): Map<string, ReferenceFact> {
    const facts = new Map<string, ReferenceFact>();
    const pages = page.moment === undefined ? this.#pages : new WikiPages(page.moment);
    this.problems.start(page);
    for (const key of keys) {
      const { line, name } = fromWikiKey(key);
      const url = pages.findUrl(page.entry, name);
      if (url !== null) facts.set(key, { url });
      else this.#report(page, line, name);
    }
    this.problems.finish(page);
    return facts;
  }

  #report(page: Page, line: number, name: string): void {
    const near = this.#pages.nearestTitle(name);
    this.problems.add(page, line, {
      message: `no page is called ${JSON.stringify(name)}; the link is shown as text`,
      value: `[[${name}]]`,
      fix: near === null ? "use a title, a slug or a file name" : `did you mean [[${near}]]?`,
    });
  }
}
