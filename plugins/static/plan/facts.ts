import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { SiteContext } from "#kernel";
import type { MediaItem, PageEntry } from "../../content/contract.js";
import type {} from "../../flex/contract.js";

/** A file of the content folder that is exported unchanged. */
export interface MediaFile {
  folder: string;
  item: MediaItem;
}

/** Inputs besides pages: media by folder and records by type. */
export interface SiteFacts {
  /** Tag to digest. */
  facts: Record<string, string>;
  media: MediaFile[];
}

/** Reads all inputs besides pages. */
export async function siteFacts(site: SiteContext): Promise<SiteFacts> {
  const found: SiteFacts = { facts: {}, media: [] };
  const content = site.use("content");
  const folders = foldersOf(content.generation().entries);
  for (const folder of content.mediaFolders()) {
    if (!folders.has(folder)) continue;
    const items = await content.media(folder);
    if (items.length === 0) continue;
    found.facts[`media:${folder}`] = digestOf(items);
    for (const item of items) found.media.push({ folder, item });
  }
  await addRecords(site, found.facts);
  return found;
}

/** Tags that were added, removed or changed. */
export function changedFacts(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const tags = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...tags].filter((tag) => before[tag] !== after[tag]);
}

/** Every folder on the way to a page. */
function foldersOf(entries: readonly PageEntry[]): Set<string> {
  const folders = new Set<string>();
  for (const entry of entries) {
    let { folder } = entry;
    for (; folder !== "." && !folders.has(folder); folder = posix.dirname(folder)) {
      folders.add(folder);
    }
  }
  return folders.add("");
}

async function addRecords(site: SiteContext, facts: Record<string, string>): Promise<void> {
  const flex = site.use("flex", { optional: true });
  for (const type of flex?.types() ?? []) {
    facts[`flex:${type.name}`] = digestOf([type, await flex?.all(type.name)]);
  }
}

function digestOf(value: unknown): string {
  return createHash("sha1").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}
