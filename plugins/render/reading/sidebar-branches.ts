/** The sidebar of a large tree: each page has the entries around it, and other groups are loaded when opened. */
import { sha256 } from "#lib/secrets";
import type { AdjacentPages, PageLink, SidebarItem, SidebarMore } from "../contract.js";

/** Maximum number of entries in a page. A tree with fewer is in each of its pages. */
export const MAX_ENTRIES = 200;
/** Beginning of the addresses of branches. */
export const BRANCHES = "/_site/sidebar";
/** Number of entries that are loaded together. */
const PART = 100;
/** Maximum number of pages whose entries are cached. */
const MAX_CACHED = 1_000;
/** Digits of the digest that names a list. */
const ID_LENGTH = 12;

/** The name of a branch: a list, and the number of one of its parts; null: a group that is opened. */
export interface BranchName {
  readonly id: string;
  readonly part: number | null;
}

/** The entries of a branch. */
export interface SidebarBranch {
  readonly items: readonly SidebarItem[];
  /** The group that is opened, whose page is its first entry; null for further parts of a list. */
  readonly group: SidebarItem | null;
}

/** One list of entries: those of a group, or the top level. */
interface List {
  readonly id: string;
  readonly items: readonly SidebarItem[];
  /** Null: the top level. */
  readonly group: SidebarItem | null;
  readonly above: Place | null;
}

/** The position of an entry. */
interface Place {
  readonly list: List;
  readonly at: number;
}

/** What distinguishes a tree from the others of the site. */
interface TreeNames {
  readonly lang: string;
  /** Of its version and section. */
  readonly name: string;
}

/** All entries of a tree, and the part of them that a page has. */
export class SidebarTree {
  readonly #top: List;
  readonly #lang: string;
  readonly #lists = new Map<string, List>();
  readonly #listOf = new Map<SidebarItem, List>();
  /** The first entry of each page. */
  readonly #places = new Map<string, Place>();
  readonly #pages: SidebarItem[] = [];
  readonly #order = new Map<string, number>();
  // Not in site.cache: they live with the tree, and their identity counts.
  readonly #closed = new Map<SidebarItem, SidebarItem>();
  readonly #shown = new Map<string, readonly SidebarItem[]>();
  #size = 0;

  constructor(items: readonly SidebarItem[], { lang, name }: TreeNames) {
    this.#lang = lang;
    this.#top = { id: toId(name), items, group: null, above: null };
    this.#add(this.#top, name);
  }

  #add(list: List, path: string): void {
    this.#lists.set(list.id, list);
    const names = new Set<string>();
    this.#size += list.items.length;
    for (const [at, item] of list.items.entries()) {
      const { route, url, items } = item;
      const place = { list, at };
      if (route !== null && !this.#places.has(route)) {
        this.#places.set(route, place);
        if (url !== null) this.#order.set(route, this.#pages.push(item) - 1);
      }
      if (items.length === 0) continue;
      const name = route ?? item.title;
      const below = `${path}\n${names.has(name) ? `${name} ${at}` : name}`;
      names.add(name);
      const own = { id: toId(below), items, group: item, above: place };
      this.#listOf.set(item, own);
      this.#add(own, below);
    }
  }

  /**
   * The entries beside the page at `route`: all of a small tree; of a large one the lists on the way to
   * the page and its children, at most `MAX_ENTRIES` together.
   */
  entriesOf(route: string): readonly SidebarItem[] {
    if (this.#size <= MAX_ENTRIES) return this.#top.items;
    const place = this.#places.get(route);
    // All pages that are not in the tree have the same entries.
    const key = place === undefined ? "" : route;
    const cached = this.#shown.get(key);
    if (cached !== undefined) return cached;
    if (this.#shown.size >= MAX_CACHED) this.#shown.clear();
    const shown = this.#cut(place);
    this.#shown.set(key, shown);
    return shown;
  }

  #cut(place: Place | undefined): readonly SidebarItem[] {
    const way: Place[] = [];
    for (let above = place ?? null; above !== null; above = above.list.above) way.push(above);
    if (place === undefined) way.push({ list: this.#top, at: 0 });
    const page = place?.list.items[place.at];
    const children = page === undefined ? undefined : this.#listOf.get(page);
    const lists = way.map(({ list }) => list).concat(children ?? []);
    const limit = fairLimit(lists.map(({ items }) => items.length));
    let below = children === undefined ? null : this.#slice(children, { from: 0, to: limit });
    for (const { list, at } of way) {
      const latest = list.items.length - limit;
      const from = Math.max(0, Math.min(at - Math.floor(limit / 2), latest));
      below = this.#slice(list, { from, to: from + limit, open: { at, items: below ?? [] } });
    }
    return below ?? [];
  }

  /** Entries of a list, with the ways to those before and after them. */
  #slice(list: List, { from, to, open }: Slice): readonly SidebarItem[] {
    const { items } = list;
    const shown = items.slice(from, to).map((item, index) => {
      const isOpen = from + index === open?.at && open.items.length > 0;
      return isOpen ? { ...item, items: open.items } : this.#closedOf(item);
    });
    const end = from + shown.length;
    if (end < items.length) {
      shown.push(this.#more(list, end, { side: "after", count: items.length - end }));
    }
    if (from > 0) shown.unshift(this.#more(list, from - 1, { side: "before", count: from }));
    return shown;
  }

  /** An entry without those below it, which are loaded when it is opened. */
  #closedOf(item: SidebarItem): SidebarItem {
    const list = this.#listOf.get(item);
    if (list === undefined) return item;
    const cached = this.#closed.get(item);
    if (cached !== undefined) return cached;
    const closed = {
      ...item,
      url: firstUrl(item),
      items: [],
      branch: this.#addressOf({ id: list.id, part: null }),
    };
    this.#closed.set(item, closed);
    return closed;
  }

  /** Stands for the entries before or after those that are shown, of which the nearest is at `at`. */
  #more(list: List, at: number, { side, count }: Pick<SidebarMore, "side" | "count">): SidebarItem {
    const nearest = list.items[at];
    const part = Math.floor(at / PART);
    return {
      title: "…",
      url: nearest === undefined ? null : firstUrl(nearest),
      route: null,
      items: [],
      branch: this.#addressOf({ id: list.id, part }),
      more: { side, count, at: at - part * PART },
    };
  }

  #addressOf({ id, part }: BranchName): string {
    return `${BRANCHES}/${this.#lang}/${id}${part === null ? "" : `.${part}`}.html`;
  }

  /** The entries of a branch of this tree; null: it has no such branch. */
  branch({ id, part }: BranchName): SidebarBranch | null {
    const list = this.#lists.get(id);
    const from = (part ?? 0) * PART;
    if (list === undefined || from >= list.items.length) return null;
    const items = this.#slice(list, { from, to: from + PART });
    return { items, group: part === null ? list.group : null };
  }

  /** The pages before and after one, across groups; null at the ends and for a page that is not in the tree. */
  adjacentTo(route: string): AdjacentPages {
    const at = this.#order.get(route);
    if (at === undefined) return { before: null, after: null };
    return { before: toLink(this.#pages[at - 1]), after: toLink(this.#pages[at + 1]) };
  }
}

/** Positions in a list, and the entry that is open, with the entries to show below it. */
interface Slice {
  readonly from: number;
  readonly to: number;
  readonly open?: { readonly at: number; readonly items: readonly SidebarItem[] };
}

/** The length to which lists are cut to have at most `MAX_ENTRIES` together: short ones leave their share. */
function fairLimit(lengths: readonly number[]): number {
  let left = MAX_ENTRIES;
  const sorted = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return Math.max(1, share);
    left -= length;
  }
  return MAX_ENTRIES;
}

/** The address of an entry, or of the first one below it that has one. */
function firstUrl({ url, items }: SidebarItem): string | null {
  if (url !== null) return url;
  for (const item of items) {
    const found = firstUrl(item);
    if (found !== null) return found;
  }
  return null;
}

function toLink(item: SidebarItem | undefined): PageLink | null {
  if (item === undefined) return null;
  const { title, url, lang } = item;
  return { title, url: url ?? "/", ...(lang !== undefined && { lang }) };
}

function toId(path: string): string {
  return sha256(path).slice(0, ID_LENGTH);
}

/** Reads the name of a branch from its file; null for other files. */
export function parseBranch(file: string): BranchName | null {
  const [, id, part] = /^([0-9a-f]{12})(?:\.(\d{1,6}))?\.html$/.exec(file) ?? [];
  return id === undefined ? null : { id, part: part === undefined ? null : Number(part) };
}
