/** Who can see a page, and when, according to its front matter and path. */
import type { PageEntry, RolesRule } from "../contract.js";
import { Fields } from "../read/front-matter/fields.js";
import { letsInMore, parseRoles } from "./gating.js";
import { releaseOf } from "./page-entry.js";
import { bringsOut, type Release } from "./schedule.js";
import {
  folderOf,
  nameOf,
  parseFileName,
  parseFolderName,
  type NameRules,
} from "../read/source-name.js";
import { toSourceRecord } from "../read/source-record.js";

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
