import type { Logger, SiteContext } from "#kernel";
import type { ContentIndex, FindProblems } from "./content-index.js";
import type { ContentChanges } from "./contract.js";
import { snapshotPath } from "./snapshot.js";
import type { PlaceRules } from "./tree-nodes.js";
import type { Write } from "./write-queue.js";
import type { TreeRules } from "./walk.js";

/** Everything that decides what the tree says. */
export type ContentRules = TreeRules & PlaceRules;
/** What the tree was, what it is now, and who wrote that. */
export interface StoreChange {
  changes: ContentChanges;
  before: ContentIndex;
  after: ContentIndex;
  /** Empty: found on the disk. */
  writes: readonly Write[];
}
/** How the tree is compared with the disk. */
export interface Rescan {
  /** `file`: by time and size; `hash`: by the bytes. */
  check?: "file" | "hash";
  /** Paths whose files are read in any case. */
  touched?: readonly string[];
}
/** How the store works. */
export interface StoreOptions {
  rules(): ContentRules;
  check: "file" | "hash" | "none";
  /** Absolute path of the snapshot; null keeps none. */
  snapshotFile: string | null;
  /** True when nobody looks again after the start: the first look notes the times of folders, too. */
  isAlone: boolean;
  /** True keeps a page whose file becomes invalid as it was last valid (dev mode). */
  keepsLastGood: boolean;
  log: Logger;
  /** Folders whose media have changed since they were listed, unreported. */
  changedMedia?(): Promise<readonly string[]>;
  /** Finds problems of the tree as a whole; called when they are first asked for. */
  findProblems?: FindProblems;
  /** Told about every new generation, in order, before the next one is made. */
  onChange(change: StoreChange): void;
}

/** The options of the store that follow from the settings and the mode of a site. */
export function storeOptions({
  settings,
  paths,
  purpose,
  env,
  log,
}: SiteContext): Omit<StoreOptions, "rules" | "onChange"> {
  const { cache } = settings.system;
  const isAlone = purpose === "export";
  return {
    check: cache.check,
    snapshotFile: cache.enabled ? snapshotPath(paths.cache) : null,
    isAlone,
    keepsLastGood: env.mode === "dev" && !isAlone,
    log,
  };
}
