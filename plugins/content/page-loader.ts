/** Pages with body and media, read when they are needed. */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { LRUCache } from "lru-cache";
import { HttpError, type Hooks } from "#kernel";
import type { ContentIndex } from "./content-index.js";
import type { ContentView, MediaItem, Page, PageEntry, PageVersion } from "./contract.js";
import { errorCode, isMissing } from "./read-source.js";
import { digest, maxPageBytes } from "./source-record.js";
import { unreadable } from "./unread-files.js";

/** Bytes of the pages that are kept while the folder is watched. */
const keptBytes = 32 * 1_024 * 1_024;
/** Reads of a file that changes all the time before its reader is asked to come back. */
const MAX_TRIES = 5;

/** What loading needs. */
export interface LoaderOptions {
  /** Absolute path of the content folder. */
  root: string;
  hooks: Pick<Hooks, "transform" | "has">;
  /** As it is now. */
  index(): Pick<ContentIndex, "bySource" | "isLastGood">;
  refresh(paths: readonly string[]): Promise<void>;
  media(folder: string): Promise<readonly MediaItem[]>;
  /** The same while it is in memory. */
  keptMedia(folder: string): readonly MediaItem[] | undefined;
  /** While true the index hears of every change, and pages it has not heard of need no second look. */
  isWatching(): boolean;
  /** True where nobody waits besides this work: an export reads at a fifth of the cost of promises. */
  isAlone?: boolean;
  /** True where pages whose file becomes invalid stay as they were. */
  keepsLastGood?: boolean;
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Loads pages; what it hands out is always of the version that the index knows. */
export class PageLoader {
  readonly #options: LoaderOptions;
  // Not in site.cache: it has the last good version of pages, which clearing caches must not lose.
  readonly #kept = new LRUCache<string, Page>({
    maxSize: keptBytes,
    sizeCalculation: ({ entry }) => entry.size + 1_000,
  });

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /**
   * The page of an entry, through onMediaDiscovered and onPageLoaded.
   * @throws HttpError 404 when the viewer may not see it, or the file is gone; 503 when it cannot be read.
   */
  async load(entry: PageEntry, view: ContentView): Promise<Page> {
    if (!view.canSee(entry)) throw notFound();
    const page = await this.read(entry);
    // The file may have changed since the index was made, and be hidden now.
    if (page === null || !view.canSee(page.entry)) throw notFound();
    const { hooks } = this.#options;
    const found = await hooks.transform("onMediaDiscovered", {
      media: page.media,
      page: page.entry,
    });
    const shown = found.media === page.media ? page : { ...page, media: found.media };
    const loaded = await hooks.transform("onPageLoaded", { page: shown });
    return loaded.page;
  }

  /** What `load` would give, from memory alone; null when it would have to look, wait or refuse. */
  loaded(entry: PageEntry, view: Pick<ContentView, "canSee">): Page | null {
    const { hooks, isWatching, keptMedia } = this.#options;
    if (!isWatching() || hooks.has("onMediaDiscovered") || hooks.has("onPageLoaded")) return null;
    const kept = this.#kept.get(entry.sourcePath);
    if (kept?.entry !== entry || kept.media !== keptMedia(entry.folder)) return null;
    return view.canSee(entry) ? kept : null;
  }

  /** The page as it lies on the disk; null when it is gone or no page any more. @throws HttpError 503 */
  async read(entry: PageEntry): Promise<Page | null> {
    if (!this.#options.isWatching()) return this.#readFile(entry);
    const kept = this.#kept.get(entry.sourcePath);
    const isCurrent =
      kept?.entry === entry && kept.media === (await this.#options.media(entry.folder));
    return isCurrent ? kept : this.#readFile(entry);
  }

  /** The source of exactly the version that an entry describes, at once; null when the file is another. */
  version({ sourcePath, hash, bodyOffset }: PageEntry): PageVersion | null {
    try {
      const bytes = bytesInside(this.#options.root, join(this.#options.root, sourcePath));
      return bytes !== null && digest(bytes) === hash ? textsOf(bytes, bodyOffset) : null;
    } catch {
      return null;
    }
  }

  /**
   * The text and the entry are of one version: a text under another version's entry would stay after
   * the file is put back.
   * @throws HttpError 503 when the file is there, but cannot be read.
   */
  async #readFile(entry: PageEntry): Promise<Page | null> {
    const { sourcePath } = entry;
    let current: PageEntry | undefined = entry;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const bytes = await this.#bytes(sourcePath);
      if (Buffer.isBuffer(bytes) && digest(bytes) === current.hash)
        return this.#page(current, bytes);
      await this.#options.refresh([sourcePath]);
      current = this.#options.index().bySource.get(sourcePath);
      if (current === undefined) return null;
      if (this.#options.index().isLastGood(sourcePath)) return this.#lastGood(current);
      if (bytes === "unreadable") break;
    }
    const kept = this.#kept.get(sourcePath);
    if (kept?.entry.hash !== current.hash) throw unreadable(sourcePath);
    return { ...kept, entry: current, media: await this.#options.media(current.folder) };
  }

  /** The page as it was read while its file was valid; null when it was not, or has left the cache. */
  async #lastGood(entry: PageEntry): Promise<Page | null> {
    const cached = this.#kept.get(entry.sourcePath);
    if (cached?.entry.hash !== entry.hash) return null;
    return { ...cached, entry, media: await this.#options.media(entry.folder) };
  }

  /** Reads pages into the cache, so that their last good version is there when their files become invalid. */
  async readAhead(entries: Iterable<PageEntry>): Promise<void> {
    for (const { sourcePath } of entries) {
      const { keepsLastGood, isWatching } = this.#options;
      if (keepsLastGood !== true || !isWatching()) return;
      const entry = this.#options.index().bySource.get(sourcePath);
      if (entry !== undefined) await this.read(entry).catch(() => null);
    }
  }

  async #page(entry: PageEntry, bytes: Buffer): Promise<Page> {
    const media = await this.#options.media(entry.folder);
    const page = { entry, ...textsOf(bytes, entry.bodyOffset), media };
    this.#kept.set(entry.sourcePath, page);
    return page;
  }

  /** Null for a file that is gone, or no page any more. */
  async #bytes(sourcePath: string): Promise<Buffer | "unreadable" | null> {
    const { root, isAlone } = this.#options;
    try {
      if (isAlone) return bytesInside(root, join(root, sourcePath));
      const [realRoot, file] = await Promise.all([
        realpath(root),
        realpath(join(root, sourcePath)),
      ]);
      if (!file.startsWith(realRoot + sep)) return null;
      const handle = await open(file, FLAGS);
      try {
        const stats = await handle.stat();
        return stats.isFile() && stats.size <= maxPageBytes ? await handle.readFile() : null;
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (errorCode(error) === "ERROR") throw error;
      return isMissing(error) || errorCode(error) === "ELOOP" ? null : "unreadable";
    }
  }
}

function textsOf(bytes: Buffer, bodyOffset: number): PageVersion {
  return { raw: bytes.toString("utf8"), body: bytes.toString("utf8", bodyOffset) };
}

/** The bytes of a page without promises; null when it is none, or a link out of the folder. */
function bytesInside(root: string, path: string): Buffer | null {
  const file = realpathSync.native(path);
  if (!file.startsWith(realpathSync.native(root) + sep)) return null;
  const handle = openSync(file, FLAGS);
  try {
    const stats = fstatSync(handle);
    return stats.isFile() && stats.size <= maxPageBytes ? readFileSync(handle) : null;
  } finally {
    closeSync(handle);
  }
}

function notFound(): HttpError {
  return new HttpError(404, "Not found");
}
