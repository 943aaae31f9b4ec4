import { createHash } from "node:crypto";
import {
  type CacheEntry,
  type Caches,
  type CacheSpace,
  type Clock,
  EngineError,
  HttpError,
  type Logger,
  SiteError,
} from "#kernel";
import type { WorkQueue } from "#lib/concurrency";
import type {
  ImageEngine,
  ImageLook,
  ImageStats,
  ImageStore,
  ImageVariant,
  ProcessedImage,
  StoreKey,
} from "../contract.js";
import { logStoreFailure } from "../image-store.js";
import type { FileStamp } from "../originals/open-file.js";
import type { Original, Originals } from "../originals/originals.js";
import { IDLE_MS } from "../originals/media-responses.js";
import type { SecurityService } from "../../security/contract.js";
import { canonicalVariant } from "./variant.js";

/** Time before a failed original is processed again, in ms. */
const FAILURE_MS = 60_000;
const MAX_FAILURES = 1_000;
/** The variant that checks an image when the engine cannot look at it. */
const SMALLEST: ImageVariant = {
  width: 1,
  height: null,
  quality: 80,
  format: "jpeg",
  fit: "cover",
  focal: null,
};

/** A request for a variant. */
export interface VariantRequest {
  /** Absolute path of the original. */
  readonly file: string;
  readonly variant: ImageVariant;
  /** Address of the client, whose budget counts; null: the site itself. */
  readonly ip: string | null;
  /** Fires when the client has left. */
  readonly left: AbortSignal;
}
interface ProcessingRequest extends VariantRequest {
  /** Called when the variant was not stored and has been generated. */
  onProcessed(): void;
}
/** A variant and its origin. */
export interface VariantAnswer {
  readonly image: CachedImage;
  readonly outcome: "processed" | "cache-hit";
  /** The original it was made from. */
  readonly path: string;
  readonly stamp: FileStamp;
}
/** Dependencies of variants. */
export interface VariantsOptions {
  readonly originals: Originals;
  readonly engine: () => ImageEngine;
  readonly store: () => ImageStore;
  readonly queue: WorkQueue;
  readonly budget: MissBudget;
  readonly log: Logger;
  readonly cache: Pick<Caches, "open" | "invalidate">;
  readonly clock: Clock;
}

/** Variants of originals: from the cache, from the store, or processed once for all requests. */
export class Variants {
  readonly #options: VariantsOptions;
  readonly #images: CacheSpace<CachedImage>;
  readonly #failures: CacheSpace<SiteError>;
  readonly #writes = new Set<Promise<void>>();
  readonly #counts = { processed: 0, hits: 0 };

  constructor(options: VariantsOptions) {
    this.#options = options;
    this.#images = openImageCache(options.cache);
    this.#failures = options.cache.open("image-failures", {
      maxBytes: MAX_FAILURES * 1024,
      maxEntries: MAX_FAILURES,
      untagged: true,
      sizeOf: ({ message }) => message.length,
    });
  }

  /**
   * The variant of a file; null when the file does not exist.
   * @throws ERR_MEDIA_IMAGE (422), ERR_MEDIA_SLOW and ERR_MEDIA_BUSY (503), ERR_MEDIA_BUDGET (429).
   */
  async get(request: VariantRequest): Promise<VariantAnswer | null> {
    const original = await this.#options.originals.find(request.file);
    if (original === null) return null;
    try {
      return await this.#variantOf(original, request);
    } finally {
      // Operations on the bytes finish before they are released.
      original.loan?.end();
    }
  }

  async #variantOf(original: Original, request: VariantRequest): Promise<VariantAnswer> {
    const { digest } = original;
    const key = { original: digest, variant: canonicalVariant(request.variant) };
    const name = `${key.original}/${key.variant}`;
    const cached = this.#images.peek(name);
    if (cached !== undefined) return this.#answer(cached, "cache-hit", original);
    const failure = this.#failures.peek(name);
    if (failure !== undefined) throw failure;
    const run: { outcome: VariantAnswer["outcome"]; work: Promise<CachedImage> | null } = {
      outcome: "cache-hit",
      work: null,
    };
    const make = (left: AbortSignal): Promise<CachedImage> => {
      const onProcessed = (): void => void (run.outcome = "processed");
      return (run.work = this.#findOrProcess(key, { ...request, left, onProcessed }, original));
    };
    try {
      const options = { signal: request.left };
      const build = (entry: CacheEntry): Promise<CachedImage> => {
        entry.tags.add(toTag(digest));
        return make(entry.signal);
      };
      const image = await this.#images.get(name, build, options);
      return this.#answer(image, run.outcome, original);
    } finally {
      // Other requests may wait for the result after this client has left, and it needs the
      // original's bytes.
      await run.work?.catch(() => undefined);
    }
  }

  /**
   * Looks at a file; null when it does not exist, or the engine does not look at images.
   * @throws as `get`.
   */
  async look(file: string, left: AbortSignal): Promise<ImageLook | null> {
    const engine = this.#options.engine();
    const original = engine.look === undefined ? null : await this.#options.originals.find(file);
    if (original === null) return null;
    original.loan?.end();
    return this.#options.queue.run(async () => {
      const loan = await this.#options.originals.read(original);
      try {
        return (await throughEngine(async () => engine.look?.(loan.bytes))) ?? null;
      } finally {
        loan.end();
      }
    }, left);
  }

  /** Decodes an image that is not stored yet. @throws as `get`. */
  async assertUsable(bytes: Buffer): Promise<void> {
    const engine = this.#options.engine();
    const decode = async (): Promise<void> => {
      await (engine.look === undefined ? engine.process(bytes, SMALLEST) : engine.look(bytes));
    };
    const { queue } = this.#options;
    await queue.run(() => throughEngine(decode), new AbortController().signal);
  }

  /** Deletes the variants of an original, from the cache and from the store. */
  async delete(digest: string): Promise<void> {
    this.#options.cache.invalidate([toTag(digest)]);
    try {
      await this.#options.store().delete(digest);
    } catch (error) {
      logStoreFailure(this.#options.log, "delete", error);
    }
  }

  /** Clears the cache. */
  async clear(): Promise<void> {
    this.#images.clear();
    this.#failures.clear();
    await this.settled();
    await this.#options.store().clear();
    this.#images.clear();
  }

  /** Resolves when all variants generated so far are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  stats(): ImageStats {
    const { running, waiting } = this.#options.queue;
    return { ...this.#counts, running, waiting };
  }

  #answer(
    image: CachedImage,
    outcome: VariantAnswer["outcome"],
    { path, stamp }: Original,
  ): VariantAnswer {
    if (outcome === "cache-hit") this.#counts.hits += 1;
    return { image, outcome, path, stamp };
  }

  async #findOrProcess(
    key: StoreKey,
    request: ProcessingRequest,
    original: Original,
  ): Promise<CachedImage> {
    const stored = await this.#read(key);
    if (stored !== null) return withEtag(key, stored);
    if (request.ip !== null) await this.#options.budget.spend(request.ip);
    const { queue } = this.#options;
    // A request that waits reads the original again, so that waiting costs no memory.
    const { isFree } = queue;
    if (!isFree) original.loan?.end();
    const loan = isFree ? original.loan : null;
    const work = () => this.#process(key, request.variant, { ...original, loan });
    const processed = await queue.run(work, request.left);
    this.#counts.processed += 1;
    request.onProcessed();
    this.#write(key, processed);
    return withEtag(key, processed);
  }

  async #process(
    key: StoreKey,
    variant: ImageVariant,
    original: Original,
  ): Promise<ProcessedImage> {
    let { loan } = original;
    try {
      const { bytes } = (loan ??= await this.#options.originals.read(original));
      const process = async () => this.#options.engine().process(bytes, variant);
      return withOwnBytes(await throughEngine(process), bytes);
    } catch (error) {
      const isFinal = error instanceof SiteError && error.code !== "ERR_MEDIA_BUSY";
      const until = this.#options.clock.now() + FAILURE_MS;
      if (isFinal) this.#failures.set(`${key.original}/${key.variant}`, error, { until });
      throw error;
    } finally {
      loan?.end();
    }
  }

  async #read(key: StoreKey): Promise<ProcessedImage | null> {
    try {
      return await this.#options.store().get(key);
    } catch (error) {
      logStoreFailure(this.#options.log, "get", error);
      return null;
    }
  }

  /** The response does not wait for the store and does not fail with it (a full disk). */
  #write(key: StoreKey, image: ProcessedImage): void {
    const put = async (): Promise<void> => this.#options.store().put(key, image);
    const write = put()
      .catch((error: unknown) => logStoreFailure(this.#options.log, "put", error))
      .finally(() => void this.#writes.delete(write));
    this.#writes.add(write);
  }
}

/**
 * Passes the engine's own errors on.
 * @throws ERR_MEDIA_ENGINE (503) when the engine of a plugin fails otherwise: the image may be fine.
 */
async function throughEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    throw new SiteError("ERR_MEDIA_ENGINE", "images cannot be processed at the moment", {
      status: 503,
      headers: { "Retry-After": String(FAILURE_MS / 1_000) },
      fix: cause.fix,
      cause,
    });
  }
}

/** An engine may return the original itself, whose memory is reused. */
function withOwnBytes(image: ProcessedImage, original: Buffer): ProcessedImage {
  const isLent = image.bytes.buffer === original.buffer;
  return isLent ? { ...image, bytes: Buffer.from(image.bytes) } : image;
}

/** Maximum bytes of all cached variants, and of each. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 2 * 1024 * 1024;
/** Bytes of a variant besides its image, about. */
const FACTS_BYTES = 512;

/** A variant to send. */
export interface CachedImage extends ProcessedImage {
  /** Strong, with quotes. */
  readonly etag: string;
}

/**
 * Variants in memory, by the digest of the original and the operations. The store has them too, so the
 * memory is released when idle.
 */
function openImageCache(caches: Pick<Caches, "open">): CacheSpace<CachedImage> {
  return caches.open("image-variants", {
    maxBytes: MAX_BYTES,
    maxValueBytes: MAX_IMAGE_BYTES + FACTS_BYTES,
    idleMs: IDLE_MS,
    sizeOf: ({ bytes }) => bytes.length + FACTS_BYTES,
  });
}

/** The cache tag of all variants of an original. */
function toTag(digest: string): string {
  return `original:${digest}`;
}

/** The ETag identifies the bytes: it contains the original's digest and all operations. */
function withEtag({ original, variant }: StoreKey, image: ProcessedImage): CachedImage {
  const name = `${original}/${variant} ${image.bytes.length}`;
  const digest = createHash("sha256").update(name).digest("base64url");
  return { ...image, etag: `"${digest.slice(0, 27)}"` };
}

const WINDOW_MS = 60_000;

type Limits = Pick<SecurityService, "clientKey" | "limit">;

/** Limits the new variants per client and minute, with the limiter of the plugin `security`; without it not at all. */
export class MissBudget {
  readonly #perMinute: number;
  readonly #security: () => Limits | undefined;

  constructor(perMinute: number, security: () => Limits | undefined) {
    this.#perMinute = perMinute;
    this.#security = security;
  }

  /** @throws ERR_MEDIA_BUDGET (429) with `Retry-After` when the budget is used up. */
  async spend(address: string): Promise<void> {
    const security = this.#security();
    if (security === undefined) return;
    const key = `image-miss:${security.clientKey(address)}`;
    const verdict = await security.limit(key, this.#perMinute, WINDOW_MS);
    if (verdict.allowed) return;
    throw new HttpError(429, "too many new images, try again later", {
      code: "ERR_MEDIA_BUDGET",
      headers: { "Retry-After": String(verdict.retryAfterSeconds) },
    });
  }
}
