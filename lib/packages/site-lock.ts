import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { causeOf, formatKey } from "#lib/values";
import { readData } from "#lib/schema";
import { errorCode, SiteError } from "#lib/errors";
import {
  installedTree,
  installedVersion,
  readInstalled,
  type InstalledRecord,
  type PinnedPackage,
} from "./installed-packages.js";

/** Name of the lock file, in the site root. */
export const LOCK_FILE = "site.lock";

const pinned = z.strictObject({
  integrity: z.string().exactOptional(),
  files: z.string().exactOptional(),
  dependencies: z.array(z.string()).exactOptional(),
});
const lockSchema = z.strictObject({
  version: z.literal(1),
  minimumDependencyAge: z.strictObject({ days: z.number().min(0), exclude: z.array(z.string()) }),
  specifiers: z.record(z.string(), z.string()),
  packages: z.record(z.string(), pinned),
});

/**
 * Which package each specifier of the configuration stands for. A list of
 * pinned packages like `package-lock.json`, not a lock that anyone waits for.
 */
export type SiteLock = z.infer<typeof lockSchema>;

/** The fix of a package whose bytes are not the pinned ones. */
export const REINSTALL_FIX =
  "run site lockfile:sync --reinstall, which installs the pinned bytes again";

/** A difference from the lock, and its fix. */
export interface LockProblem {
  /** The specifier, or `name@version` of one of its dependencies. */
  readonly key: string;
  readonly kind: "missing" | "not-installed" | "version" | "integrity" | "dependencies";
  readonly message: string;
  readonly fix: string;
}

/** The lock of a site root; null without one. @throws ERR_LOCK_BROKEN. */
export async function readSiteLock(root: string): Promise<SiteLock | null> {
  const text = await readFile(join(root, LOCK_FILE), "utf8").catch(nullWhenAbsent);
  if (text === null) return null;
  const { data, mistakes } = readData(lockSchema, jsonOf(text));
  if (mistakes === null) return data;
  const [{ path, received, expected }] = mistakes;
  throw broken(causeOf({ key: formatKey(path), received, expected }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw broken(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function broken(why: string, cause?: unknown): SiteError {
  return new SiteError("ERR_LOCK_BROKEN", `${LOCK_FILE} cannot be read: ${why}`, {
    fix: "take it from version control, or delete it and run site lockfile:sync",
    cause,
  });
}

/** The text of a lock: sorted, so that versions of it can be diffed. */
export function formatSiteLock(lock: SiteLock): string {
  const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const { version, minimumDependencyAge, specifiers, packages } = lock;
  const ordered = {
    version,
    minimumDependencyAge,
    specifiers: sorted(specifiers),
    packages: sorted(packages),
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/**
 * Rejects a package that differs from the lock, before any of its code runs. Without a lock every
 * installed package that fits its range is accepted.
 * @throws ERR_LOCK_DRIFT, ERR_LOCK_BROKEN.
 */
export async function assertLocked(root: string, src: string): Promise<void> {
  const lock = await readSiteLock(root);
  if (lock === null) return;
  const problem = lockProblem(lock, await readInstalled(root), src);
  if (problem === null) return;
  throw new SiteError("ERR_LOCK_DRIFT", problem.message, { fix: problem.fix });
}

/** How the package installed for a specifier (`npm:name@range`, `file:…`, `git+…`) differs from the lock; null when equal. */
export function lockProblem(
  lock: SiteLock,
  installed: InstalledRecord | null,
  src: string,
): LockProblem | null {
  const fix = "run site lockfile:sync";
  const key = Object.hasOwn(lock.specifiers, src) ? lock.specifiers[src] : undefined;
  const of = (kind: LockProblem["kind"], message: string, more = fix): LockProblem => ({
    key: src,
    kind,
    message: `${src}: ${message}`,
    fix: more,
  });
  if (key === undefined) return of("missing", `${LOCK_FILE} has no entry for it`);
  const name = key.slice(0, key.lastIndexOf("@"));
  if (installed === null) return of("not-installed", "no packages are installed");
  const version = installedVersion(installed, name);
  if (version === null) return of("not-installed", `${key} is not installed`);
  if (`${name}@${version}` !== key) {
    return of("version", `${version} is installed, ${LOCK_FILE} pins ${key}`);
  }
  return treeProblem(lock, installedTree(installed, name), src);
}

function treeProblem(
  lock: SiteLock,
  tree: Readonly<Record<string, PinnedPackage>>,
  src: string,
): LockProblem | null {
  for (const [key, found] of Object.entries(tree)) {
    const wanted = Object.hasOwn(lock.packages, key) ? lock.packages[key] : undefined;
    const isOther = wanted !== undefined;
    if (isOther && wanted.integrity === found.integrity && wanted.files === found.files) continue;
    if (isOther) {
      const message = `${src}: ${key} differs from the bytes pinned in ${LOCK_FILE}`;
      return { key, kind: "integrity", message, fix: REINSTALL_FIX };
    }
    const message = `${src}: needs ${key}, which has no entry in ${LOCK_FILE}`;
    const fix = `find out why; then run site lockfile:sync --upgrade ${src}`;
    return { key, kind: "dependencies", message, fix };
  }
  const differing = Object.entries(tree).find(
    ([key, { dependencies }]) =>
      !isDeepStrictEqual(lock.packages[key]?.dependencies ?? [], dependencies ?? []),
  );
  if (differing === undefined) return null;
  const message = `${src}: ${differing[0]} resolves other packages than ${LOCK_FILE} pins`;
  const fix = `run npm ci, or site lockfile:sync --upgrade ${src}`;
  return { key: differing[0], kind: "dependencies", message, fix };
}

function nullWhenAbsent(error: unknown): null {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
}
