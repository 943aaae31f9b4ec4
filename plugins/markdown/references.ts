import { posix } from "node:path";
import type {
  ContentService,
  Generation,
  MediaItem,
  Page,
  PageEntry,
} from "../content/contract.js";
import type { ImageAttributes } from "./contract.js";
import type { Facts, ReferenceFact } from "./render-options.js";
import { isLocalReference } from "./safe-url.js";

/** What references are resolved with. */
export interface ReferenceSources {
  content: Pick<ContentService, "generation" | "media" | "addresses">;
  /** Language codes. */
  languages: readonly string[];
  imageAttributes(): ImageAttributes | null;
}

/** A reference taken apart: the decoded path and what follows it as written. */
interface Reference {
  path: string;
  suffix: string;
}

// Addresses that have no language: files of themes and media, interfaces, accounts.
const WITHOUT_LANGUAGE =
  /^\/(?:themes|content-media|api|admin|auth|uploads|_site|health|plugins)(?:\/|$)/;
const PAGE_EXTENSIONS = ["", ".md", ".mdx", ".tsx"];

/** Turns what a body refers to into addresses: its media, other content files, root-relative paths. */
export class ReferenceResolver {
  readonly #sources: ReferenceSources;
  readonly #folders = new WeakMap<Generation, ReadonlyMap<string, PageEntry>>();

  constructor(sources: ReferenceSources) {
    this.#sources = sources;
  }

  /** The address of a reference within the page's own folder or to another page; null when unknown. */
  resolve(page: Page, written: string): string | null {
    const reference = splitReference(written);
    if (reference === null) return null;
    const item = this.#ownMedia(page, reference);
    if (item !== undefined) return item.url + reference.suffix;
    return this.#pageUrl(page.entry, reference);
  }

  /** The facts of all references that lead somewhere; media of other folders too. */
  async facts(page: Page, references: readonly string[]): Promise<Facts> {
    const facts = new Map<string, ReferenceFact>();
    const folders = new Map([[page.entry.folder, Promise.resolve(page.media)]]);
    for (const written of references) {
      const fact = await this.#fact(page, written, folders);
      if (fact !== null) facts.set(written, fact);
    }
    return facts;
  }

  /** Read tags of what references lead to, or would lead to once it exists. */
  reads(page: Page, references: readonly string[]): readonly string[] {
    const generation = this.#sources.content.generation();
    const tags = new Set<string>();
    for (const written of references) {
      const reference = splitReference(written);
      for (const target of reference === null ? [] : this.#targets(page.entry, reference)) {
        const entry = this.#entryAt(generation, target);
        tags.add(`page:${entry?.sourcePath ?? target}`);
        if (entry === undefined) tags.add(`media:${folderOf(target)}`);
        else addTranslation(tags, generation.at(entry.route, page.entry.lang));
      }
    }
    return [...tags];
  }

  async #fact(
    page: Page,
    written: string,
    folders: Map<string, Promise<readonly MediaItem[]>>,
  ): Promise<ReferenceFact | null> {
    const reference = splitReference(written);
    if (reference === null) return null;
    const url = this.#pageUrl(page.entry, reference);
    if (url !== null) return { url };
    for (const target of this.#targets(page.entry, reference)) {
      const folder = folderOf(target);
      const media = folders.get(folder) ?? this.#sources.content.media(folder);
      folders.set(folder, media);
      const item = (await media).find(({ name }) => name === posix.basename(target));
      if (item !== undefined) return this.#mediaFact(item, page.entry, reference.suffix);
    }
    return null;
  }

  async #mediaFact(item: MediaItem, page: PageEntry, suffix: string): Promise<ReferenceFact> {
    const fact: ReferenceFact = { url: item.url + suffix };
    if (typeof item.meta["alt"] === "string") fact.alt = item.meta["alt"];
    if (typeof item.meta["title"] === "string") fact.title = item.meta["title"];
    const attributes = this.#sources.imageAttributes();
    if (attributes !== null && item.type.startsWith("image/") && suffix === "") {
      fact.attributes = await attributes(item, page);
    }
    return fact;
  }

  #ownMedia(page: Page, reference: Reference): MediaItem | undefined {
    const names = this.#targets(page.entry, reference)
      .filter((target) => folderOf(target) === page.entry.folder)
      .map((target) => posix.basename(target));
    return page.media.find(({ name }) => names.includes(name));
  }

  /** Paths below the content folder that a reference may mean, the likelier first. */
  #targets(from: PageEntry, { path }: Reference): string[] {
    const target = targetOf(from, path);
    if (target === null) return [];
    // From the root of a repository, as its host shows the text.
    const below = path.startsWith("/")
      ? this.#sources.content.addresses.belowContent(target)
      : null;
    return below === null ? [target] : [target, below];
  }

  #pageUrl(from: PageEntry, reference: Reference): string | null {
    const { path, suffix } = reference;
    const generation = this.#sources.content.generation();
    for (const target of this.#targets(from, reference)) {
      const entry = this.#entryAt(generation, target);
      if (entry === undefined) continue;
      const translated = generation.at(entry.route, from.lang) ?? entry;
      return encodeURI(translated.url) + suffix;
    }
    return path.startsWith("/") ? this.#withLanguage(path, from.lang, suffix) : null;
  }

  #entryAt(generation: Generation, target: string): PageEntry | undefined {
    for (const extension of PAGE_EXTENSIONS) {
      const entry = generation.bySource.get(target + extension);
      if (entry !== undefined) return entry;
    }
    return this.#folderPages(generation).get(target);
  }

  // A folder's own page has the shortest route of the pages in it.
  #folderPages(generation: Generation): ReadonlyMap<string, PageEntry> {
    const known = this.#folders.get(generation);
    if (known !== undefined) return known;
    const pages = new Map<string, PageEntry>();
    for (const entry of generation.entries) {
      const other = pages.get(entry.folder);
      if (other === undefined || entry.route.length < other.route.length) {
        pages.set(entry.folder, entry);
      }
    }
    this.#folders.set(generation, pages);
    return pages;
  }

  #withLanguage(path: string, lang: string, suffix: string): string | null {
    const prefix = this.#sources.content.addresses.prefixOf(lang);
    const hasPrefix = this.#sources.languages.includes(path.split("/")[1] ?? "");
    if (hasPrefix || WITHOUT_LANGUAGE.test(path) || posix.basename(path).includes(".")) return null;
    if (prefix === "") return null;
    return encodeURI(path === "/" ? prefix : prefix + path) + suffix;
  }
}

function addTranslation(tags: Set<string>, translated: PageEntry | undefined): void {
  if (translated !== undefined) tags.add(`page:${translated.sourcePath}`);
}

function splitReference(written: string): Reference | null {
  const url = written.trim();
  if (!isLocalReference(url)) return null;
  const end = url.search(/[?#]/);
  const path = decoded(end === -1 ? url : url.slice(0, end));
  if (path === null || path === "" || path.includes("\0") || path.includes("\\")) return null;
  return { path, suffix: end === -1 ? "" : url.slice(end) };
}

// Path below the content folder; a root-relative one may name a content file, as in a repository.
function targetOf(from: PageEntry, path: string): string | null {
  const joined = path.startsWith("/") ? path.slice(1) : posix.join(from.folder, path);
  const target = posix.normalize(joined).replace(/\/+$/, "");
  return target === "" || target === "." || target.startsWith("..") ? null : target;
}

function folderOf(target: string): string {
  const folder = posix.dirname(target);
  return folder === "." ? "" : folder;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
