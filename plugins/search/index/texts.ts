import type { Caches, CacheSpace, SiteContext } from "#kernel";
import type { PageEntry, PageVersion } from "../../content/contract.js";

/** Bytes of plain text that are cached for excerpts; other texts are read again. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Plain texts of pages, in exactly the version of an entry; caches recently shown ones. */
export class Texts {
  /** Addresses of pages whose text could not be read in the version of their entry. */
  readonly unread = new Set<string>();
  /** Called when an address is added to `unread`. */
  onUnread: () => void = () => undefined;
  readonly #site: SiteContext;
  /** By source path and hash. */
  readonly #texts: CacheSpace<string>;

  constructor(site: SiteContext, caches: Pick<Caches, "open"> = site.cache) {
    this.#site = site;
    this.#texts = caches.open<string>("search-texts", {
      ...{ maxBytes: MAX_BYTES, untagged: true, sizeOf: ({ length }) => length },
    });
  }

  /** The unread routes of pages that exist: a deleted one is never read, and would delay all retries. */
  unreadOf(exists: (route: string) => boolean): string[] {
    for (const route of this.unread) if (!exists(route)) this.unread.delete(route);
    return [...this.unread];
  }

  /** The text of a page; empty when its file cannot be read or its format fails. */
  read(entry: PageEntry): string | Promise<string> {
    const version = this.#site.use("content").version(entry);
    if (version === null) return this.#readCurrent(entry);
    this.unread.delete(entry.url);
    return this.#textOf(entry, version);
  }

  /** Like `read`, but uses the cache. */
  async load(entry: PageEntry): Promise<string> {
    const key = keyOf(entry);
    const cached = this.#texts.peek(key);
    if (cached !== undefined) return cached;
    const version = this.#site.use("content").version(entry);
    if (version === null) return this.#readCurrent(entry);
    const text = this.#textOf(entry, version);
    this.#texts.set(key, text);
    return text;
  }

  /** The file has another version than the entry: the index has yet to update. */
  async #readCurrent(entry: PageEntry): Promise<string> {
    try {
      const page = await this.#site.use("content").source(entry.sourcePath);
      // A file that changes back before the next refresh seems unchanged, so read it again.
      if (page?.entry.hash === entry.hash) this.unread.delete(entry.url);
      else this.#readLater(entry);
      if (page === null) return "";
      const text = this.#textOf(page.entry, page);
      this.#texts.set(keyOf(page.entry), text);
      return text;
    } catch (error) {
      this.#site.log.warn("search.unreadable", { page: entry.sourcePath, error: String(error) });
      this.#readLater(entry);
      return "";
    }
  }

  #readLater({ url }: PageEntry): void {
    this.unread.add(url);
    this.onUnread();
  }

  #textOf(entry: PageEntry, { raw, body }: PageVersion): string {
    try {
      return this.#site.use("markdown").text({ entry, raw, body, media: [] });
    } catch (error) {
      this.#site.log.warn("search.unreadable", { page: entry.sourcePath, error: String(error) });
      return "";
    }
  }
}

function keyOf({ sourcePath, hash }: PageEntry): string {
  return `${sourcePath}\n${hash}`;
}
