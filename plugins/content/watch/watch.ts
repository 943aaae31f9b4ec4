/** Reports changed files in batches; after lost events it compares the tree with the disk. */
import { basename, join } from "node:path";
import { readFileSync, lstatSync, statSync, type Stats } from "node:fs";
import type { Logger } from "#kernel";
import { errorCode } from "#lib/errors";
import { FolderWatchers } from "#lib/files";
import { runInSlices, type Sliced } from "#lib/concurrency";
import { isIgnoredName } from "../read/source-name.js";

/** Compares the tree by time and size, or by the bytes; `touched` paths are always read. */
export interface Comparison {
  check: "file" | "hash";
  touched?: readonly string[];
}

/** Root folder and callbacks. */
export interface WatchOptions {
  /** Absolute path of the content folder. */
  root: string;
  log: Logger;
  /** Paths below the root that may have changed; awaited before the next call. */
  onPaths(paths: readonly string[]): Promise<void>;
  /** Called when events may have been lost; true when the disk differed from the index. */
  onLost(comparison: Comparison): Promise<boolean>;
  /** True compares every five seconds instead of waiting for events. Default false. */
  isPolling?: boolean;
  /** True: nothing is wrong when the folder does not exist. Default false. */
  isOptional?: boolean;
  /** Minimum interval of periodic comparisons, in ms. */
  compareMs?: number;
}

const QUIET_MS = 50;
const MAX_WAIT_MS = 250;
// Above this, a full comparison costs less than reading single paths.
const MANY_PATHS = 2000;
const TICK_MS = 1000;
const POLL_MS = 5000;
const REWATCH_MS = 60_000;
const COMPARE_MS = 10 * 60_000;
// Maximum share of time spent on comparisons.
const COMPARE_SHARE = 1 / 500;

function fixFor(code: string): string {
  if (code === "ENOSPC") return "raise fs.inotify.max_user_watches";
  if (code === "EMFILE") return "raise fs.inotify.max_user_instances or the limit of open files";
  return "let the server read the folder";
}

/** Watches the content folder until it is closed. */
export class ContentWatcher {
  readonly #options: WatchOptions;
  readonly #folders: FolderWatchers;
  readonly #paths = new Set<string>();
  /** Paths whose watches are incomplete since a read error. */
  readonly #unreadable = new Set<string>();
  readonly #burst = new EventBurst();
  readonly #compareMs: number;
  /** Identity of the watched folder; null while it does not exist. */
  #identity: string | null = null;
  #failure: unknown = null;
  #isWatching = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;
  #tick: NodeJS.Timeout | null = null;
  /** When the first and the last event came that have not been handled, in ms of `performance.now()`. */
  #since = 0;
  #notedAt = 0;
  #compareAt = Infinity;
  #pollAt = Infinity;
  #rewatchAt = Infinity;
  #work: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#compareMs = options.compareMs ?? COMPARE_MS;
    this.#folders = new FolderWatchers({
      root: options.root,
      onPath: (path) => this.#note(path),
      onError: (error) => (this.#failure ??= error),
      onUnreadable: (path) => this.#unreadable.add(path),
      isWatched: (path) => !isIgnoredName(basename(path)),
    });
  }

  /** Resolves when every folder is watched. */
  async start(): Promise<void> {
    await this.#watchAll();
    if (this.#identity === null && this.#options.isOptional !== true) {
      const fix = "create it, or correct content.dir in system.yaml";
      this.#options.log.warn("content.folder_missing", { folder: this.#options.root, fix });
    }
    this.#compareAt = performance.now() + this.#compareMs;
    if (this.#isClosed) return;
    this.#tick = setInterval(() => this.#run(() => this.#check()), TICK_MS).unref();
  }

  /** True while every change is detected immediately. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** A checkout causes tens of thousands of events in one turn of the event loop: each must cost little. */
  #note(path: string): void {
    this.#burst.count();
    this.#paths.add(path);
    this.#notedAt = performance.now();
    if (this.#timer !== null || this.#isClosed) return;
    this.#since = this.#notedAt;
    this.#wait(QUIET_MS);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#flush(), ms).unref();
  }

  /** Waits for a quiet moment, but not indefinitely on a busy tree. */
  #flush(): void {
    this.#timer = null;
    if (this.#isClosed) return;
    const rest = Math.min(this.#notedAt + QUIET_MS, this.#since + MAX_WAIT_MS) - performance.now();
    if (rest > 0) this.#wait(rest);
    else this.#run(() => this.#handle());
  }

  async #handle(): Promise<void> {
    const noted = [...this.#paths];
    this.#paths.clear();
    if (this.#burst.takeOverflow()) {
      this.#options.log.warn("content.watch_overflow", {
        fix: "events were lost, so the content is compared with the disk; raise fs.inotify.max_queued_events if this repeats",
      });
      return this.#renew();
    }
    if (this.#isExchanged(noted)) return this.#renew();
    // Before the index reads them, so that no change is missed.
    const paths = await runInSlices(this.#follow(noted));
    if (paths.length === 0) return;
    this.#updateState();
    const isMany = paths.length > MANY_PATHS || paths.includes("");
    if (isMany) await this.#options.onLost({ check: "file", touched: paths });
    else await this.#options.onPaths(paths);
  }

  /** Watches what came; returns the paths that are content. */
  *#follow(noted: readonly string[]): Sliced<string[]> {
    const paths: string[] = [];
    for (const path of noted) {
      yield;
      if (path !== "" && path.split("/").some(isIgnoredName)) continue;
      paths.push(path);
      yield* this.#folders.follow(path);
    }
    return paths;
  }

  /** An event for the content folder itself looks like one for a file of the same name. */
  #isExchanged(paths: readonly string[]): boolean {
    const name = basename(this.#options.root);
    if (paths.includes(name) && readStats(join(this.#options.root, name)) === null) return true;
    return readIdentity(this.#options.root) !== this.#identity;
  }

  /** Restarts all watches and compares the tree, because earlier events are lost. */
  async #renew(): Promise<void> {
    const { log, onLost, isOptional } = this.#options;
    const before = this.#identity;
    await this.#watchAll();
    if (isOptional === true) log.debug("content.watch_renewed");
    else if (this.#identity === null && before !== null) {
      const fix = "the pages stay as they were until it is there again";
      log.warn("content.folder_missing", { fix });
    } else if (this.#identity !== null) {
      const reason = before === this.#identity ? "events were lost" : "the folder was exchanged";
      log.info("content.watch_renewed", { reason });
    }
    await onLost({ check: "hash" });
  }

  async #watchAll(): Promise<void> {
    this.#folders.removeAll();
    this.#failure = null;
    this.#unreadable.clear();
    this.#identity = readIdentity(this.#options.root);
    const isPolling = this.#options.isPolling === true;
    if (this.#identity !== null && !isPolling) await runInSlices(this.#folders.add(""));
    this.#isWatching = false;
    this.#pollAt = isPolling ? performance.now() + POLL_MS : Infinity;
    if (!isPolling) this.#updateState();
  }

  #updateState(): void {
    const isFailed = this.#failure !== null || !this.#folders.has("");
    if (isFailed && this.#pollAt === Infinity && this.#identity !== null) this.#pollInstead();
    this.#isWatching = !isFailed && this.#unreadable.size === 0 && !this.#isClosed;
  }

  #pollInstead(): void {
    const fix = `${fixFor(errorCode(this.#failure))}; changes are looked for every five seconds`;
    const error = this.#failure === null ? "no watch" : String(this.#failure);
    this.#options.log.warn("content.watch_polls", { error, fix });
    this.#pollAt = performance.now() + POLL_MS;
    this.#rewatchAt = performance.now() + REWATCH_MS;
  }

  async #check(): Promise<void> {
    const { root, onLost } = this.#options;
    const now = performance.now();
    const isElsewhere = readIdentity(root) !== this.#identity;
    for (const path of this.#unreadable) this.#note(path);
    this.#unreadable.clear();
    if (isElsewhere || (this.#pollAt < Infinity && now >= this.#rewatchAt)) return this.#renew();
    if (now >= this.#pollAt) {
      await onLost({ check: "file" });
      this.#pollAt = performance.now() + POLL_MS;
    }
    if (now >= this.#compareAt && this.#identity !== null) await this.#compare();
  }

  /** Periodic comparison that finds missed changes. */
  async #compare(): Promise<void> {
    const started = performance.now();
    this.#compareAt = Infinity;
    try {
      const isOther = await this.#options.onLost({ check: "hash" });
      if (isOther)
        this.#options.log.warn("content.watch_missed", { fix: "the index was corrected" });
    } finally {
      const took = performance.now() - started;
      this.#compareAt = performance.now() + Math.max(this.#compareMs, took / COMPARE_SHARE);
    }
  }

  #run(work: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      try {
        if (!this.#isClosed) await work();
      } catch (error) {
        this.#options.log.error("content.watch_failed", { error: String(error) });
        // The changes have not been applied.
        this.#compareAt = Math.min(this.#compareAt, performance.now() + POLL_MS);
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isWatching = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#tick !== null) clearInterval(this.#tick);
    this.#folders.close();
    await this.#work;
  }
}

const LIMIT_FILE = "/proc/sys/fs/inotify/max_queued_events";
const USUAL_LIMIT = 16_384;

/**
 * Detects an overflow of the event queue, in which the system silently drops events. Counts the events of one turn of
 * the event loop: all that were queued arrive in one.
 */
class EventBurst {
  // Other watchers of this process and ended watches share the queue.
  readonly #limit = queueLimit() / 2;
  #count = 0;
  #isOver = false;

  count(): void {
    if (this.#count === 0) setImmediate(() => (this.#count = 0));
    this.#count += 1;
    if (this.#count >= this.#limit) this.#isOver = true;
  }

  /** True when events may have been lost since the last call. */
  takeOverflow(): boolean {
    const isOver = this.#isOver;
    this.#isOver = false;
    return isOver;
  }
}

function queueLimit(): number {
  try {
    return Number(readFileSync(LIMIT_FILE, "utf8")) || USUAL_LIMIT;
  } catch {
    return USUAL_LIMIT;
  }
}

/**
 * Identifies the folder at a path; null without one. Follows links. A recreated folder may have the
 * same inode number, but its watch reports the deletion.
 */
function readIdentity(path: string): string | null {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return null;
    return `${stats.dev}:${stats.ino}`;
  } catch {
    return null;
  }
}

/** `lstat` of a path; null when it does not exist or cannot be read. */
function readStats(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
