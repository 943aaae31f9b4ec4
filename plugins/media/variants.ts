import { createHash } from "node:crypto";
import { SingleFlight, SiteError, type Logger, type WorkQueue } from "#kernel";
import { LRUCache } from "lru-cache";
import type {
  ImageEngine,
  ImageStats,
  ImageStore,
  ImageVariant,
  ProcessedImage,
  StoreKey,
} from "./contract.js";
import { IdleTimer } from "./idle-timer.js";
import type { MissBudget } from "./miss-budget.js";
import type { FileStamp } from "./open-file.js";
import type { Original, Originals } from "./originals.js";
import { canonicalVariant } from "./variant.js";

/** Bytes of variants held in memory, all together and each. */
const HELD_BYTES = 64 * 1024 * 1024;
const MOST_HELD_BYTES = 2 * 1024 * 1024;
/** How long an original that failed is not tried again, in ms. */
const FAILURE_MS = 60_000;

/** A variant that can go out. */
export interface HeldImage extends ProcessedImage {
  /** Strong, with quotes. */
  readonly etag: string;
}
/** Who asks for what. */
export interface VariantRequest {
  /** Absolute path of the original. */
  readonly file: string;
  readonly variant: ImageVariant;
  /** Address of the client. */
  readonly ip: string;
  /** Fires when the client has left. */
  readonly left: AbortSignal;
}
/** A variant, and where it came from. */
export interface VariantAnswer {
  readonly image: HeldImage;
  readonly outcome: "processed" | "cache-hit";
  /** The original it was made from. */
  readonly path: string;
  readonly stamp: FileStamp;
}
/** What the variants are made with. */
export interface VariantParts {
  readonly originals: Originals;
  readonly engine: () => ImageEngine;
  readonly store: () => ImageStore;
  readonly queue: WorkQueue;
  readonly budget: MissBudget;
  readonly log: Logger;
}
interface Made {
  readonly image: HeldImage;
  readonly isNew: boolean;
}

/** Variants of originals: from memory, from the store, or made once for all who ask. */
export class Variants {
  readonly #parts: VariantParts;
  readonly #shared = new SingleFlight<Made>();
  readonly #held = new LRUCache<string, HeldImage>({
    maxSize: HELD_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 512,
  });
  /** The store has them, too. */
  readonly #idle = new IdleTimer(() => this.#held.clear());
  readonly #failures = new LRUCache<string, SiteError>({ max: 1_000, ttl: FAILURE_MS });
  readonly #writes = new Set<Promise<void>>();
  readonly #counts = { processed: 0, hits: 0 };

  constructor(parts: VariantParts) {
    this.#parts = parts;
  }

  /**
   * The variant of a file; null when the file is not there.
   * @throws ERR_MEDIA_IMAGE (422), ERR_MEDIA_SLOW and ERR_MEDIA_BUSY (503), ERR_MEDIA_BUDGET (429).
   */
  async get(request: VariantRequest): Promise<VariantAnswer | null> {
    const original = await this.#parts.originals.find(request.file);
    if (original === null) return null;
    try {
      return await this.#variantOf(original, request);
    } finally {
      // Whatever was done with the bytes is part of what was waited for.
      original.loan?.end();
    }
  }

  async #variantOf(original: Original, request: VariantRequest): Promise<VariantAnswer> {
    const { path, stamp, digest } = original;
    const key = { original: digest, variant: canonicalVariant(request.variant) };
    const name = `${key.original}/${key.variant}`;
    const held = this.#held.get(name);
    this.#idle.touch();
    if (held !== undefined) return this.#answer(held, "cache-hit", { path, stamp });
    const failure = this.#failures.get(name);
    if (failure !== undefined) throw failure;
    const work = (left: AbortSignal): Promise<Made> =>
      this.#findOrMake(key, { ...request, left }, original);
    const { result, isFirst } = this.#shared.join(name, work, request.left);
    const { image, isNew } = await result;
    const outcome = isNew && isFirst ? "processed" : "cache-hit";
    return this.#answer(image, outcome, { path, stamp });
  }

  /** Drops everything that is kept. */
  async clear(): Promise<void> {
    this.#held.clear();
    this.#failures.clear();
    await this.settled();
    await this.#parts.store().clear();
    this.#held.clear();
  }

  /** Resolves when the variants made so far are in the store. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  stats(): ImageStats {
    const { running, waiting } = this.#parts.queue;
    return { ...this.#counts, running, waiting };
  }

  #answer(
    image: HeldImage,
    outcome: VariantAnswer["outcome"],
    original: { path: string; stamp: FileStamp },
  ): VariantAnswer {
    if (outcome === "cache-hit") this.#counts.hits += 1;
    return { image, outcome, ...original };
  }

  async #findOrMake(key: StoreKey, request: VariantRequest, original: Original): Promise<Made> {
    const stored = await this.#read(key);
    if (stored !== null) return { image: this.#hold(key, stored), isNew: false };
    this.#parts.budget.spend(request.ip);
    const { queue } = this.#parts;
    // Who has to wait reads again: waiting costs no memory.
    const { isFree } = queue;
    if (!isFree) original.loan?.end();
    const loan = isFree ? original.loan : null;
    const work = () => this.#make(key, request.variant, { ...original, loan });
    const made = await queue.run(work, request.left);
    this.#counts.processed += 1;
    this.#write(key, made);
    return { image: this.#hold(key, made), isNew: true };
  }

  async #make(key: StoreKey, variant: ImageVariant, original: Original): Promise<ProcessedImage> {
    let { loan } = original;
    try {
      loan ??= await this.#parts.originals.read(original);
      return withOwnBytes(await this.#parts.engine().process(loan.bytes, variant), loan.bytes);
    } catch (error) {
      const isFinal = error instanceof SiteError && error.code !== "ERR_MEDIA_BUSY";
      if (isFinal) this.#failures.set(`${key.original}/${key.variant}`, error);
      throw error;
    } finally {
      loan?.end();
    }
  }

  async #read(key: StoreKey): Promise<ProcessedImage | null> {
    try {
      return await this.#parts.store().get(key);
    } catch (error) {
      this.#parts.log.warn("media.store-failed", { operation: "get", error: String(error) });
      return null;
    }
  }

  /** The answer does not wait for the store, and does not fail with it (a full disk). */
  #write(key: StoreKey, image: ProcessedImage): void {
    const write = this.#parts
      .store()
      .put(key, image)
      .catch((error: unknown) => {
        this.#parts.log.warn("media.store-failed", { operation: "put", error: String(error) });
      })
      .finally(() => void this.#writes.delete(write));
    this.#writes.add(write);
  }

  #hold(key: StoreKey, image: ProcessedImage): HeldImage {
    const name = `${key.original}/${key.variant}`;
    // The name stands for the bytes: it has the original's digest and all that was done to it.
    const digest = createHash("sha256").update(`${name} ${image.bytes.length}`).digest("base64url");
    const held = { ...image, etag: `"${digest.slice(0, 27)}"` };
    if (image.bytes.length <= MOST_HELD_BYTES) this.#held.set(name, held);
    this.#idle.touch();
    return held;
  }
}

/** An engine may answer with the original itself: its memory is lent, and read into again. */
function withOwnBytes(image: ProcessedImage, original: Buffer): ProcessedImage {
  const isLent = image.bytes.buffer === original.buffer;
  return isLent ? { ...image, bytes: Buffer.from(image.bytes) } : image;
}
