import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, HttpError } from "#kernel";
import { errorCode, isTemporary } from "#kernel/internal";

const NAME = /^[0-9a-f]{32}\.[a-z0-9]{1,10}$/;
const FULL: readonly string[] = ["ENOSPC", "EDQUOT"];

/** Where uploads are stored, and how much. */
export interface UploadStoreOptions {
  /** `data/uploads`; created with the first upload. */
  readonly folder: string;
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
  readonly folder: string;
  readonly #maxTotalBytes: number;
  #total: Promise<number> | null = null;
  /** Bytes of running uploads, and of those stored since the folder was counted. */
  #added = 0;

  constructor({ folder, maxTotalBytes }: UploadStoreOptions) {
    this.folder = folder;
    this.#maxTotalBytes = maxTotalBytes;
  }

  /** The path of an upload's name, whether or not it exists; null for an invalid name. */
  file(name: string): string | null {
    return NAME.test(name) ? join(this.folder, name) : null;
  }

  /**
   * Stores a stream of bytes atomically.
   * @throws HttpError 507 when the disk or the allowance is full, and what the stream throws.
   */
  async put(bytes: AsyncIterable<Buffer>, extension: string): Promise<StoredUpload> {
    const storedBytes = await (this.#total ??= folderBytes(this.folder));
    const name = `${randomBytes(16).toString("hex")}.${extension}`;
    const counted = { size: 0 };
    try {
      await atomicWrite(join(this.folder, name), this.#counting(bytes, storedBytes, counted));
    } catch (error) {
      this.#added -= counted.size;
      throw isFull(error) ? full(error) : error;
    }
    return { name, size: counted.size };
  }

  /** Removes an upload. */
  async remove({ name, size }: StoredUpload): Promise<void> {
    const file = this.file(name);
    if (file === null) return;
    await rm(file, { force: true });
    this.#added -= size;
  }

  /** Removes leftovers of uploads interrupted by a crash. */
  async sweep(): Promise<void> {
    const left = (await namesIn(this.folder)).filter((name) => isTemporary(name));
    await Promise.all(left.map((name) => rm(join(this.folder, name), { force: true })));
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

async function folderBytes(folder: string): Promise<number> {
  let total = 0;
  for (const name of await namesIn(folder)) {
    const found = await stat(join(folder, name)).catch(() => null);
    total += found?.size ?? 0;
  }
  return total;
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

function isFull(error: unknown): boolean {
  return FULL.includes(errorCode(error));
}

function full(cause?: unknown): HttpError {
  return new HttpError(507, "there is no space left for uploads", {
    code: "ERR_UPLOAD_FULL",
    ...(cause === undefined ? {} : { cause }),
  });
}
