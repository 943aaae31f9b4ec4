/** Counts requests in the primary process, for all workers of a server. */
import { z } from "zod";
import type { Workers } from "#kernel";
import type { PrimaryHub } from "../../workers/contract.js";
import type { RateLimitEngine, RateVerdict } from "../contract.js";
import { MemoryRateLimit } from "./memory.js";

const takeSchema = z.object({ key: z.string(), limit: z.number(), windowMs: z.number() });
/** Null: all; JSON has no `Infinity`. */
const releaseSchema = takeSchema.omit({ limit: true }).extend({ count: z.number().nullable() });
const verdictSchema = z.object({ allowed: z.boolean(), retryAfterSeconds: z.number() });

/** The counter in the primary process. A changed wall clock must not lift the limits. */
export default function rateLimitPart(hub: PrimaryHub): void {
  const counter = new MemoryRateLimit(() => performance.now());
  hub.handle("rateLimit.take", (input) => {
    const { key, limit, windowMs } = takeSchema.parse(input);
    return counter.take(key, limit, windowMs);
  });
  hub.handle("rateLimit.release", (input) => {
    const { key, windowMs, count } = releaseSchema.parse(input);
    counter.release(key, windowMs, count ?? Infinity);
  });
}

/** The engine of a worker. */
export class WorkersRateLimit implements RateLimitEngine {
  readonly #workers: Workers;

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  async take(key: string, limit: number, windowMs: number): Promise<RateVerdict> {
    const input = { key, limit, windowMs };
    return verdictSchema.parse(await this.#workers.ask("primary", "rateLimit.take", input));
  }

  async release(key: string, windowMs: number, count = 1): Promise<void> {
    const input = { key, windowMs, count: Number.isFinite(count) ? count : null };
    await this.#workers.ask("primary", "rateLimit.release", input);
  }
}
