import { constants, fstatSync, readlinkSync, type BigIntStats } from "node:fs";
import { lstat, open, realpath, type FileHandle } from "node:fs/promises";
import { realInside } from "#kernel";

/** Bytes read at a time: whoever hashes them takes a millisecond, then others have their turn. */
const STEP = 512 * 1024;

/** What tells one state of a file from another. */
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
 * Opens a file below `root`; null when there is none. Where it leads is asked of the opened file, so
 * that a link put there in between opens nothing outside.
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
 * Statistics of an opened file. Not asked of a thread: the system has them in memory, and to wake a
 * thread for them costs a hundred times as much.
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

/**
 * Fills `target` from the place `at` of a file, a piece at a time. Gives the bytes read: fewer than
 * asked for at the end of the file.
 */
export async function readInto(
  handle: FileHandle,
  target: Buffer,
  { at = 0, onPiece }: { at?: number; onPiece?: (piece: Buffer) => void } = {},
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
    // Without O_NONBLOCK the open of a named pipe would wait for a writer.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

/** True when the opened file is the one at `path`, without links. */
async function isAt(handle: FileHandle, path: string, opened: BigIntStats): Promise<boolean> {
  const target = linkOf(handle);
  // Replaced since it was opened: what is read are the old bytes of the same name.
  if (target !== null) return target === path || target === `${path} (deleted)`;
  // Systems without /proc: the path leads to the same file, links not followed, before and after.
  const before = await lstat(path, { bigint: true });
  if ((await realpath(path)) !== path) return false;
  const after = await lstat(path, { bigint: true });
  return [before, after].every(({ ino, dev }) => ino === opened.ino && dev === opened.dev);
}

/** The path that is open; null on systems without /proc. */
function linkOf({ fd }: FileHandle): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}
