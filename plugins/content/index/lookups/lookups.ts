/** The maps of a generation: built in slices from its pages, or from the previous generation. */
import type { Sliced } from "#kernel/internal";
import type { PageEntry } from "../../contract.js";
import { LayeredMap } from "./layered-map.js";
import type { IndexedPage } from "../indexed-page.js";
import { differingSpans } from "../tree/spans.js";

/** Pages by lookup key. */
export interface Lookups {
  /** In tree order. */
  pages: readonly IndexedPage[];
  entries: readonly PageEntry[];
  placed: LayeredMap<IndexedPage>;
  bySource: LayeredMap<PageEntry>;
  /** Language to route to page. */
  routes: ReadonlyMap<string, LayeredMap<PageEntry>>;
}

/** Removed and added pages; a changed page is in both. */
export interface PageChange {
  removed: readonly IndexedPage[];
  added: readonly IndexedPage[];
}

/** Pages between two pauses. */
const STEP = 500;

/** The lookups of pages in tree order. */
export function* lookupsOf(pages: readonly IndexedPage[]): Sliced<Lookups> {
  const entries: PageEntry[] = [];
  const placed = new Map<string, IndexedPage>();
  const bySource = new Map<string, PageEntry>();
  const routes = new Map<string, Map<string, PageEntry>>();
  for (const page of pages) {
    const { entry } = page;
    entries.push(entry);
    placed.set(entry.sourcePath, page);
    bySource.set(entry.sourcePath, entry);
    if (entry.routable) mapIn(routes, entry.lang).set(entry.route, entry);
    if (entries.length % STEP === 0) yield;
  }
  return {
    pages,
    entries,
    placed: new LayeredMap(placed),
    bySource: new LayeredMap(bySource),
    routes: new Map([...routes].map(([lang, byRoute]) => [lang, new LayeredMap(byRoute)])),
  };
}

/** The lookups of the next generation, whose pages are given in tree order. */
export function* nextLookups(
  before: Lookups,
  pages: readonly IndexedPage[],
  { removed, added }: PageChange,
): Sliced<Lookups> {
  const placed = new Map<string, IndexedPage | null>();
  const bySource = new Map<string, PageEntry | null>();
  const changed = new Map<string, Map<string, PageEntry | null>>();
  for (const { entry } of removed) {
    placed.set(entry.sourcePath, null);
    bySource.set(entry.sourcePath, null);
    if (entry.routable) mapIn(changed, entry.lang).set(entry.route, null);
  }
  for (const page of added) {
    const { entry } = page;
    placed.set(entry.sourcePath, page);
    bySource.set(entry.sourcePath, entry);
    if (entry.routable) mapIn(changed, entry.lang).set(entry.route, entry);
  }
  const routes = new Map(before.routes);
  for (const [lang, byRoute] of changed) {
    routes.set(lang, yield* (routes.get(lang) ?? new LayeredMap(new Map())).next(byRoute));
  }
  return {
    pages,
    entries: nextEntries(before, pages),
    placed: yield* before.placed.next(placed),
    bySource: yield* before.bySource.next(bySource),
    routes,
  };
}

function nextEntries(before: Lookups, pages: readonly IndexedPage[]): readonly PageEntry[] {
  const [old, now] = differingSpans(before.pages, pages);
  const changed = pages.slice(now.start, now.end).map(({ entry }) => entry);
  return before.entries.slice(0, old.start).concat(changed, before.entries.slice(old.end));
}

function mapIn<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, V>();
  maps.set(key, made);
  return made;
}
