/** Validates the paths of changes: below the content folder, not hidden, no links. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { safeJoin } from "#kernel";
import { errorCode } from "../read/read-source.js";
import { MAX_PATH_DEPTH, isIgnoredName, isTooDeep } from "../read/source-name.js";
import type { TreeRules } from "../read/walk.js";
import type { FieldViolation } from "../contract.js";
import type { ContentErrorCode } from "../errors.js";

const MAX_PATH_LENGTH = 1024;
const MAX_NAME_LENGTH = 255;

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
export async function linkIssue(path: string, rules: TreeRules): Promise<string | null> {
  const root = await realpath(rules.root).catch(() => rules.root);
  const target = join(root, path);
  const parent = await deepestReal(dirname(target));
  const isInside =
    parent !== null && (parent === root || `${parent}${sep}`.startsWith(`${root}${sep}`));
  const isAbove = parent !== null && `${root}${sep}`.startsWith(`${parent}${sep}`);
  if (!isInside && !isAbove) return `path ${JSON.stringify(path)} leads out of the content folder`;
  try {
    const stats = await lstat(target);
    return stats.isSymbolicLink()
      ? `path ${JSON.stringify(path)} is a link; change its target`
      : null;
  } catch (error) {
    if (errorCode(error) === "ERROR") throw error;
    return null;
  }
}

/** The real path of the deepest existing folder; null when a path segment is not a folder. */
async function deepestReal(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const real = await realpath(at);
      return (await lstat(real)).isDirectory() ? real : null;
    } catch (error) {
      if (errorCode(error) !== "ENOENT") return null;
      if (dirname(at) === at) return null;
    }
  }
}

/** Rejects one change; the others of its batch still apply. */
export class Refusal extends Error {
  readonly code: ContentErrorCode;
  /** Digest of the existing file, if it is the reason. */
  readonly hash: string | undefined;
  /** The fields that are the reason. */
  readonly violations: readonly FieldViolation[] | undefined;

  constructor(
    code: ContentErrorCode,
    message: string,
    reason: { hash?: string | undefined; violations?: readonly FieldViolation[] } = {},
  ) {
    super(message);
    this.code = code;
    this.hash = reason.hash;
    this.violations = reason.violations;
  }
}
