/** Reads page types again when their files change. */
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { ContentWatcher } from "../watch/watch.js";
import { BLUEPRINTS_FOLDER, type SiteBlueprints } from "./site-blueprints.js";

/** What follows a change. */
export interface FollowParts {
  readonly blueprints: SiteBlueprints;
  /** Sorts files into pages again: page types decide which file is a folder's page, and its terms. */
  rebuild(): Promise<void>;
}

/** Watches the folder, which may be created later; every worker reads it for itself. */
export function followBlueprints(site: SiteContext, { blueprints, rebuild }: FollowParts): void {
  if (site.lifecycle.signal.aborted) return;
  const read = async (): Promise<boolean> => {
    const before = treeRules(blueprints);
    if (!(await blueprints.read())) return false;
    if (treeRules(blueprints) !== before) await rebuild();
    // Any cached value may have been made from the former page types.
    await site.changes.publish({ changes: [], tags: null, isFound: true });
    site.log.info("content.blueprints_read", { version: blueprints.version });
    return true;
  };
  const watcher = new ContentWatcher({
    root: join(site.paths.root, BLUEPRINTS_FOLDER),
    isPolling: site.settings.system.content.watch === "poll",
    isOptional: true,
    log: site.log,
    onPaths: async () => void (await read()),
    onLost: read,
  });
  const started = watcher
    .start()
    .then(read)
    .catch((error: unknown) => site.log.error("content.watch.failed", { error: String(error) }));
  site.lifecycle.onClose(async () => {
    await watcher.close();
    await started;
  });
}

/** What decides places and terms of pages. */
function treeRules({ names, termFields }: SiteBlueprints): string {
  return JSON.stringify([[...names].sort(), [...termFields]]);
}
