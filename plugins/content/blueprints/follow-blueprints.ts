/** Reads page types again when their files change. */
import type { SiteContext } from "#kernel";
import { followFolder } from "../watch/follow-folder.js";
import { BLUEPRINTS_FOLDER, type SiteBlueprints } from "./site-blueprints.js";

/** What follows a change. */
export interface FollowParts {
  readonly blueprints: SiteBlueprints;
  /** Sorts files into pages again: page types decide which file is a folder's page, and its terms. */
  rebuild(): Promise<void>;
}

/** Watches the folder, which may be created later; every worker reads it for itself. */
export function followBlueprints(site: SiteContext, { blueprints, rebuild }: FollowParts): void {
  const read = async (): Promise<boolean> => {
    const before = treeRules(blueprints);
    if (!(await blueprints.read())) return false;
    if (treeRules(blueprints) !== before) await rebuild();
    // Any cached value may have been made from the former page types.
    await site.changes.publish({ changes: [], tags: null, isFound: true });
    site.log.info("content.blueprints_read", { version: blueprints.version });
    return true;
  };
  followFolder(site, BLUEPRINTS_FOLDER, read);
}

/** What decides places, values and terms of pages. */
function treeRules({ names, termFields, textFields }: SiteBlueprints): string {
  return JSON.stringify([[...names].sort(), [...termFields], textFields.stamp]);
}
