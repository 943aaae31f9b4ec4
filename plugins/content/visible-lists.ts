/** What one kind of viewer sees of a generation: lists made once, then only looked up. */
import type { PageEntry, Viewer } from "./contract.js";
import type { ContentIndex } from "./content-index.js";
import { meetsRoles } from "./gating.js";
import type { Direction, OrderBy } from "./orders.js";
import { isReleased } from "./schedule.js";

/** Name to value to pages, newest first. */
export type Postings = ReadonlyMap<string, ReadonlyMap<string, readonly PageEntry[]>>;

const memoLimit = 256;

/** The visible pages of a generation between two boundaries of its schedule. */
export class VisibleLists {
  readonly #index: ContentIndex;
  readonly #sees: (entry: PageEntry) => boolean;
  readonly #memo = new Map<string, unknown>();

  constructor(index: ContentIndex, sees: (entry: PageEntry) => boolean) {
    this.#index = index;
    this.#sees = sees;
  }

  /** Every listable page of a language, sorted. */
  ordered(lang: string, by: OrderBy = "tree", dir: Direction = "asc"): readonly PageEntry[] {
    return this.once(`ordered ${lang} ${by} ${dir}`, isEntries, () =>
      this.#index.orders.get(by, dir).filter((entry) => entry.lang === lang && this.#sees(entry)),
    );
  }

  /** The pages directly below a route, in tree order; below `/` all top-level pages but home. */
  children(lang: string, route: string): readonly PageEntry[] {
    const byParent = this.once(`children ${lang}`, isMapOfEntries, () =>
      groupBy(this.ordered(lang), (entry) => (entry.route === "/" ? null : (entry.parent ?? "/"))),
    );
    return byParent.get(route) ?? [];
  }

  /** Every page below a route, in tree order. */
  descendants(lang: string, route: string): readonly PageEntry[] {
    if (route === "/") return this.ordered(lang).filter((entry) => entry.route !== "/");
    const prefix = `${route}/`;
    return this.ordered(lang).filter(
      ({ parent }) => parent !== null && (parent === route || parent.startsWith(prefix)),
    );
  }

  /** The modules of the page at a route, in tree order. */
  modules(lang: string, route: string): readonly PageEntry[] {
    const byParent = this.once(`modules ${lang}`, isMapOfEntries, () =>
      groupBy(this.#allModules(lang), (entry) => entry.parent ?? "/"),
    );
    return byParent.get(route) ?? [];
  }

  #allModules(lang: string): readonly PageEntry[] {
    return this.#index.entries.filter(
      (entry) => entry.isModule && entry.lang === lang && this.#sees(entry),
    );
  }

  taxonomy(lang: string): Postings {
    return this.once(`taxonomy ${lang}`, isPostings, () =>
      postingsOf(this.ordered(lang, "date", "desc")),
    );
  }

  templates(lang: string): ReadonlyMap<string, readonly PageEntry[]> {
    return this.once(`templates ${lang}`, isMapOfEntries, () =>
      groupBy(this.ordered(lang), (entry) => entry.template),
    );
  }

  /** What is made once under a key; the oldest of 256 goes. */
  once<T>(key: string, isT: (value: unknown) => value is T, make: () => T): T {
    const known = this.#memo.get(key);
    if (isT(known)) return known;
    const made = make();
    if (this.#memo.size >= memoLimit) {
      for (const oldest of this.#memo.keys()) {
        this.#memo.delete(oldest);
        break;
      }
    }
    this.#memo.set(key, made);
    return made;
  }
}

/** The lists of a viewer at a moment; viewers with the same roles share them. */
export function visibleLists(index: ContentIndex, viewer: Viewer, now: number): VisibleLists {
  const key = `visible ${epochOf(index.boundaries, now)} ${viewerKey(viewer)}`;
  const sees = (entry: PageEntry): boolean =>
    isReleased(entry, now) && (seesGated(viewer) || meetsRoles(entry.roles, viewer));
  return index.once(key, () => new VisibleLists(index, sees), isVisibleLists);
}

/** The pages that are not released: for those who may see them. */
export function unreleasedLists(index: ContentIndex, now: number): VisibleLists {
  const key = `unreleased ${epochOf(index.boundaries, now)}`;
  const sees = (entry: PageEntry): boolean => !isReleased(entry, now);
  return index.once(key, () => new VisibleLists(index, sees), isVisibleLists);
}

/** True for those who read every page, whatever roles it asks for. */
function seesGated({ seesUnpublished, onlyOpen }: Viewer): boolean {
  return seesUnpublished && onlyOpen !== true;
}

function viewerKey(viewer: Viewer): string {
  if (seesGated(viewer)) return "all";
  const { roles } = viewer;
  return roles === null ? "anonymous" : JSON.stringify([...roles].sort());
}

/** How many boundaries have passed. */
export function epochOf(boundaries: readonly number[], now: number): number {
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((boundaries[middle] ?? 0) <= now) low = middle + 1;
    else high = middle;
  }
  return low;
}

function postingsOf(entries: readonly PageEntry[]): Map<string, Map<string, PageEntry[]>> {
  const postings = new Map<string, Map<string, PageEntry[]>>();
  for (const entry of entries) {
    for (const [name, values] of Object.entries(entry.taxonomy)) {
      let byValue = postings.get(name);
      if (byValue === undefined) postings.set(name, (byValue = new Map()));
      for (const value of values) {
        const list = byValue.get(value);
        if (list === undefined) byValue.set(value, [entry]);
        else list.push(entry);
      }
    }
  }
  return postings;
}

function groupBy(
  entries: readonly PageEntry[],
  keyOf: (entry: PageEntry) => string | null,
): Map<string, PageEntry[]> {
  const groups = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

function isVisibleLists(value: unknown): value is VisibleLists {
  return value instanceof VisibleLists;
}

/** True for a list made under its own kind of key. */
export function isEntries(value: unknown): value is readonly PageEntry[] {
  return Array.isArray(value);
}

function isMapOfEntries(value: unknown): value is ReadonlyMap<string, readonly PageEntry[]> {
  return value instanceof Map;
}

function isPostings(value: unknown): value is Postings {
  return value instanceof Map;
}
