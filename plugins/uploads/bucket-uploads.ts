import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import type { MediaService, ObjectBucket } from "../media/contract.js";
import type { SendTo, UploadFiles } from "./contract.js";

/** Dependencies of uploads in a bucket. */
export interface BucketUploadsParts {
  readonly bucket: ObjectBucket;
  readonly media: Pick<MediaService, "sendBytes">;
  /** Absolute; files on their way into the bucket, because it must know their size. */
  readonly spool: string;
}

/** Uploads as objects, for all nodes that use the bucket. */
export class BucketUploads implements UploadFiles {
  readonly #parts: BucketUploadsParts;

  constructor(parts: BucketUploadsParts) {
    this.#parts = parts;
  }

  async put(name: string, bytes: AsyncIterable<Buffer>, type: string): Promise<void> {
    const file = join(this.#parts.spool, name);
    try {
      await atomicWrite(file, bytes, { durable: false });
      const { size } = await stat(file);
      await this.#parts.bucket.put(name, { stream: createReadStream(file), size, type });
    } finally {
      await rm(file, { force: true });
    }
  }

  delete(name: string): Promise<void> {
    return this.#parts.bucket.delete(name);
  }

  totalBytes(): Promise<number> {
    return this.#parts.bucket.totalBytes();
  }

  async sweep(): Promise<void> {
    await rm(this.#parts.spool, { recursive: true, force: true });
  }

  async send(name: string, { req, res, type, headers }: SendTo): Promise<boolean> {
    const { bucket, media } = this.#parts;
    const found = await bucket.find(name);
    if (found === null) return false;
    const bytes = { ...found, type, headers, read: (part: Part) => bucket.read(name, part) };
    await media.sendBytes(req, res, bytes);
    return true;
  }
}

type Part = Parameters<ObjectBucket["read"]>[1];
