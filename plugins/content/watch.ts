/** Tells about changed files: events are gathered, and lost ones end in a look at everything. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "#kernel";
import { FolderWatchers } from "./folder-watchers.js";
import { runInSlices } from "./slices.js";
import { isIgnoredName } from "./source-name.js";

/** What to watch and whom to tell. */
export interface WatchOptions {
  /** Absolute path of the content folder. */
  root: string;
  log: Logger;
  /** Paths below the root that may have changed; awaited before the next call. */
  onPaths(paths: readonly string[]): Promise<void>;
  /** Events may have been lost. */
  onLost(): Promise<void>;
}

const quietMs = 50;
const longestMs = 250;
// From here on a look at everything costs less than one path after the other; and the system's
// queue, which drops events without a word when it is full, is still far from its 16,384.
const manyPaths = 2000;
const pollMs = 5000;

/** Watches the content folder until it is closed. */
export class ContentWatcher {
  readonly #options: WatchOptions;
  readonly #folders: FolderWatchers;
  readonly #paths = new Set<string>();
  #isWatching = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #since = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#folders = new FolderWatchers({
      root: options.root,
      onPath: (path) => this.#note(path),
      onError: (error) => this.#pollInstead(error),
    });
  }

  /** Resolves when every folder is watched. */
  async start(): Promise<void> {
    await runInSlices(this.#folders.add(""));
    // A content folder that does not exist yet cannot be watched.
    if (!this.#folders.has("")) this.#pollInstead(new Error("there is no content folder"));
    else this.#isWatching = this.#poll === null && !this.#isClosed;
  }

  /** True when every change is seen at once. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  #note(path: string): void {
    if (path.split("/").some(isIgnoredName) && path !== "") return;
    this.#paths.add(path);
    this.#schedule();
  }

  /** Waits for a quiet moment, but not for ever: a busy tree is looked at in between. */
  #schedule(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    if (this.#timer === null) this.#since = now;
    else clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(quietMs, this.#since + longestMs - now));
    this.#timer = setTimeout(() => this.#flush(), wait);
    this.#timer.unref();
  }

  #flush(): void {
    this.#timer = null;
    this.#work = this.#work.then(() => this.#tell());
  }

  async #tell(): Promise<void> {
    const paths = [...this.#paths];
    this.#paths.clear();
    if (this.#isClosed || paths.length === 0) return;
    await this.#attempt(async () => {
      for (const path of paths) await this.#follow(path);
      if (paths.length > manyPaths || paths.includes("")) await this.#options.onLost();
      else await this.#options.onPaths(paths);
    });
  }

  /** Keeps the watches on the folders there are; before the index looks, so that nothing falls between. */
  async #follow(path: string): Promise<void> {
    const stats = lstatSync(join(this.#options.root, path), { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) {
      if (this.#folders.has(path)) this.#folders.remove(path);
      return;
    }
    // A folder under a known name may be another folder now.
    if (path !== "" && this.#folders.has(path)) this.#folders.remove(path);
    await runInSlices(this.#folders.add(path));
  }

  #pollInstead(error: unknown): void {
    if (this.#poll !== null || this.#isClosed) return;
    this.#isWatching = false;
    const fix =
      "changes are found by looking every five seconds; if the system has no watches left, raise fs.inotify.max_user_watches";
    this.#options.log.warn("content.watch.poll", { error: String(error), fix });
    this.#poll = setInterval(() => {
      this.#work = this.#work.then(() => this.#attempt(() => this.#options.onLost()));
    }, pollMs);
    this.#poll.unref();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      if (!this.#isClosed) await work();
    } catch (error) {
      this.#options.log.error("content.watch.failed", { error: String(error) });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isWatching = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#folders.close();
    await this.#work;
  }
}
