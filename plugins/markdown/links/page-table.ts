/** Pages by the paths of their files, exactly and as other generators of sites name them. */
import { posix } from "node:path";
import { PAGE_EXTENSION, withoutExtension, withoutOrders } from "#kernel/internal";
import type { ContentService, Generation, PageEntry } from "../../content/contract.js";
import { mayBePage } from "./split-reference.js";

const HTML = /\.html?$/i;
const DATE = /(^|\/)\d{4}-\d{2}-\d{2}-(?=[^/])/g;

interface Tables {
  /** Pages by their files without the extension. */
  readonly stems: ReadonlyMap<string, PageEntry>;
  /** The page of each folder. */
  readonly folders: ReadonlyMap<string, PageEntry>;
  /** By loose key; null when pages with several addresses have it. */
  readonly loose: ReadonlyMap<string, PageEntry | null>;
}

/** Finds pages by paths below the content folder. */
export class PageTable {
  readonly #content: Pick<ContentService, "generation">;
  // Not in site.cache: tables of one generation of the index, which go with it.
  readonly #tables = new WeakMap<Generation, Tables>();

  constructor(content: Pick<ContentService, "generation">) {
    this.#content = content;
  }

  /** The page of a file, with or without its extension, or of a folder. */
  at(target: string): PageEntry | undefined {
    const generation = this.#content.generation();
    const exact = generation.bySource.get(target);
    if (exact !== undefined) return exact;
    const { stems, folders } = this.#of(generation);
    return stems.get(target) ?? folders.get(target);
  }

  /**
   * The page of a path in other letters, with `.html`, without the date or number of its file, or of its
   * route; undefined when several are meant.
   */
  loosely(target: string): PageEntry | undefined {
    if (!mayBePage(target)) return undefined;
    return this.#of(this.#content.generation()).loose.get(looseKey(target)) ?? undefined;
  }

  #of(generation: Generation): Tables {
    const known = this.#tables.get(generation);
    if (known !== undefined) return known;
    const tables = {
      stems: stemsOf(generation),
      folders: foldersOf(generation),
      loose: looseOf(generation),
    };
    this.#tables.set(generation, tables);
    return tables;
  }
}

function stemsOf({ bySource }: Generation): Map<string, PageEntry> {
  const pages = new Map<string, PageEntry>();
  for (const [path, entry] of bySource) {
    const stem = withoutExtension(path);
    if (!pages.has(stem)) pages.set(stem, entry);
  }
  return pages;
}

// The folder's own page has the shortest route of the pages in the folder, and is not below it.
function foldersOf({ entries }: Generation): Map<string, PageEntry> {
  const pages = new Map<string, PageEntry>();
  for (const entry of entries) {
    if (entry.depth >= entry.folder.split("/").length) continue;
    const other = pages.get(entry.folder);
    if (other === undefined || entry.route.length < other.route.length) {
      pages.set(entry.folder, entry);
    }
  }
  return pages;
}

function looseOf({ entries }: Generation): Map<string, PageEntry | null> {
  const pages = new Map<string, PageEntry | null>();
  for (const entry of entries) {
    if (!entry.routable) continue;
    for (const key of new Set([looseKey(entry.sourcePath), looseKey(entry.route.slice(1))])) {
      const other = pages.get(key);
      if (other === undefined) pages.set(key, entry);
      else if (other !== null && other.route !== entry.route) pages.set(key, null);
    }
  }
  return pages;
}

function looseKey(path: string): string {
  const stem = path.replace(PAGE_EXTENSION, "").replace(HTML, "").toLowerCase();
  const plain = withoutOrders(stem).replace(DATE, "$1");
  return posix.basename(plain) === "index" ? posix.dirname(plain).replace(/^\.$/, "") : plain;
}
