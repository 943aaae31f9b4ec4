/** Reads files into records with one shared buffer. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { ContentProblem } from "../contract.js";
import {
  MAX_PAGE_BYTES,
  toErrorRecord,
  toOversizeRecord,
  toSourceRecord,
  type SourceRecord,
} from "./source-record.js";

// Do not block on a pipe, and do not follow a link created since the walk.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const INITIAL_BYTES = 64 * 1024;

/** Reads source files synchronously: for small files this costs a fifth of promises. */
export class SourceReader {
  readonly #firstRead: FirstRead | null;
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);

  /** `firstRead` gets the bytes of each page. */
  constructor(firstRead: FirstRead | null = null) {
    this.#firstRead = firstRead;
  }

  /**
   * The record of a file; null when it is not a file. `file` is absolute and not a link.
   * @throws the system error for a missing or unreadable file.
   */
  read(sourcePath: string, file: string): SourceRecord | null {
    const handle = openSync(file, flags);
    try {
      return this.#readOpen(sourcePath, handle);
    } finally {
      closeSync(handle);
    }
  }

  #readOpen(sourcePath: string, handle: number): SourceRecord | null {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return null;
    const stat = { sourcePath, mtimeMs: stats.mtimeMs, size: stats.size };
    if (stats.size > MAX_PAGE_BYTES) return toOversizeRecord(stat);
    const bytes = this.#bytes(handle, stats);
    // A file that grew or shrank meanwhile has a new mtime and is read again.
    const record = toSourceRecord({ ...stat, size: bytes.length }, bytes);
    if (record.error === null) this.#firstRead?.add(record.hash, bytes);
    return record;
  }

  /** The bytes, valid until the next read. */
  #bytes(handle: number, { size }: Stats): Buffer {
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(handle, this.#buffer, filled, size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return this.#buffer.subarray(0, filled);
  }
}

/** The record of a file that exists and was never read. */
export function unreadRecord(sourcePath: string, error: unknown): SourceRecord {
  const message = `the file cannot be read (${errorCode(error)}); check its permissions, it is read again until it can be`;
  const stat = { sourcePath, mtimeMs: -1, size: -1 };
  return toErrorRecord(stat, { code: "ERR_CONTENT_READ", message });
}

/** True for the record of a file that was never read. */
export function isUnread({ error }: SourceRecord): boolean {
  return error?.code === "ERR_CONTENT_READ";
}

/** The problem of a file or folder that cannot be read although it could be before. */
export function readProblem(sourcePath: string, error: unknown): ContentProblem {
  const message = `the file or folder cannot be read (${errorCode(error)}); its last version is served, and it is read again until it can be`;
  return { sourcePath, severity: "error", code: "ERR_CONTENT_READ", message };
}

/** `ENOENT` and the like; `ERROR` when there is no code. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "ERROR";
}

/** Bytes of all files, and of a piece of memory that holds some of them. */
const MAX_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * The files of a first start, in memory until the site is ready: the search index reads each page right
 * after the content index, and takes its bytes from here instead of the disk (16 % of a cold start with
 * 100,000 pages).
 */
export class FirstRead {
  readonly #files = new Map<string, Buffer>();
  /** Large pieces are returned to the system as soon as nothing in them is used. */
  #piece = Buffer.alloc(0);
  #left = MAX_BYTES;

  /** Copies the bytes of a file with this digest, while there is room. */
  add(hash: string, bytes: Buffer): void {
    if (bytes.length > this.#left || bytes.length > PIECE_BYTES) return;
    if (bytes.length > this.#piece.length) this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    bytes.copy(this.#piece);
    this.#files.set(hash, this.#piece.subarray(0, bytes.length));
    this.#piece = this.#piece.subarray(bytes.length);
    this.#left -= bytes.length;
  }

  /** The bytes with this digest, once; undefined for others. */
  take(hash: string): Buffer | undefined {
    const bytes = this.#files.get(hash);
    this.#files.delete(hash);
    return bytes;
  }

  /** Releases everything; nothing is added any more. */
  close(): void {
    this.#files.clear();
    this.#piece = Buffer.alloc(0);
    this.#left = 0;
  }
}
