import { constants, fstatSync, readlinkSync, type BigIntStats } from "node:fs";
import { lstat, open, realpath, type FileHandle } from "node:fs/promises";
import { realInside } from "#lib/files";

/** Bytes per read: hashing them takes about a millisecond, then other work can run. */
const STEP = 512 * 1024;

/** Identifies a state of a file. */
export interface FileStamp {
  readonly inode: bigint;
  readonly mtimeNs: bigint;
  /** Bytes. */
  readonly size: number;
}
/** A file opened for reading; the caller closes the handle. */
export interface OpenedFile {
  readonly handle: FileHandle;
  /** Path without links. */
  readonly path: string;
  readonly stamp: FileStamp;
  readonly mtimeMs: number;
}

/**
 * Opens a file below `root`; null when it does not exist. Checks the location of the opened file,
 * so that a link swapped in meanwhile opens nothing outside.
 */
export async function openInside(root: string, file: string): Promise<OpenedFile | null> {
  const path = await realInside(root, file);
  const handle = path === null ? null : await openPlain(path);
  if (path === null || handle === null) return null;
  try {
    const stats = statOpened(handle);
    if (stats.isFile() && (await isAt(handle, path, stats))) {
      return { handle, path, stamp: toStamp(stats), mtimeMs: Number(stats.mtimeMs) };
    }
  } catch {
    await handle.close();
    return null;
  }
  await handle.close();
  return null;
}

/**
 * Statistics of an opened file. Synchronous: the system has them in memory, and a thread would cost
 * a hundred times as much.
 */
export function statOpened({ fd }: FileHandle): BigIntStats {
  return fstatSync(fd, { bigint: true });
}

/** True when both describe the same bytes. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.inode === b.inode && a.mtimeNs === b.mtimeNs && a.size === b.size;
}

/** The stamp of file statistics. */
export function toStamp(stats: BigIntStats): FileStamp {
  return { inode: stats.ino, mtimeNs: stats.mtimeNs, size: Number(stats.size) };
}

/** Options of reading bytes. */
export interface ReadOptions {
  /** Position of the first byte in the file. Default: 0. */
  readonly at?: number;
  /** Called with each chunk after it was read. */
  readonly onPiece?: (piece: Buffer) => void;
}

/**
 * Fills `target` with the bytes from position `at` of a file, in chunks. Returns the number of
 * bytes read, which is smaller at the end of the file.
 */
export async function readInto(
  handle: FileHandle,
  target: Buffer,
  { at = 0, onPiece }: ReadOptions = {},
): Promise<number> {
  let done = 0;
  while (done < target.length) {
    const length = Math.min(STEP, target.length - done);
    const { bytesRead } = await handle.read(target, done, length, at + done);
    if (bytesRead === 0) break;
    onPiece?.(target.subarray(done, done + bytesRead));
    done += bytesRead;
  }
  return done;
}

async function openPlain(path: string): Promise<FileHandle | null> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** True when the opened file is the one at `path`, without links. */
async function isAt(handle: FileHandle, path: string, opened: BigIntStats): Promise<boolean> {
  const target = readLink(handle);
  // The file was replaced after opening: the old bytes have the same name.
  if (target !== null) return target === path || target === `${path} (deleted)`;
  // Without /proc: the path must lead to the same file before and after, without links.
  const before = await lstat(path, { bigint: true });
  if ((await realpath(path)) !== path) return false;
  const after = await lstat(path, { bigint: true });
  return [before, after].every(({ ino, dev }) => ino === opened.ino && dev === opened.dev);
}

/** The path of an opened file; null on systems without /proc. */
function readLink({ fd }: FileHandle): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
