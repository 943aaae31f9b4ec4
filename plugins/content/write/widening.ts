/** Whether moving or deleting a file lets more people see something, its media included. */
import { audienceOf, isWider, mediaAudience, opensFolders } from "../index/audience.js";
import type { ChangeFiles } from "./change-files.js";
import type { ContentRules } from "../index/store-options.js";
import type { PageEntry } from "../contract.js";
import { isMediaName } from "../read/media/media-listing.js";
import { folderOf, joinPath, nameOf } from "../read/source-name.js";

/** Dependencies of the check. */
export interface WideningParts {
  readonly files: ChangeFiles;
  readonly rules: ContentRules;
  /** Unix ms. */
  readonly now: number;
  /** The page whose access rules apply to the media of a folder; null: public. */
  ownerOf(folder: string): PageEntry | null;
}

/** True when deleting a page would show the media of its folder to more people. */
export async function deletionWidens(path: string, parts: WideningParts): Promise<boolean> {
  const folder = folderOf(path);
  const owner = parts.ownerOf(folder);
  if (owner?.sourcePath !== path) return false;
  if (!isWider(mediaAudience(owner), mediaAudience(null), parts.now)) return false;
  // Another page may own the media afterwards; its audience is not looked up.
  return holdsMedia(folder, parts);
}

/** True when more people can see a file or folder at `to` than at `path`. */
export async function moveWidens(
  { path, to }: { path: string; to: string },
  parts: WideningParts,
): Promise<boolean> {
  const isFile = (await parts.files.kind(path)) === "file";
  if (isFile) {
    const isOpened = await pageWidens({ path, to }, parts);
    return isOpened || (await deletionWidens(path, parts));
  }
  if (opensFolders(path, to)) {
    for (const file of await parts.files.list(path)) {
      const target = to + file.slice(path.length);
      if (await pageWidens({ path: file, to: target }, parts)) return true;
    }
  }
  return (await mediaWiden({ path, to }, parts)) && holdsMedia(path, parts);
}

async function pageWidens(
  { path, to }: { path: string; to: string },
  { files, rules, now }: WideningParts,
): Promise<boolean> {
  const bytes = await files.read(path);
  if (bytes === null) return false;
  return isWider(audienceOf(path, bytes, rules), audienceOf(to, bytes, rules), now);
}

/** Media below a moved folder may belong to a page above it, which does not move. */
async function mediaWiden(
  { path, to }: { path: string; to: string },
  { ownerOf, now }: WideningParts,
): Promise<boolean> {
  const next = mediaAudience(ownerOf(to));
  const owners = [ownerOf(path), ownerOf(joinPath(path, "below"))];
  return owners.some((owner) => {
    const staysBehind = owner !== null && !owner.sourcePath.startsWith(`${path}/`);
    return staysBehind && isWider(mediaAudience(owner), next, now);
  });
}

async function holdsMedia(folder: string, { files, rules }: WideningParts): Promise<boolean> {
  const below = await files.list(folder);
  return below.some((path) => isMediaName(nameOf(path), rules));
}
