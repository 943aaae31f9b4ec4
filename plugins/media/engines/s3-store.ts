import { errorCode } from "#kernel/internal";
import type { ImageStore, ProcessedImage, StoreKey } from "../contract.js";
import { S3Loader, type S3Bucket } from "./s3-client.js";
import { formatVariantFile, parseVariantFile } from "./variant-file.js";

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
  readonly #options: S3StoreOptions;
  readonly #s3: S3Loader;

  constructor(options: S3StoreOptions) {
    this.#options = options;
    this.#s3 = new S3Loader(options);
  }

  async get(key: StoreKey): Promise<ProcessedImage | null> {
    const { sdk, client } = await this.#s3.load();
    try {
      const command = new sdk.GetObjectCommand({ Bucket: this.#bucket, Key: this.#name(key) });
      const { Body } = await client.send(command, limited());
      if (Body === undefined) return null;
      return parseVariantFile(Buffer.from(await Body.transformToByteArray()));
    } catch (error) {
      // The connection ends when the object is deleted while it is sent.
      if (error instanceof sdk.NoSuchKey || errorCode(error) === "ECONNRESET") return null;
      throw error;
    }
  }

  async put(key: StoreKey, image: ProcessedImage): Promise<void> {
    const { sdk, client } = await this.#s3.load();
    const command = new sdk.PutObjectCommand({
      Bucket: this.#bucket,
      Key: this.#name(key),
      Body: formatVariantFile(image),
      // An object has a header before the image: no browser must show it as one.
      ContentType: "application/octet-stream",
    });
    await client.send(command, limited());
  }

  delete(original: string): Promise<void> {
    return this.#deleteBelow(`${this.#prefix}${original}/`);
  }

  clear(): Promise<void> {
    return this.#deleteBelow(this.#prefix);
  }

  close(): Promise<void> {
    return this.#s3.close();
  }

  get #bucket(): string {
    return this.#options.bucket;
  }

  get #prefix(): string {
    return this.#options.prefix + OWN_PREFIX;
  }

  #name({ original, variant }: StoreKey): string {
    return `${this.#prefix}${original}/${variant}`;
  }

  /** Page by page: a page of a list is also the most that one request deletes. */
  async #deleteBelow(prefix: string): Promise<void> {
    const { sdk, client } = await this.#s3.load();
    const { pageSize } = this.#options;
    let next: string | undefined;
    do {
      const command = new sdk.ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ContinuationToken: next,
        ...(pageSize !== undefined && { MaxKeys: pageSize }),
      });
      const page = await client.send(command, limited());
      await this.#deleteAll((page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  async #deleteAll(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const { sdk, client } = await this.#s3.load();
    const Delete = { Objects: names.map((Key) => ({ Key })), Quiet: true };
    const command = new sdk.DeleteObjectsCommand({ Bucket: this.#bucket, Delete });
    const { Errors = [] } = await client.send(command, limited());
    const [first] = Errors;
    if (first === undefined) return;
    throw new Error(
      `${Errors.length} objects were not deleted: ${first.Code ?? "no reason given"}`,
    );
  }
}

function limited(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(REQUEST_MS) };
}
