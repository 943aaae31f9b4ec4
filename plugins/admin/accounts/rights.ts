/** The rights of an identity: permissions that apply only below some paths, and the rights to write. */
import { isRecord } from "#kernel";
import { withoutOrders } from "#lib/text";
import type { AdminIdentity, Permission } from "../contract.js";
import { refusal } from "../errors.js";
import { contentPath } from "../write/page-source.js";
import type { WriteAction, WriteRights } from "../../content/contract.js";

/** The permissions of an identity, and the limits of roles and of the token. */
export type Limited = Pick<AdminIdentity, "id" | "permissions" | "paths" | "limits" | "ownPages">;

/**
 * True when a pattern covers the path of a file or folder. Number prefixes do not count: `blog/**` covers
 * `02.blog` and everything in it.
 */
export function isCovered(patterns: readonly string[], path: string): boolean {
  const segments = splitSegments(contentPath(path));
  if (segments.some((segment) => segment === ".." || segment === ".")) return false;
  return patterns.some((pattern) => matches(splitSegments(pattern), segments));
}

/**
 * True when the identity has the permission for the path; null: for the whole site. `owners` are those of the page at
 * the path, as in `WriteRights`; absent: those that the index knows.
 */
export function mayAt(
  identity: Limited,
  permission: Permission,
  path: string | null,
  owners?: readonly string[] | null,
): boolean {
  if (!identity.permissions.has(permission)) return false;
  const isInPaths = listPatterns(identity, permission).every(
    (patterns) => path !== null && isCovered(patterns, path),
  );
  return isInPaths && mayOwn(identity, permission, path, owners);
}

/** False for a permission that applies only to pages of one's own, and a path of another one. */
function mayOwn(
  { id, ownPages }: Limited,
  permission: Permission,
  path: string | null,
  owners: readonly string[] | null | undefined,
): boolean {
  const forAll = ownPages?.permissions.get(permission);
  if (ownPages === undefined || forAll === undefined) return true;
  if (path === null) return false;
  if (isCovered(forAll, path)) return true;
  const known = knownOwners(ownPages, path, owners);
  return known === null || known.includes(id);
}

/** The owners of the page at a path; null: there is no such page yet. */
function knownOwners(
  ownPages: NonNullable<Limited["ownPages"]>,
  path: string,
  owners: readonly string[] | null | undefined,
): readonly string[] | null {
  return owners === undefined ? ownPages.ownersOf(contentPath(path)) : owners;
}

/** True when some permissions apply only below some paths, or to pages of one's own. */
export function isLimited(identity: Pick<Limited, "paths" | "limits" | "ownPages">): boolean {
  return isLimitedToPaths(identity) || (identity.ownPages?.permissions.size ?? 0) > 0;
}

/** True when some permissions apply only below some paths. */
export function isLimitedToPaths({ paths, limits }: Pick<Limited, "paths" | "limits">): boolean {
  return paths.size > 0 || (limits?.paths ?? null) !== null;
}

/** True for a permission that `pages: own` limits to pages of one's own: to change them, not to read them. */
export function isAboutOwners(permission: Permission): boolean {
  return isAboutPages(permission) && permission !== "pages.read";
}

/** The permissions of the identity for pages and media that do not apply at the path; without any, no key. */
export function lacksOf(identity: Limited, path: string): { lacks?: Permission[] } {
  if (!isLimited(identity)) return {};
  const lacks = [...identity.permissions].filter((permission) => {
    // Pages beside and below it, and copies, are new.
    const owners = permission === "pages.create" ? null : undefined;
    return isAboutPages(permission) && !mayAt(identity, permission, path, owners);
  });
  return lacks.length === 0 ? {} : { lacks };
}

/** True for a permission that can be limited to paths. */
export function isAboutPages(permission: Permission): boolean {
  return permission.startsWith("pages.") || permission.startsWith("media.");
}

/** True for a permission to change accounts, settings or code, which have no fields that a token could be limited to. */
export function isAboutTheSite(permission: Permission | "any"): boolean {
  return /^(?:config|users|plugins|redirects)\./.test(permission);
}

/** The permissions that a limit to paths leaves: records have no path, so none for them. */
export function withinPaths(permissions: readonly Permission[]): Permission[] {
  return permissions.filter((permission) => !isAboutRecords(permission));
}

/** True for a permission that a limit to paths takes away. */
export function isAboutRecords(permission: Permission): boolean {
  return permission.startsWith("flex.");
}

/**
 * True when every path that matches one of `wanted` matches one of `own`; `wanted` null: the whole site.
 * Compares texts: `blog/**` covers `blog/2027/*`, but `*` does not cover `blog`.
 */
export function coversPatterns(
  granted: readonly string[],
  requested: readonly string[] | null,
): boolean {
  return (requested ?? ["**"]).every((pattern) =>
    granted.some((one) => coversPattern(one, pattern)),
  );
}

function coversPattern(granted: string, requested: string): boolean {
  const [mine, theirs] = [splitSegments(granted), splitSegments(requested)];
  const isSame = (segment: string, at: number): boolean => segment === theirs[at];
  if (mine.at(-1) !== "**") return mine.length === theirs.length && mine.every(isSame);
  return mine.slice(0, -1).every(isSame);
}

/** Lists of patterns; a path must match one of each: of the roles, and of the token. */
export function listPatterns(
  { paths, limits }: Limited,
  permission: Permission,
): (readonly string[])[] {
  const limited = isAboutPages(permission) ? limits?.paths : null;
  return [paths.get(permission), limited].filter(
    (patterns) => patterns !== undefined && patterns !== null,
  );
}

/** The identity with only those permissions that it has for all of the paths. */
export function narrowed(identity: AdminIdentity, paths: readonly string[]): AdminIdentity {
  const permissions = [...identity.permissions].filter((permission) =>
    paths.every((path) => mayAt(identity, permission, path)),
  );
  return { ...identity, permissions: new Set(permissions) };
}

/**
 * The identity, narrowed to the paths.
 * @throws ERR_ADMIN_FORBIDDEN (403) naming the permission and the first path that it does not cover.
 */
export function assertAt(
  identity: AdminIdentity,
  permission: Permission,
  paths: readonly string[],
): AdminIdentity {
  const refused = paths.find((path) => !mayAt(identity, permission, path));
  if (refused !== undefined) throw notCovered(identity, permission, refused);
  return narrowed(identity, paths);
}

/** @throws ERR_ADMIN_FORBIDDEN (403) unless the identity has the permission for the whole site. */
export function assertEverywhere(identity: AdminIdentity, permission: Permission): void {
  if (!mayAt(identity, permission, null)) throw notCovered(identity, permission, null);
}

/**
 * Why the identity does not have the permission for the path; null: it has. Path null: the whole site. `owners` as in
 * `mayAt`.
 */
export function reasonAgainst(
  identity: Limited,
  permission: Permission,
  path: string | null,
  owners?: readonly string[] | null,
): string | null {
  if (mayAt(identity, permission, path, owners)) return null;
  if (!identity.permissions.has(permission)) return `permission ${permission} is needed`;
  const where = path === null ? "the whole site" : JSON.stringify(path);
  if (!mayOwn(identity, permission, path, owners)) {
    const whose = path === null ? "pages of others" : `${where}, which is not your page`;
    const { ownPages } = identity;
    const isUnowned =
      path !== null && ownPages && knownOwners(ownPages, path, owners)?.length === 0;
    const why = isUnowned ? "; this one names no owner, or its front matter cannot be read" : "";
    return `permission ${permission} is needed for ${whose}; your roles limit it to pages that name your account in the key owner${why}`;
  }
  const { paths, limits } = identity;
  const [roles, token] = [paths.get(permission), limits?.paths ?? undefined];
  const reason = roles === undefined ? "" : `; your roles limit it to ${roles.join(", ")}`;
  const its = token === undefined ? "" : `; the token limits it to ${token.join(", ")}`;
  return `permission ${permission} is needed for ${where}${reason}${its}`;
}

/** The parts of a request that may name paths. */
interface RequestInput {
  readonly query: unknown;
  readonly body: unknown;
  /** Parameters of the address. */
  readonly params: object;
}

/** The paths that a request names. */
export function readPaths({ query, body, params }: RequestInput): string[] {
  const named = [params, query, body].flatMap((part) => (isRecord(part) ? [part["path"]] : []));
  const targets = isRecord(body) ? [body["to"], body["target"]] : [];
  return [...named, ...targets].filter((path) => typeof path === "string");
}

function notCovered(identity: Limited, permission: Permission, path: string | null): Error {
  const message = reasonAgainst(identity, permission, path) ?? `permission ${permission} is needed`;
  return refusal(403, "ERR_ADMIN_FORBIDDEN", message);
}

function splitSegments(path: string): string[] {
  return withoutOrders(path)
    .split("/")
    .filter((segment) => segment !== "");
}

/** `**` matches any number of segments. Follows all ways at once, so that no path takes long. */
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = skipping(pattern, new Set([0]));
  for (const segment of path) {
    const next = new Set<number>();
    for (const at of reached) {
      const expected = pattern[at];
      if (expected === "**") next.add(at);
      else if (expected !== undefined && matchesSegment(expected, segment)) next.add(at + 1);
    }
    reached = skipping(pattern, next);
  }
  return reached.has(pattern.length);
}

/** `**` also matches nothing. */
function skipping(pattern: readonly string[], reached: Set<number>): Set<number> {
  // A set visits what is added meanwhile.
  for (const at of reached) if (pattern[at] === "**") reached.add(at + 1);
  return reached;
}

/** `*` matches any characters of a segment. */
function matchesSegment(pattern: string, segment: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const start = segment.indexOf(part, at);
    if (start === -1) return false;
    at = start + part.length;
  }
  return segment.length - last.length >= at && segment.endsWith(last);
}

const NEEDED: Readonly<Record<WriteAction, Permission>> = {
  create: "pages.create",
  update: "pages.update",
  delete: "pages.delete",
  upload: "media.upload",
  remove: "media.delete",
  publish: "pages.publish",
  code: "plugins.manage",
  record: "flex.write",
};

/** The rights of an identity to pages, media and records. */
export function toWriteRights(identity: AdminIdentity): WriteRights {
  return {
    fields: identity.limits?.fields ?? null,
    owner: identity.ownPages === undefined ? null : identity.id,
    refuse: (action, path, owners) => reasonAgainst(identity, NEEDED[action], path, owners),
  };
}

/** The rights to see a text as a page without saving it: to read the page, and to run its code. */
export function previewRights(identity: AdminIdentity): WriteRights {
  return {
    fields: null,
    owner: null,
    refuse: (action, path) =>
      reasonAgainst(identity, action === "code" ? NEEDED.code : "pages.read", path),
  };
}

/** The rights of a visitor with a preview link: what its creator chose to show. */
export function linkRights(runsCode: boolean): WriteRights {
  return {
    fields: null,
    owner: null,
    refuse: (action) =>
      action === "code" && !runsCode ? "the page became code after the link was created" : null,
  };
}
