import type { RedisStore } from "rate-limit-redis";
import { RedisConnection } from "#lib/databases";
import { loadOptional } from "#lib/packages";
import type { Logger } from "#kernel";
import type { RateLimitEngine, RateVerdict } from "../contract.js";

const PREFIX = "site:rate:";
/** A rejected request of a window that ends within this time, in ms, is not withdrawn: the key may be gone. */
const ENDING_MS = 1_000;
/** Redis rejects to count in the value of a key that is not a number. */
const DAMAGED = /\bWRONGTYPE\b|not an integer/;

/** A store of `rate-limit-redis`, which needs the length of its windows only. */
interface WindowStore extends Pick<RedisStore, "increment" | "decrement" | "resetKey" | "get"> {
  init(options: { readonly windowMs: number }): Promise<void>;
}

/**
 * Counts requests in Redis with `rate-limit-redis`, for all nodes that use it, in fixed windows: the first request
 * of a key opens one. Throws while Redis is down.
 */
export class RedisRateLimit implements RateLimitEngine {
  readonly #connection: RedisConnection;
  /** A store counts in windows of one length. */
  readonly #stores = new Map<number, WindowStore>();

  constructor(url: string, log: Logger) {
    // The limiter logs the outage.
    this.#connection = new RedisConnection(url, (error) =>
      log.debug("security.redis_error", { error: String(error) }),
    );
  }

  /** Connects, so that the first request need not. */
  async open(): Promise<void> {
    await this.#connection.client();
  }

  async take(key: string, limit: number, windowMs: number): Promise<RateVerdict> {
    return this.#run(windowMs, async (store) => {
      const { totalHits, resetTime } = await increment(store, key);
      if (totalHits <= limit) return { allowed: true, retryAfterSeconds: 0 };
      const leftMs = (resetTime?.getTime() ?? 0) - Date.now();
      // A rejected request does not count: `release` would withdraw it in place of one that did.
      if (leftMs > ENDING_MS) await store.decrement(key);
      const waitMs = Math.min(leftMs, windowMs);
      return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
    });
  }

  async release(key: string, windowMs: number, count = 1): Promise<void> {
    await this.#run(windowMs, async (store) => {
      if (!Number.isFinite(count)) return store.resetKey(key);
      const { totalHits = 0 } = (await store.get(key)) ?? {};
      // Redis would create an unknown key, for ever; `totalHits` is NaN then.
      const withdrawn = totalHits > 0 ? Math.min(count, totalHits) : 0;
      await Promise.all(Array.from({ length: withdrawn }, () => store.decrement(key)));
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #run<T>(windowMs: number, work: (store: WindowStore) => Promise<T>): Promise<T> {
    const store = this.#stores.get(windowMs) ?? (await this.#openStore(windowMs));
    try {
      return await work(store);
    } catch (error) {
      // A store whose scripts could not be loaded fails for ever.
      if (this.#stores.get(windowMs) === store) this.#stores.delete(windowMs);
      throw error;
    }
  }

  async #openStore(windowMs: number): Promise<WindowStore> {
    const client = await this.#connection.client();
    const { RedisStore } = await loadOptional(() => import("rate-limit-redis"), {
      plugin: "security",
      packages: ["rate-limit-redis"],
      neededBy: "rateLimit.store: redis",
    });
    const store: WindowStore = new RedisStore({
      sendCommand: (...words) => client.sendCommand(words),
      prefix: `${PREFIX}${windowMs}:`,
    });
    await store.init({ windowMs });
    this.#stores.set(windowMs, store);
    return store;
  }
}

/** Counts from zero over a value that is no count. */
async function increment(store: WindowStore, key: string): ReturnType<WindowStore["increment"]> {
  try {
    return await store.increment(key);
  } catch (error) {
    if (!(error instanceof Error) || !DAMAGED.test(error.message)) throw error;
    await store.resetKey(key);
    return store.increment(key);
  }
}
