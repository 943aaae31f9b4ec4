import { setImmediate } from "node:timers/promises";
import type { Logger } from "#kernel";
import type { SearchDocument, SearchEngine } from "./contract.js";
import { fingerprints, type IndexFile } from "./index-file.js";
import type { SourceChanges, Sources } from "./sources.js";

const batch = 16;
/** Share of changed pages from which building anew is cheaper than updating. */
const worthRebuilding = 0.3;
/** A text that could not be read is read again after this time, then after twice as long, in ms. */
const firstRetryMs = 250;
const maxRetryMs = 60_000;
/** A new index is kept this long after it was built, and not only when the site closes, in ms. */
const saveAfterMs = 10_000;

/** What an index is made of; `onChange` is called whenever answers of before may be wrong. */
export interface IndexParts {
  readonly engine: SearchEngine;
  readonly sources: Sources;
  readonly file: IndexFile;
  readonly log: Logger;
  /** Unix ms. */
  now(): number;
  /** How long after it was built an index is kept, in ms; for tests. */
  readonly saveAfterMs?: number;
  onChange(): void;
}

/** Keeps one engine in step with the sources; its operations run one after the other. */
export class SearchIndex {
  readonly #engine: SearchEngine;
  readonly #sources: Sources;
  readonly #file: IndexFile;
  readonly #log: Logger;
  readonly #onChange: () => void;
  readonly #now: () => number;
  #queue: Promise<void> = Promise.resolve();
  #rebuildAsked = false;
  #recordsAsked = false;
  #isSaved = true;
  readonly #saveAfterMs: number;
  #saving: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #isClosed = false;
  #version = 0;
  #builtAt: number | null = null;
  /** What the last build or update failed with; null when it went well. */
  error: string | null = null;

  constructor(parts: IndexParts) {
    this.#engine = parts.engine;
    this.#sources = parts.sources;
    this.#file = parts.file;
    this.#log = parts.log;
    this.#onChange = parts.onChange;
    this.#now = parts.now;
    this.#saveAfterMs = parts.saveAfterMs ?? saveAfterMs;
    this.#sources.onUnread(() => this.#retryLater());
  }

  /** Unix ms at which the index was last brought up to date; null before a first one is complete. */
  get builtAt(): number | null {
    return this.#builtAt;
  }

  /** Counts up with every change: an answer of another version may be wrong. */
  get version(): number {
    return this.#version;
  }

  /** The kept index brought up to date with the collected sources, else a new one. */
  start(): Promise<void> {
    return this.#run(async () => {
      const held = await this.#file.load(this.#engine);
      if (held === null || !(await this.#catchUp(held))) await this.#build();
    });
  }

  /** Collects records again and builds anew; calls while one waits share it. */
  rebuild(): Promise<void> {
    if (this.#rebuildAsked) return this.#queue;
    this.#rebuildAsked = true;
    return this.#run(async () => {
      this.#rebuildAsked = false;
      await this.#sources.collect();
      await this.#build();
    });
  }

  /** Collects records anew and takes over what has changed; calls while one waits share it. */
  refreshRecords(): Promise<void> {
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

  /** Takes over what the tree has become; with `changes`, only what they name. */
  refresh(changes?: Parameters<Sources["apply"]>[0]): Promise<void> {
    return this.#run(async () => {
      if (this.#builtAt === null) {
        await this.#sources.collect();
        return this.#build();
      }
      return this.#takeOver(changes ? this.#sources.apply(changes) : this.#sources.refresh());
    });
  }

  /** True when building anew costs less than taking these over. */
  #isMuch({ changed, removed }: SourceChanges): boolean {
    return changed.length + removed.length > Math.max(50, this.#sources.size * worthRebuilding);
  }

  async #takeOver(changes: SourceChanges): Promise<void> {
    const { changed, removed } = changes;
    if (changed.length === 0 && removed.length === 0) return;
    if (this.#engine.update) await this.#apply(changes);
    else await this.#build();
  }

  /** Waits for what is under way, then keeps the index for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#saving);
    await this.#queue;
    clearTimeout(this.#saving);
    if (this.#builtAt !== null && !this.#isSaved)
      await this.#file.save(this.#engine, this.#sources);
    await this.#engine.close?.();
  }

  async #build(): Promise<void> {
    const started = performance.now();
    await this.#engine.build(this.#sources.documents());
    this.#isSaved = false;
    const ms = Math.round(performance.now() - started);
    this.#log.info("search.built", { documents: this.#sources.size, ms });
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#saveBuilt(), this.#saveAfterMs).unref();
  }

  /** A crash then costs the next start what has changed since, not all of it. */
  #saveBuilt(): void {
    this.#queue = this.#queue
      .then(() => this.#file.save(this.#engine, this.#sources))
      .catch((error: unknown) => this.#log.warn("search.not-kept", { error: String(error) }));
  }

  async #catchUp(held: ReadonlyMap<string, string>): Promise<boolean> {
    const now = fingerprints(this.#sources);
    const changed = [...now]
      .filter(([route, print]) => held.get(route) !== print)
      .map(([route]) => route);
    const removed = [...held.keys()].filter((route) => !now.has(route));
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
    for (let at = 0; at < routes.length; at += batch) {
      const upsert = await this.#documents(routes.slice(at, at + batch));
      await this.#engine.update?.({ upsert, remove: [] });
      if (at + batch < routes.length) await setImmediate();
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

  /** A document without its text is made again until the text can be read. */
  #retryLater(): void {
    if (this.#retry !== undefined || this.#isClosed || this.#sources.unread().length === 0) return;
    this.#retry = setTimeout(() => {
      const changed = this.#sources.unread();
      void this.#run(() => this.#takeOver({ changed, removed: [] })).finally(() => {
        this.#retry = undefined;
        const isDone = this.#sources.unread().length === 0;
        this.#retryMs = isDone ? firstRetryMs : Math.min(this.#retryMs * 2, maxRetryMs);
        this.#retryLater();
      });
    }, this.#retryMs).unref();
  }

  #run(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue
      .then(work)
      .finally(() => {
        this.#version += 1;
        this.#onChange();
      })
      .then(
        () => {
          this.#builtAt = this.#now();
          this.error = null;
        },
        (error: unknown) => {
          this.error = error instanceof Error ? error.message : String(error);
          this.#log.error("search.failed", { error: this.error });
        },
      );
    return this.#queue;
  }
}
