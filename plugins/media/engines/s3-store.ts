import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { escapeHtml } from "#kernel";
import { errorCode } from "#lib/errors";
import type { ImageStore, ProcessedImage, StoreKey } from "../contract.js";
import { S3Client, type S3Bucket, childText } from "./s3-client.js";
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
      const found = await this.#s3.send({
        method: "GET",
        key: this.#name(key),
        signal: timeLimit(),
      });
      return parseVariantFile(await buffer(found));
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
