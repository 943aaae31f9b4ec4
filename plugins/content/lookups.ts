/** The maps of a generation, made in slices: ten thousand pages are not put into them in one piece. */
import type { PageEntry } from "./contract.js";
import type { Placed } from "./placed.js";
import type { Sliced } from "./slices.js";

/** Pages by what they are asked for. */
export interface Lookups {
  entries: readonly PageEntry[];
  placed: ReadonlyMap<string, Placed>;
  bySource: ReadonlyMap<string, PageEntry>;
  /** Language to route to page. */
  routes: ReadonlyMap<string, ReadonlyMap<string, PageEntry>>;
}

/** Pages between two places to pause. */
const step = 500;

/** The lookups of pages in tree order. */
export function* lookupsOf(pages: readonly Placed[]): Sliced<Lookups> {
  const entries: PageEntry[] = [];
  const placed = new Map<string, Placed>();
  const bySource = new Map<string, PageEntry>();
  const routes = new Map<string, Map<string, PageEntry>>();
  for (const page of pages) {
    const { entry } = page;
    entries.push(entry);
    placed.set(entry.sourcePath, page);
    bySource.set(entry.sourcePath, entry);
    if (entry.routable) routesIn(routes, entry.lang).set(entry.route, entry);
    if (entries.length % step === 0) yield;
  }
  return { entries, placed, bySource, routes };
}

function routesIn(
  routes: Map<string, Map<string, PageEntry>>,
  lang: string,
): Map<string, PageEntry> {
  const known = routes.get(lang);
  if (known !== undefined) return known;
  const made = new Map<string, PageEntry>();
  routes.set(lang, made);
  return made;
}
