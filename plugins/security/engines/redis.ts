import { RedisConnection } from "#kernel/internal";
import type { Logger } from "#kernel";
import type { RateLimitEngine, RateVerdict } from "../contract.js";
import { RELEASE, TAKE, type Script } from "./redis-scripts.js";

const PREFIX = "site:rate:";

/**
 * Counts requests in Redis, for all nodes that use it: one script per call, so that concurrent calls
 * of several nodes cannot exceed a limit. Throws while Redis is down.
 */
export class RedisRateLimit implements RateLimitEngine {
  readonly #connection: RedisConnection;

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
    const waitMs = Number(await this.#run(TAKE, keyOf(key, windowMs), [limit, windowMs]));
    if (waitMs === 0) return { allowed: true, retryAfterSeconds: 0 };
    return { allowed: false, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
  }

  async release(key: string, windowMs: number, count = 1): Promise<void> {
    const left = Number.isFinite(count) ? count : -1;
    await this.#run(RELEASE, keyOf(key, windowMs), [left, windowMs]);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #run({ lua, sha }: Script, key: string, numbers: readonly number[]): Promise<unknown> {
    const client = await this.#connection.client();
    const options = { keys: [key], arguments: numbers.map(String) };
    try {
      return await client.evalSha(sha, options);
    } catch (error) {
      // A Redis that was restarted no longer has the script.
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return client.eval(lua, options);
    }
  }
}

function keyOf(key: string, windowMs: number): string {
  return `${PREFIX}${windowMs}:${key}`;
}
