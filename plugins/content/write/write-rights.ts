/**
 * Decides whether the author of a change may make it: the only place that does. It looks at the paths and texts
 * before and after the change, because a route knows only the name that a request gives.
 */
import { isDeepStrictEqual } from "node:util";
import type { ContentChange, PageEntry, WriteAction, WriteRights } from "../contract.js";
import type { ContentErrorCode } from "../errors.js";
import type { ContentRules } from "../index/store-options.js";
import { Fields } from "../read/front-matter/fields.js";
import { parseYamlMap } from "../read/front-matter/full-yaml.js";
import { isMediaFolder, isSidecar } from "../read/media-listing.js";
import { folderOf, formatOf, isCode, isPagePath, nameOf } from "../read/source-name.js";
import type { ChangedRecords } from "../index/update-index.js";
import { recordOfBytes, type SourceRecord } from "../read/source-record.js";
import { isReleased } from "../schedule/publication-time.js";
import { findAudience, isUnread, mediaAudience, type AudienceContext } from "./audience.js";
import { Refusal } from "./change-checks.js";
import { isOfModule, ownersOfText, readOwners } from "./page-owners.js";

/** The site's own work: commands, and changes that follow from those of an author. */
export const SERVER_RIGHTS: WriteRights = { fields: null, owner: null, refuse: () => null };

const CODES: Partial<Record<WriteAction, ContentErrorCode>> = { publish: "ERR_CONTENT_AUDIENCE" };

/** The author's rights, and the change that is decided about. */
export interface RightsContext extends AudienceContext {
  readonly rights: WriteRights;
  /** Folders of the pages of the same call, from `pageFolders`. */
  readonly folders: ReadonlySet<string>;
  /** See `ownersOfPart`. */
  partOwners(path: string, created: ReadonlySet<string>): Owners;
  /** See `displacedPages`. */
  displaced(change: ChangedRecords): Promise<readonly PageEntry[]>;
}

/** The accounts that own a page; null: the page is new. */
type Owners = readonly string[] | null;

/** What an author needs a right for. */
interface Need {
  readonly action: WriteAction;
  readonly path: string;
  readonly owners: Owners;
}

/**
 * The folders of the pages that the changes of one call create or delete: the media in them are created and deleted
 * with the rights to the page.
 */
export function pageFolders(
  changes: readonly ContentChange[],
  rules: ContentRules,
): ReadonlySet<string> {
  const pages = changes.filter((change) => {
    const isWhole = change.op === "delete" || (change.op === "write" && change.isNew === true);
    return isWhole && isPagePath(change.path, rules);
  });
  return new Set(pages.map(({ path }) => folderOf(path)).filter((folder) => folder !== ""));
}

/** The bytes of a file before and after a change; null: no file. */
export interface Versions {
  readonly before: Buffer | null;
  readonly after: Buffer;
}

/** @throws Refusal when the author may not create or update this file, whatever its new text is. */
export function assertMayWriteAt(
  path: string,
  { action, before }: { readonly action: "create" | "update"; readonly before: Buffer | null },
  context: RightsContext,
): void {
  const isPage = isPagePath(path, context.rules);
  // Media of a page that the same call creates are part of it.
  const mediaAction = isOwnedByBatch(path, context) ? "create" : "upload";
  const owners =
    action === "create" && isPage ? newOwners(path, context) : ownersOf(path, before, context);
  need({ action: isPage ? action : mediaAction, path, owners }, context);
  assertMayRun(path, context);
}

/** @throws Refusal when the author may not give a file this text. */
export function assertMayChange(
  path: string,
  versions: Versions & { readonly isRestored?: boolean },
  context: RightsContext,
): void {
  const { rights, rules } = context;
  const { before, after } = versions;
  const isPage = isPagePath(path, rules);
  if (rights.fields !== null) {
    // Only some fields may change, and those of such a page are unknown.
    if (isPage && before !== null && isUnread(path, before, rules)) {
      throw limited(path, "a page whose front matter cannot be read", rights.fields);
    }
    assertFields(path, versions, rights.fields, rules);
  }
  if (isPage) assertSameOwners(path, versions, context);
  // An unchanged text needs no right to publish. Replacing a file does, whatever its bytes.
  if (isPage && before?.equals(after) === true) return;
  // A new file is not shown by any page yet; the first description of one may be of a file that is.
  const standing = before ?? (isSidecar(path) ? after : null);
  if (standing !== null && isPublic(path, standing, context)) {
    const why = isPage
      ? "is published, or cannot be read; save a working copy and ask for a review"
      : "belongs to a published page";
    need({ action: "publish", path, owners: ownersOf(path, before, context) }, context, why);
  }
  if (isPage) assertMayClaim(path, versions, context);
}

/** @throws Refusal when more people would see a file and the author may not publish it. */
export function assertMayWiden(
  path: string,
  { isWider, before }: { readonly isWider: boolean; readonly before: Buffer | null },
  context: RightsContext,
): void {
  if (!isWider) return;
  const owners = ownersOf(path, before, context);
  need({ action: "publish", path, owners }, context, "would be seen by more people than before");
}

/**
 * @throws Refusal when changed files would take the address from pages that the author may not change, or from published
 * ones without the right to publish them.
 */
export async function assertMayTake(change: ChangedRecords, context: RightsContext): Promise<void> {
  const { rights, now } = context;
  const mayAll =
    rights === SERVER_RIGHTS ||
    (["update", "publish"] as const).every((action) => rights.refuse(action, null, []) === null);
  if (mayAll || change.changed.length === 0) return;
  for (const entry of await context.displaced(change)) {
    const page = { path: entry.sourcePath, owners: readOwners(entry.frontmatter) };
    need({ action: "update", ...page }, context, "would lose its address to this page");
    if (!isReleased(entry, now)) continue;
    const why = "is published, and would lose its address to this page";
    need({ action: "publish", ...page }, context, why);
  }
}

/** @throws Refusal when the author may not delete a file. */
export async function assertMayDelete(path: string, context: RightsContext): Promise<void> {
  const owners = ownersOf(path, await context.files.read(path), context);
  need({ action: deleteAction(path, context), path, owners }, context);
  assertMayRun(path, context);
  assertWhole(path, context.rights.fields);
  await assertNotLive(path, { why: "is published", at: [{ path, owners }] }, context);
}

/**
 * @throws Refusal when the author may not move a file or folder: each file below needs the rights at both names, and
 * to publish it when `isWider`. A page keeps its extension.
 */
export async function assertMayMove(
  path: string,
  { to, isWider }: { readonly to: string; readonly isWider: boolean },
  context: RightsContext,
): Promise<void> {
  const { files, rules } = context;
  const isFile = (await files.kind(path)) === "file";
  if (isFile) assertSameExtension(path, to, context);
  assertWhole(path, context.rights.fields);
  if (context.rights === SERVER_RIGHTS) return;
  if (!isFile)
    for (const name of [path, to]) need({ action: "update", path: name, owners: null }, context);
  const below = isFile ? [path] : await files.list(path);
  const targetOf = (file: string): string => to + file.slice(path.length);
  const pages = below.filter((file) => isPagePath(file, rules) && !isOfModule(file));
  const moving = new Set(pages.map((file) => folderOf(targetOf(file))));
  const changed: SourceRecord[] = [];
  for (const file of below) {
    const bytes = await files.read(file);
    const owners = ownersOf(file, bytes, context);
    const target = targetOf(file);
    if (isPagePath(target, rules) && bytes !== null) changed.push(recordOfBytes(target, bytes));
    const named = [
      { path: file, owners },
      { path: target, owners: newOwners(target, { ...context, folders: moving }) },
    ];
    for (const name of named) {
      const isMedium = isFile && !isPagePath(file, rules);
      need({ action: isMedium ? "upload" : "update", ...name }, context);
      assertMayRun(name.path, context);
      const why = "would be seen by more people than before";
      if (isWider) need({ action: "publish", ...name }, context, why);
    }
    const why = "is published, and its address would change";
    await assertNotLive(file, { why, at: named }, context);
  }
  await assertMayTake(
    { changed, removed: below.filter((file) => isPagePath(file, rules)) },
    context,
  );
}

/**
 * The owners of a file that may exist. A file without a page has no owners: it needs the right to the files of others.
 */
function ownersOf(path: string, before: Buffer | null, context: RightsContext): Owners {
  const { rules } = context;
  if (before === null || !isPagePath(path, rules) || isOfModule(path)) {
    return newOwners(path, context);
  }
  return ownersOfText(path, before);
}

/** The owners of the page that a file becomes a part of; null for a page of its own, and a file of a new page. */
function newOwners(path: string, context: RightsContext): Owners {
  const { rules, folders } = context;
  const owners = context.partOwners(path, folders);
  const isOfNew = isPagePath(path, rules) || isOwnedByBatch(path, context);
  return owners ?? (isOfNew ? null : []);
}

/**
 * Naming the owners of a page needs the right to the pages of others: an author limited to pages of their own neither
 * takes a page over nor gives one away. A new page may name its author as one of its owners.
 * @throws Refusal naming the key.
 */
function assertSameOwners(
  path: string,
  { before, after, isRestored = false }: Versions & { readonly isRestored?: boolean },
  context: RightsContext,
): void {
  if (context.rights === SERVER_RIGHTS || isOfModule(path)) return;
  // The write path rejects it; what it would name is unknown.
  if (recordOfBytes(path, after).error !== null && !isRestored) return;
  const next = ownersOfText(path, after);
  if (before === null) {
    const why = isRestored
      ? "belonged to other accounts, or to none"
      : "names other accounts in its key owner";
    const isNamed = isRestored || next.length > 0;
    if (isNamed) need({ action: "create", path, owners: next }, context, why);
    return;
  }
  const former = ownersOfText(path, before);
  const isSame = former.length === next.length && former.every((one) => next.includes(one));
  if (isSame) return;
  const why = "would belong to other accounts: its key owner changes";
  need({ action: "update", path, owners: [] }, context, why);
}

/** @throws Refusal when a file is code and the author may not write code. */
function assertMayRun(path: string, context: RightsContext): void {
  if (isCode(path, context.rules.codeFormats)) {
    need({ action: "code", path, owners: null }, context, "is code that the server runs");
  }
}

/** @throws Refusal when visitors see the file and the author may not publish at each path. */
async function assertNotLive(
  path: string,
  { why, at }: { readonly why: string; readonly at: readonly Omit<Need, "action">[] },
  context: RightsContext,
): Promise<void> {
  const needs = at.map((name): Need => ({ action: "publish", ...name }));
  const refused = needs.find((one) => refusalOf(one, context) !== null);
  if (refused === undefined) return;
  const bytes = await context.files.read(path);
  if (bytes !== null && isPublic(path, bytes, context)) need(refused, context, why);
}

/** True when visitors see a page, or the media of one, now; a page that cannot be read counts as seen. */
function isPublic(path: string, bytes: Buffer, context: RightsContext): boolean {
  const { rules, now, ownerOf } = context;
  const folder = folderOf(path);
  const isPage = isPagePath(path, rules);
  if (!isPage && !isMediaFolder(folder, rules)) return false;
  if (isPage && isUnread(path, bytes, rules)) return true;
  const audience = isPage ? findAudience(path, bytes, rules) : mediaAudience(ownerOf(folder));
  return audience !== null && isReleased(audience.release, now);
}

/**
 * An author limited to paths can give a page only other addresses below these paths.
 * @throws Refusal naming the address.
 */
function assertMayClaim(path: string, { before, after }: Versions, context: RightsContext): void {
  const former = new Set(before === null ? [] : readAliases(path, before));
  for (const alias of readAliases(path, after)) {
    if (former.has(alias)) continue;
    const reason = context.rights.refuse("update", withoutLanguage(alias, context.rules), null);
    if (reason === null) continue;
    const message = `${reason}: the alias ${JSON.stringify(alias)} of ${JSON.stringify(path)} is an address of other pages`;
    throw new Refusal("ERR_CONTENT_FORBIDDEN", message);
  }
}

function readAliases(path: string, bytes: Buffer): string[] {
  return new Fields(recordOfBytes(path, bytes).frontmatter).aliases();
}

/** An address as a path below the content folder: `/de/blog/x` is `blog/x`. */
function withoutLanguage(alias: string, { languages }: ContentRules): string {
  const [first = "", ...rest] = alias.slice(1).split("/");
  return languages.includes(first) ? rest.join("/") : alias.slice(1);
}

function deleteAction(path: string, context: RightsContext): WriteAction {
  const isOfPage = isPagePath(path, context.rules) || isOwnedByBatch(path, context);
  return isOfPage ? "delete" : "remove";
}

/** True for media below the folder of a page that the same call writes or deletes. */
function isOwnedByBatch(path: string, context: RightsContext): boolean {
  const { folders } = context;
  if (folders.size === 0 || isPagePath(path, context.rules)) return false;
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
    if (folders.has(folder)) return true;
  }
  return false;
}

function assertSameExtension(path: string, to: string, context: RightsContext): void {
  const isPage = isPagePath(path, context.rules) || isPagePath(to, context.rules);
  const [from, next] = [path, to].map((name) => formatOf(nameOf(name)));
  if (!isPage || from === next) return;
  const message = `a move keeps the file's extension: ${JSON.stringify(path)} cannot become ${JSON.stringify(to)}`;
  throw new Refusal("ERR_CONTENT_EXTENSION", message);
}

/** @throws Refusal with the reason why the author may not do this. */
function need(what: Need, context: RightsContext, why?: string): void {
  const reason = refusalOf(what, context);
  if (reason === null) return;
  const message = why === undefined ? reason : `${reason}: ${JSON.stringify(what.path)} ${why}`;
  throw new Refusal(CODES[what.action] ?? "ERR_CONTENT_FORBIDDEN", message);
}

function refusalOf({ action, path, owners }: Need, { rights }: RightsContext): string | null {
  return rights.refuse(action, path, owners);
}

/** The name of a page's text among its fields. */
const BODY = "body";

/** @throws Refusal when the change touches another field than `fields`; a media file has only its bytes. */
function assertFields(
  path: string,
  { before, after }: Versions,
  fields: readonly string[],
  rules: ContentRules,
): void {
  const isPage = isPagePath(path, rules);
  if (!isPage && !isSidecar(path)) throw limited(path, "the file", fields);
  const [old, now] = [readKeys(path, before), readKeys(path, after)];
  // A new page that may not be published starts as a draft.
  if (before === null && isPage && now.get("status") === "draft") now.delete("status");
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const other = names.find(
    (name) => !fields.includes(name) && !isDeepStrictEqual(old.get(name), now.get(name)),
  );
  if (other !== undefined) throw limited(path, JSON.stringify(other), fields);
}

/** @throws Refusal when only some fields of pages and media may change, not the whole file. */
function assertWhole(path: string, fields: WriteRights["fields"]): void {
  // The keys of a sidecar were checked when it became empty.
  if (fields !== null && !isSidecar(path)) throw limited(path, "the whole file", fields);
}

function readKeys(path: string, bytes: Buffer | null): Map<string, unknown> {
  if (bytes === null) return new Map();
  if (isSidecar(path)) return sidecarFields(bytes);
  const { frontmatter, texts, bodyOffset } = recordOfBytes(path, bytes);
  const body = bytes.toString("utf8", bodyOffset).trim();
  // `1.10` and `1.1` are one number and two texts.
  const entries = Object.entries({ ...frontmatter, ...texts });
  return new Map(body === "" ? entries : [...entries, [BODY, body]]);
}

/** An invalid sidecar counts as empty. */
function sidecarFields(bytes: Buffer): Map<string, unknown> {
  const result = parseYamlMap(bytes.toString("utf8"));
  return new Map("issue" in result ? [] : Object.entries({ ...result.data, ...result.texts }));
}

function limited(path: string, what: string, fields: readonly string[]): Refusal {
  const message = `${JSON.stringify(path)}: ${what} may not be changed; this token may change ${fields.join(", ")}`;
  return new Refusal("ERR_CONTENT_LIMITED", message);
}
