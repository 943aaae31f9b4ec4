import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import {
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
  type FileHandle,
  readdir,
  copyFile,
  link,
} from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { errorCode } from "#lib/errors";

/** Prefix of temporary files: deleted at startup, skipped by every reader. */
const TEMP_PREFIX = ".tmp-";

/** Modes of files and folders that only the user of the server may read. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const SHARED_FILE = 0o644;
const SHARED_FOLDER = 0o777;

/**
 * Readers of a file on this machine: `private` is for the user of the server only; `shared` is for
 * other users too, as far as the umask allows: content, configuration, uploads, exports.
 */
export type FileAccess = "private" | "shared";

/** Options of `atomicWrite`. */
export interface WriteOptions {
  /** Default: `private`. A `shared` file that exists keeps its mode. */
  readonly access?: FileAccess;
  /** Default: true. */
  readonly durable?: boolean;
}

/**
 * Writes a file so that a reader, or a crash, sees the old bytes or the new ones: temporary file in
 * the same folder, fsync, rename, fsync of the folder. Creates the folder. Only the user of the
 * server may read both, unless `access` is `shared`. Throws what the disk says (ENOSPC, EACCES, …)
 * and what a stream of bytes throws; the old file then stands and the temporary one is gone.
 * `durable: false` leaves the fsyncs out, for what is written again when it is missing: after a
 * power cut the file may then be empty.
 */
export async function atomicWrite(
  file: string,
  data: string | Buffer | AsyncIterable<Buffer>,
  { access = "private", durable = true }: WriteOptions = {},
): Promise<void> {
  const folder = dirname(file);
  await makeFolder(folder, access);
  const temporary = temporaryBeside(file);
  try {
    const handle = await createFile(temporary, file, access);
    try {
      const parts = typeof data === "string" || Buffer.isBuffer(data) ? [data] : data;
      for await (const part of parts) await handle.writeFile(part);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (durable) await syncFolder(folder);
}

/** Opens a new file that takes the place of `replaced`. */
async function createFile(file: string, replaced: string, access: FileAccess): Promise<FileHandle> {
  if (access === "private") return open(file, "wx", PRIVATE_FILE);
  const stats = await stat(replaced).catch(() => null);
  const mode = stats === null ? SHARED_FILE : stats.mode & 0o777;
  const handle = await open(file, "wx", mode);
  // The umask may have removed bits of the former mode; some file systems have no modes.
  if (stats !== null) await handle.chmod(mode).catch(() => undefined);
  return handle;
}

/** True for the error of a path that does not exist; also when a file stands where a folder is expected. */
export function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(errorCode(error));
}

/** The names in a folder; none when it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/**
 * Creates a folder and its missing parents, for the user of the server only unless `access` is
 * `shared`. Node's recursive `mkdir` reports ENOENT on a read-only disk; this reports EROFS.
 */
export async function makeFolder(folder: string, access: FileAccess = "private"): Promise<void> {
  const mode = access === "private" ? PRIVATE_FOLDER : SHARED_FOLDER;
  try {
    await mkdir(folder, { recursive: true, mode });
  } catch (error) {
    const parent = dirname(folder);
    if (errorCode(error) !== "ENOENT" || parent === folder) throw error;
    await makeFolder(parent, access);
    await mkdir(folder, { recursive: false, mode });
  }
}

/**
 * Makes renames and deletions in a folder durable, also across a power failure. `atomicWrite` does so
 * itself; call it after `rm` of something that must not reappear (an account, a session).
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * `relative` below `root`, or null when it could leave it: absolute, `..`, NUL, backslash, drive
 * letter. Does not look at the disk; see `realInside` for links.
 */
export function safeJoin(root: string, relative: string): string | null {
  if (relative.includes("\0") || relative.includes("\\")) return null;
  if (isAbsolute(relative) || /^[A-Za-z]:/.test(relative)) return null;
  if (relative.split("/").includes("..")) return null;
  const joined = join(root, relative);
  return joined === root || joined.startsWith(root + sep) ? joined : null;
}

/** The real path of `file` when it exists and its links stay inside `root`, else null. */
export async function realInside(root: string, file: string): Promise<string | null> {
  try {
    const [realRoot, realFile] = await Promise.all([realpath(root), realpath(file)]);
    return realFile === realRoot || realFile.startsWith(realRoot + sep) ? realFile : null;
  } catch {
    return null;
  }
}

/**
 * The text of a small file, null when it does not exist. Synchronous, for files that nearly every
 * request reads (a session, an account): promises cost ten times as much. @throws errors of the disk.
 */
export function readSmallFile(file: string): string | null {
  try {
    // Checked first: an error with its stack costs more than the check.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return null;
    return readFileSync(file, "utf8");
  } catch (error) {
    // Removed in between; or below a plain file, which newer versions of Node catch above.
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** A fresh name for a temporary file in the folder of `file`, to be renamed to it. */
export function temporaryBeside(file: string): string {
  return join(dirname(file), `${TEMP_PREFIX}${randomBytes(8).toString("hex")}`);
}

/** True for names of `temporaryBeside`: every reader skips such files. */
export function isTemporary(file: string): boolean {
  return basename(file).startsWith(TEMP_PREFIX);
}

/** Makes all files below a folder durable, and their names: for files that other programs have written. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFolder(folder);
}

/** Makes the contents of a file durable that another program has written. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Moves a file in place of another one; on another disk, too, it appears at once and complete.
 * @throws errors of the disk.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const temporary = temporaryBeside(to);
    await copyFile(from, temporary);
    const handle = await open(temporary, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, to);
    await rm(from, { force: true });
  }
}

/**
 * Gives a file a second name, under which it stays when the first one is replaced or deleted; creates the
 * folders of the name, for the user of the server only. @throws errors of the disk.
 */
export async function addName(file: string, name: string): Promise<void> {
  await makeFolder(dirname(name));
  try {
    await link(file, name);
  } catch {
    // Another disk, or a file system without hard links.
    await copyFile(file, name);
    await syncFile(name);
  }
}

/** Folders of the operating system, with all below them. */
const SYSTEM: readonly string[] = [
  "bin",
  "boot",
  "etc",
  "lib",
  "lib64",
  "proc",
  "sbin",
  "sys",
  "usr",
];

/** True for a folder of the operating system, or one in it. `folder`: absolute. */
export function isSystemFolder(folder: string): boolean {
  const [, top, second] = folder.split(sep);
  return top === "" || (SYSTEM.includes(top ?? "") && !(top === "usr" && second === "local"));
}

/** True when one is inside the other, or both are equal. */
export function overlaps(a: string, b: string): boolean {
  return containsPath(a, b) || containsPath(b, a);
}

/** True when `inner` is `outer`, or below it; both absolute. */
export function containsPath(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return !isAbsolute(path) && path !== ".." && !path.startsWith(`..${sep}`);
}
