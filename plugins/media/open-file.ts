import { constants, type BigIntStats } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { realInside } from "#kernel";

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
 * Opens a file below `root`. What was opened is compared with what stands at the path without links
 * afterwards, so that a link put there in between opens nothing outside. Null when there is none.
 */
export async function openInside(root: string, file: string): Promise<OpenedFile | null> {
  const path = await realInside(root, file);
  if (path === null) return null;
  const handle = await openPlain(path);
  if (handle === null) return null;
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.isFile() && (await isStillThere(root, path, stats))) {
      return { handle, path, stamp: toStamp(stats), mtimeMs: Number(stats.mtimeMs) };
    }
  } catch {
    await handle.close();
    return null;
  }
  await handle.close();
  return null;
}

/** True when both describe the same bytes. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.inode === b.inode && a.mtimeNs === b.mtimeNs && a.size === b.size;
}

/** The stamp of file statistics. */
export function toStamp(stats: BigIntStats): FileStamp {
  return { inode: stats.ino, mtimeNs: stats.mtimeNs, size: Number(stats.size) };
}

async function openPlain(path: string): Promise<FileHandle | null> {
  try {
    // Without O_NONBLOCK the open of a named pipe would wait for a writer.
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

async function isStillThere(root: string, path: string, opened: BigIntStats): Promise<boolean> {
  if ((await realInside(root, path)) !== path) return false;
  const now = await lstat(path, { bigint: true });
  return now.ino === opened.ino && now.dev === opened.dev;
}
