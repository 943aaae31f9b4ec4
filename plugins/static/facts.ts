import { createHash } from "node:crypto";
import { readdirSync, type Dirent } from "node:fs";
import { join, posix } from "node:path";
import type { SiteContext } from "#kernel";
import type { MediaItem } from "../content/contract.js";
import type {} from "../flex/contract.js";

/** A file of the content folder that is exported as it is. */
export interface MediaFile {
  folder: string;
  item: MediaItem;
}

/** What is read besides pages: media by folder and records by type. */
export interface SiteFacts {
  /** Tag to digest. */
  facts: Record<string, string>;
  media: MediaFile[];
}

/** Reads what there is besides pages. */
export async function siteFacts(site: SiteContext): Promise<SiteFacts> {
  const found: SiteFacts = { facts: {}, media: [] };
  for (const [folder, names] of foldersOf(site)) {
    if (!hasOthers(join(site.paths.content, folder), names)) continue;
    const items = await site.use("content").media(folder);
    if (items.length === 0) continue;
    found.facts[`media:${folder}`] = digestOf(items);
    for (const item of items) found.media.push({ folder, item });
  }
  await addRecords(site, found.facts);
  return found;
}

/** Tags whose fact is another one, or there only now or only before. */
export function changedFacts(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const tags = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...tags].filter((tag) => before[tag] !== after[tag]);
}

/** Every folder on the way to a page, with the names of the content files in it. */
function foldersOf(site: SiteContext): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  const at = (folder: string): Set<string> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const names = new Set<string>();
    folders.set(folder, names);
    if (folder !== "") at(parentOf(folder));
    return names;
  };
  for (const { sourcePath } of site.use("content").generation().entries) {
    at(parentOf(sourcePath)).add(posix.basename(sourcePath));
  }
  return folders;
}

function parentOf(path: string): string {
  const parent = posix.dirname(path);
  return parent === "." ? "" : parent;
}

/** True when a folder holds a file that is no page: most hold none, and need no closer look. */
function hasOthers(folder: string, names: ReadonlySet<string>): boolean {
  return listOf(folder).some((entry) => !entry.isDirectory() && !names.has(entry.name));
}

function listOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function addRecords(site: SiteContext, facts: Record<string, string>): Promise<void> {
  const flex = site.find("flex");
  for (const type of flex?.types() ?? []) {
    facts[`flex:${type.name}`] = digestOf([type, await flex?.all(type.name)]);
  }
}

function digestOf(value: unknown): string {
  return createHash("sha1").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}
