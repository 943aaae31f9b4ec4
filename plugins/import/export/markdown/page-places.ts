/** Where pages go: `blog/hello.md`, or `blog/hello/index.md` for a page with files or modules. */
import { posix } from "node:path";
import type { SiteContext } from "#kernel";
import type { PageEntry } from "../../../content/contract.js";
import type { Picked } from "../pick-pages.js";
import { isPlainFileName, type OutNames, segmentName } from "./out-names.js";

/** The place of a page in the export. */
export interface PagePlace {
  /** Path of its file: `blog/hello.md`. */
  readonly path: string;
  /** `slug` that it needs to have its address; null: its name is enough. */
  readonly slug: string | null;
  /** True: the folder is the page. */
  readonly isFolder: boolean;
}

/** Places of all pages and modules, by source path. */
export class PagePlaces {
  readonly #places = new Map<string, PagePlace>();
  readonly #bases = new Map<string, { base: string; isFolder: boolean }>();
  readonly #names: OutNames;
  readonly #site: SiteContext;
  readonly #picked: Picked;

  constructor(site: SiteContext, picked: Picked, names: OutNames) {
    this.#site = site;
    this.#picked = picked;
    this.#names = names;
  }

  /** Places all pages; those with a source path in `folders` become folders. */
  place(folders: ReadonlySet<string>): void {
    const { main } = this.#site.use("content").languages;
    for (const entry of this.#picked.pages) {
      const { base, isFolder } = this.#baseOf(entry, folders);
      const language = entry.lang === main ? "" : `.${entry.lang}`;
      const path = isFolder ? posix.join(base, `index${language}.md`) : `${base}${language}.md`;
      const name = posix.basename(base);
      const segment = posix.basename(entry.route);
      const slug = entry.route === "/" || segment === name ? null : segment;
      this.#places.set(entry.sourcePath, { path, slug, isFolder });
      this.#placeModules(entry, base);
    }
  }

  of({ sourcePath }: PageEntry): PagePlace | undefined {
    return this.#places.get(sourcePath);
  }

  /** All languages of a page have the name of the main one. */
  #baseOf(entry: PageEntry, folders: ReadonlySet<string>): { base: string; isFolder: boolean } {
    const { main } = this.#site.use("content").languages;
    const all = this.#picked.view.translations(entry).map((one) => one.entry);
    const first = all.find(({ lang }) => lang === main) ?? entry;
    const known = this.#bases.get(first.sourcePath);
    if (known !== undefined) return known;
    const parts = first.route.split("/").filter(Boolean);
    const names = parts.map(segmentName);
    const last = names.at(-1);
    const isFolder =
      last === undefined ||
      last !== parts.at(-1) ||
      !isPlainFileName(last, (name) => this.#isTemplate(name)) ||
      [first, entry, ...all].some(({ sourcePath }) => folders.has(sourcePath));
    const base = last === undefined ? "" : this.#names.take(names.join("/"));
    const place = { base, isFolder };
    this.#bases.set(first.sourcePath, place);
    return place;
  }

  #placeModules(entry: PageEntry, base: string): void {
    for (const module of this.#picked.view.modules(entry)) {
      if (!this.#picked.accepts(module) || this.#places.has(module.sourcePath)) continue;
      const folder = posix.join(base, posix.basename(posix.dirname(module.sourcePath)));
      const name = posix.basename(module.sourcePath).replace(/\.[a-z]+$/, ".md");
      const path = posix.join(folder, name);
      this.#places.set(module.sourcePath, { path, slug: null, isFolder: true });
    }
  }

  #isTemplate(name: string): boolean {
    return this.#site.use("render", { optional: true })?.has(name) ?? false;
  }
}
