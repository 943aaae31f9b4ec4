/** Holds the current generation and makes the next one: from the whole tree, or from changed paths. */
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { KeyedLock, type Logger } from "#kernel";
import { buildIndex } from "./build-index.js";
import { changesBetween } from "./changes.js";
import { emptyIndex, type ContentIndex } from "./content-index.js";
import type { ContentChanges, ContentProblem } from "./contract.js";
import { haveNewTimes, type KnownFolders } from "./kept-folders.js";
import { readPaths } from "./read-paths.js";
import { readTree, type KeptRecords, type TreeRecords } from "./read-tree.js";
import { nextQuickly } from "./next-quickly.js";
import { runInSlices, startSliceMs } from "./slices.js";
import { readSnapshot, writeSnapshot, type Snapshot } from "./snapshot.js";
import type { SourceRecord } from "./source-record.js";
import { isNearlySame, isSame, keepUnreadable } from "./unchanged-records.js";
import type { PlaceRules } from "./tree-nodes.js";
import type { TreeRules } from "./walk.js";

/** Everything that decides what the tree says. */
export type ContentRules = TreeRules & PlaceRules;
/** What happened to the files behind a change: an existing page that broke is an update of its file. */
export interface StoreChange {
  changes: ContentChanges;
  before: ContentIndex;
  after: ContentIndex;
}
/** How the store works. */
export interface StoreOptions {
  rules(): ContentRules;
  check: "file" | "hash" | "none";
  /** Absolute path of the snapshot; null keeps none. */
  snapshotFile: string | null;
  log: Logger;
  /** Told about every new generation, in order, before the next one is made. */
  onChange(change: StoreChange): void;
}

// A file written in the last two seconds before its time was noted may change without a new time.
const racyMs = 2000;
// The snapshot is written once nothing has changed for this long, and while changes go on at least
// so often: what it does not know yet is read again after a crash, nothing is lost.
const snapshotQuietMs = 2000;
const snapshotLongestMs = 60_000;
const updates = "updates";

/** The state of the content plugin. */
export class ContentStore {
  readonly #options: StoreOptions;
  readonly #lock = new KeyedLock();
  readonly #closing = new AbortController();
  #index = emptyIndex();
  #folders: KnownFolders = new Map();
  #treeProblems: readonly ContentProblem[] = [];
  #nextRebuild: Promise<void> | null = null;
  #snapshotDue: Promise<void> | null = null;
  #changedAt = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  get index(): ContentIndex {
    return this.#index;
  }

  /** The first generation: the snapshot, brought up to date. */
  async load(): Promise<void> {
    await this.#lock.run(updates, async () => {
      const { snapshotFile, check, rules } = this.#options;
      const snapshot =
        snapshotFile === null ? null : await readSnapshot(snapshotFile, stampOf(rules()));
      if (snapshot !== null && check === "none") {
        this.#folders = snapshot.folders;
        this.#index = await this.#build(snapshot.records, []);
        return;
      }
      const kept = snapshot && keptOf(snapshot, check);
      const tree = await runInSlices(readTree(rules(), kept), startSliceMs);
      this.#folders = tree.folders;
      this.#treeProblems = tree.problems;
      this.#index = await this.#build(tree.records, tree.problems);
      if (!isKept(snapshot, tree)) this.#saveLater();
    });
  }

  /** The folders of the tree as it was last walked. */
  get folders(): KnownFolders {
    return this.#folders;
  }

  /** Reads every file again; calls during a run share the one that follows it. */
  rebuild(): Promise<void> {
    this.#nextRebuild ??= this.#lock.run(updates, async () => {
      this.#nextRebuild = null;
      await this.#readAll("hash");
    });
    return this.#nextRebuild;
  }

  /** Finds what has changed by time and size: after a watcher has lost events. */
  rescan(): Promise<void> {
    return this.#lock.run(updates, () => this.#readAll("file"));
  }

  async #readAll(check: "file" | "hash"): Promise<void> {
    const { rules, log } = this.#options;
    const before = this.#index;
    const last = { records: before.records, folders: this.#folders, writtenAt: Date.now() };
    const tree = await runInSlices(readTree(rules(), keptOf(last, check)));
    if (tree.unreadable.includes("") && before.entries.length > 0) {
      log.error("content.unreadable", { problems: tree.problems.length });
      return;
    }
    this.#folders = tree.folders;
    // After a first start the snapshot waits for the times of the folders.
    if (haveNewTimes(last.folders, tree.folders)) this.#saveLater();
    keepUnreadable(tree.records, tree.unreadable, before.records);
    const isQuiet = check === "file" && isSame(before.records, tree.records);
    if (isQuiet && tree.problems.length === this.#treeProblems.length) return;
    this.#treeProblems = tree.problems;
    this.#publish(await this.#build(tree.records, tree.problems), []);
  }

  /** Looks at paths below the content folder again: files or folders that came, went or changed. */
  async refresh(paths: readonly string[]): Promise<void> {
    await this.#lock.run(updates, async () => {
      const rules = this.#options.rules();
      const found = await runInSlices(readPaths(paths, rules, this.#index.records));
      if (found.problems !== null) this.#treeProblems = [...this.#treeProblems, ...found.problems];
      const isEmpty = found.changed.length === 0 && found.removed.length === 0;
      if (isEmpty && found.media.size === 0) return;
      const next = isEmpty ? this.#index : await this.#next(found);
      // Requests that came while it was made go before what subscribers do with it.
      await nextTurn();
      this.#publish(next, found.media);
    });
  }

  async #next(found: {
    changed: readonly SourceRecord[];
    removed: readonly string[];
  }): Promise<ContentIndex> {
    const quick = await runInSlices(nextQuickly(this.#index, found, this.#options.rules()));
    if (quick !== null) return quick;
    const records = new Map(this.#index.records);
    for (const path of found.removed) records.delete(path);
    for (const record of found.changed) records.set(record.sourcePath, record);
    return this.#build(records, this.#treeProblems);
  }

  #build(
    records: ReadonlyMap<string, SourceRecord>,
    treeProblems: readonly ContentProblem[],
  ): Promise<ContentIndex> {
    const previous = this.#index.id === 0 ? null : this.#index;
    const rules = this.#options.rules();
    const work = buildIndex({ records, treeProblems, rules, previous });
    return runInSlices(work, previous === null ? startSliceMs : undefined);
  }

  #publish(next: ContentIndex, media: Iterable<string>): void {
    const before = this.#index;
    this.#index = next;
    this.#options.onChange({ changes: changesBetween(before, next, media), before, after: next });
    if (next !== before) this.#saveLater();
  }

  #saveLater(): void {
    if (this.#options.snapshotFile === null) return;
    this.#changedAt = performance.now();
    this.#snapshotDue ??= this.#saveAfterPause();
  }

  async #saveAfterPause(): Promise<void> {
    const { signal } = this.#closing;
    const latest = performance.now() + snapshotLongestMs;
    const wait = (): number =>
      Math.min(this.#changedAt + snapshotQuietMs, latest) - performance.now();
    // Closing ends the pause, not the write.
    for (let ms = wait(); ms > 0 && !signal.aborted; ms = wait()) {
      await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#snapshotDue = null;
    await this.#save();
  }

  async #save(): Promise<void> {
    const { snapshotFile, rules, log } = this.#options;
    if (snapshotFile === null) return;
    try {
      const { records } = this.#index;
      const snapshot = { records, folders: this.#folders, writtenAt: Date.now() };
      await writeSnapshot(snapshotFile, stampOf(rules()), snapshot);
    } catch (error) {
      log.warn("content.snapshot.failed", { error: String(error) });
    }
  }

  /** Waits for what is under way and writes the snapshot if it is due. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#snapshotDue;
    await this.#lock.run(updates, () => undefined);
  }
}

/** True when the snapshot is as good to the next start as a new one would be. */
function isKept(snapshot: Snapshot | null, { records, folders }: TreeRecords): boolean {
  if (snapshot === null || haveNewTimes(snapshot.folders, folders)) return false;
  return isNearlySame(snapshot.records, records);
}

function stampOf({ formats, root }: ContentRules): string {
  return JSON.stringify([root, [...formats].sort()]);
}

function keptOf(
  { records, folders, writtenAt }: Snapshot,
  check: "file" | "hash" | "none",
): KeptRecords {
  const before = writtenAt - racyMs;
  return { records, folders, check: check === "hash" ? "hash" : "file", before };
}
