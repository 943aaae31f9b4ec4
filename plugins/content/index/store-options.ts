import {
  type Logger,
  savedByLeader,
  saveForWorkers,
  type SiteContext,
  type WriteLock,
} from "#kernel";
import type { ContentChanges } from "../contract.js";
import { FirstRead } from "../read/read-source.js";
import type { LastRun } from "../write/journal-form.js";
import { snapshotPath } from "./snapshot.js";
import type { Write } from "./update-queues.js";
import type { TreeRules } from "../read/walk.js";
import type { ContentIndex, FindProblems } from "./content-index.js";
import type { PositionRules } from "./tree-nodes.js";

const SAVE = "content.save";

/** All rules of the tree. */
export type ContentRules = TreeRules & PositionRules;
/** The tree before and after a change, with the writes that caused it. */
export interface StoreChange {
  changes: ContentChanges;
  before: ContentIndex;
  after: ContentIndex;
  /** Empty for changes found on disk. */
  writes: readonly Write[];
}
/** Options of the store. */
export interface StoreOptions {
  rules(): ContentRules;
  check: "file" | "hash" | "none";
  /** Absolute path of the snapshot; null disables it. */
  snapshotFile: string | null;
  /** True when no watcher follows startup, so the first walk also records the times of folders. */
  isExport: boolean;
  /** True keeps the last good version of a page whose file becomes invalid (dev mode). */
  keepsLastGood: boolean;
  log: Logger;
  /** Gets the pages of the first walk. */
  firstRead?: FirstRead | null;
  /** Gets the pages of the snapshot. */
  lastRun?: Pick<LastRun, "note">;
  /** Workers read the same snapshot: one of them writes it. Default: this process does. */
  savesSnapshot?(): boolean;
  /** Gets what writes a due snapshot, for workers that are about to read it. */
  shareSaving?(save: () => Promise<void>): void;
  /** Resolves when the snapshot may be read. */
  whenSaved?(): Promise<void>;
  /** Held while files are checked and written. Absent: no other process writes. */
  writeLock?(): WriteLock;
  /** Folders whose media changed without an event since they were listed. */
  changedMedia?(): Promise<readonly string[]>;
  /** Finds problems of the whole tree; called on first access. */
  findProblems?: FindProblems;
  /** Called for every new generation, in order, before the next one is built. */
  onChange(change: StoreChange): void;
}

/** The options of the store that follow from the settings and the mode of a site. */
export function storeOptions({
  settings,
  paths,
  log,
  engines,
  lifecycle,
  runtime: { env, workers },
}: SiteContext): Omit<StoreOptions, "rules" | "onChange"> {
  const { cache } = settings.system;
  const isExport = lifecycle.purpose === "export";
  const firstRead = isExport ? null : new FirstRead();
  lifecycle.afterReady(() => firstRead?.close());
  return {
    check: cache.check,
    snapshotFile: cache.enabled ? snapshotPath(paths.cache) : null,
    isExport,
    firstRead,
    keepsLastGood: env.mode === "dev" && !isExport,
    log,
    // The first worker leads as soon as it is ready.
    savesSnapshot: () => workers.isLeader || workers.isFirst,
    shareSaving: (save) => saveForWorkers(workers, SAVE, save),
    whenSaved: () => savedByLeader(workers, SAVE),
    writeLock: () => engines.slot("writeLock").active,
  };
}

/** A stamp of the rules that decide which pages result from the same files. */
export function rulesStamp({
  formats,
  templates,
  termFields,
  textFields,
  ...rules
}: TreeRules & PositionRules): string {
  const { root, languages, defaultLanguage, includeDefaultInUrl, home, timezone } = rules;
  const names = [[...formats].sort(), [...templates].sort()];
  return JSON.stringify([
    root,
    names,
    languages,
    defaultLanguage,
    includeDefaultInUrl,
    home,
    timezone,
    [...(termFields ?? [])],
    textFields?.stamp ?? "",
  ]);
}
