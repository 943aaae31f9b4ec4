/**
 * Responses that are sent from memory. Each carries the tags of what it was made from; a change drops those of its
 * tags (`kernel/changes/change-feed.ts`).
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import PQueue from "p-queue";
import type { CacheEntry, Caches, CacheSpace, Answer } from "#kernel";
import { cappedLifetime, chooseEncoding, type Encoding, isCompressible } from "#lib/http";
import { unpooled } from "#lib/cache";
import type { CacheStats } from "./contract.js";
import { encodedEtag } from "./etag.js";

/** Share of the cache for addresses with a query string. */
const QUERY_SHARE = 0.25;
const SPACES = { plain: "responses", query: "responses-with-query" } as const;

/** Limits of the cached responses. */
export interface ResponseCacheOptions {
  maxEntries: number;
  maxBytes: number;
  /** Called with the keys that a tag or `clear` dropped. */
  onInvalidate?(keys: readonly string[]): void;
}
/** Null: the response belongs to its own request. */
export type SharedResponse = CachedResponse | null;

/**
 * Cached responses for anonymous visitors. Addresses with a query string have a share of their own,
 * so that they never evict pages.
 */
export class ResponseCache {
  readonly #caches: Pick<Caches, "stats">;
  readonly #plain: CacheSpace<SharedResponse>;
  readonly #query: CacheSpace<SharedResponse>;
  #uncacheable = 0;

  constructor(caches: Pick<Caches, "open" | "stats">, options: ResponseCacheOptions) {
    const { maxEntries, maxBytes, onInvalidate = () => undefined } = options;
    this.#caches = caches;
    const queryEntries = Math.floor(maxEntries * QUERY_SHARE);
    const countBytes = (response: SharedResponse): number => response?.size ?? 0;
    this.#plain = caches.open<SharedResponse>(SPACES.plain, {
      sizeOf: countBytes,
      onInvalidate,
      maxEntries: maxEntries - queryEntries,
      maxBytes: maxBytes * (1 - QUERY_SHARE),
    });
    this.#query = caches.open<SharedResponse>(SPACES.query, {
      sizeOf: countBytes,
      onInvalidate,
      maxEntries: queryEntries,
      maxBytes: maxBytes * QUERY_SHARE,
    });
  }

  peek(key: string): CachedResponse | undefined {
    return this.#spaceOf(key).peek(key) ?? undefined;
  }

  /** The response that `make` resolves with, or that of a concurrent request for the key. */
  get(key: string, make: (entry: CacheEntry) => Promise<SharedResponse>): Promise<SharedResponse> {
    return this.#spaceOf(key).get(key, make);
  }

  /** Counts a request whose response cannot be cached. */
  countUncacheable(): void {
    this.#uncacheable += 1;
  }

  stats(): CacheStats {
    const all = this.#caches.stats();
    const spaces = Object.values(SPACES).flatMap((name) => all[name] ?? []);
    const sum = (field: "entries" | "hits" | "misses" | "evictions" | "bytes"): number =>
      spaces.reduce((total, space) => total + space[field], 0);
    const hits = sum("hits");
    const misses = sum("misses") + this.#uncacheable;
    return {
      entries: sum("entries"),
      hits,
      misses,
      hitRate: hits + misses === 0 ? null : hits / (hits + misses),
      evictions: sum("evictions"),
      bytes: sum("bytes"),
    };
  }

  #spaceOf(key: string): CacheSpace<SharedResponse> {
    return key.includes("?") ? this.#query : this.#plain;
  }
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Bytes of both compressed variants, as a share of the plain body: a third each. */
const COMPRESSED_SHARE = 2 / 3;
/** Maximum number of waiting responses. Others are compressed when they are requested again. */
const MAX_WAITING = 1_000;

/** Properties of a response besides its body. */
export interface CachedResponseOptions {
  etag: string;
  /** `Cache-Control` without regard to the next scheduled change. */
  control?: string;
  /** `req.ctx.route` of the request it was made for; default `other`. */
  route?: string;
  /** The queue of the site, from `createCompressions`. */
  compressions: PQueue;
}

/**
 * The queue in which a site compresses its responses. One at a time: a change invalidates many responses
 * at once, and compressing on all threads slows requests down.
 */
export function createCompressions(): PQueue {
  return new PQueue({ concurrency: 1 });
}

/** A response as bytes; its encodings are compressed once, in the background. */
export class CachedResponse {
  readonly key: string;
  readonly tags: ReadonlySet<string>;
  readonly etag: string;
  /** `req.ctx.route` of the request it was made for. */
  readonly route: string;
  /** Bytes of the plain body and, estimated, of the compressed ones. */
  readonly size: number;
  /** Called each time the response is sent from the cache. */
  readonly onCacheHit: (() => void) | undefined;
  /** Unix ms of the next scheduled change. */
  readonly #until: number | null;
  readonly #control: string | null;
  readonly #variants = new Map<Encoding, Answer>();
  readonly #compressions: PQueue;
  #toCompress: (() => Promise<void>) | null = null;

  constructor(key: string, answer: Answer, options: CachedResponseOptions) {
    const body = unpooled(typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body);
    const hasVariants = isCompressible(answer.type, body.length);
    this.key = key;
    this.tags = answer.cache?.tags ?? new Set();
    this.etag = options.etag;
    this.route = options.route ?? "other";
    this.size = Math.ceil(body.length * (hasVariants ? 1 + COMPRESSED_SHARE : 1));
    this.onCacheHit = answer.onCacheHit;
    this.#until = answer.cache?.until ?? null;
    this.#control = options.control ?? null;
    this.#compressions = options.compressions;
    this.#variants.set("identity", { ...answer, body, skipsFilters: true });
    if (!hasVariants) return;
    this.#toCompress = () => this.#compress(body, answer);
    // Most addresses with a query are requested once: compress those on the second request.
    if (!key.includes("?")) this.#startCompressing();
  }

  #startCompressing(): void {
    if (this.#compressions.size >= MAX_WAITING) return;
    const compress = this.#toCompress;
    this.#toCompress = null;
    if (compress) void this.#compressions.add(compress);
  }

  /**
   * The best variant for `Accept-Encoding`; the plain one until the others are compressed. Its lifetime in
   * caches shrinks as the next scheduled change comes closer. `now`: Unix ms.
   */
  variant(acceptEncoding: string | string[] | undefined, now: number): Answer {
    const answer = this.#encodedFor(acceptEncoding);
    if (this.#until === null || this.#control === null) return answer;
    const control = cappedLifetime(this.#control, { until: this.#until, now });
    if (answer.headers?.["Cache-Control"] === control) return answer;
    return { ...answer, headers: { ...answer.headers, "Cache-Control": control } };
  }

  #encodedFor(acceptEncoding: string | string[] | undefined): Answer {
    if (this.#toCompress && acceptEncoding) this.#startCompressing();
    const best = chooseEncoding(acceptEncoding, (encoding) => this.#variants.has(encoding));
    const answer = this.#variants.get(best);
    if (answer) return answer;
    throw new Error("a cached response has its plain variant");
  }

  async #compress(body: Buffer, answer: Answer): Promise<void> {
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    const [zipped, brotli] = await Promise.all([
      gzipAsync(body, { level: 6 }),
      brotliAsync(body, { params: quality }),
    ]);
    this.#variants.set("gzip", this.#encoded(answer, zipped, "gzip"));
    this.#variants.set("br", this.#encoded(answer, brotli, "br"));
  }

  #encoded(answer: Answer, body: Buffer, encoding: "gzip" | "br"): Answer {
    const headers = {
      ...answer.headers,
      ETag: encodedEtag(this.etag, encoding),
      "Content-Encoding": encoding,
    };
    return { ...answer, body: unpooled(body), headers, skipsFilters: true };
  }
}
