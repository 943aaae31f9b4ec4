/** Resolves `[[Page]]` to the page that it names, and reports links without a page. */
import { posix } from "node:path";
import { slug } from "github-slugger";
import { nearest } from "#lib/values";
import { withoutExtension, withoutOrders } from "#lib/text";
import type { ContentService, Generation, PageEntry, Page } from "../../content/contract.js";
import type { ReferenceFact } from "../render/render-job.js";
import { fromWikiKey } from "../syntax/wiki-links.js";
import type { PageProblems } from "./problems.js";

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
  urlOf(from: PageEntry, name: string): string | null {
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
      const found = table.get(key);
      if (found !== undefined) return closest(from, found, generation);
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
    const known = this.#tables.get(generation);
    if (known !== undefined) return known;
    const pages = generation.entries.filter(({ routable }) => routable);
    const tables = [titlesOf, slugsOf, fileNamesOf].map((namesOf) => tableOf(pages, namesOf));
    this.#tables.set(generation, tables);
    return tables;
  }
}

function tableOf(pages: readonly PageEntry[], namesOf: (entry: PageEntry) => string[]): Table {
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

function titlesOf({ title, navTitle }: PageEntry): string[] {
  return [title, navTitle];
}

function slugsOf({ route }: PageEntry): string[] {
  return [posix.basename(route), route.replace(/^\//, "")];
}

/** The file's name, with and without folders and numbers; the folder's for its own page. */
function fileNamesOf({ sourcePath, folder }: PageEntry): string[] {
  const stem = withoutExtension(sourcePath);
  return [stem, posix.basename(stem), posix.basename(folder)].map(withoutOrders);
}

/** The page in the reader's language and fewest folders away; then the first by path. */
function closest(
  from: PageEntry,
  found: readonly PageEntry[],
  generation: Generation,
): PageEntry | null {
  const lang = from.standsInFor ?? from.lang;
  const ranked = found.toSorted(
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
      const url = pages.urlOf(page.entry, name);
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
