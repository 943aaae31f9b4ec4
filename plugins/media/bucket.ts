import type { Readable } from "node:stream";
import { SiteError, type SiteContext, type BucketSection, type Logger } from "#kernel";
import { StoreGuard } from "#lib/stores";
import type {
  BucketFolderOptions,
  ByteRange,
  ObjectBucket,
  ObjectFacts,
  ObjectToPut,
} from "./contract.js";
import { S3Client, S3Error, type S3Bucket } from "./engines/s3-client.js";

/** The keys to buckets, and the prefix of a section with its slash; null when the keys are not set. */
export function bucketOptions(
  { runtime: { env } }: SiteContext,
  { bucket, region, endpoint, prefix }: BucketSection,
) {
  const accessKeyId = env.get("SITE_S3_ACCESS_KEY_ID");
  const secretAccessKey = env.get("SITE_S3_SECRET_ACCESS_KEY");
  if (bucket === null || accessKeyId === undefined || secretAccessKey === undefined) return null;
  const withSlash = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  return { bucket, region, endpoint, accessKeyId, secretAccessKey, prefix: withSlash };
}

/** The error of a bucket without keys. `setting`: the key of its section. */
export function noCredentials(setting: string): SiteError {
  return new SiteError(
    "ERR_MEDIA_S3_CREDENTIALS",
    `\`${setting}.type\` is "s3" and its credentials are not set`,
    { fix: "set SITE_S3_ACCESS_KEY_ID and SITE_S3_SECRET_ACCESS_KEY, or use `type: files`" },
  );
}

/** Opens a folder of a bucket. @throws ERR_MEDIA_S3_CREDENTIALS. */
export function openBucket(
  site: SiteContext,
  { setting, folder, section }: BucketFolderOptions,
): ObjectBucket {
  const options = bucketOptions(site, section);
  if (options === null) throw noCredentials(setting);
  const objects = new S3Objects({ ...options, prefix: `${options.prefix}${folder}/` });
  const bucket = new GuardedBucket(objects, options.bucket, site.log);
  const health = site.use("health", { optional: true });
  health?.addCheck(setting, () =>
    bucket.isDown() ? `the bucket of ${setting} does not respond` : null,
  );
  site.lifecycle.onClose(() => objects.close());
  return bucket;
}

/** Options of the objects. */
interface S3ObjectsOptions extends S3Bucket {
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
      const response = await this.#s3.send({ method: "HEAD", key: this.#key(name) });
      response.resume();
      const { "content-length": size, "last-modified": modified, etag = "" } = response.headers;
      const mtimeMs = Date.parse(modified ?? "");
      return { size: Number(size ?? 0), etag, mtimeMs: Number.isNaN(mtimeMs) ? 0 : mtimeMs };
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return null;
      throw error;
    }
  }

  read(name: string, { start, end }: ByteRange): Promise<Readable> {
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

/** Longest wait for an answer, in ms; a body may take longer once it begins. */
const READ_MS = 5_000;
/** Longest time of one upload to the bucket, in ms. */
const WRITE_MS = 600_000;

/** The name of no object. */
const ABSENT = ".none";

/** A bucket behind the network: an outage costs little time and is logged once. */
class GuardedBucket implements ObjectBucket {
  readonly #bucket: ObjectBucket;
  readonly #read: StoreGuard;
  readonly #write: StoreGuard;

  /** `name`: the bucket in log events. */
  constructor(bucket: ObjectBucket, name: string, log: Logger) {
    this.#bucket = bucket;
    const guard = (call: string, limit: number): StoreGuard =>
      new StoreGuard({
        monotonic: () => performance.now(),
        limitMs: () => limit,
        toError: bucketDown,
        onChange: ({ isDown, error }) => {
          if (!isDown) return log.info("media.bucket_back", { bucket: name, call });
          const fix = "check bucket, credentials and server";
          return log.error("media.bucket_down", { bucket: name, call, error: String(error), fix });
        },
      });
    this.#read = guard("read", READ_MS);
    this.#write = guard("write", WRITE_MS);
  }

  /** True while the bucket does not respond; asks it for an object that does not exist. */
  isDown(): boolean {
    const [read, write] = [
      this.#read.isDown(() => this.#bucket.find(ABSENT)),
      this.#write.isDown(() => this.#bucket.delete(ABSENT)),
    ];
    return read || write;
  }

  /** @throws ERR_MEDIA_BUCKET_DOWN (503), as all methods do. */
  put(name: string, object: ObjectToPut): Promise<void> {
    return this.#write.run(() => this.#bucket.put(name, object));
  }

  find(name: string): Promise<ObjectFacts | null> {
    return this.#read.run(() => this.#bucket.find(name));
  }

  read(name: string, part: ByteRange): Promise<Readable> {
    return this.#read.run(() => this.#bucket.read(name, part));
  }

  delete(name: string): Promise<void> {
    return this.#write.run(() => this.#bucket.delete(name));
  }

  totalBytes(): Promise<number> {
    return this.#write.run(() => this.#bucket.totalBytes());
  }
}

function bucketDown(cause?: unknown): SiteError {
  return new SiteError("ERR_MEDIA_BUCKET_DOWN", "the bucket does not respond", {
    status: 503,
    headers: { "Retry-After": "5" },
    fix: "check bucket, credentials and server; the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}
