import type { Readable } from "node:stream";
import type { ObjectBucket, ObjectFacts, ObjectToPut } from "../contract.js";
import { S3Client, S3Error, type S3Bucket } from "./s3-client.js";

/** Options of the objects. */
export interface S3ObjectsOptions extends S3Bucket {
  /** Begins the keys of all objects; ends with a slash. */
  readonly prefix: string;
}

/** Files as objects `{prefix}{name}`. Throws what the service reports. */
export class S3Objects implements ObjectBucket {
  readonly #prefix: string;
  readonly #s3: S3Client;

  constructor(options: S3ObjectsOptions) {
    this.#prefix = options.prefix;
    this.#s3 = new S3Client(options);
  }

  async put(name: string, { stream, size, type }: ObjectToPut): Promise<void> {
    const headers = { "content-type": type };
    await this.#s3.text({ method: "PUT", key: this.#key(name), headers, body: { stream, size } });
  }

  async find(name: string): Promise<ObjectFacts | null> {
    try {
      const found = await this.#s3.send({ method: "HEAD", key: this.#key(name) });
      found.resume();
      const { "content-length": size, "last-modified": modified, etag = "" } = found.headers;
      const mtimeMs = Date.parse(modified ?? "");
      return { size: Number(size ?? 0), etag, mtimeMs: Number.isNaN(mtimeMs) ? 0 : mtimeMs };
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return null;
      throw error;
    }
  }

  read(name: string, { start, end }: { start: number; end: number }): Promise<Readable> {
    const headers = { range: `bytes=${start}-${end}` };
    return this.#s3.send({ method: "GET", key: this.#key(name), headers });
  }

  async delete(name: string): Promise<void> {
    await this.#s3.text({ method: "DELETE", key: this.#key(name) });
  }

  async totalBytes(): Promise<number> {
    let total = 0;
    for await (const page of this.#s3.list(this.#prefix)) {
      for (const { size } of page) total += size;
    }
    return total;
  }

  async close(): Promise<void> {
    this.#s3.close();
  }

  #key(name: string): string {
    return `${this.#prefix}${name}`;
  }
}
