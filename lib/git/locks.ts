/** Lock files of a repository, and which of them no process holds any more. */
import type { Dirent } from "node:fs";
import { readdir, readFile, readlink, realpath, rm, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Finding, NamedCheck } from "#lib/diagnostics";
import { errorCode } from "#lib/errors";
import type { Git } from "./git.js";

/** A lock without a process is looked at twice, this long apart, in ms. */
const WAIT_MS = 3_000;
/** Tolerance for the coarser times of file systems, in ms. */
const LEEWAY_MS = 2_000;
/** A git in another container or on another machine is not listed here: its locks are younger, in ms. */
const STALE_MS = 30_000;
/** The same where the system does not list its processes. */
const UNLISTED_STALE_MS = 10 * 60_000;
/** Folders of `.git` with contents of repositories, or with files of the user: git creates no locks in them. */
const WITHOUT_LOCKS = /^(?:hooks|lfs|[0-9a-f]{2})$/;

/** The fix for a lock that is not removed. */
export const GIT_LOCK_FIX =
  "when no git command runs, delete the lock file, or run site doctor --fix";

/** A lock file of a repository. */
export interface GitLock {
  /** Absolute. */
  readonly file: string;
  /** Its last change, Unix ms. */
  readonly at: number;
}

/** Every lock file below the `.git` folder of a repository and below the one that a worktree shares. */
export async function listLocks(git: Git): Promise<GitLock[]> {
  return locksOf(await readFolders(git));
}

async function locksOf({ git: folders }: RepositoryFolders): Promise<GitLock[]> {
  const locks = new Map<string, GitLock>();
  for (const folder of folders) {
    for (const lock of await locksBelow(folder)) locks.set(lock.file, lock);
  }
  return [...locks.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** Options of `staleLocks`. */
export interface StaleLockOptions {
  /** Unix ms: locks since then are of work that was interrupted, and need not be old. Default: none are. */
  readonly since?: number;
}

/**
 * The locks that no process holds any more. They do not change within three seconds, no git process of this
 * machine that is older than the lock works in the repository, and they are older than thirty seconds (ten
 * minutes where the system does not list its processes), or newer than `since`.
 */
export async function staleLocks(git: Git, options: StaleLockOptions = {}): Promise<string[]> {
  const { since = Infinity } = options;
  const folders = await readFolders(git);
  const before = await locksOf(folders);
  if (before.length === 0) return [];
  await delay(WAIT_MS);
  const now = new Map((await locksOf(folders)).map(({ file, at }) => [file, at]));
  const processes = await gitProcesses([folders.top, ...folders.git]);
  const minAge = processes === null ? UNLISTED_STALE_MS : STALE_MS;
  const stale = before.filter(({ file, at }) => {
    if (now.get(file) !== at) return false;
    if (processes?.some((startedAt) => startedAt <= at + LEEWAY_MS) === true) return false;
    return at >= since - LEEWAY_MS || Date.now() - at >= minAge;
  });
  return stale.map(({ file }) => file);
}

/** Removes the stale locks. Resolves with their absolute paths. */
export async function removeStaleLocks(git: Git, options?: StaleLockOptions): Promise<string[]> {
  const stale = await staleLocks(git, options);
  for (const file of stale) await rm(file, { force: true });
  return stale;
}

/** The folders of a repository, absolute. */
interface RepositoryFolders {
  /** Of the files. */
  readonly top: string;
  /** The `.git` folder, and the one that worktrees share; they need not exist. */
  readonly git: readonly string[];
}

async function readFolders(git: Git): Promise<RepositoryFolders> {
  const asked = ["rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"];
  const printed = await git.run(asked).catch(() => null);
  const [top, ...folders] = printed?.split("\n").filter((line) => line !== "") ?? [];
  if (top !== undefined) {
    return { top, git: [...new Set(folders.map((folder) => resolve(git.root, folder)))] };
  }
  // No repository, or one whose creation was interrupted.
  const root = await realpath(git.root).catch(() => git.root);
  return { top: root, git: [join(root, ".git")] };
}

async function locksBelow(folder: string): Promise<GitLock[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
    throw error;
  });
  const found = await Promise.all(entries.map((entry) => locksAt(folder, entry)));
  return found.flat();
}

async function locksAt(folder: string, entry: Dirent): Promise<GitLock[]> {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return WITHOUT_LOCKS.test(entry.name) ? [] : locksBelow(path);
  if (!entry.isFile() || !entry.name.endsWith(".lock")) return [];
  const stats = await stat(path).catch(() => null);
  return stats === null ? [] : [{ file: path, at: stats.mtimeMs }];
}

/** Unix ms at which the git processes that work in these folders have started; null: the system does not list processes. */
async function gitProcesses(folders: readonly string[]): Promise<number[] | null> {
  const boot = /^btime (\d+)$/m.exec(await readOrEmpty("/proc/stat"))?.[1];
  if (boot === undefined) return null;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const started = await Promise.all(
    pids.map(async (pid) => {
      if (!(await worksIn(pid, folders))) return [];
      // Field 22, in hundredths of a second since the boot; field 2, the name, may contain spaces.
      const status = await readOrEmpty(`/proc/${pid}/stat`);
      const ticks = status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
      return ticks === undefined ? [] : [Number(boot) * 1_000 + Number(ticks) * 10];
    }),
  );
  return started.flat();
}

async function worksIn(pid: string, folders: readonly string[]): Promise<boolean> {
  if (!(await readOrEmpty(`/proc/${pid}/comm`)).startsWith("git")) return false;
  const words = (await readOrEmpty(`/proc/${pid}/cmdline`)).split("\0");
  // It stays for as long as the machine runs, and only watches.
  if (words.includes("fsmonitor--daemon")) return false;
  const current = await readlink(`/proc/${pid}/cwd`).catch((error: unknown) => {
    // Of another user: it may work here.
    return errorCode(error) === "ENOENT" ? null : "";
  });
  if (current === "") return true;
  if (current === null) return false;
  return folders.some((folder) => {
    const isBelow = current === folder || current.startsWith(`${folder}${sep}`);
    return isBelow || words.some((word) => word.includes(folder));
  });
}

async function readOrEmpty(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

/** A repository that a site uses, and the folder that its paths are shown relative to. */
export interface LockedRepository {
  readonly git: Git;
  /** Absolute. */
  readonly root: string;
}

/**
 * A check of `site doctor`: no lock file is left in a repository. `--fix` removes those that no process holds.
 * `find`: null: the site uses none.
 */
export function gitLockCheck<P>(find: (place: P) => LockedRepository | null): NamedCheck<P> {
  return {
    name: "git locks",
    run: async (place) => {
      const repository = find(place);
      return repository === null ? [] : lockFindings(repository);
    },
  };
}

async function lockFindings({ git, root }: LockedRepository): Promise<Finding[]> {
  // Two looks, three seconds apart: git of a running server holds its locks for a shorter time.
  const before = await listLocks(git);
  const stale = new Set(before.length === 0 ? [] : await staleLocks(git));
  const now = new Map((await listLocks(git)).map(({ file, at }) => [file, at]));
  return before.flatMap(({ file, at }): Finding[] => {
    if (now.get(file) !== at) return [];
    const name = relative(root, file);
    if (!stale.has(file)) {
      const seen = `${name} locks git, maybe for a command that runs`;
      return [{ level: "warning", seen, fix: `when no git command runs: rm ${name}` }];
    }
    const repair = async (): Promise<string> => {
      const stats = await stat(file).catch(() => null);
      if (stats?.mtimeMs !== at) return `${name} is not there any more`;
      await rm(file, { force: true });
      return `removed ${name}`;
    };
    const seen = `${name} blocks git, and no git command runs`;
    return [{ level: "error", seen, fix: `rm ${name}`, repair }];
  });
}
