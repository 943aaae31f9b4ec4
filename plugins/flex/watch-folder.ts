import type { FSWatcher } from "chokidar";
import { dirname, relative, sep } from "node:path";
import type { Logger } from "#kernel";
import { flexNameOf, isFlexName } from "./names.js";

/** Changes within this time are reported together, in ms. */
const GATHER_MS = 60;
/** The watcher may drop an event that follows another one of the same file: check again after this, in ms. */
const RECHECK_MS = 1_000;

/** A changed file: a schema, or a record when `id` is set. */
export interface ChangedFile {
  readonly type: string;
  readonly id: string | null;
}

/** Reports changes below a folder shortly after the last one of a burst. */
export class WatchFolder {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #tell: (files: readonly ChangedFile[]) => Promise<void>;
  readonly #lost: () => Promise<void>;
  readonly #gathered = new Map<string, ChangedFile>();
  #isLost = false;
  #timer: NodeJS.Timeout | null = null;
  readonly #reported = new Map<string, ChangedFile>();
  #recheck: NodeJS.Timeout | null = null;
  #watcher: FSWatcher | null = null;
  #telling: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  /** Calls `lost` when events may have been missed, so that everything must be checked. */
  constructor(options: {
    folder: string;
    log: Logger;
    tell: (files: readonly ChangedFile[]) => Promise<void>;
    lost: () => Promise<void>;
  }) {
    this.#folder = options.folder;
    this.#log = options.log;
    this.#tell = options.tell;
    this.#lost = options.lost;
  }

  /** Resolves once the watch is active. */
  async start(): Promise<void> {
    const { watch } = await import("chokidar");
    const { signal } = this.#closing;
    if (signal.aborted) return;
    // Watch the parent, because a folder that does not exist yet cannot be watched.
    const above = dirname(this.#folder);
    const inside = this.#folder + sep;
    const watcher = watch(above, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: 2,
      ignored: (path) => path !== above && path !== this.#folder && !path.startsWith(inside),
    });
    this.#watcher = watcher;
    watcher.on("all", (event, path) => {
      // Files created together with their folder may not be reported.
      if (event === "addDir" || event === "unlinkDir") this.#schedule({ isLost: true });
      else this.#gather(path);
    });
    watcher.on("error", (error) => {
      this.#log.warn("flex.watch-failed", { error: String(error) });
      this.#schedule({ isLost: true });
    });
    await new Promise<void>((resolve) => {
      watcher.once("ready", resolve);
      signal.addEventListener("abort", () => resolve());
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#recheck !== null) clearTimeout(this.#recheck);
    await this.#watcher?.close();
    await this.#telling;
  }

  #gather(path: string): void {
    const changed = changedFile(relative(this.#folder, path));
    if (changed === null) return;
    this.#gathered.set(path, changed);
    this.#schedule({ isLost: false });
  }

  #schedule({ isLost }: { isLost: boolean }): void {
    this.#isLost ||= isLost;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    const files = [...this.#gathered.values()];
    const isLost = this.#isLost;
    for (const [path, file] of this.#gathered) this.#reported.set(path, file);
    this.#gathered.clear();
    this.#isLost = false;
    this.#report(() => (isLost ? this.#lost() : this.#tell(files)));
    if (this.#recheck !== null) clearTimeout(this.#recheck);
    this.#recheck = setTimeout(() => this.#reportAgain(), RECHECK_MS).unref();
  }

  #reportAgain(): void {
    const files = [...this.#reported.values()];
    this.#reported.clear();
    if (files.length > 0) this.#report(() => this.#tell(files));
  }

  #report(work: () => Promise<void>): void {
    this.#telling = this.#telling
      .then(work)
      .catch((error: unknown) => this.#log.error("flex.reload-failed", { error: String(error) }));
  }
}

/** Parses a path below the folder; null when it is neither schema nor record. */
export function changedFile(path: string): ChangedFile | null {
  const [first = "", second, ...rest] = path.split(sep);
  if (rest.length > 0) return null;
  if (second === undefined) {
    const type = flexNameOf(first);
    return type === null ? null : { type, id: null };
  }
  const id = flexNameOf(second);
  return id === null || !isFlexName(first) ? null : { type: first, id };
}
