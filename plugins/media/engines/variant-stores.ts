import { randomBytes, createHash } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { escapeHtml } from "#kernel";
import { makeFolder, PRIVATE_FILE } from "#lib/files";
import { errorCode } from "#lib/errors";
import { sha256 } from "#lib/secrets";
import type { ImageStore, ProcessedImage, StoreKey } from "../contract.js";
import { S3Client, type S3Bucket, childText } from "./s3-client.js";

/** Folder of the store below the cache folder: nothing outside of it is deleted. */
const OWN_FOLDER = "variants";
const TEMPORARY = ".tmp-";
/** Share of the cap that remains after eviction. */
const KEPT_SHARE = 0.9;

/** Options of the store. */
export interface FilesystemStoreOptions {
  /** Absolute path; the store uses a folder of its own below it. */
  readonly cacheDir: string;
  /** Size of all variants together; the least recently used ones are evicted. */
  readonly maxBytes: number;
}

/** The contents of the store. */
interface Index {
  /** Bytes by file, least recently used first. */
  readonly files: Map<string, number>;
  total: number;
}

/**
 * Variants as files `{original}/{variant}`: one line of JSON, then the bytes. Not synced to disk: a
 * file damaged by a power loss does not match its digest and is generated again.
 */
export class FilesystemStore implements ImageStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  #index: Promise<Index> | null = null;

  constructor(options: FilesystemStoreOptions) {
    this.#folder = join(options.cacheDir, OWN_FOLDER);
    this.#maxBytes = options.maxBytes;
  }

  async get(key: StoreKey): Promise<ProcessedImage | null> {
    const file = this.#file(key);
    const content = await readFile(file).catch(() => null);
    if (content === null) return null;
    const image = parseVariantFile(content);
    if (image === null) await this.#drop([file]);
    else touch(await this.#load(), file, content.length);
    return image;
  }

  async put(key: StoreKey, image: ProcessedImage): Promise<void> {
    const file = this.#file(key);
    const content = formatVariantFile(image);
    if (content.length > this.#maxBytes) return;
    await this.#write(file, content);
    const index = await this.#load();
    touch(index, file, content.length);
    if (index.total > this.#maxBytes) await this.#drop(this.#oldest(index));
  }

  async delete(original: string): Promise<void> {
    const folder = join(this.#folder, original);
    const { files } = await this.#load();
    await this.#drop([...files.keys()].filter((file) => dirname(file) === folder));
    await rm(folder, { recursive: true, force: true });
  }

  async clear(): Promise<void> {
    this.#index = Promise.resolve({ files: new Map<string, number>(), total: 0 });
    const old = `${this.#folder}${TEMPORARY}${randomBytes(6).toString("hex")}`;
    // One rename removes everything at once; open files stay readable.
    const isMoved = await rename(this.#folder, old).then(
      () => true,
      () => false,
    );
    if (isMoved) await rm(old, { recursive: true, force: true });
  }

  #file({ original, variant }: StoreKey): string {
    return join(this.#folder, original, variant);
  }

  #oldest({ files, total }: Index): string[] {
    const old: string[] = [];
    const excess = { bytes: total - this.#maxBytes * KEPT_SHARE };
    for (const [file, bytes] of files) {
      if (excess.bytes <= 0) break;
      excess.bytes -= bytes;
      old.push(file);
    }
    return old;
  }

  async #drop(list: readonly string[]): Promise<void> {
    const index = await this.#load();
    for (const file of list) {
      index.total -= index.files.get(file) ?? 0;
      index.files.delete(file);
      await rm(file, { force: true });
    }
  }

  async #write(file: string, content: Buffer): Promise<void> {
    const temporary = join(dirname(file), `${TEMPORARY}${randomBytes(8).toString("hex")}`);
    try {
      await makeFolder(dirname(file));
      await writeFile(temporary, content, { flag: "wx", mode: PRIVATE_FILE });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  #load(): Promise<Index> {
    return (this.#index ??= this.#scan());
  }

  /**
   * Lists the files of earlier runs, oldest first; deletes the remains of interrupted writes and
   * purges.
   */
  async #scan(): Promise<Index> {
    const files: { file: string; bytes: number; mtimeMs: number }[] = [];
    await this.#sweep();
    for (const original of await listFolder(this.#folder)) {
      for (const name of await listFolder(join(this.#folder, original))) {
        const file = join(this.#folder, original, name);
        if (name.startsWith(TEMPORARY)) await rm(file, { force: true });
        else files.push({ file, ...(await readSize(file)) });
      }
    }
    files.sort((a, b) => a.mtimeMs - b.mtimeMs);
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    return { total, files: new Map(files.map(({ file, bytes }) => [file, bytes])) };
  }

  async #sweep(): Promise<void> {
    const parent = dirname(this.#folder);
    for (const name of await listFolder(parent)) {
      const isPurged = name.startsWith(OWN_FOLDER + TEMPORARY);
      if (isPurged) await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

function touch(index: Index, file: string, bytes: number): void {
  index.total += bytes - (index.files.get(file) ?? 0);
  index.files.delete(file);
  index.files.set(file, bytes);
}

async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function readSize(file: string): Promise<{ bytes: number; mtimeMs: number }> {
  const stats = await stat(file).catch(() => null);
  return { bytes: stats?.size ?? 0, mtimeMs: stats?.mtimeMs ?? 0 };
}

/** Below the prefix of the settings: no object outside of it is deleted. */
const OWN_PREFIX = "variants/";
/** Time limit of each request, in ms: a server that hangs must not keep connections. */
const REQUEST_MS = 10_000;

/** Options of the store. */
export interface S3StoreOptions extends S3Bucket {
  /** Begins the keys of all objects; empty, or ends with a slash. */
  readonly prefix: string;
  /** Objects per page of a list; default: as many as the service sends. */
  readonly pageSize?: number;
}

/**
 * Variants as objects `{prefix}variants/{original}/{variant}`, for all nodes that use the bucket. Throws
 * what the service reports. The bucket's own rules delete old objects.
 */
export class S3Store implements ImageStore {
  readonly #prefix: string;
  readonly #pageSize: number | undefined;
  readonly #s3: S3Client;

  constructor(options: S3StoreOptions) {
    this.#prefix = options.prefix + OWN_PREFIX;
    this.#pageSize = options.pageSize;
    this.#s3 = new S3Client(options);
  }

  async get(key: StoreKey): Promise<ProcessedImage | null> {
    try {
      const response = await this.#s3.send({
        method: "GET",
        key: this.#name(key),
        signal: timeLimit(),
      });
      return parseVariantFile(await buffer(response));
    } catch (error) {
      // The connection ends when the object is deleted while it is sent.
      if (["NoSuchKey", "ECONNRESET"].includes(errorCode(error))) return null;
      throw error;
    }
  }

  async put(key: StoreKey, image: ProcessedImage): Promise<void> {
    await this.#s3.text({
      method: "PUT",
      key: this.#name(key),
      body: formatVariantFile(image),
      // An object has a header before the image: no browser must show it as one.
      headers: { "content-type": "application/octet-stream" },
      signal: timeLimit(),
    });
  }

  delete(original: string): Promise<void> {
    return this.#deleteBelow(`${this.#prefix}${original}/`);
  }

  clear(): Promise<void> {
    return this.#deleteBelow(this.#prefix);
  }

  async close(): Promise<void> {
    this.#s3.close();
  }

  #name({ original, variant }: StoreKey): string {
    return `${this.#prefix}${original}/${variant}`;
  }

  /** Page by page: a page of a list is also the most that one request deletes. */
  async #deleteBelow(prefix: string): Promise<void> {
    const options = { pageSize: this.#pageSize, signal: timeLimit };
    for await (const page of this.#s3.list(prefix, options)) {
      await this.#deleteAll(page.map(({ key }) => key));
    }
  }

  async #deleteAll(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const objects = names.map((name) => `<Object><Key>${escapeHtml(name)}</Key></Object>`);
    const body = Buffer.from(
      `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects.join("")}</Delete>`,
    );
    const result = await this.#s3.xml({
      method: "POST",
      query: { delete: "" },
      headers: {
        "content-type": "application/xml",
        // Required, and the only digest that all services know.
        "content-md5": createHash("md5").update(body).digest("base64"),
      },
      body,
      signal: timeLimit(),
    });
    const errors = result.children.filter(({ name }) => name === "Error");
    const [first] = errors;
    if (first === undefined) return;
    const reason = childText(first, "Code") ?? "no reason given";
    throw new Error(`${errors.length} objects were not deleted: ${reason}`);
  }
}

function timeLimit(): AbortSignal {
  return AbortSignal.timeout(REQUEST_MS);
}

/** Header of a variant file, as one line of JSON. */
interface Header {
  type: string;
  width: number;
  height: number;
  length: number;
  digest: string;
}

/** A variant as a store keeps it: one line of JSON, then the bytes. */
export function formatVariantFile({ type, width, height, bytes }: ProcessedImage): Buffer {
  const header: Header = { type, width, height, length: bytes.length, digest: sha256(bytes) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]);
}

/** The variant of such a file; null when it is damaged or foreign. */
export function parseVariantFile(content: Buffer): ProcessedImage | null {
  const end = content.indexOf("\n");
  const header = end === -1 ? null : parseHeader(content.toString("utf8", 0, end));
  if (header === null) return null;
  const bytes = content.subarray(end + 1);
  if (bytes.length !== header.length || sha256(bytes) !== header.digest) return null;
  return { type: header.type, width: header.width, height: header.height, bytes };
}

function parseHeader(line: string): Header | null {
  try {
    const value: unknown = JSON.parse(line);
    return isHeader(value) ? value : null;
  } catch {
    return null;
  }
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== "object" || value === null) return false;
  const { type, width, height, length, digest } = value as Record<string, unknown>;
  const numbers = [width, height, length];
  return (
    typeof type === "string" &&
    /^image\/[a-z]+$/.test(type) &&
    typeof digest === "string" &&
    numbers.every((number) => Number.isInteger(number))
  );
}
