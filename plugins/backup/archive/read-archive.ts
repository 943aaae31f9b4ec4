/** Reads an archive that may be hostile: every name, type, size and count is checked before use. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { createHash } from "node:crypto";
import { extract, type Headers as Header } from "tar-stream";
import { z } from "zod";
import { isRecord } from "#kernel";
import { errorCode } from "#lib/errors";
import { sha256 } from "#lib/secrets";
import { backupError } from "../errors.js";
import {
  archiveSize,
  entryProblem,
  FORMAT,
  HEAD_ENTRY,
  headShape,
  MANIFEST_ENTRY,
  manifestShape,
  type ArchivedFile,
  type ArchiveSize,
  type Head,
  type Manifest,
} from "./manifest.js";

/** Maximum number of entries. */
const MAX_ENTRIES = 2_000_000;
/** Archives above this size unpacked must not have been packed more tightly than this ratio. */
export const BOMB_BYTES = 256 * 1_024 * 1_024;
export const BOMB_RATIO = 200;

/** An entry while it is read. */
export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** Unix ms. */
  readonly mtimeMs: number;
  readonly bytes: AsyncIterable<Buffer>;
}

/**
 * Passes the entries to `take`, in order, one at a time; `take` reads all bytes. Keeps none of them in
 * memory. @throws ERR_BACKUP_ARCHIVE, and what `take` throws.
 */
export async function readArchive(
  file: string,
  take: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  const packed = await readSize(file);
  const names = new Names();
  const tar = extract();
  const gunzip = createGunzip();
  const source = createReadStream(file);
  let unpacked = 0;
  const fail = (error: unknown): void => {
    tar.destroy(asArchiveError(error));
  };
  source.on("error", fail);
  gunzip.on("error", fail);
  gunzip.on("data", (chunk: Buffer) => {
    unpacked += chunk.length;
    if (unpacked > BOMB_BYTES && unpacked > packed * BOMB_RATIO) {
      fail(damaged(`it unpacks to more than ${BOMB_RATIO} times its size`));
    }
  });
  source.pipe(gunzip).pipe(tar);
  try {
    for await (const entry of tar) {
      const { header } = entry;
      assertEntry(header, names);
      const { name, size = 0, mode = 0 } = header;
      const mtimeMs = parseTime(header);
      await take({ name, size, mode: mode & 0o777, mtimeMs, bytes: toBuffers(entry) });
      // Skips the bytes that `take` left unread.
      entry.resume();
    }
  } catch (error) {
    throw asArchiveError(error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Tar itself stores whole seconds; the extension has the rest. */
function parseTime(header: Header): number {
  const { mtime } = header;
  const pax = "pax" in header ? header.pax : undefined;
  const exact = isRecord(pax) ? Number(pax["mtime"] ?? Number.NaN) * 1_000 : Number.NaN;
  const time = Number.isFinite(exact) ? exact : mtime?.getTime();
  return time !== undefined && Number.isFinite(time) ? time : 0;
}

async function* toBuffers(source: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of source) if (Buffer.isBuffer(chunk)) yield chunk;
}

async function readSize(file: string): Promise<number> {
  try {
    const stats = await stat(file);
    if (stats.isFile()) return stats.size;
  } catch (cause) {
    throw damaged(`the file cannot be read: ${errorCode(cause)}`, cause);
  }
  throw damaged("it is not a file");
}

function assertEntry({ name, type, size }: Header, names: Names): void {
  const shown = JSON.stringify(name.slice(0, 200));
  if (type !== "file") throw damaged(`the entry ${shown} is a ${type}: archives have files only`);
  if (size === undefined || !Number.isSafeInteger(size) || size < 0) {
    throw damaged(`the entry ${shown} has no valid size`);
  }
  const nameProblem = entryProblem(name);
  if (nameProblem !== null) {
    throw damaged(`the entry ${shown} has a name that is not allowed: ${nameProblem}`);
  }
  const problem = names.add(name);
  if (problem !== null) throw damaged(`the entry ${shown} ${problem}`);
}

/** The names so far: no two entries for one file, and no file that is a folder elsewhere. */
class Names {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** The problem of a further name, or null. */
  add(name: string): string | null {
    if (this.#files.size >= MAX_ENTRIES) return `is one of more than ${MAX_ENTRIES}`;
    if (this.#files.has(name)) return "is in it twice";
    if (this.#folders.has(name)) return "is a file and a folder";
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const folder = name.slice(0, at);
      if (this.#files.has(folder)) return "lies in a file";
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
    }
    this.#files.add(name);
    return null;
  }
}

/** An error for an archive that cannot be used. */
export function damaged(what: string, cause?: unknown): Error {
  return backupError("ERR_BACKUP_ARCHIVE", `the archive cannot be used: ${what}`, {
    fix: "take another backup; this one was not restored, and nothing was written",
    cause,
  });
}

function asArchiveError(error: unknown): Error {
  if (!(error instanceof Error)) return damaged(String(error));
  const code = errorCode(error);
  if (code.startsWith("ERR_BACKUP") || code.startsWith("ERR_RESTORE")) return error;
  if (code === "Z_BUF_ERROR" || /unexpected end/i.test(error.message)) {
    return damaged("it is truncated", error);
  }
  if (code.startsWith("Z_")) return damaged(`it is not a gzip file, or damaged (${code})`, error);
  if (/tar header|checksum|header/i.test(error.message)) {
    return damaged(`it is not a tar file, or damaged (${error.message})`, error);
  }
  return error;
}

/** Sizes of the two descriptions, which are read into memory. */
const MAX_HEAD_BYTES = 64 * 1_024;
const MAX_MANIFEST_BYTES = 512 * 1_024 * 1_024;

/** An archive whose checksums are all correct. */
export interface VerifiedArchive {
  readonly head: Head;
  readonly manifest: Manifest;
  /** By name of the entry, without the manifest. */
  readonly files: ReadonlyMap<string, ArchivedFile>;
  readonly size: ArchiveSize;
}

/**
 * Reads a whole archive and checks every checksum. Writes nothing.
 * @throws ERR_BACKUP_ARCHIVE, ERR_BACKUP_FORMAT.
 */
export async function verifyArchive(file: string): Promise<VerifiedArchive> {
  const read = new Map<string, ArchivedFile>();
  let head: Head | null = null;
  let manifest: Manifest | null = null;
  await readArchive(file, async (entry) => {
    if (manifest !== null) throw damaged("entries follow its manifest");
    if (head === null && entry.name !== HEAD_ENTRY) {
      throw damaged(`it does not begin with ${HEAD_ENTRY}: site backup did not make it`);
    }
    if (entry.name === MANIFEST_ENTRY) {
      const { text } = await readText(entry, MAX_MANIFEST_BYTES);
      manifest = parse(manifestShape, text, MANIFEST_ENTRY);
    } else if (entry.name === HEAD_ENTRY) {
      const { text, sha256 } = await readText(entry, MAX_HEAD_BYTES);
      head = parseHead(text);
      read.set(entry.name, { path: entry.name, size: entry.size, sha256 });
    } else {
      read.set(entry.name, await checksum(entry));
    }
  });
  return checked(head, manifest, read);
}

/** The checksum of an entry. */
export async function checksum({ name, size, bytes }: ArchiveEntry): Promise<ArchivedFile> {
  const hash = createHash("sha256");
  for await (const chunk of bytes) hash.update(chunk);
  return { path: name, size, sha256: hash.digest("hex") };
}

function checked(
  head: Head | null,
  manifest: Manifest | null,
  read: ReadonlyMap<string, ArchivedFile>,
): VerifiedArchive {
  if (head === null) throw damaged("it is empty");
  if (manifest === null) throw damaged(`it has no ${MANIFEST_ENTRY}: it is incomplete`);
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  if (listed.size !== manifest.files.length) throw damaged("its manifest lists a file twice");
  for (const [name, { size, sha256 }] of read) {
    const expected = listed.get(name);
    const shown = JSON.stringify(name);
    if (expected === undefined) throw damaged(`its manifest does not list ${shown}`);
    if (expected.size !== size || expected.sha256 !== sha256) {
      throw damaged(`the checksum of ${shown} is wrong`);
    }
  }
  for (const name of listed.keys()) {
    if (!read.has(name)) throw damaged(`${JSON.stringify(name)} is missing`);
  }
  return { head, manifest, files: listed, size: archiveSize(manifest.files) };
}

async function readText(
  { name, size, bytes }: ArchiveEntry,
  limit: number,
): Promise<{ text: string; sha256: string }> {
  if (size > limit) throw damaged(`${name} is larger than ${limit} bytes`);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  return { text: all.toString(), sha256: sha256(all) };
}

/** The format first: other keys of a newer format are unknown. */
function parseHead(text: string): Head {
  const { format } = parse(z.looseObject({ format: z.int() }), text, HEAD_ENTRY);
  if (format > FORMAT) {
    const message = `the archive has format ${format}, this version reads up to ${FORMAT}`;
    throw backupError("ERR_BACKUP_FORMAT", message, {
      fix: "restore it with the version of Sitewright that made it, or a newer one",
    });
  }
  return parse(headShape, text, HEAD_ENTRY);
}

function parse<T>(shape: z.ZodType<T>, text: string, name: string): T {
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(`${name} is malformed`, cause);
  }
}
