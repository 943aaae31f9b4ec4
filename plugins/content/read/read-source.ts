/** Reads files into records with one shared buffer. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { ContentProblem } from "../contract.js";
import type { FirstRead } from "./first-read.js";
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

/** True when the error means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(errorCode(error));
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
