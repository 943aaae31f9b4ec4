/** Finds the page that the path of a reference names, exactly and as other site generators name it. */
import { posix } from "node:path";
import { PAGE_EXTENSION, withoutExtension, withoutOrders } from "#lib/text";
import type { ContentService, Generation, PageEntry } from "../../content/contract.js";
import { isLocalReference } from "../render/html/safe-url.js";

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
    const cached = this.#tables.get(generation);
    if (cached !== undefined) return cached;
    const tables = {
      stems: mapStems(generation),
      folders: mapFolders(generation),
      loose: mapLoose(generation),
    };
    this.#tables.set(generation, tables);
    return tables;
  }
}

function mapStems({ bySource }: Generation): Map<string, PageEntry> {
  const pages = new Map<string, PageEntry>();
  for (const [path, entry] of bySource) {
    const stem = withoutExtension(path);
    if (!pages.has(stem)) pages.set(stem, entry);
  }
  return pages;
}

// The folder's own page has the shortest route of the pages in the folder, and is not below it.
function mapFolders({ entries }: Generation): Map<string, PageEntry> {
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

function mapLoose({ entries }: Generation): Map<string, PageEntry | null> {
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

/** A parsed reference: the decoded path, and its suffix as written. */
export interface Reference {
  path: string;
  /** Query and fragment. */
  suffix: string;
}

/** The fragment with `#`; empty when it is missing or only `#`. */
export function readFragment({ suffix }: Reference): string {
  const mark = suffix.indexOf("#");
  return mark === -1 || mark === suffix.length - 1 ? "" : suffix.slice(mark);
}

/** Null for a reference to another site, or one that cannot be decoded. */
export function splitReference(written: string): Reference | null {
  const url = written.trim();
  if (!isLocalReference(url)) return null;
  const end = url.search(/[?#]/);
  const path = decoded(end === -1 ? url : url.slice(0, end));
  if (path === null || path === "" || path.includes("\0") || path.includes("\\")) return null;
  return { path, suffix: end === -1 ? "" : url.slice(end) };
}

/**
 * Path below the content folder; a root-relative one may name a content file, as in a repository.
 */
export function resolveTarget(from: PageEntry, path: string): string | null {
  const joined = path.startsWith("/") ? path.slice(1) : posix.join(from.folder, path);
  const target = posix.normalize(joined).replace(/(?<!\/)\/+$/, "");
  return target === "" || target === "." || target.startsWith("..") ? null : target;
}

/** False for the path of a file that is no page, such as an image. */
export function mayBePage(path: string): boolean {
  return !/\.[^./]+$/.test(path) || PAGE_EXTENSION.test(path) || /\.html?$/i.test(path);
}

/**
 * Paths that a reference may mean where it names neither a file nor an address: the same one, relative to
 * a page that other generators serve as a folder, or from the root of a folder above. The name of a file
 * may start at the top.
 */
export function looseTargets({ folder, sourcePath }: PageEntry, path: string): string[] {
  if (/^\/*$/.test(path)) return [];
  const folders = [folder, sourcePath.replace(/\.[^./]+$/, "")];
  if (PAGE_EXTENSION.test(path)) folders.push("");
  if (path.startsWith("/")) {
    const above = folder.split("/").filter(Boolean);
    folders.splice(
      0,
      2,
      "",
      ...above.map((_name, at) => above.slice(0, above.length - at).join("/")),
    );
  }
  return folders
    .map((base) => posix.normalize(posix.join(base, path)).replace(/^\/+|\/+$/g, ""))
    .filter((target) => target !== "" && target !== "." && !target.startsWith(".."));
}

/** The folder of a path below the content folder; empty at the top. */
export function parentFolder(target: string): string {
  const folder = posix.dirname(target);
  return folder === "." ? "" : folder;
}

/** Null for malformed percent-encoding. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
