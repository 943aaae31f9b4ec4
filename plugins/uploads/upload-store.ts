import { randomBytes } from "node:crypto";
import { HttpError } from "#kernel";
import { errorCode, isDiskFull } from "#lib/errors";
import type { UploadFiles } from "./contract.js";

const NAME = /^[0-9a-f]{32}\.[a-z0-9]{1,10}$/;
/** Other nodes and workers store uploads too: their bytes are counted after this time, in ms. */
const COUNT_MS = 600_000;

/** Where uploads are stored, and how much. */
export interface UploadStoreOptions {
  readonly files: UploadFiles;
  readonly maxTotalBytes: number;
}
/** A stored upload. */
export interface StoredUpload {
  /** 32 hex characters and the extension; independent of the original name. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
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
  async put(
    bytes: AsyncIterable<Buffer>,
    { extension, type }: { extension: string; type: string },
  ): Promise<StoredUpload> {
    const storedBytes = await this.#countAgain();
    const name = `${randomBytes(16).toString("hex")}.${extension}`;
    const counted = { size: 0 };
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
    counted: { size: number },
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
