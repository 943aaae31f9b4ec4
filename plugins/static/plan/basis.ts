import { createHash, type Hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { readPackage } from "#kernel/internal";
import type {} from "../../render/contract.js";

/**
 * Digest of all inputs of pages except the content: settings, themes, page types, the site's own
 * plugins, versions, export options. When it changes, every page is rendered again. The part before the dot
 * covers everything but the themes.
 */
export function basisOf(site: SiteContext, options: Readonly<Record<string, unknown>>): string {
  const hash = createHash("sha1");
  const themes = createHash("sha1");
  const { settings, paths } = site;
  const plugins = site.runtime.plugins().map(({ name, version, state }) => [name, version, state]);
  const own = { site: settings.site, system: settings.system, plugins, options };
  hash.update(JSON.stringify([readPackage().version, own]));
  for (const { folder } of site.use("render").themes) addFolder(themes, folder);
  for (const folder of ["plugins", "migrations", "blueprints"])
    addFolder(hash, join(paths.root, folder));
  return `${hash.digest("base64url")}.${themes.digest("base64url")}`;
}

/** True when only the themes differ. */
export function isSameButThemes(one: string, other: string): boolean {
  return one.split(".", 1)[0] === other.split(".", 1)[0];
}

/** Names and bytes of the files below a folder. */
function addFolder(hash: Hash, folder: string): void {
  for (const entry of filesBelow(folder)) {
    hash
      .update(`${entry.slice(folder.length)}\0`)
      .update(readFileSync(entry))
      .update("\0");
  }
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [];
  }
}
