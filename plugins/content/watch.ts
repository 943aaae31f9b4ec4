/** Tells about changed files: events are gathered, and lost ones end in a look at everything. */
import { relative, sep } from "node:path";
import type { FSWatcher } from "chokidar";
import type { Logger } from "#kernel";
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
// From here on a look at everything costs less than one path after the other.
const manyPaths = 2000;

/** Watches the content folder until it is closed. */
export class ContentWatcher {
  readonly #options: WatchOptions;
  readonly #paths = new Set<string>();
  #watcher: FSWatcher | null = null;
  #isLost = false;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #since = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Resolves when every folder is watched. */
  async start(): Promise<void> {
    const { watch } = await import("chokidar");
    if (this.#closing.signal.aborted) return;
    const { root } = this.#options;
    const watcher = watch(root, {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path) => isIgnoredBelow(root, path),
    });
    this.#watcher = watcher;
    watcher.on("all", (_event, path) => this.#note(path));
    watcher.on("error", (error) => this.#lose(error));
    // A watcher that is closed before it is ready never says so.
    await new Promise<void>((resolve) => {
      watcher.once("ready", resolve);
      this.#closing.signal.addEventListener("abort", () => resolve());
    });
  }

  /** True when changes are seen. */
  get isWatching(): boolean {
    return this.#watcher !== null && !this.#closing.signal.aborted;
  }

  #note(path: string): void {
    this.#paths.add(relative(this.#options.root, path).split(sep).join("/"));
    this.#schedule();
  }

  #lose(error: unknown): void {
    this.#options.log.warn("content.watch.lost", { error: String(error) });
    this.#isLost = true;
    this.#schedule();
  }

  /** Waits for a quiet moment, but not for ever: a busy tree is looked at in between. */
  #schedule(): void {
    const now = performance.now();
    if (this.#timer === null) this.#since = now;
    else clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(quietMs, this.#since + longestMs - now));
    this.#timer = setTimeout(() => this.#flush(), wait);
    this.#timer.unref();
  }

  #flush(): void {
    this.#timer = null;
    if (this.#closing.signal.aborted) return;
    this.#work = this.#work.then(() => this.#tell());
  }

  async #tell(): Promise<void> {
    const paths = [...this.#paths];
    const isLost = this.#isLost || paths.length > manyPaths;
    this.#paths.clear();
    this.#isLost = false;
    try {
      if (isLost) await this.#options.onLost();
      else if (paths.length > 0) await this.#options.onPaths(paths);
    } catch (error) {
      this.#options.log.error("content.watch.failed", { error: String(error) });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#watcher?.close();
    await this.#work;
  }
}

function isIgnoredBelow(root: string, path: string): boolean {
  if (path === root) return false;
  return relative(root, path).split(sep).some(isIgnoredName);
}
