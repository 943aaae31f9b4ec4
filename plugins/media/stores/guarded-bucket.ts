import type { Readable } from "node:stream";
import { SiteError, type Logger } from "#kernel";
import { StoreGuard } from "#lib/stores";
import type { ObjectBucket, ObjectFacts, ObjectToPut } from "../contract.js";

/** Longest wait for an answer, in ms; a body may take longer once it begins. */
const READ_MS = 5_000;
/** Longest time of one upload to the bucket, in ms. */
const WRITE_MS = 600_000;

/** A bucket behind the network: an outage costs little time and is logged once. */
export class GuardedBucket implements ObjectBucket {
  readonly #bucket: ObjectBucket;
  readonly #read: StoreGuard;
  readonly #write: StoreGuard;

  constructor(bucket: ObjectBucket, { log, name }: { log: Logger; name: string }) {
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

  /** True while the bucket does not respond. */
  get isDown(): boolean {
    return this.#read.isDown || this.#write.isDown;
  }

  /** @throws ERR_MEDIA_BUCKET_DOWN (503), as all methods do. */
  put(name: string, object: ObjectToPut): Promise<void> {
    return this.#write.run(() => this.#bucket.put(name, object));
  }

  find(name: string): Promise<ObjectFacts | null> {
    return this.#read.run(() => this.#bucket.find(name));
  }

  read(name: string, part: { start: number; end: number }): Promise<Readable> {
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
