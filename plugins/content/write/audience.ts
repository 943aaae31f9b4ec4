/** Who can see a page, and when, according to its front matter and path. */
import type { PageEntry, RolesRule } from "../contract.js";
import { Fields } from "../read/front-matter/fields.js";
import {
  folderOf,
  nameOf,
  parseFileName,
  parseFolderName,
  type NameRules,
  joinPath,
} from "../read/source-name.js";
import { toSourceRecord } from "../read/source-record.js";
import type { ChangeFiles } from "./change-files.js";
import { isMediaName } from "../read/media-listing.js";
import { letsInMore, parseRoles } from "../index/gating.js";
import { releaseOf } from "../index/page-entry.js";
import { bringsOut, type Release } from "../schedule/release.js";
import type { ContentRules } from "../index/store-options.js";

/** What decides who can see a page. */
export interface Audience {
  readonly release: Release;
  readonly roles: RolesRule | null;
  /** True for modules and pages that are not routable: shown in other pages only. */
  readonly isPart: boolean;
}
type AudienceRules = NameRules & { readonly timezone: string };

/** Always public: a media file without an owner. */
export const EVERYBODY: Audience = {
  release: { published: true, status: "published", publishAt: null, unpublishAt: null },
  roles: null,
  isPart: false,
};

/** The audience of a file at a path; null when the file is never shown as a page. */
export function audienceOf(path: string, bytes: Buffer, rules: AudienceRules): Audience | null {
  const name = parseFileName(nameOf(path), rules);
  const reach = reachOf(folderOf(path));
  if (name === null || reach === "none") return null;
  const record = toSourceRecord({ sourcePath: path, mtimeMs: 0, size: bytes.length }, bytes);
  if (record.error !== null) return null;
  const { frontmatter } = record;
  const roles = parseRoles(frontmatter.roles);
  if (roles === "invalid") return null;
  const flag = { absent: true, whenInvalid: false };
  const isRoutable = new Fields(frontmatter).flag("routable", flag);
  return {
    release: releaseOf(frontmatter, rules.timezone),
    roles,
    isPart: reach === "part" || !isRoutable,
  };
}

/** True for a page whose file cannot be read: it may be meant for anyone. */
export function isUnread(path: string, bytes: Buffer, rules: AudienceRules): boolean {
  const isPage = parseFileName(nameOf(path), rules) !== null;
  return isPage && reachOf(folderOf(path)) !== "none" && audienceOf(path, bytes, rules) === null;
}

/** The audience of a page's media. */
export function mediaAudience(owner: PageEntry | null): Audience {
  return owner === null ? EVERYBODY : { release: owner, roles: owner.roles, isPart: false };
}

/** True when `next` is visible to anyone, at any time from `now` on, who cannot see `before` then. */
export function isWider(before: Audience | null, next: Audience | null, now: number): boolean {
  if (next === null || !bringsOut(null, next.release, now)) return false;
  if (before === null || bringsOut(before.release, next.release, now)) return true;
  return letsInMore(before.roles, next.roles) || (before.isPart && !next.isPart);
}

/** True when the folders of `to` hide less than those of `path`, so pages below may reach more people. */
export function opensFolders(path: string, to: string): boolean {
  return REACHES.indexOf(reachOf(to)) > REACHES.indexOf(reachOf(path));
}

const REACHES = ["none", "part", "page"] as const;

/** How visible pages below a folder are: `_drafts` hides them, a module shows them in its page. */
function reachOf(folder: string): (typeof REACHES)[number] {
  const names = folder === "" ? [] : folder.split("/").map(parseFolderName);
  if (names.some(({ isDrafts }) => isDrafts)) return "none";
  return names.some(({ isModule, isHidden }) => isModule || isHidden) ? "part" : "page";
}

// Whether moving or deleting a file lets more people see something, its media included.

/** Dependencies of the check. */
interface WideningParts {
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
