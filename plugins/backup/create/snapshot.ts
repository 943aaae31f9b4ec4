/** Collects the files of a running site as they are at one moment. */
import { constants } from "node:fs";
import { copyFile, link, lstat, rm, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeFolder, sqliteOpener } from "#lib/files";
import { pathProblem } from "../archive/manifest.js";
import { unreadable } from "../errors.js";
import { filesInScope, isSqliteName, type Found, type Scope } from "./scope.js";

/** Attempts to see the site unchanged, and the pause between two looks in ms. */
const PASSES = 6;
const PAUSE_MS = 150;

/** A collected file. */
export interface Collected {
  /** Relative to the root. */
  readonly path: string;
  /** Absolute path of the copy. */
  readonly file: string;
  readonly size: number;
  readonly mode: number;
  /** Unix ms. */
  readonly mtimeMs: number;
}
/** The files of a site. */
export interface Snapshot {
  readonly files: readonly Collected[];
  readonly leftOut: readonly { path: string; reason: string }[];
  /** True when no file changed between two looks: all files are of one moment. */
  readonly isConsistent: boolean;
}
/** A file as a look at the disk sees it. */
interface Seen {
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly inode: number;
}
type Look = ReadonlyMap<string, Seen>;

/**
 * Collects the files in scope in `folder`: by a second name (hard link) where the disk allows it, since
 * the site replaces files and does not change them in place. Looks again until nothing has changed in
 * between. SQLite files are copied by SQLite.
 */
export async function takeSnapshot(scope: Scope, folder: string): Promise<Snapshot> {
  const copied = new Map<string, Collected>();
  let { seen, leftOut } = await look(scope);
  for (let pass = 1; ; pass += 1) {
    await copyChanged({ scope, folder, copied }, seen);
    await delay(PAUSE_MS);
    const now = await look(scope);
    const isConsistent = isSame(seen, now.seen);
    ({ seen, leftOut } = now);
    if (!isConsistent && pass < PASSES) continue;
    const files = [...copied.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return { files, leftOut, isConsistent };
  }
}

async function look(scope: Scope): Promise<{ seen: Look; leftOut: Snapshot["leftOut"] }> {
  const seen = new Map<string, Seen>();
  const leftOut: { path: string; reason: string }[] = [];
  for await (const file of filesInScope(scope)) {
    const reason = describeFailure(file);
    if (reason !== null) leftOut.push({ path: file.path, reason });
    if (reason !== null || file.kind !== "file") continue;
    const stats = await lstat(join(scope.root, file.path)).catch(() => null);
    if (stats === null) continue;
    const { size, mode, mtimeMs, ino } = stats;
    seen.set(file.path, { size, mode: mode & 0o777, mtimeMs, inode: ino });
  }
  return { seen, leftOut };
}

function describeFailure({ kind, path }: Found): string | null {
  if (kind === "file") return pathProblem(path);
  if (kind === "notUtf8") return "its name is not UTF-8";
  if (kind === "link") return "a symbolic link";
  if (kind === "secret") return "secrets: pass --with-secrets to include it";
  if (kind === "export") return "a static export, which `site build --static` makes again";
  return kind === "other" ? "neither a file nor a folder" : null;
}

interface Target {
  scope: Scope;
  folder: string;
  copied: Map<string, Collected>;
}

async function copyChanged({ scope, folder, copied }: Target, seen: Look): Promise<void> {
  for (const path of copied.keys()) if (!seen.has(path)) copied.delete(path);
  for (const [path, now] of seen) {
    const copy = copied.get(path);
    if (copy?.size === now.size && copy.mtimeMs === now.mtimeMs) continue;
    const file = join(folder, path);
    const size = await copyOne(join(scope.root, path), file, now.size);
    if (size === null) copied.delete(path);
    else copied.set(path, { path, file, size, mode: now.mode, mtimeMs: now.mtimeMs });
  }
}

/** The size of the copy; null when the file has disappeared. */
async function copyOne(from: string, to: string, size: number): Promise<number | null> {
  await makeFolder(dirname(to));
  await rm(to, { force: true });
  try {
    if (isSqliteName(from) && (await copySqlite(from, to))) return (await lstat(to)).size;
    await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE));
    return size;
  } catch (error) {
    const isGone = await lstat(from).then(
      () => false,
      () => true,
    );
    if (isGone) return null;
    throw unreadable(from, error);
  }
}

/** A log that only grew is the same: its first part is of the earlier moment. */
function isSame(before: Look, after: Look): boolean {
  if (before.size !== after.size) return false;
  for (const [path, old] of before) {
    const now = after.get(path);
    if (now === undefined) return false;
    // SQLite copies its file as of one moment.
    if (isSqliteName(path)) continue;
    const hasGrown = now.inode === old.inode && now.size > old.size;
    const isEqual = now.inode === old.inode && now.size === old.size && now.mtimeMs === old.mtimeMs;
    if (!isEqual && !hasGrown) return false;
  }
  return true;
}

const MAGIC = "SQLite format 3\0";
/** Longest wait for another process, in ms. */
const BUSY_MS = 5_000;

/**
 * Copies an SQLite database as of one moment, also while others write to it. `to` must not exist. False:
 * the file is not a database. @throws ERR_SQLITE_MISSING, errors of SQLite.
 */
export async function copySqlite(from: string, to: string): Promise<boolean> {
  if (!(await isSqlite(from))) return false;
  const openFile = await sqliteOpener();
  const database = openFile(from, { busyMs: BUSY_MS });
  try {
    database.exec(`vacuum into '${to.replaceAll("'", "''")}'`);
    return true;
  } finally {
    database.close();
  }
}

async function isSqlite(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length));
    return buffer.toString("latin1", 0, bytesRead) === MAGIC;
  } finally {
    await handle.close();
  }
}
