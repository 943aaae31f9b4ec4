import { createHash } from "node:crypto";
import { z } from "zod";
import { sha256 } from "#kernel/internal";
import { backupError } from "../errors.js";
import {
  FORMAT,
  HEAD_ENTRY,
  headShape,
  MANIFEST_ENTRY,
  manifestShape,
  type ArchivedFile,
  type Head,
  type Manifest,
} from "./manifest.js";
import { damaged, readArchive, type ArchiveEntry } from "./read-archive.js";

/** Sizes of the two descriptions, which are read into memory. */
const MAX_HEAD_BYTES = 64 * 1_024;
const MAX_MANIFEST_BYTES = 512 * 1_024 * 1_024;

/** An archive whose checksums are all correct. */
export interface VerifiedArchive {
  readonly head: Head;
  readonly manifest: Manifest;
  /** By name of the entry, without the manifest. */
  readonly files: ReadonlyMap<string, ArchivedFile>;
  /** Bytes of all entries. */
  readonly bytes: number;
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
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  return { head, manifest, files: listed, bytes };
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
