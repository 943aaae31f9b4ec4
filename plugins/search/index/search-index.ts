import { setImmediate } from "node:timers/promises";
import { engineFailureFields, type Logger } from "#kernel";
import type { SearchDocument, SearchEngine } from "../contract.js";
import { describeFailure } from "../engine-guard.js";
import { fingerprints, type IndexFile } from "./index-file.js";
import type { SourceChanges, Sources } from "./sources.js";

/** Read tag of everything that comes from the index; published when the index changes. */
export const INDEX_TAG = "search";

const BATCH = 16;
/** Share of changed pages above which a rebuild is cheaper than an update. */
const WORTH_REBUILDING = 0.3;
/** Delay before an unreadable text is read again, in ms; doubles each time. */
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;
/**
 * Delay between a build and saving the index, in ms; the index is also saved when the site closes.
 */
const SAVE_AFTER_MS = 10_000;

/** Time after which an operation of the engine is reported as slow, in ms. */
const SLOW_MS = 30_000;

/** Dependencies of an index; `onChange` is called when earlier results may be outdated. */
export interface SearchIndexOptions {
  readonly engine: SearchEngine;
  readonly sources: Sources;
  readonly file: IndexFile;
  readonly log: Logger;
  /** Unix ms. */
  now(): number;
  /** Delay between a build and saving the index, in ms; for tests. */
  readonly saveAfterMs?: number;
  /** Resolves when the process that builds the index for others has saved it. Default: at once. */
  savedElsewhere?(): Promise<void>;
  onChange(): void;
}

/** Keeps one engine in sync with the sources; runs its operations one after the other. */
export class SearchIndex {
  readonly #engine: SearchEngine;
  readonly #sources: Sources;
  readonly #file: IndexFile;
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #now: () => number;
  readonly #savedElsewhere: () => Promise<void>;
  #queue: Promise<void> = Promise.resolve();
  #rebuildAsked = false;
  #recordsAsked = false;
  #isSaved = true;
  readonly #saveAfterMs: number;
  #saving: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #isClosed = false;
  #started: Promise<void> | null = null;
  #version = 0;
  #builtAt: number | null = null;
  /** Error of the last build or update; null after a success. */
  error: string | null = null;

  constructor(parts: SearchIndexOptions) {
    this.#engine = parts.engine;
    this.#sources = parts.sources;
    this.#file = parts.file;
    this.#log = parts.log;
    this.#onChange = parts.onChange;
    this.#now = parts.now;
    this.#savedElsewhere = async () => parts.savedElsewhere?.();
    this.#saveAfterMs = parts.saveAfterMs ?? SAVE_AFTER_MS;
    this.#sources.onUnread(() => this.#retryLater());
  }

  /** Unix ms of the last index update; null before the first build completes. */
  get builtAt(): number | null {
    return this.#builtAt;
  }

  /** Increases with every change; results of another version may be outdated. */
  get version(): number {
    return this.#version;
  }

  /**
   * Collects the sources, loads the cached index and updates it from them, or builds a new one; later calls
   * return the first run.
   */
  start(): Promise<void> {
    return (this.#started ??= this.#run(async () => {
      await this.#savedElsewhere();
      await this.#sources.collect();
      const loaded = await this.#loaded();
      if (loaded === null || !(await this.#catchUp(loaded))) await this.#build();
    }));
  }

  /** A new index replaces one that cannot be loaded. */
  async #loaded(): Promise<ReadonlyMap<string, string> | null> {
    try {
      return await this.#file.load(this.#engine);
    } catch (error) {
      this.#log.warn("search.snapshot_not_loaded", engineFailureFields(error));
      return null;
    }
  }

  /** Collects all records and rebuilds; calls that wait share one run. */
  rebuild(): Promise<void> {
    if (this.#rebuildAsked) return this.#queue;
    this.#rebuildAsked = true;
    const rebuilt = this.#run(async () => {
      this.#rebuildAsked = false;
      await this.#sources.collect();
      await this.#build();
    });
    this.#started ??= rebuilt;
    return rebuilt;
  }

  /** Collects all records and applies their changes; calls that wait share one run. */
  refreshRecords(): Promise<void> {
    if (this.#started === null) return this.start();
    if (this.#recordsAsked) return this.#queue;
    this.#recordsAsked = true;
    return this.#run(async () => {
      this.#recordsAsked = false;
      if (this.#builtAt === null) {
        await this.#sources.collect();
        return this.#build();
      }
      const changes = await this.#sources.refreshRecords();
      return this.#isMuch(changes) ? this.#build() : this.#takeOver(changes);
    });
  }

  /** Applies changes of the content tree; with `changes`, only those. The start finds earlier ones. */
  async refresh(changes?: Parameters<Sources["apply"]>[0]): Promise<void> {
    if (this.#started === null) return;
    return this.#run(async () => {
      if (this.#builtAt === null) {
        await this.#sources.collect();
        return this.#build();
      }
      return this.#takeOver(changes ? this.#sources.apply(changes) : this.#sources.refresh());
    });
  }

  /** True when a rebuild is cheaper than applying these changes. */
  #isMuch({ changed, removed }: SourceChanges): boolean {
    return changed.length + removed.length > Math.max(50, this.#sources.size * WORTH_REBUILDING);
  }

  async #takeOver(changes: SourceChanges): Promise<void> {
    const { changed, removed } = changes;
    if (changed.length === 0 && removed.length === 0) return;
    if (this.#engine.update) await this.#apply(changes);
    else await this.#build();
  }

  /** Waits for running operations, then saves the index for the next startup. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#saving);
    await this.#queue;
    await this.save();
    await this.#engine.close?.();
  }

  async #build(): Promise<void> {
    const started = performance.now();
    await this.#engine.build(this.#sources.documents());
    this.#isSaved = false;
    const ms = Math.round(performance.now() - started);
    this.#log.info("search.built", { documents: this.#sources.size, ms });
    clearTimeout(this.#saving);
    // Limits what the startup after a crash has to index again.
    this.#saving = setTimeout(() => void this.save(), this.#saveAfterMs).unref();
  }

  /** Saves what the file lacks; resolves afterwards. */
  save(): Promise<void> {
    clearTimeout(this.#saving);
    this.#queue = this.#queue
      .then(() => this.#save())
      .catch((error: unknown) =>
        this.#log.warn("search.snapshot_not_saved", engineFailureFields(error)),
      );
    return this.#queue;
  }

  async #save(): Promise<void> {
    if (this.#builtAt === null || this.#isSaved) return;
    this.#isSaved = await this.#file.save(this.#engine, this.#sources);
  }

  async #catchUp(loaded: ReadonlyMap<string, string>): Promise<boolean> {
    const now = await fingerprints(this.#sources);
    const changed = [...now]
      .filter(([route, print]) => loaded.get(route) !== print)
      .map(([route]) => route);
    const removed = [...loaded.keys()].filter((route) => !now.has(route));
    if (this.#isMuch({ changed, removed })) return false;
    await this.#apply({ changed, removed });
    this.#isSaved = changed.length + removed.length === 0;
    this.#log.info("search.loaded", {
      documents: now.size,
      changed: changed.length,
      removed: removed.length,
    });
    return true;
  }

  async #apply({ changed: routes, removed }: SourceChanges): Promise<void> {
    this.#isSaved = false;
    if (removed.length > 0) await this.#engine.update?.({ upsert: [], remove: removed });
    for (let at = 0; at < routes.length; at += BATCH) {
      const upsert = await this.#documents(routes.slice(at, at + BATCH));
      await this.#engine.update?.({ upsert, remove: [] });
      if (at + BATCH < routes.length) await setImmediate();
    }
  }

  async #documents(routes: readonly string[]): Promise<SearchDocument[]> {
    const documents: SearchDocument[] = [];
    for (const route of routes) {
      const source = this.#sources.get(route);
      if (source) documents.push(await this.#sources.document(source));
    }
    return documents;
  }

  /** Retries documents whose text could not be read. */
  #retryLater(): void {
    if (this.#retry !== undefined || this.#isClosed || this.#sources.unread().length === 0) return;
    this.#retry = setTimeout(() => {
      const changed = this.#sources.unread();
      void this.#run(() => this.#takeOver({ changed, removed: [] })).finally(() => {
        this.#retry = undefined;
        const isDone = this.#sources.unread().length === 0;
        this.#retryMs = isDone ? FIRST_RETRY_MS : Math.min(this.#retryMs * 2, MAX_RETRY_MS);
        this.#retryLater();
      });
    }, this.#retryMs).unref();
  }

  #run(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue
      .then(() => this.#timed(work))
      .finally(() => {
        this.#version += 1;
        // An index that was never complete has no results.
        if (this.#builtAt !== null) this.#onChange();
      })
      .then(
        () => {
          this.#builtAt = this.#now();
          this.error = null;
        },
        (error: unknown) => {
          this.error = describeFailure(error);
          this.#log.error("search.failed", { ...engineFailureFields(error), error: this.error });
        },
      );
    return this.#queue;
  }

  /** All later changes wait for this one: one that takes long is logged. */
  async #timed(work: () => Promise<void>): Promise<void> {
    // The start reports a slow first build.
    if (this.#builtAt === null) return work();
    const timer = setTimeout(() => {
      this.#log.warn("search.update_slow", {
        seconds: SLOW_MS / 1_000,
        fix: "let `build` and `update` of the engine end; until then, search does not change",
      });
    }, SLOW_MS).unref();
    try {
      await work();
    } finally {
      clearTimeout(timer);
    }
  }
}
