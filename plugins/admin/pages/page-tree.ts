import type { Generation, PageEntry } from "../../content/contract.js";

/** Key of the level above all pages. */
export const TOP = "/";

/**
 * Pages by the page above them, in tree order. Pages below a folder without a page belong to the next
 * page above; the home page and pages without one above are at the top.
 */
export class PageTree {
  readonly #defaultLang: string;
  // Not in site.cache: levels of one generation of the index, which go with it.
  readonly #levels = new WeakMap<Generation, ReadonlyMap<string, readonly PageEntry[]>>();

  constructor(defaultLang: string) {
    this.#defaultLang = defaultLang;
  }

  /** The pages below a route, in every language; `/`: those at the top. */
  below(generation: Generation, route: string): readonly PageEntry[] {
    return this.#levelsOf(generation).get(route) ?? [];
  }

  /** True when pages are below it in its language. */
  hasChildren(generation: Generation, { route, lang }: PageEntry): boolean {
    if (route === TOP) return false;
    return this.below(generation, route).some((entry) => entry.lang === lang);
  }

  #levelsOf(generation: Generation): ReadonlyMap<string, readonly PageEntry[]> {
    const known = this.#levels.get(generation);
    if (known !== undefined) return known;
    const levels = new Map<string, PageEntry[]>();
    for (const entry of generation.entries) {
      const route = this.#above(generation, entry);
      const level = levels.get(route);
      if (level === undefined) levels.set(route, [entry]);
      else level.push(entry);
    }
    this.#levels.set(generation, levels);
    return levels;
  }

  #above(generation: Generation, { parent, lang }: PageEntry): string {
    for (let route = parent ?? TOP; route !== TOP; route = upper(route)) {
      const page = generation.at(route, lang) ?? generation.at(route, this.#defaultLang);
      if (page !== undefined) return route;
    }
    return TOP;
  }
}

function upper(route: string): string {
  return route.slice(0, Math.max(0, route.lastIndexOf("/"))) || TOP;
}
