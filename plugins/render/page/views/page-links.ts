import type { PageEntry, ContentView } from "../../../content/contract.js";
import type { PageView, PageNeighbours } from "../../contract.js";

type Crumbs = PageView["breadcrumbs"];
type Href = (route: string) => string;

interface Made {
  readonly way: readonly PageEntry[];
  readonly href: Href;
  readonly crumbs: Crumbs;
}

/**
 * Breadcrumbs of pages, cached with the last entry: the array is the same object while the trail is
 * the same, so that cached markup is found by identity.
 */
export class Breadcrumbs {
  // Not in site.cache: they live with their entry, and their identity counts.
  readonly #made = new WeakMap<PageEntry, Made>();

  /** `way`: the pages from home to the current page; `href`: returns the address of a route in `lang`. */
  of(way: readonly PageEntry[], href: Href, lang: string): Crumbs {
    const page = way.at(-1);
    if (page === undefined) return [];
    const cached = this.#made.get(page);
    if (cached?.href === href && isSame(cached.way, way)) return cached.crumbs;
    const crumbs = Object.freeze(
      way.map((step) =>
        Object.freeze({ title: step.navTitle, url: href(step.route), ...languageMark(lang, step) }),
      ),
    );
    this.#made.set(page, { way, href, crumbs });
    return crumbs;
  }
}

/** The language of a page that replaces a missing translation. */
export function foreignLanguage({ standsInFor, lang }: PageEntry): { lang?: string } {
  return standsInFor === undefined ? {} : { lang };
}

/** The language of a page on the way, unless it is that of the document. */
function languageMark(lang: string, entry: PageEntry): { lang?: string } {
  return entry.lang === lang ? {} : { lang: entry.lang };
}

function isSame(a: readonly PageEntry[], b: readonly PageEntry[]): boolean {
  return a.length === b.length && a.every((entry, at) => entry === b[at]);
}

/** The dated siblings before and after a page; pages of one day are ordered by route. */
export function findNeighbours(
  view: Pick<ContentView, "children">,
  entry: PageEntry,
  href: (route: string) => string,
): PageNeighbours {
  if (entry.date === null || entry.route === "/") return { older: null, newer: null };
  const parent = entry.route.slice(0, entry.route.lastIndexOf("/")) || "/";
  const position = sortKey(entry);
  const dated = view
    .children(parent, entry.standsInFor ?? entry.lang)
    .filter(({ date }) => date !== null);
  const older = last(dated.filter((page) => sortKey(page) < position));
  const newer = first(dated.filter((page) => sortKey(page) > position));
  const link = (page: PageEntry | null) =>
    page === null ? null : { title: page.title, url: href(page.route), ...foreignLanguage(page) };
  return { older: link(older), newer: link(newer) };
}

function first(pages: readonly PageEntry[]): PageEntry | null {
  const [start = null, ...others] = pages;
  return others.reduce(
    (best, page) => (best && sortKey(best) < sortKey(page) ? best : page),
    start,
  );
}

function last(pages: readonly PageEntry[]): PageEntry | null {
  const [start = null, ...others] = pages;
  return others.reduce(
    (best, page) => (best && sortKey(best) > sortKey(page) ? best : page),
    start,
  );
}

/** Sort key: day, time of day, then route. */
function sortKey({ date, moment, route }: PageEntry): string {
  const time = String((moment ?? -1) + 1).padStart(16, "0");
  return `${date ?? ""} ${time} ${route}`;
}
