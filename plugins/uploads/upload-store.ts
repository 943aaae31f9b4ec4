import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createReadStream } from "node:fs";
import { HttpError, atomicWrite } from "#kernel";
import { errorCode, isDiskFull } from "#lib/errors";
import { isTemporary, makeFolder } from "#lib/files";
import type { MediaService, ObjectBucket } from "../media/contract.js";
import type { UploadFiles, SendTo } from "./contract.js";

const NAME = /^[0-9a-f]{32}\.[a-z0-9]{1,10}$/;
/** Other nodes and workers store uploads too: their bytes are counted after this time, in ms. */
const COUNT_MS = 600_000;

/** Options of the store. */
export interface UploadStoreOptions {
  readonly files: UploadFiles;
  readonly maxTotalBytes: number;
}
/** The type of an upload, derived from its original name. */
export interface UploadType {
  /** Lower-case, without dot. */
  readonly extension: string;
  /** MIME type of the extension; the type sent by the client is ignored. */
  readonly type: string;
}
/** A stored upload. */
export interface StoredUpload {
  /** 32 hex characters and the extension; independent of the original name. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** Bytes of one upload, counted while they are stored. */
interface CountedBytes {
  size: number;
}

/** Stores visitors' files under random names, up to a total size. */
export class UploadStore {
  readonly #files: UploadFiles;
  readonly #maxTotalBytes: number;
  #total: Promise<number> | null = null;
  /** In ms of `performance.now()`. */
  #countAt = 0;
  #running = 0;
  /** Bytes of running uploads, and of those stored since the folder was counted. */
  #added = 0;

  constructor({ files, maxTotalBytes }: UploadStoreOptions) {
    this.#files = files;
    this.#maxTotalBytes = maxTotalBytes;
  }

  /** True for the form of names that uploads have. */
  static isName(name: string): boolean {
    return NAME.test(name);
  }

  /**
   * Stores a stream of bytes atomically.
   * @throws HttpError 507 when the disk or the allowance is full, and what the stream throws.
   */
  async put(bytes: AsyncIterable<Buffer>, { extension, type }: UploadType): Promise<StoredUpload> {
    const storedBytes = await this.#countAgain();
    const name = `${randomBytes(16).toString("hex")}.${extension}`;
    const counted: CountedBytes = { size: 0 };
    this.#running += 1;
    try {
      await this.#files.put(name, this.#counting(bytes, storedBytes, counted), type);
    } catch (error) {
      this.#added -= counted.size;
      throw isDiskFull(errorCode(error)) ? full(error) : error;
    } finally {
      this.#running -= 1;
    }
    return { name, size: counted.size };
  }

  /** Removes an upload. */
  async remove({ name, size }: StoredUpload): Promise<void> {
    if (!UploadStore.isName(name)) return;
    await this.#files.delete(name);
    this.#added -= size;
  }

  /** Bytes that were stored when they were counted last. */
  #countAgain(): Promise<number> {
    const now = performance.now();
    if (this.#total !== null && (now < this.#countAt || this.#running > 0)) return this.#total;
    this.#countAt = now + COUNT_MS;
    this.#added = 0;
    const total = this.#files.totalBytes();
    this.#total = total;
    total.catch(() => (this.#total = null));
    return total;
  }

  /** Counts passing bytes, so that concurrent uploads share the remaining space. */
  async *#counting(
    bytes: AsyncIterable<Buffer>,
    storedBytes: number,
    counted: CountedBytes,
  ): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      counted.size += chunk.length;
      this.#added += chunk.length;
      if (storedBytes + this.#added > this.#maxTotalBytes) throw full();
      yield chunk;
    }
  }
}

function full(cause?: unknown): HttpError {
  return new HttpError(507, "there is no space left for uploads", {
    code: "ERR_UPLOAD_FULL",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Uploads as files of a folder. */
export class FolderUploads implements UploadFiles {
  readonly #folder: string;
  readonly #media: Pick<MediaService, "sendFile">;

  /** `folder`: `data/uploads`; created with the first upload. */
  constructor(folder: string, media: Pick<MediaService, "sendFile">) {
    this.#folder = folder;
    this.#media = media;
  }

  /** Readable for other programs, such as a server in front; the folder above is created private. */
  async put(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    await makeFolder(dirname(this.#folder));
    await atomicWrite(join(this.#folder, name), bytes, { access: "shared" });
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  async totalBytes(): Promise<number> {
    let total = 0;
    for (const name of await listNames(this.#folder)) {
      const stats = await stat(join(this.#folder, name)).catch(() => null);
      total += stats?.size ?? 0;
    }
    return total;
  }

  async sweep(): Promise<void> {
    const left = (await listNames(this.#folder)).filter((name) => isTemporary(name));
    await Promise.all(left.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  send(name: string, { req, res, type, headers }: SendTo): Promise<boolean> {
    const upload = { root: this.#folder, file: join(this.#folder, name), type, headers };
    return this.#media.sendFile(req, res, upload);
  }
}

function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

/** Options of uploads in a bucket. */
interface BucketUploadsOptions {
  readonly bucket: ObjectBucket;
  readonly media: Pick<MediaService, "sendBytes">;
  /** Absolute; files on their way into the bucket, because it must know their size. */
  readonly spool: string;
}

/** Uploads as objects, for all nodes that use the bucket. */
export class BucketUploads implements UploadFiles {
  readonly #options: BucketUploadsOptions;

  constructor(options: BucketUploadsOptions) {
    this.#options = options;
  }

  async put(name: string, bytes: AsyncIterable<Buffer>, type: string): Promise<void> {
    const file = join(this.#options.spool, name);
    try {
      await atomicWrite(file, bytes, { durable: false });
      const { size } = await stat(file);
      await this.#options.bucket.put(name, { stream: createReadStream(file), size, type });
    } finally {
      await rm(file, { force: true });
    }
  }

  delete(name: string): Promise<void> {
    return this.#options.bucket.delete(name);
  }

  totalBytes(): Promise<number> {
    return this.#options.bucket.totalBytes();
  }

  async sweep(): Promise<void> {
    await rm(this.#options.spool, { recursive: true, force: true });
  }

  async send(name: string, { req, res, type, headers }: SendTo): Promise<boolean> {
    const { bucket, media } = this.#options;
    const stored = await bucket.find(name);
    if (stored === null) return false;
    const bytes = { ...stored, type, headers, read: (part: Part) => bucket.read(name, part) };
    await media.sendBytes(req, res, bytes);
    return true;
  }
}

type Part = Parameters<ObjectBucket["read"]>[1];
