import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join, normalize, relative, sep } from "node:path";
import type { Logger } from "#kernel";
import { errorCode } from "#lib/errors";
import { readFlexName, isFlexName } from "./flex-files.js";

/** Changes within this time are reported together, in ms. */
const GATHER_MS = 60;
/** A folder that cannot be watched is tried again after this, in ms, then after twice as long. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const MISSING = new Set(["ENOENT", "ENOTDIR"]);

/** A changed file: a schema, or a record when `id` is set. */
export interface ChangedFile {
  readonly type: string;
  readonly id: string | null;
}

/** Options of watching a folder. */
interface WatchFolderOptions {
  /** Absolute path of `flex-objects/`. */
  readonly folder: string;
  readonly log: Logger;
  /** Called with the changes of a burst. */
  readonly tell: (files: readonly ChangedFile[]) => Promise<void>;
  /** Called when events may have been missed, so that everything must be checked. */
  readonly lost: () => Promise<void>;
}

/**
 * Reports changes below a folder shortly after the last one of a burst. It watches folders only:
 * watching libraries watch each file, and lose it when it is deleted and written again quickly.
 */
export class WatchFolder {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #tell: (files: readonly ChangedFile[]) => Promise<void>;
  readonly #lost: () => Promise<void>;
  readonly #gathered = new Map<string, ChangedFile>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #retries = new Set<string>();
  #isLost = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | null = null;
  #telling: Promise<void> = Promise.resolve();

  constructor({ folder, log, tell, lost }: WatchFolderOptions) {
    this.#folder = folder;
    this.#log = log;
    this.#tell = tell;
    this.#lost = lost;
  }

  /** Starts watching the folder, its types, and its parent, because it may not exist yet. */
  start(): void {
    this.#follow(dirname(this.#folder));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#retry !== null) clearTimeout(this.#retry);
    for (const watcher of this.#watchers.values()) watcher.close();
    await this.#telling;
  }

  /** Replaces the watches of a created, deleted or exchanged folder, whose files are unknown. */
  #renew(folder: string): void {
    for (const [path, watcher] of this.#watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    this.#follow(folder);
    this.#isLost = true;
    this.#schedule();
  }

  /** Watches a folder, if there is one, and those below it. */
  #follow(folder: string): void {
    try {
      if (!statSync(folder).isDirectory()) return;
      this.#watch(folder);
      if (folder === dirname(this.#folder)) this.#follow(this.#folder);
      if (folder !== this.#folder) return;
      for (const name of readdirSync(folder))
        if (isFlexName(name)) this.#follow(join(folder, name));
    } catch (error) {
      if (!MISSING.has(errorCode(error))) this.#retryLater(folder, error);
    }
  }

  #watch(folder: string): void {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      const path = join(folder, name ?? "");
      if (path === this.#folder || this.#isType(path)) this.#renew(path);
      else this.#gather(path);
    });
    watcher.on("error", (error) => this.#retryLater(folder, error));
    this.#watchers.set(folder, watcher);
  }

  #isType(path: string): boolean {
    return dirname(path) === this.#folder && isFlexName(basename(path));
  }

  #retryLater(folder: string, error: unknown): void {
    if (this.#isClosed) return;
    if (this.#retries.size === 0 && this.#retryMs === FIRST_RETRY_MS)
      this.#log.warn("flex.watch_failed", { error: String(error) });
    this.#retries.add(folder);
    this.#retry ??= setTimeout(() => this.#retryAll(), this.#retryMs).unref();
  }

  #retryAll(): void {
    const folders = [...this.#retries];
    this.#retries.clear();
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    this.#retry = null;
    for (const folder of folders) this.#renew(folder);
    if (this.#retries.size === 0) this.#retryMs = FIRST_RETRY_MS;
  }

  #gather(path: string): void {
    const changed = changedFile(relative(this.#folder, path));
    if (changed === null) return;
    this.#gathered.set(path, changed);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    this.#timer = null;
    const files = [...this.#gathered.values()];
    const isLost = this.#isLost;
    this.#gathered.clear();
    this.#isLost = false;
    this.#telling = this.#telling
      .then(() => (isLost ? this.#lost() : undefined))
      .then(() => (files.length > 0 ? this.#tell(files) : undefined))
      .catch((error: unknown) => this.#log.error("flex.reload_failed", { error: String(error) }));
  }
}

/** Parses a path below the folder; null when it is neither schema nor record. */
export function changedFile(path: string): ChangedFile | null {
  const [first = "", second, ...rest] = path.split(sep);
  if (rest.length > 0) return null;
  if (second === undefined) {
    const type = readFlexName(first);
    return type === null ? null : { type, id: null };
  }
  const id = readFlexName(second);
  return id === null || !isFlexName(first) ? null : { type: first, id };
}

/** The file of a record with the key `{type}/{id}`; none for other texts. */
export function changedRecord(key: string): ChangedFile[] {
  const changed = changedFile(normalize(`${key}.yaml`));
  return changed === null || changed.id === null ? [] : [changed];
}
