/** Checks each change, apart from the rights of its author: its path, its text, and the file until now. */
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { safeJoin } from "#kernel";
import type { FieldViolation } from "../contract.js";
import type { ContentErrorCode } from "../errors.js";
import { parseRoles } from "../index/gating.js";
import type { ContentRules } from "../index/store-options.js";
import { parseYamlMap } from "../read/front-matter/full-yaml.js";
import { isSidecar, MAX_SIDECAR_BYTES } from "../read/media-listing.js";
import { errorCode } from "../read/read-source.js";
import { isIgnoredName, isPagePath, isTooDeep, MAX_PATH_DEPTH } from "../read/source-name.js";
import { digest, MAX_PAGE_BYTES, recordOfBytes } from "../read/source-record.js";
import type { TreeRules } from "../read/walk.js";
import type { ChangeFiles } from "./change-files.js";

const MAX_PATH_LENGTH = 1024;
const MAX_NAME_LENGTH = 255;

/** The reason of a rejected change, for its author. */
interface RefusalReason {
  /** Digest of the existing file, if that is the reason. */
  readonly hash?: string | undefined;
  /** Fields that do not fit the blueprint, if they are the reason. */
  readonly violations?: readonly FieldViolation[];
}

/** Rejects one change; the others of its batch still apply. */
export class Refusal extends Error {
  readonly code: ContentErrorCode;
  readonly hash: RefusalReason["hash"];
  readonly violations: RefusalReason["violations"];

  constructor(code: ContentErrorCode, message: string, reason: RefusalReason = {}) {
    super(message);
    this.code = code;
    this.hash = reason.hash;
    this.violations = reason.violations;
  }
}

/** @throws Refusal for a path that cannot be changed. */
export function assertPath(path: string, rules: TreeRules): void {
  const issue = pathIssue(path, rules) ?? linkIssue(path, rules);
  if (issue !== null) throw new Refusal("ERR_CONTENT_PATH", issue);
}

/** Why a path cannot be changed, judging by its text; null when it can. */
export function pathIssue(path: string, rules: TreeRules): string | null {
  const shown = JSON.stringify(path.slice(0, 120));
  if (path === "" || path.length > MAX_PATH_LENGTH || safeJoin(rules.root, path) === null) {
    return `path ${shown} does not lie in the content folder; use a relative path without ..`;
  }
  if (isTooDeep(path)) {
    return `path ${shown} has more than ${MAX_PATH_DEPTH} parts; choose a folder higher up`;
  }
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name.startsWith("~"))) {
    return `path ${shown} has an empty part, a . or a ~; name a file below the content folder`;
  }
  if (names.some((name) => isIgnoredName(name) || Buffer.byteLength(name) > MAX_NAME_LENGTH)) {
    return `path ${shown} names a hidden file or has a part that no file can have; choose another name`;
  }
  return rules.isReserved(path) ? `path ${shown} belongs to the site's data; choose another` : null;
}

/** Why a path cannot be changed on this disk: it contains a link or leads outside. */
export function linkIssue(path: string, rules: TreeRules): string | null {
  const root = realRoot(rules);
  const target = join(root, path);
  const parent = deepestReal(dirname(target));
  const isInside =
    parent !== null && (parent === root || `${parent}${sep}`.startsWith(`${root}${sep}`));
  const isAbove = parent !== null && `${root}${sep}`.startsWith(`${parent}${sep}`);
  if (!isInside && !isAbove) return `path ${JSON.stringify(path)} leads out of the content folder`;
  try {
    const stats = lstatSync(target);
    return stats.isSymbolicLink()
      ? `path ${JSON.stringify(path)} is a link; change its target`
      : null;
  } catch (error) {
    if (errorCode(error) === "ERROR") throw error;
    return null;
  }
}

function realRoot({ root }: TreeRules): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

/** The real path of the deepest existing folder; null when a path segment is not a folder. */
function deepestReal(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const real = realpathSync(at);
      return lstatSync(real).isDirectory() ? real : null;
    } catch (error) {
      if (errorCode(error) !== "ENOENT") return null;
      if (dirname(at) === at) return null;
    }
  }
}

/**
 * Two files whose names differ only in the form of their letters would have one address. `from` is the file that
 * is moved, which may change its form. @throws Refusal when there is such a file.
 */
export async function assertNoTwin(
  path: string,
  from: string | null,
  files: ChangeFiles,
): Promise<void> {
  const twin = await files.twin(path);
  if (twin === null || twin === from) return;
  throw new Refusal(
    "ERR_CONTENT_EXISTS",
    `${JSON.stringify(path)} already exists as ${JSON.stringify(twin)}, in another form of Unicode; use that name`,
  );
}

/** @throws Refusal when the author has read another version of the file. */
export function assertHash(path: string, before: Buffer | null, ifHash: string | undefined): void {
  if (ifHash === undefined) return;
  const standing = before === null ? undefined : digest(before);
  if (standing === ifHash) return;
  const message = `${JSON.stringify(path)} has changed since it was read; merge and save again`;
  throw new Refusal("ERR_CONTENT_CONFLICT", message, { hash: standing });
}

/**
 * An editor or another program may have saved the file while the change was checked.
 * @throws Refusal when it has.
 */
export async function assertUnchanged(
  path: string,
  before: Buffer | null,
  files: ChangeFiles,
): Promise<void> {
  const standing = await files.read(path);
  if (before === null ? standing === null : standing?.equals(before) === true) return;
  const message = `${JSON.stringify(path)} was changed by another program at the same moment; read it and save again`;
  const hash = standing === null ? undefined : digest(standing);
  throw new Refusal("ERR_CONTENT_CONFLICT", message, { hash });
}

/** @throws Refusal for pages that the index would omit, and sidecars that would not be read. */
export function assertReadable(path: string, bytes: Buffer, rules: ContentRules): void {
  if (isSidecar(path)) assertSidecar(bytes);
  if (!isPagePath(path, rules)) return;
  if (bytes.length > MAX_PAGE_BYTES) {
    const message = `the page has ${bytes.length} bytes, at most ${MAX_PAGE_BYTES} are allowed`;
    throw new Refusal("ERR_CONTENT_SIZE", message);
  }
  const { error, warnings, frontmatter } = recordOfBytes(path, bytes);
  // A page whose front matter stands too low can be edited; it is read as it is.
  const issue = error ?? warnings.find(({ code }) => code !== "ERR_CONTENT_FRONT_MATTER_PLACE");
  if (issue !== undefined) {
    const { code, line, message } = issue;
    throw new Refusal(code, line === undefined ? message : `line ${line}: ${message}`);
  }
  if (parseRoles(frontmatter.roles) === "invalid") {
    throw new Refusal(
      "ERR_CONTENT_ROLES",
      "roles must be a role, a list, {any: […]} or {all: […]}",
    );
  }
}

function assertSidecar(bytes: Buffer): void {
  if (bytes.length > MAX_SIDECAR_BYTES) {
    const message = `the sidecar has ${bytes.length} bytes, at most ${MAX_SIDECAR_BYTES} are read; remove keys from the file`;
    throw new Refusal("ERR_CONTENT_SIDECAR", message);
  }
  const result = parseYamlMap(bytes.toString("utf8"));
  if ("issue" in result) throw new Refusal("ERR_CONTENT_SIDECAR", result.issue.message);
}

/** @throws Refusal with the fields of a page that do not fit its blueprint, when there are any. */
export function assertFits(violations: readonly FieldViolation[]): void {
  const [first] = violations;
  if (first === undefined) return;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  throw new Refusal("ERR_CONTENT_INVALID", first.message + more, { violations });
}
