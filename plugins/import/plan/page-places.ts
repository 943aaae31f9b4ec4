/** Where pages of a source go: one folder per page, below the folder of the page above it. */
import { posix } from "node:path";
import type { PlannedPage } from "./planned.js";
import { folderName } from "./safe-name.js";

/** What placing needs of the site. */
export interface SiteTree {
  /** The languages of the site, without the default one. */
  readonly languages: readonly string[];
  /** The page at a route, in the default language unless another one is given. */
  at(
    route: string,
    lang?: string,
  ): { readonly sourcePath: string; readonly folder: string } | undefined;
  /** The decoded address of a route in a language. */
  addressOf(route: string, lang: string): string;
  /** True when a declared route answers there. */
  isClaimed(route: string): boolean;
  hasTemplate(name: string): boolean;
}

/** Places all pages of one source. */
export class PagePlaces {
  readonly #tree: SiteTree;
  /** Route to folder, of this import. */
  readonly #folders = new Map<string, string>([["/", ""]]);
  readonly #routes = new Set<string>();
  readonly #paths = new Set<string>();

  constructor(tree: SiteTree) {
    this.#tree = tree;
  }

  /** Sets route, path and `takenBy`. Pages near the top come first, because they name the folders. */
  place(pages: readonly PlannedPage[]): void {
    const byDepth = pages.map((page, at) => ({ page, at, depth: page.route.split("/").length }));
    byDepth.sort((a, b) => a.depth - b.depth || a.at - b.at);
    for (const { page } of byDepth) this.#place(page);
  }

  #place(page: PlannedPage): void {
    if (page.wantedPath !== null) return this.#placeAsIs(page, page.wantedPath);
    page.route = this.#freeRoute(cleanRoute(page.route));
    const template = this.#tree.hasTemplate(page.template) ? page.template : "default";
    const folder = page.route === "/" ? "01.home" : this.#ownFolder(page);
    page.path = `${folder}/${template}.md`;
    const there = this.#tree.at(page.route);
    page.takenBy = there === undefined || there.sourcePath === page.path ? null : there.sourcePath;
    // Pages below belong to the page that the site has.
    const own = page.takenBy === null ? folder : (there?.folder ?? "");
    this.#folders.set(page.route, page.route === "/" ? "" : own);
    return undefined;
  }

  #placeAsIs(page: PlannedPage, path: string): void {
    page.path = path;
    const there = this.#tree.at(page.route);
    const isOther = there !== undefined && there.sourcePath !== path;
    page.takenBy = isOther && isRoutable(path) ? there.sourcePath : null;
  }

  #freeRoute(route: string): string {
    for (let number = 1; ; number += 1) {
      const own = number === 1 ? route : `${route === "/" ? "/home" : route}-${number}`;
      if (this.#routes.has(own) || (own !== "/" && this.#tree.isClaimed(own))) continue;
      this.#routes.add(own);
      return own;
    }
  }

  #ownFolder({ route, position }: PlannedPage): string {
    const above = this.#folderOf(posix.dirname(route));
    const name = posix.basename(route);
    const number = position === null ? "" : `${String(position).padStart(2, "0")}.`;
    for (let copy = 1; ; copy += 1) {
      const own = number + (copy === 1 ? name : `${name}-${copy}`);
      const path = above === "" ? own : `${above}/${own}`;
      if (this.#paths.has(path.toLowerCase())) continue;
      this.#paths.add(path.toLowerCase());
      return path;
    }
  }

  /** The folder of a route, with or without a page. */
  #folderOf(route: string): string {
    const own = this.#folders.get(route);
    if (own !== undefined) return own;
    const there = this.#tree.at(route);
    const above = this.#folderOf(posix.dirname(route));
    const name = posix.basename(route);
    const folder = there?.folder ?? (above === "" ? name : `${above}/${name}`);
    this.#folders.set(route, folder);
    return folder;
  }
}

/** A route whose segments are names of folders: the address and the path of a page agree. */
function cleanRoute(route: string): string {
  const parts = route
    .normalize("NFC")
    .split("/")
    .filter((part) => !/^\.*$/.test(part))
    .map(folderName);
  return `/${parts.slice(0, 20).join("/")}`;
}

/** False for modules, drafts and translations, which have no route of their own. */
function isRoutable(path: string): boolean {
  return !/(?:^|\/)(?:\d+\.)?_|\.[a-z]{2}\.[a-z]+$/.test(path);
}
