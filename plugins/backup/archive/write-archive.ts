import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { once } from "node:events";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import { atomicWrite, SiteError } from "#kernel";
import { errorCode, isDiskFull } from "#lib/errors";
import { PRIVATE_FILE, syncFolder, temporaryBeside } from "#lib/files";
import { sha256 } from "#lib/secrets";
import { backupError, unreadable } from "../errors.js";
import { BOMB_BYTES, BOMB_RATIO } from "./read-archive.js";
import {
  HEAD_ENTRY,
  MANIFEST_ENTRY,
  type ArchivedFile,
  type Head,
  type Manifest,
} from "./manifest.js";

const gzipBlock = promisify(gzip);
/** Bytes that are compressed at once. */
const BLOCK_BYTES = 1_024 * 1_024;

/** A file to archive. */
export interface SourceFile {
  /** Name of the entry. */
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  /** Only so many bytes are read: a log may grow meanwhile. */
  readonly size: number;
  readonly mode: number;
  /** Unix ms. */
  readonly mtimeMs: number;
}
/** The contents of an archive. */
export interface ArchiveContents {
  readonly head: Head;
  readonly files: readonly SourceFile[];
  readonly rest: Omit<Manifest, "files" | "format">;
  /** Rejects when the archive, at this path, cannot be restored: it is then deleted. */
  verify(file: string): Promise<void>;
  onProgress?(done: number): void;
}

/**
 * Writes an archive (gzip, tar) to `out` as a stream, readable by its owner only; a failure leaves no
 * file. Resolves with its entries.
 * @throws ERR_BACKUP_CHANGED, ERR_BACKUP_WRITE, and the error of `verify`; an older archive then stays.
 */
export async function writeArchive(
  out: string,
  contents: ArchiveContents,
): Promise<ArchivedFile[]> {
  const tar = pack();
  const filled = fill(tar, contents);
  filled.catch((error: unknown) => tar.destroy(error instanceof Error ? error : undefined));
  const temporary = temporaryBeside(out);
  try {
    await atomicWrite(temporary, compressed(tar));
    await contents.verify(temporary);
    await rename(temporary, out);
    await syncFolder(dirname(out));
  } catch (error) {
    tar.destroy();
    await rm(temporary, { force: true }).catch(() => undefined);
    throw asWriteError(error, out);
  }
  return filled;
}

/**
 * Compresses block by block. `site restore` rejects archives that are packed too tightly, so blocks that shrink
 * to almost nothing, such as those of a log of zeros, are stored as they are once there are many of them.
 */
async function* compressed(tar: Pack): AsyncGenerator<Buffer> {
  let unpacked = 0;
  let packed = 0;
  for await (const block of toBlocks(tar)) {
    unpacked += block.length;
    const bytes = await gzipBlock(block);
    const ratio = unpacked / (packed + bytes.length);
    const isTight = unpacked > BOMB_BYTES / 2 && ratio > BOMB_RATIO / 2;
    const stored = isTight ? await gzipBlock(block, { level: 0 }) : bytes;
    packed += stored.length;
    yield stored;
  }
}

async function* toBlocks(tar: Pack): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of tar) {
    if (!Buffer.isBuffer(chunk)) continue;
    waiting.push(chunk);
    length += chunk.length;
    if (length < BLOCK_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

function asWriteError(error: unknown, out: string): unknown {
  const code = errorCode(error);
  if (error instanceof SiteError || !/^E[A-Z]+$/.test(code)) return error;
  return backupError("ERR_BACKUP_WRITE", `${JSON.stringify(out)} cannot be written: ${code}`, {
    fix: isDiskFull(code) ? "free space, or pass another --out" : "pass another --out",
    cause: error,
  });
}

async function fill(tar: Pack, { head, files, rest, onProgress }: ArchiveContents) {
  const added: ArchivedFile[] = [await addText(tar, HEAD_ENTRY, head)];
  for (const [at, file] of files.entries()) {
    added.push(await addFile(tar, file));
    onProgress?.(at + 1);
  }
  await addText(tar, MANIFEST_ENTRY, { format: head.format, files: added, ...rest });
  tar.finalize();
  return added;
}

async function addText(tar: Pack, name: string, value: unknown): Promise<ArchivedFile> {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
  const { promise, resolve, reject } = settled();
  tar.entry({ name, mode: PRIVATE_FILE }, bytes, (error) => (error ? reject(error) : resolve()));
  await promise;
  return { path: name, size: bytes.length, sha256: sha256(bytes) };
}

async function addFile(tar: Pack, source: SourceFile): Promise<ArchivedFile> {
  const { name, size, mode, mtimeMs } = source;
  const { promise, resolve, reject } = settled();
  const mtime = new Date(mtimeMs);
  const header = { name, size, mode, mtime, pax: { mtime: (mtimeMs / 1_000).toFixed(6) } };
  const entry = tar.entry(header, (error) => (error ? reject(error) : resolve()));
  // Rejects when the archive ends early, while the file is still read.
  promise.catch(() => undefined);
  const hash = createHash("sha256");
  let read = 0;
  if (size > 0) {
    for await (const chunk of readBytes(source)) {
      hash.update(chunk);
      read += chunk.length;
      if (!entry.write(chunk)) await Promise.race([once(entry, "drain"), promise]);
    }
  }
  if (read !== size) throw changed(name, size, read);
  entry.end(null);
  await promise;
  return { path: name, size, sha256: hash.digest("hex") };
}

async function* readBytes({ name, file, size }: SourceFile): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { end: size - 1 });
  } catch (error) {
    throw unreadable(name, error);
  }
}

function changed(name: string, size: number, read: number): Error {
  const message = `${name} had ${size} bytes and now has ${read}`;
  return backupError("ERR_BACKUP_CHANGED", message, { fix: "run `site backup` again" });
}

function settled(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
} {
  const handlers = { resolve: (): void => undefined, reject: (_: unknown): void => undefined };
  const promise = new Promise<void>((resolve, reject) =>
    Object.assign(handlers, { resolve, reject }),
  );
  return { promise, resolve: () => handlers.resolve(), reject: (error) => handlers.reject(error) };
}
