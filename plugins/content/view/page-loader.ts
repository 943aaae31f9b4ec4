/** Loads pages with body and media on demand. */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { LRUCache } from "lru-cache";
import { HttpError, type Hooks } from "#kernel";
import { isMissing } from "#lib/errors";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentView, MediaItem, Page, PageEntry, PageVersion } from "../contract.js";
import { type FirstRead, errorCode } from "../read/read-source.js";
import { digest, MAX_PAGE_BYTES } from "../read/source-record.js";
import { unreadable } from "../read/unread-files.js";

/** Maximum size of cached pages while the folder is watched, in bytes. */
const MAX_BYTES = 32 * 1_024 * 1_024;
/** Maximum reads of a constantly changing file before the request fails with 503. */
const MAX_TRIES = 5;

/** Dependencies of the loader. */
export interface LoaderOptions {
  /** Absolute path of the content folder. */
  root: string;
  hooks: Pick<Hooks, "transform">;
  /** The current index. */
  index(): Pick<ContentIndex, "bySource" | "isLastGood">;
  refresh(paths: readonly string[]): Promise<void>;
  media(folder: string): Promise<readonly MediaItem[]>;
  /** True while the index is notified of every change, so cached pages need no check. */
  isWatching(): boolean;
  /** True when no other work is waiting (an export): synchronous reads cost a fifth of promises. */
  isExport?: boolean;
  /** Pages that were read a moment ago. */
  firstRead?: FirstRead | null;
  /** True keeps the last good version of pages whose file becomes invalid. */
  keepsLastGood?: boolean;
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Loads pages, always in the version of the index. */
export class PageLoader {
  readonly #options: LoaderOptions;
  // Not in site.cache: clearing caches must not lose the last good version of pages.
  readonly #kept = new LRUCache<string, Page>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ entry }) => entry.size + 1_000,
  });

  constructor(options: LoaderOptions) {
    this.#options = options;
  }

  /**
   * The page of an entry, after onMediaDiscovered and onPageLoaded.
   * @throws HttpError 404 when the viewer may not see it or the file was deleted; 503 when it cannot be read.
   */
  async load(entry: PageEntry, view: ContentView): Promise<Page> {
    if (!view.canSee(entry)) throw notFound();
    const page = await this.read(entry);
    // The file may have changed since indexing and be hidden now.
    if (page === null || !view.canSee(page.entry)) throw notFound();
    return this.loaded(page);
  }

  /** Fires onMediaDiscovered and onPageLoaded. */
  async loaded(page: Page): Promise<Page> {
    const { hooks } = this.#options;
    const discovered = await hooks.transform("onMediaDiscovered", {
      media: page.media,
      page: page.entry,
    });
    const shown = discovered.media === page.media ? page : { ...page, media: discovered.media };
    const loaded = await hooks.transform("onPageLoaded", { page: shown });
    return loaded.page;
  }

  /** The page at a path below `content/`; null when it is not indexed. */
  async source(path: string): Promise<Page | null> {
    const { bySource } = this.#options.index();
    const entry = bySource.get(path) ?? bySource.get(path.replace(/^content\//, ""));
    return entry === undefined ? null : this.read(entry);
  }

  /** The page as it is on disk; null when it was deleted or is no longer a page. @throws HttpError 503 */
  async read(entry: PageEntry): Promise<Page | null> {
    if (!this.#options.isWatching()) return this.#readFile(entry);
    const cached = this.#kept.get(entry.sourcePath);
    const isCurrent =
      cached?.entry === entry && cached.media === (await this.#options.media(entry.folder));
    return isCurrent ? cached : this.#readFile(entry);
  }

  /** The source of exactly the version of an entry, read synchronously; null when the file has changed. */
  version({ sourcePath, hash, bodyOffset }: PageEntry): PageVersion | null {
    try {
      const { firstRead, root } = this.#options;
      const read = firstRead?.take(hash);
      if (read !== undefined) return splitText(read, bodyOffset);
      // The path is not resolved, which took 11 % of a cold start with 100,000 pages: the digest rejects other content.
      const bytes = readBytes(join(root, sourcePath));
      return bytes !== null && digest(bytes) === hash ? splitText(bytes, bodyOffset) : null;
    } catch {
      return null;
    }
  }

  /**
   * Text and entry are of the same version: a mismatch would stay cached after the file is restored.
   * @throws HttpError 503 when the file exists but cannot be read.
   */
  async #readFile(entry: PageEntry): Promise<Page | null> {
    const { sourcePath } = entry;
    let current: PageEntry | undefined = entry;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const bytes = await this.bytes(sourcePath);
      if (Buffer.isBuffer(bytes) && digest(bytes) === current.hash)
        return this.#page(current, bytes);
      await this.#options.refresh([sourcePath]);
      current = this.#options.index().bySource.get(sourcePath);
      if (current === undefined) return null;
      if (this.#options.index().isLastGood(sourcePath)) return this.#lastGood(current);
      if (bytes === "unreadable") break;
    }
    const cached = this.#kept.get(sourcePath);
    if (cached?.entry.hash !== current.hash) throw unreadable(sourcePath);
    return { ...cached, entry: current, media: await this.#options.media(current.folder) };
  }

  /** The cached page of the last valid version; null when it is not cached. */
  async #lastGood(entry: PageEntry): Promise<Page | null> {
    const cached = this.#kept.get(entry.sourcePath);
    if (cached?.entry.hash !== entry.hash) return null;
    return { ...cached, entry, media: await this.#options.media(entry.folder) };
  }

  /** Reads pages into the cache, so that their last good version is available when files become invalid. */
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
    const page = { entry, ...splitText(bytes, entry.bodyOffset), media };
    this.#kept.set(entry.sourcePath, page);
    return page;
  }

  /** The bytes of a page's file; null for a file that was deleted or is no longer a page. */
  async bytes(sourcePath: string): Promise<Buffer | "unreadable" | null> {
    const { root, isExport } = this.#options;
    try {
      if (isExport) return bytesInside(root, join(root, sourcePath));
      const [realRoot, file] = await Promise.all([
        realpath(root),
        realpath(join(root, sourcePath)),
      ]);
      if (!file.startsWith(realRoot + sep)) return null;
      const handle = await open(file, FLAGS);
      try {
        const stats = await handle.stat();
        return stats.isFile() && stats.size <= MAX_PAGE_BYTES ? await handle.readFile() : null;
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (errorCode(error) === "ERROR") throw error;
      return isMissing(error) || errorCode(error) === "ELOOP" ? null : "unreadable";
    }
  }
}

function splitText(bytes: Buffer, bodyOffset: number): PageVersion {
  return { raw: bytes.toString("utf8"), body: bytes.toString("utf8", bodyOffset) };
}

/** Reads the bytes of a page synchronously; null when it is not a file, or links out of the folder. */
function bytesInside(root: string, path: string): Buffer | null {
  const file = realpathSync.native(path);
  return file.startsWith(realpathSync.native(root) + sep) ? readBytes(file) : null;
}

/** Null for what is not a file, or too large. @throws errors of the disk. */
function readBytes(file: string): Buffer | null {
  const handle = openSync(file, FLAGS);
  try {
    const stats = fstatSync(handle);
    return stats.isFile() && stats.size <= MAX_PAGE_BYTES ? readFileSync(handle) : null;
  } finally {
    closeSync(handle);
  }
}

function notFound(): HttpError {
  return new HttpError(404, "Not found");
}
