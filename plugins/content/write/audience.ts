/** Who can see a page, and when, according to its front matter and path, and whether a change lets more people see it. */
import type { PageEntry, RolesRule } from "../contract.js";
import { Fields } from "../read/front-matter/fields.js";
import { isMediaName } from "../read/media-listing.js";
import {
  folderOf,
  isPagePath,
  joinPath,
  nameOf,
  parseFolderName,
  type NameRules,
} from "../read/source-name.js";
import { recordOfBytes } from "../read/source-record.js";
import { letsInMore, parseRoles } from "../index/gating.js";
import { parseRelease } from "../index/page-entry.js";
import type { ContentRules } from "../index/store-options.js";
import { bringsOut, type Release } from "../schedule/publication-time.js";
import type { ChangeFiles } from "./change-files.js";

/** The facts that decide who can see a page. */
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

/** The audience of a file at a path; null for no file, and for one that is never shown as a page. */
export function findAudience(
  path: string,
  bytes: Buffer | null,
  rules: AudienceRules,
): Audience | null {
  const reach = folderReach(folderOf(path));
  if (bytes === null || !isPagePath(path, rules) || reach === "none") return null;
  const record = recordOfBytes(path, bytes);
  if (record.error !== null) return null;
  const { frontmatter } = record;
  const roles = parseRoles(frontmatter.roles);
  if (roles === "invalid") return null;
  const flag = { absent: true, whenInvalid: false };
  const isRoutable = new Fields(frontmatter).flag("routable", flag);
  return {
    release: parseRelease(frontmatter, rules.timezone),
    roles,
    isPart: reach === "part" || !isRoutable,
  };
}

/** True for a page whose file cannot be read: it may be meant for anyone. */
export function isUnread(path: string, bytes: Buffer, rules: AudienceRules): boolean {
  if (!isPagePath(path, rules) || folderReach(folderOf(path)) === "none") return false;
  return findAudience(path, bytes, rules) === null;
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

const REACHES = ["none", "part", "page"] as const;

/** The visibility of pages below a folder: `_drafts` hides them, a module shows them in its page. */
function folderReach(folder: string): (typeof REACHES)[number] {
  const names = folder === "" ? [] : folder.split("/").map(parseFolderName);
  if (names.some(({ isDrafts }) => isDrafts)) return "none";
  return names.some(({ isModule, isHidden }) => isModule || isHidden) ? "part" : "page";
}

/** The files of a change, and what decides who can see them. */
export interface AudienceContext {
  readonly files: ChangeFiles;
  readonly rules: ContentRules;
  /** Unix ms. */
  readonly now: number;
  /** The page whose access rules apply to the media of a folder; null: public. */
  ownerOf(folder: string): PageEntry | null;
}

/** True when deleting a page would show the media of its folder to more people. */
export async function deletionWidens(path: string, context: AudienceContext): Promise<boolean> {
  const folder = folderOf(path);
  const owner = context.ownerOf(folder);
  if (owner?.sourcePath !== path) return false;
  if (!isWider(mediaAudience(owner), mediaAudience(null), context.now)) return false;
  // Another page may own the media afterwards; its audience is not looked up.
  return holdsMedia(folder, context);
}

/** True when more people can see a file or folder, its media included, at `to` than at `path`. */
export async function moveWidens(
  path: string,
  to: string,
  context: AudienceContext,
): Promise<boolean> {
  if ((await context.files.kind(path)) === "file") {
    return (await pageWidens(path, to, context)) || (await deletionWidens(path, context));
  }
  if (opensFolders(path, to)) {
    for (const file of await context.files.list(path)) {
      if (await pageWidens(file, to + file.slice(path.length), context)) return true;
    }
  }
  return mediaWidens(path, to, context) && holdsMedia(path, context);
}

async function pageWidens(
  path: string,
  to: string,
  { files, rules, now }: AudienceContext,
): Promise<boolean> {
  const bytes = await files.read(path);
  return isWider(findAudience(path, bytes, rules), findAudience(to, bytes, rules), now);
}

/** True when the folders of `to` hide less than those of `path`, so pages below may reach more people. */
function opensFolders(path: string, to: string): boolean {
  return REACHES.indexOf(folderReach(to)) > REACHES.indexOf(folderReach(path));
}

/** Media below a moved folder may belong to a page above it, which does not move. */
function mediaWidens(path: string, to: string, { ownerOf, now }: AudienceContext): boolean {
  const next = mediaAudience(ownerOf(to));
  const owners = [ownerOf(path), ownerOf(joinPath(path, "below"))];
  return owners.some((owner) => {
    const staysBehind = owner !== null && !owner.sourcePath.startsWith(`${path}/`);
    return staysBehind && isWider(mediaAudience(owner), next, now);
  });
}

async function holdsMedia(folder: string, { files, rules }: AudienceContext): Promise<boolean> {
  const below = await files.list(folder);
  return below.some((path) => isMediaName(nameOf(path), rules));
}
