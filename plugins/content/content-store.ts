/** Holds the current generation and makes the next one: from the whole tree, or from changed paths. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { KeyedLock, type Logger } from "#kernel";
import { buildIndex } from "./build-index.js";
import { changedFiles } from "./changed-files.js";
import { changesBetween } from "./changes.js";
import { emptyIndex, type ContentIndex } from "./content-index.js";
import type { ContentChanges, ContentProblem } from "./contract.js";
import { haveNewTimes, type KnownFolders } from "./kept-folders.js";
import { readPaths } from "./read-paths.js";
import { readTree, type KeptTree, type TreeRecords } from "./read-tree.js";
import { nextQuickly, type ChangedRecords } from "./next-quickly.js";
import { runInSlices, startSliceMs, type Sliced } from "./slices.js";
import { readSnapshot, type Snapshot } from "./snapshot.js";
import { SnapshotSaver, type Saved } from "./snapshot-saver.js";
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
  /** True when nobody looks again after the start: the first look notes the times of folders, too. */
  isAlone: boolean;
  log: Logger;
  /** Told about every new generation, in order, before the next one is made. */
  onChange(change: StoreChange): void;
}

// A file written in the last two seconds before its time was noted may change without a new time.
const racyMs = 2000;
const updates = "updates";

/** The state of the content plugin. */
export class ContentStore {
  readonly #options: StoreOptions;
  readonly #lock = new KeyedLock();
  readonly #saver: SnapshotSaver | null;
  #index = emptyIndex();
  #folders: KnownFolders = new Map();
  #treeProblems: readonly ContentProblem[] = [];
  #nextRebuild: Promise<void> | null = null;
  #isLoaded = false;
  /** Names the rules that the index was made by. */
  #stamp = "";

  constructor(options: StoreOptions) {
    this.#options = options;
    const { snapshotFile: file, log } = options;
    // A thread of an export finds what the one that has started it finds, and keeps.
    const isKept = file !== null && isMainThread;
    this.#saver = isKept ? new SnapshotSaver(file, log, () => this.#snapshot()) : null;
  }

  get index(): ContentIndex {
    return this.#index;
  }

  /** The first generation: that of the snapshot, brought up to date. */
  async load(): Promise<void> {
    await this.#lock.run(updates, async () => {
      const { snapshotFile, rules, isAlone } = this.#options;
      const stamp = stampOf(rules());
      const snapshot = snapshotFile === null ? null : await readSnapshot(snapshotFile, stamp);
      if (snapshot === null) await this.#loadTree(isAlone ? null : "untimed");
      else await this.#bringUpToDate(snapshot, stamp);
      this.#isLoaded = true;
      if (snapshot === null || !this.#isKeptBy(snapshot)) this.#saver?.saveLater();
    });
  }

  async #bringUpToDate(snapshot: Snapshot, stamp: string): Promise<void> {
    this.#index = snapshot.index;
    this.#stamp = stamp;
    this.#folders = snapshot.folders;
    this.#treeProblems = snapshot.treeProblems;
    const { check, rules } = this.#options;
    if (check === "none") return;
    const kept = this.#kept(check, snapshot.writtenAt);
    const found = await this.#run(changedFiles(rules().root, kept));
    if (found === null) await this.#loadTree(kept);
    else if (!isEmpty(found)) this.#index = await this.#next(found);
  }

  async #loadTree(kept: KeptTree | "untimed" | null): Promise<void> {
    const tree = await this.#run(readTree(this.#options.rules(), kept));
    this.#folders = tree.folders;
    if (this.#index.id > 0 && this.#isAsBefore(tree)) return;
    this.#treeProblems = tree.problems;
    this.#index = await this.#build(tree.records, tree.problems);
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
    const kept = this.#kept(check, Date.now());
    const found = await this.#run(changedFiles(rules().root, kept));
    if (found !== null) {
      if (!isEmpty(found)) this.#publish(await this.#next(found), []);
      return;
    }
    const tree = await this.#run(readTree(rules(), kept));
    if (tree.unreadable.includes("") && before.entries.length > 0) {
      log.error("content.unreadable", { problems: tree.problems.length });
      return;
    }
    this.#folders = tree.folders;
    // After a first start the snapshot waits for the times of the folders.
    if (haveNewTimes(kept.folders, tree.folders)) this.#saver?.saveLater();
    keepUnreadable(tree.records, tree.unreadable, before.records);
    if (check === "file" && this.#isAsBefore(tree)) return;
    this.#treeProblems = tree.problems;
    this.#publish(await this.#build(tree.records, tree.problems), []);
  }

  /** Looks at paths below the content folder again: files or folders that came, went or changed. */
  async refresh(paths: readonly string[]): Promise<void> {
    await this.#lock.run(updates, async () => {
      const rules = this.#options.rules();
      const found = await this.#run(readPaths(paths, rules, this.#index.records));
      if (found.problems !== null) this.#treeProblems = [...this.#treeProblems, ...found.problems];
      if (isEmpty(found) && found.media.size === 0) return;
      const next = isEmpty(found) ? this.#index : await this.#next(found);
      // Requests that came while it was made go before what subscribers do with it.
      await nextTurn();
      this.#publish(next, found.media);
    });
  }

  async #next(found: ChangedRecords): Promise<ContentIndex> {
    const rules = this.#options.rules();
    // By other rules (templates of another theme) the rest of the tree stands elsewhere, too.
    const isSameTree = stampOf(rules) === this.#stamp;
    const quick = isSameTree ? await this.#run(nextQuickly(this.#index, found, rules)) : null;
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
    this.#stamp = stampOf(rules);
    return this.#run(buildIndex({ records, treeProblems, rules, previous }));
  }

  #publish(next: ContentIndex, media: Iterable<string>): void {
    const before = this.#index;
    this.#index = next;
    this.#options.onChange({ changes: changesBetween(before, next, media), before, after: next });
    if (next !== before) this.#saver?.saveLater();
  }

  #run<T>(work: Sliced<T>): Promise<T> {
    return runInSlices(work, this.#isLoaded ? undefined : startSliceMs);
  }

  #snapshot(): Saved {
    const [index, folders, treeProblems] = [this.#index, this.#folders, this.#treeProblems];
    return { stamp: this.#stamp, index, folders, treeProblems, writtenAt: Date.now() };
  }

  /** The tree of this generation. `check`: how far it is trusted; `writtenAt`: when it was looked at. */
  #kept(check: "file" | "hash", writtenAt: number): KeptTree {
    const { records } = this.#index;
    return { records, folders: this.#folders, check, before: writtenAt - racyMs };
  }

  #isAsBefore({ records, problems }: TreeRecords): boolean {
    const isSameWalk = problems.length === this.#treeProblems.length;
    return isSameWalk && isSame(this.#index.records, records);
  }

  /** True when the snapshot is as good to the next start as a new one would be. */
  #isKeptBy({ folders, index }: Snapshot): boolean {
    if (haveNewTimes(folders, this.#folders)) return false;
    return isNearlySame(index.records, this.#index.records);
  }

  /** Waits for what is under way and writes the snapshot if it is due. */
  async close(): Promise<void> {
    await this.#saver?.close();
    await this.#lock.run(updates, () => undefined);
  }
}

/** What decides which pages are made of the same files. */
function stampOf({ formats, templates, ...rules }: ContentRules): string {
  const { root, languages, defaultLanguage, includeDefaultInUrl, home, timezone } = rules;
  const names = [[...formats].sort(), [...templates].sort()];
  return JSON.stringify([
    ...[root, names, languages, defaultLanguage, includeDefaultInUrl, home, timezone],
  ]);
}

function isEmpty({ changed, removed }: ChangedRecords): boolean {
  return changed.length === 0 && removed.length === 0;
}
