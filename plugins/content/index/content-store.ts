/** Holds the current generation and builds the next one from the whole tree or from changed paths. */
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { KeyedLock } from "#kernel";
import { runInSlices, START_SLICE_MS, type Sliced } from "#lib/concurrency";
import { changedFiles, readTree, type CachedTree, type TreeRecords } from "../read/read-tree.js";
import { changesBetween } from "../write/changes.js";
import type { ContentProblem } from "../contract.js";
import { haveNewTimes, withFound, type CachedFolders } from "../read/walk.js";
import { readPaths, type FoundChanges } from "../read/read-paths.js";
import type { SourceRecord } from "../read/source-record.js";
import { UnreadFiles, withUnread } from "../read/unread-files.js";
import { isAtOrBelow, isIgnoredName, isPagePath } from "../read/source-name.js";
import { rulesStamp, type StoreOptions } from "./store-options.js";
import { readSnapshot, type Snapshot, SnapshotSaver, type Saved } from "./snapshot.js";
import {
  WriteQueue,
  type UpdatedTree,
  type WriteWork,
  PathQueue,
  type Rescan,
} from "./update-queues.js";
import { buildIndex } from "./build-index.js";
import {
  emptyIndex,
  type ContentIndex,
  type FindProblems,
  afterFiles,
  afterPaths,
  isSameList,
} from "./content-index.js";
import { isEmpty, updateIndex, type ChangedRecords } from "./update-index.js";

// A file written less than two seconds before its time was recorded may change without a new mtime.
const RACY_MS = 2000;
/** Files that are read in one turn of updates; more are scanned outside it. */
const MAX_PROMPT_PATHS = 10;
/** The turn of what replaces the index; saves wait for it. */
const UPDATES = "updates";
/** The turn of what reads many files; it is taken before that of updates. */
const SCANS = "scans";

/** What reading has found, compared with the generation before it. */
interface Found extends ChangedRecords {
  /** Folders whose media changed. */
  readonly media: Iterable<string>;
  /** True: the index is built again although no file differs. */
  readonly isRebuild?: boolean;
  /** The problems of the tree after it. */
  treeProblems(index: ContentIndex): readonly ContentProblem[];
}

/** The state of the content plugin. */
export class ContentStore {
  readonly #options: StoreOptions;
  readonly #lock = new KeyedLock();
  readonly #saver: SnapshotSaver | null;
  readonly #find: FindProblems;
  #index = emptyIndex();
  #folders: CachedFolders = new Map();
  readonly #unread: UnreadFiles;
  /** The tree contains links, so a change may also affect other paths. */
  #hasLinks = false;
  #nextRebuild: Promise<void> | null = null;
  readonly #turns: UpdatedTree = {
    root: () => this.#options.rules().root,
    lock: () => this.#options.writeLock?.(),
    inTurn: (work) => this.#lock.run(UPDATES, work),
    lookAt: (paths) => this.#lookAt(paths),
    publish: () => this.#publish(this.#index, []),
  };
  readonly #writes = new WriteQueue(this.#turns);
  readonly #refreshes = new PathQueue({
    inTurn: (work) => this.#lock.run(SCANS, work),
    lookAt: (paths) => this.#scanPaths(paths),
  });
  /** Few files are read in a turn of updates: a request for a page does not wait for a whole checkout. */
  readonly #prompt = new PathQueue(this.#turns);
  /** Paths of records that were replaced since a scan began; null: none runs. */
  #newer: Set<string> | null = null;
  #isLoaded = false;
  /** Identifies the rules that the index was built with. */
  #stamp = "";

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#find = options.findProblems ?? (() => []);
    const { snapshotFile: file, log } = options;
    // Export threads read the same tree as the main thread, which writes the snapshot.
    const isKept = file !== null && isMainThread;
    this.#saver = isKept ? new SnapshotSaver(file, options, () => this.#snapshot()) : null;
    this.#unread = new UnreadFiles(log, (paths) => this.refresh(paths));
  }

  get index(): ContentIndex {
    return this.#index;
  }

  /** Loads the first generation: the snapshot, updated from disk. */
  async load(): Promise<void> {
    await this.#exclusively(async () => {
      const { rules, isExport } = this.#options;
      const stamp = rulesStamp(rules());
      const snapshot = await readSaved(this.#options, stamp);
      if (snapshot === null) await this.#loadTree(isExport ? null : "untimed");
      else await this.#bringUpToDate(snapshot, stamp);
      this.#isLoaded = true;
      if (!isExport) this.#unread.follow(this.#index, "quietly");
      if (snapshot === null || !isStoredIn(snapshot, this.#index, this.#folders))
        this.#saver?.saveLater();
    });
  }

  async #bringUpToDate(snapshot: Snapshot, stamp: string): Promise<void> {
    this.#index = snapshot.index.findProblemsWith(this.#find);
    this.#stamp = stamp;
    this.#folders = snapshot.folders;
    const { check, rules } = this.#options;
    if (check === "none") return;
    const cached = this.#kept(check, snapshot.writtenAt);
    const changed = await this.#run(changedFiles(rules().root, cached));
    if (changed === null) await this.#loadTree(cached);
    else this.#index = await this.#next(changed, afterFiles(this.#index, changed.problems));
  }

  async #loadTree(cached: CachedTree | "untimed" | null): Promise<void> {
    const tree = await this.#run(readTree(this.#options.rules(), cached, this.#options));
    this.#folders = tree.folders;
    this.#hasLinks = tree.hasLinks;
    if (cached !== null && cached !== "untimed")
      keepUnreadable(tree.records, tree.unreadable, cached.records);
    if (this.#index.id > 0 && isSameTree(this.#index, tree)) return;
    this.#index = await this.#build(tree.records, tree.problems);
  }

  /** The folders found by the last walk, and by changes since. */
  get folders(): CachedFolders {
    return this.#folders;
  }

  /** Reads every file again; calls during a run share the one that follows it. */
  rebuild(): Promise<void> {
    this.#nextRebuild ??= this.#lock.run(SCANS, async () => {
      this.#nextRebuild = null;
      await this.#scan([], async () => {
        const cached = this.#kept("hash", Date.now());
        const found = this.#differing(cached, await this.#readTree(cached));
        return { ...found, media: [], isRebuild: true };
      });
    });
    return this.#nextRebuild;
  }

  /** Compares the tree with the disk after possibly lost events. True when that found a difference. */
  rescan(options: Rescan = {}): Promise<boolean> {
    return this.#refreshes.compare(options, (rest) =>
      this.#scan([], () => this.#readDiffering(rest)),
    );
  }

  async #readDiffering({ check = "file", touched = [] }: Rescan): Promise<Found> {
    const media = (await this.#options.changedMedia?.()) ?? [];
    const before = this.#index;
    const cached = { ...this.#kept(check, Date.now()), touched: withUnread(before, touched) };
    const changed = await this.#run(changedFiles(this.#options.rules().root, cached));
    if (changed === null)
      return { ...this.#differing(cached, await this.#readTree(cached)), media };
    return { ...changed, media, treeProblems: (index) => afterFiles(index, changed.problems) };
  }

  #differing(
    { records: before }: CachedTree,
    { records, problems }: TreeRecords,
  ): Omit<Found, "media"> {
    return {
      changed: [...records.values()].filter((one) => before.get(one.sourcePath) !== one),
      removed: [...before.keys()].filter((path) => !records.has(path)),
      treeProblems: () => problems,
    };
  }

  async #readTree(cached: CachedTree): Promise<TreeRecords> {
    const tree = await this.#run(readTree(this.#options.rules(), cached));
    keepUnreadable(tree.records, tree.unreadable, cached.records);
    if (!tree.unreadable.includes("")) {
      this.#folders = tree.folders;
      this.#hasLinks = tree.hasLinks;
    }
    // After a first startup the snapshot still lacks the folder times.
    if (haveNewTimes(cached.folders, tree.folders)) this.#saver?.saveLater();
    return tree;
  }

  /**
   * Reads while saves go on, and takes a turn only to replace the index. What a save has replaced meanwhile is newer
   * than what was read. Call it in the turn of scans. `paths`: those that are read, for `read` to leave out echoes.
   */
  async #scan(
    paths: readonly string[],
    read: (echoes: ReadonlySet<string>) => Promise<Found>,
  ): Promise<boolean> {
    let echoes: ReadonlySet<string> = new Set();
    await this.#lock.run(UPDATES, async () => {
      this.#newer = new Set();
      echoes = this.#writes.echoes(paths);
    });
    try {
      const found = await read(echoes);
      return await this.#lock.run(UPDATES, async () => {
        const newer = this.#newer ?? new Set();
        this.#newer = null;
        const isDifferent = await this.#take({
          ...found,
          changed: found.changed.filter(({ sourcePath }) => !newer.has(sourcePath)),
          removed: found.removed.filter((path) => !newer.has(path)),
        });
        if (newer.size > 0) await this.#lookAt([...newer]);
        return isDifferent;
      });
    } finally {
      this.#newer = null;
    }
  }

  /** Replaces the index; true when that makes a difference. */
  async #take(found: Found): Promise<boolean> {
    const before = this.#index;
    const media = [...found.media];
    const problems = found.treeProblems(before);
    const next =
      found.isRebuild === true
        ? await this.#build(withChanged(before, found), problems)
        : await this.#next(found, problems);
    const isDifferent = next !== before || media.length > 0;
    if (isDifferent) {
      // Serve requests that arrived meanwhile before subscribers run.
      await nextTurn();
      await this.#publish(next, media);
    }
    return isDifferent;
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    return this.#lock.run(SCANS, () => this.#lock.run(UPDATES, work));
  }

  /**
   * Re-reads paths below the content folder: created, deleted or changed files or folders. Calls
   * during an update share the next one, so many saves at once result in one generation. Few files do not wait for a
   * scan that has begun.
   */
  refresh(paths: readonly string[]): Promise<void> {
    const isPrompt =
      paths.length <= MAX_PROMPT_PATHS &&
      !this.#hasLinks &&
      paths.every((path) => this.#statsOf(path)?.isDirectory() !== true);
    return (isPrompt ? this.#prompt : this.#refreshes).add(paths);
  }

  /**
   * Reads pages that were written since the index has read them, by this process or another one, and folders of pages
   * that it does not know. Costs one `lstat` per path when there is nothing to read.
   */
  async catchUp(paths: readonly string[]): Promise<void> {
    const unread = paths.filter((path) => this.#isUnread(path));
    if (unread.length > 0) await this.refresh(unread);
  }

  #isUnread(path: string): boolean {
    const { records } = this.#index;
    const stats = this.#statsOf(path);
    if (stats === null) return records.has(path);
    if (stats.isDirectory())
      return !this.#folders.has(path) && records.beginningWith(`${path}/`).length === 0;
    if (!stats.isFile() || !isPagePath(path, this.#options.rules())) return false;
    const record = records.get(path);
    return record?.mtimeMs !== stats.mtimeMs || record.size !== stats.size;
  }

  /** Null for a path that is no content, or that cannot be read. */
  #statsOf(path: string): Stats | null {
    if (path === "" || path.includes("\0") || path.split("/").some(isIgnoredName)) return null;
    try {
      return lstatSync(join(this.#options.rules().root, path));
    } catch {
      return null;
    }
  }

  /** Runs `work`, which writes files, while nothing else updates the tree, then re-reads them. */
  write(work: WriteWork): Promise<void> {
    return this.#writes.add(work);
  }

  /** Reads paths in the turn of an update. */
  async #lookAt(paths: readonly string[]): Promise<void> {
    const echoes = this.#writes.echoes(paths);
    const { found, isWide } = await this.#readPaths(paths, echoes);
    await this.#take(found);
    if (isWide) await this.#take(await this.#readDiffering({ touched: paths }));
  }

  async #scanPaths(paths: readonly string[]): Promise<void> {
    let isWide = false;
    await this.#scan(paths, async (echoes) => {
      const read = await this.#readPaths(paths, echoes);
      isWide = read.isWide;
      return read.found;
    });
    if (isWide) await this.#scan([], () => this.#readDiffering({ touched: paths }));
  }

  /** `isWide`: other paths may have changed with these. */
  async #readPaths(
    paths: readonly string[],
    echoes: ReadonlySet<string>,
  ): Promise<{ found: Found; isWide: boolean }> {
    const rules = this.#options.rules();
    const look = () => this.#run(readPaths(paths, rules, { records: this.#index.records, echoes }));
    const changed = await (this.#options.keepsLastGood ? whenSaved(look) : look());
    this.#takeFolders(changed);
    const { looked, problems } = changed;
    return {
      found: { ...changed, treeProblems: (index) => afterPaths(index, looked, problems) },
      isWide: this.#hasLinks || changed.hasOtherNames,
    };
  }

  #takeFolders({ folders: found }: FoundChanges): void {
    const folders = withFound(this.#folders, found);
    if (folders === this.#folders) return;
    this.#folders = folders;
    this.#saver?.saveLater();
  }

  async #next(
    differing: ChangedRecords,
    treeProblems: readonly ContentProblem[],
  ): Promise<ContentIndex> {
    const rules = this.#options.rules();
    const before = this.#index.withTreeProblems(treeProblems);
    if (isEmpty(differing)) return before;
    for (const { sourcePath } of differing.changed) this.#newer?.add(sourcePath);
    for (const path of differing.removed) this.#newer?.add(path);
    // Other rules (such as templates of another theme) also move the rest of the tree.
    const isPlacedAlike = rulesStamp(rules) === this.#stamp;
    const quick = isPlacedAlike ? await this.#run(updateIndex(before, differing, rules)) : null;
    if (quick !== null) return quick.findProblemsWith(this.#find);
    return this.#build(withChanged(before, differing), treeProblems);
  }

  async #build(
    records: ReadonlyMap<string, SourceRecord>,
    treeProblems: readonly ContentProblem[],
  ): Promise<ContentIndex> {
    const previous = this.#index.id === 0 ? null : this.#index;
    const [before, rules] = [this.#stamp, this.#options.rules()];
    this.#stamp = rulesStamp(rules);
    // A page from a snapshot has not been served by this process.
    const keepsLastGood = this.#isLoaded && this.#options.keepsLastGood;
    const other = { hasNewRules: this.#stamp !== before, keepsLastGood };
    const built = await this.#run(buildIndex({ records, treeProblems, rules, previous, ...other }));
    return built.findProblemsWith(this.#find);
  }

  async #publish(next: ContentIndex, media: Iterable<string>): Promise<void> {
    const before = this.#index;
    const changes = await this.#run(changesBetween(before, next, media));
    this.#index = next;
    this.#unread.follow(next);
    this.#options.onChange({ changes, before, after: next, writes: this.#writes.take() });
    if (next !== before) this.#saver?.saveLater();
  }

  #run<T>(work: Sliced<T>): Promise<T> {
    return runInSlices(work, this.#isLoaded ? undefined : START_SLICE_MS);
  }

  #snapshot(): Saved {
    const [index, folders] = [this.#index, this.#folders];
    return { stamp: this.#stamp, index, folders, writtenAt: Date.now() };
  }

  /** The tree of this generation. `check`: how it is verified; `writtenAt`: when it was read. */
  #kept(check: "file" | "hash", writtenAt: number): CachedTree {
    const { records } = this.#index;
    return { records, folders: this.#folders, check, before: writtenAt - RACY_MS };
  }

  /** Schedules a write of the snapshot. */
  saveLater(): void {
    this.#saver?.saveLater();
  }

  /** Waits for running work and writes the snapshot if it is due. */
  async close(): Promise<void> {
    this.#unread.close();
    await this.#saver?.close();
    await this.#exclusively(async () => undefined);
  }
}

function withChanged(
  { records: before }: ContentIndex,
  { changed, removed }: ChangedRecords,
): Map<string, SourceRecord> {
  const records = new Map(before);
  for (const path of removed) records.delete(path);
  for (const record of changed) records.set(record.sourcePath, record);
  return records;
}

/** Maximum time between emptying a file and writing it, in ms. */
const SAVING_MS = 100;

/** Calls `look`, and again when a file is empty: most editors empty a file before saving it. */
async function whenSaved(look: () => Promise<FoundChanges>): Promise<FoundChanges> {
  const first = await look();
  if (!first.changed.some(({ size }) => size === 0)) return first;
  await sleep(SAVING_MS);
  return look();
}

/** Share of changed files below which re-reading beats rewriting the snapshot. */
const WORTH_READING = 0.01;

/** True when both contain the same record objects. */
export function isSame(
  former: ReadonlyMap<string, SourceRecord> | undefined,
  now: ReadonlyMap<string, SourceRecord>,
): boolean {
  if (former === undefined || former.size !== now.size) return false;
  for (const [path, record] of now) if (former.get(path) !== record) return false;
  return true;
}

/**
 * True when so few files changed that re-reading them at the next startup is cheaper than rewriting
 * the snapshot.
 */
export function isNearlySame(
  former: ReadonlyMap<string, SourceRecord>,
  now: ReadonlyMap<string, SourceRecord>,
): boolean {
  if (former === now) return true;
  if (former.size !== now.size) return false;
  let others = 0;
  for (const [path, record] of now) {
    const before = former.get(path);
    if (before === undefined) return false;
    if (before !== record) others += 1;
  }
  return others <= now.size * WORTH_READING;
}

/** Retains the records below unreadable folders and links. */
export function keepUnreadable(
  records: Map<string, SourceRecord>,
  folders: readonly string[],
  before: ReadonlyMap<string, SourceRecord>,
): void {
  for (const folder of folders) {
    for (const [path, record] of before) {
      if (isAtOrBelow(path, folder) && !records.has(path)) records.set(path, record);
    }
  }
}

/** True when the index was built from this tree. */
function isSameTree(index: ContentIndex, { records, problems }: TreeRecords): boolean {
  return isSameList(index.treeProblems, problems) && isSame(index.records, records);
}

/** True when a new snapshot would not help the next startup. */
function isStoredIn(snapshot: Snapshot, index: ContentIndex, folders: CachedFolders): boolean {
  if (haveNewTimes(snapshot.folders, folders)) return false;
  return isNearlySame(snapshot.index.records, index.records);
}

/** The snapshot of the last generation, after the process that writes it has saved; null without one. */
async function readSaved(
  {
    snapshotFile,
    whenSaved,
    lastRun,
    log,
  }: Pick<StoreOptions, "snapshotFile" | "whenSaved" | "lastRun" | "log">,
  stamp: string,
): Promise<Snapshot | null> {
  if (snapshotFile === null) return null;
  await whenSaved?.();
  const snapshot = await readSnapshot(snapshotFile, stamp);
  lastRun?.note(snapshot?.index ?? null);
  if (snapshot !== null) log.info("content.loaded", { pages: snapshot.index.entries.length });
  return snapshot;
}
