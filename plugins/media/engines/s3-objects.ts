import type { Readable } from "node:stream";
import type { ObjectBucket, ObjectFacts, ObjectToPut } from "../contract.js";
import { S3Loader, type S3Bucket } from "./s3-client.js";

/** Options of the objects. */
export interface S3ObjectsOptions extends S3Bucket {
  /** Begins the keys of all objects; ends with a slash. */
  readonly prefix: string;
}

/** Files as objects `{prefix}{name}`. Throws what the service reports. */
export class S3Objects implements ObjectBucket {
  readonly #options: S3ObjectsOptions;
  readonly #s3: S3Loader;

  constructor(options: S3ObjectsOptions) {
    this.#options = options;
    this.#s3 = new S3Loader(options);
  }

  async put(name: string, { stream, size, type }: ObjectToPut): Promise<void> {
    const { sdk, client } = await this.#s3.load();
    const body = { Body: stream, ContentLength: size, ContentType: type };
    await client.send(new sdk.PutObjectCommand({ ...this.#key(name), ...body }));
  }

  async find(name: string): Promise<ObjectFacts | null> {
    const { sdk, client } = await this.#s3.load();
    try {
      const found = await client.send(new sdk.HeadObjectCommand(this.#key(name)));
      const { ContentLength: size = 0, LastModified, ETag = "" } = found;
      return { size, etag: ETag, mtimeMs: LastModified?.getTime() ?? 0 };
    } catch (error) {
      if (error instanceof sdk.NotFound || error instanceof sdk.NoSuchKey) return null;
      throw error;
    }
  }

  async read(name: string, { start, end }: { start: number; end: number }): Promise<Readable> {
    const { sdk, client } = await this.#s3.load();
    const command = new sdk.GetObjectCommand({
      ...this.#key(name),
      Range: `bytes=${start}-${end}`,
    });
    const { Body } = await client.send(command);
    if (Body === undefined) throw new Error("the service sent no body");
    return Body as Readable;
  }

  async delete(name: string): Promise<void> {
    const { sdk, client } = await this.#s3.load();
    await client.send(new sdk.DeleteObjectCommand(this.#key(name)));
  }

  async totalBytes(): Promise<number> {
    const { sdk, client } = await this.#s3.load();
    const { bucket: Bucket, prefix: Prefix } = this.#options;
    let [total, next]: [number, string | undefined] = [0, undefined];
    do {
      const command: InstanceType<typeof sdk.ListObjectsV2Command> = new sdk.ListObjectsV2Command({
        Bucket,
        Prefix,
        ContinuationToken: next,
      });
      const page = await client.send(command);
      for (const { Size = 0 } of page.Contents ?? []) total += Size;
      next = page.NextContinuationToken;
    } while (next !== undefined);
    return total;
  }

  close(): Promise<void> {
    return this.#s3.close();
  }

  #key(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: `${this.#options.prefix}${name}` };
  }
}
