/** The maps of a generation: built in slices from its pages, or from the previous generation. */
import type { Sliced } from "#lib/concurrency";
import { pageStem } from "#lib/text";
import type { PageEntry } from "../contract.js";
import { listBoundaries } from "../schedule/publication-time.js";
import type { IndexedPage } from "./page-entry.js";
import { differingSpans, findSpan, MAX_SEARCHES, widenSpan } from "./tree-order.js";
import { LayeredMap } from "./layered-map.js";
import { isListable } from "./orders.js";

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
export function* buildLookups(pages: readonly IndexedPage[]): Sliced<Lookups> {
  const entries: PageEntry[] = [];
  const placed = new Map<string, IndexedPage>();
  const bySource = new Map<string, PageEntry>();
  const routes = new Map<string, Map<string, PageEntry>>();
  for (const page of pages) {
    const { entry } = page;
    entries.push(entry);
    placed.set(entry.sourcePath, page);
    bySource.set(entry.sourcePath, entry);
    if (entry.routable) openMap(routes, entry.lang).set(entry.route, entry);
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
    if (entry.routable) openMap(changed, entry.lang).set(entry.route, null);
  }
  for (const page of added) {
    const { entry } = page;
    placed.set(entry.sourcePath, page);
    bySource.set(entry.sourcePath, entry);
    if (entry.routable) openMap(changed, entry.lang).set(entry.route, entry);
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

function openMap<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const map = maps.get(key);
  if (map !== undefined) return map;
  const created = new Map<string, V>();
  maps.set(key, created);
  return created;
}

/** The pages of a folder: its own page in every language, and its flat pages. */
export interface FolderPages {
  own: PageEntry[];
  flat: PageEntry[];
}

interface Made {
  aliases?: ReadonlyMap<string, PageEntry>;
  groups?: LayeredMap<PageEntry[]>;
  folders?: LayeredMap<FolderPages>;
  boundaries?: readonly number[];
  navigation?: readonly PageEntry[];
}

/** Lookups of one generation that not every site needs: built on first use, then updated with the pages. */
export class LazyLookups {
  readonly #pages: readonly IndexedPage[];
  readonly #made: Made;

  /** `pages` in tree order. */
  constructor(pages: readonly IndexedPage[], inherited: Made = {}) {
    this.#pages = pages;
    this.#made = inherited;
  }

  /** Language and alias to the first page that has it. */
  get aliases(): ReadonlyMap<string, PageEntry> {
    return (this.#made.aliases ??= mapAliases(this.#pages));
  }

  /** The page in every language it has, in tree order. */
  translations(page: IndexedPage): readonly PageEntry[] {
    this.#made.groups ??= new LayeredMap(mapGroups(this.#pages));
    return this.#made.groups.get(groupKey(page)) ?? [page.entry];
  }

  /** The pages of a folder below the content folder. */
  folder(path: string): FolderPages | undefined {
    this.#made.folders ??= new LayeredMap(mapFolders(this.#pages));
    return this.#made.folders.get(path);
  }

  /** When pages appear or disappear by their schedule: Unix ms, ascending. */
  get boundaries(): readonly number[] {
    return (this.#made.boundaries ??= mergeBoundaries(this.#pages));
  }

  /** The pages that belong in the navigation, in tree order. */
  get navigation(): readonly PageEntry[] {
    return (this.#made.navigation ??= this.#pages.flatMap(({ entry }) =>
      isInNavigation(entry) ? [entry] : [],
    ));
  }

  /** The lookups of the next generation; reuses those that are built and still valid. */
  *next(pages: readonly IndexedPage[], change: PageChange): Sliced<LazyLookups> {
    const { groups, folders } = this.#made;
    const valid = stillValid(this.#made, change);
    const changed = [...change.removed, ...change.added];
    // All translations of a page are in one folder.
    const touched = foldersWith(change);
    const near = groups || folders ? listPages(pages, touched) : [];
    yield;
    if (folders) valid.folders = yield* folders.next(pickValues(touched.keys(), mapFolders(near)));
    if (groups)
      valid.groups = yield* groups.next(pickValues(changed.map(groupKey), mapGroups(near)));
    return new LazyLookups(pages, valid);
  }
}

/** The lookups that a change does not affect. */
function stillValid({ aliases, boundaries, navigation }: Made, change: PageChange): Made {
  return {
    ...(aliases && keepsAliases(change) && { aliases }),
    ...(boundaries && keepsBoundaries(change) && { boundaries }),
    ...(navigation && keepsNavigation(change) && { navigation }),
  };
}

/** The folders of changed pages, each with one of its added pages, if there is one. */
function foldersWith({ removed, added }: PageChange): Map<string, IndexedPage | null> {
  const folders = new Map<string, IndexedPage | null>();
  for (const { place } of removed) folders.set(place.folder, null);
  for (const page of added) folders.set(page.place.folder, page);
  return folders;
}

/** The pages directly in these folders; the values are one page of each, if known. */
function listPages(
  pages: readonly IndexedPage[],
  folders: ReadonlyMap<string, IndexedPage | null>,
): readonly IndexedPage[] {
  if (folders.size > MAX_SEARCHES) return pages.filter(({ place }) => folders.has(place.folder));
  return [...folders].flatMap(([folder, page]) => {
    const isIn = ({ place }: IndexedPage): boolean => place.folder === folder;
    const span =
      page === null ? findSpan(pages, folder) : widenSpan(pages, folder, pages.indexOf(page));
    return span === null ? [] : pages.slice(span.start, span.end).filter(isIn);
  });
}

/** The current value of each key; null without one. */
function pickValues<V>(keys: Iterable<string>, now: ReadonlyMap<string, V>): Map<string, V | null> {
  const values = new Map<string, V | null>();
  for (const key of keys) values.set(key, now.get(key) ?? null);
  return values;
}

/** True when no alias can change. The first page in tree order owns an alias, so a moved folder matters. */
function keepsAliases({ removed, added }: PageChange): boolean {
  const hasNone = ({ entry }: IndexedPage): boolean => entry.aliases.length === 0;
  return removed.every(hasNone) && added.every(hasNone) && !isReordered({ removed, added });
}

/** True when a remaining page has another order or title. */
function isReordered({ removed, added }: PageChange): boolean {
  const before = new Map(removed.map(({ entry }) => [entry.sourcePath, entry]));
  return added.some(({ entry: { sourcePath, order, isOrdered, title } }) => {
    const old = before.get(sourcePath);
    if (old === undefined) return false;
    return old.order !== order || old.isOrdered !== isOrdered || old.title !== title;
  });
}

function keepsBoundaries({ removed, added }: PageChange): boolean {
  const joinTimes = (pages: readonly IndexedPage[]): string => String(mergeBoundaries(pages));
  return joinTimes(removed) === joinTimes(added);
}

/** True when no page of the navigation changes, appears, disappears or moves. */
function keepsNavigation({ removed, added }: PageChange): boolean {
  const isOutside = ({ entry }: IndexedPage): boolean => !isInNavigation(entry);
  return removed.every(isOutside) && added.every(isOutside) && !isReordered({ removed, added });
}

function isInNavigation(entry: PageEntry): boolean {
  return entry.visible && isListable(entry);
}

function mergeBoundaries(pages: readonly IndexedPage[]): readonly number[] {
  const times = new Set<number>();
  for (const { entry } of pages) {
    // Nearly all pages: avoids allocating an empty list.
    if (entry.publishAt === null && entry.unpublishAt === null) continue;
    for (const time of listBoundaries(entry)) times.add(time);
  }
  return [...times].sort((a, b) => a - b);
}

function mapAliases(pages: readonly IndexedPage[]): Map<string, PageEntry> {
  const aliases = new Map<string, PageEntry>();
  for (const { entry } of pages) {
    for (const alias of entry.routable ? entry.aliases : []) {
      const key = `${entry.lang} ${alias}`;
      if (!aliases.has(key)) aliases.set(key, entry);
    }
  }
  return aliases;
}

function mapFolders(pages: readonly IndexedPage[]): Map<string, FolderPages> {
  const folders = new Map<string, FolderPages>();
  for (const { entry, place } of pages) {
    let pagesOfFolder = folders.get(place.folder);
    if (pagesOfFolder === undefined)
      folders.set(place.folder, (pagesOfFolder = { own: [], flat: [] }));
    (place.isFolderPage ? pagesOfFolder.own : pagesOfFolder.flat).push(entry);
  }
  return folders;
}

function mapGroups(pages: readonly IndexedPage[]): Map<string, PageEntry[]> {
  const groups = new Map<string, PageEntry[]>();
  for (const page of pages) {
    const key = groupKey(page);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [page.entry]);
    else group.push(page.entry);
  }
  return groups;
}

/** Files that are one page in several languages: the same folder page, or the same stem. */
function groupKey({ entry, place }: IndexedPage): string {
  if (place.isFolderPage) return `${place.folder}/`;
  return pageStem(entry.sourcePath, entry.lang);
}

/** Groups pages or files by a key; those without one are omitted. */
export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
