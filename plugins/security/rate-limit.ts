import {
  type Clock,
  closeCall,
  closeEngines,
  type EngineCalls,
  engineFailureFields,
  type EngineSlot,
  expectFields,
  expectKind,
  expectMethods,
  type Logger,
  type SiteContext,
  SiteError,
  within,
} from "#kernel";
import { StoreGuard } from "#lib/stores";
import type { AttemptLimit, RateLimitEngine, RateVerdict } from "./contract.js";
import { MemoryRateLimit } from "./engines/memory.js";
import { RedisRateLimit } from "./engines/redis.js";
import { WorkersRateLimit } from "./engines/workers.js";

/** Rate-limited prefixes. */
const LIMITED = ["/api/search", "/api/collections", "/api/taxonomy", "/api/pages", "/api/flex"];
/** Counts no client. */
const PROBE_KEY = "health";
const PROBE_MS = 1_000;
const DOWN = "the store of rate limits does not respond";
const FIX = "restore the store; each process counts in memory until then";
/** Longest wait of a request for a shared engine, in ms. */
export const ENGINE_MS = 250;
/** Longest wait of a request for the primary process, which cannot be down, but slow on a busy machine, in ms. */
const PRIMARY_MS = 2_000;
const PRIMARY_FIX =
  "free some of the processor, or use fewer workers; each worker allows its share of the limits until then, and logins get 503";

/** True below a limited prefix; case-insensitive, so that no spelling bypasses the limit. */
export function isLimitedPath(path: string): boolean {
  if (LIMITED.some((prefix) => path.startsWith(prefix))) return true;
  const lower = path.toLowerCase();
  return lower !== path && LIMITED.some((prefix) => lower.startsWith(prefix));
}

/** The counter in the primary process, and the number of workers that use it. */
export interface PrimaryLimit {
  readonly engine: Required<Pick<RateLimitEngine, "take" | "release">>;
  workers(): number;
}

/** Dependencies of the limiter. */
interface LimiterOptions {
  readonly slot: EngineSlot<RateLimitEngine>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of a worker, as long as no other engine is active than `workers`. */
  readonly primary?: PrimaryLimit | null;
}

/** Counts in the slot's active engine, or in memory while that fails. */
export class RateLimiter {
  readonly #slot: EngineSlot<RateLimitEngine>;
  readonly #primary: PrimaryLimit | null;
  readonly #fallback = new MemoryRateLimit(() => performance.now());
  /** By the site's clock, because lock-outs last for minutes. */
  readonly #attemptsInMemory: MemoryRateLimit;
  readonly #guard: StoreGuard;
  readonly attempts: AttemptLimit;

  constructor({ slot, clock, log, primary = null }: LimiterOptions) {
    this.#slot = slot;
    this.#primary = primary;
    this.#attemptsInMemory = new MemoryRateLimit(() => clock.now());
    this.#guard = engineGuard(log, () => this.#usedPrimary !== null);
    this.attempts = {
      take: (key, limit, windowMs) => this.#takeAttempt(key, limit, windowMs),
      release: (key, windowMs, count) => this.#release(key, windowMs, count),
    };
  }

  /** The problem for the health report while the engine is down; asks it again with a key of its own. */
  get problem(): string | null {
    const again = async (): Promise<unknown> => this.#slot.active.take(PROBE_KEY, 1, PROBE_MS);
    return this.#guard.isDown(again) ? DOWN : null;
  }

  take(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict> {
    const primary = this.#usedPrimary;
    if (primary === null) {
      return this.#tryEngine(
        (engine) => engine.take(key, limit, windowMs),
        () => this.#fallback.take(key, limit, windowMs),
      );
    }
    return this.#takeFromPrimary(primary, { key, limit, windowMs });
  }

  /**
   * A worker also counts what the primary process has allowed it: while that is silent, the worker allows no more
   * than its share, and nothing when it has had as much.
   */
  async #takeFromPrimary(
    { engine, workers }: PrimaryLimit,
    { key, limit, windowMs }: Counted,
  ): Promise<RateVerdict> {
    try {
      const verdict = await this.#guard.run(async () => engine.take(key, limit, windowMs));
      if (verdict.allowed) this.#fallback.take(key, limit, windowMs);
      return verdict;
    } catch {
      const share = Math.max(1, Math.floor(limit / workers()));
      return this.#fallback.take(key, share, windowMs);
    }
  }

  /**
   * A worker waits for the primary process: a guess that it did not count must not be answered.
   * @throws ERR_WORKERS_SILENT (503).
   */
  #takeAttempt(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict> {
    const primary = this.#usedPrimary;
    if (primary !== null) return primary.engine.take(key, limit, windowMs);
    const inMemory = (): RateVerdict => this.#attemptsInMemory.take(key, limit, windowMs);
    if (this.#slot.active.release === undefined) return inMemory();
    return this.#tryEngine((engine) => engine.take(key, limit, windowMs), inMemory);
  }

  /** In memory too: the attempt may have been counted there. */
  #release(key: string, windowMs: number, count?: number): void | Promise<void> {
    this.#attemptsInMemory.release(key, windowMs, count);
    return this.#tryEngine(
      (engine) => engine.release?.(key, windowMs, count),
      () => undefined,
    );
  }

  get #usedPrimary(): PrimaryLimit | null {
    return this.#slot.activeName === "workers" ? this.#primary : null;
  }

  #tryEngine<T>(
    work: (engine: RateLimitEngine) => T | Promise<T>,
    fallback: () => T,
  ): T | Promise<T> {
    const { active, activeName } = this.#slot;
    // Synchronous, and cannot be down.
    if (activeName === "memory") return work(active);
    return this.#guard.run(async () => work(active)).catch(fallback);
  }
}

/** What a request is counted by. */
interface Counted {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

function engineGuard(log: Logger, usesPrimary: () => boolean): StoreGuard {
  return new StoreGuard({
    monotonic: () => performance.now(),
    limitMs: () => (usesPrimary() ? PRIMARY_MS : ENGINE_MS),
    toError: (cause) => new Error(DOWN, { cause }),
    onChange: ({ isDown, error }) => {
      if (!isDown) log.info("security.rate_limit_store_back");
      else {
        const fix = usesPrimary() ? PRIMARY_FIX : FIX;
        log.error("security.rate_limit_store_down", { fix, ...engineFailureFields(error) });
      }
    },
  });
}

/**
 * The rate-limit key of a client: an IPv4 address, or the /64 of an IPv6 address because one
 * subscriber owns the whole prefix; an IPv4-mapped address counts as IPv4.
 */
export function clientKey(ip: string): string {
  if (ip.startsWith("::ffff:") && ip.includes(".")) return ip.slice("::ffff:".length);
  if (!ip.includes(":")) return ip;
  return `${expand(ip).slice(0, 4).join(":")}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(ip: string): string[] {
  const [address = ""] = ip.split("%");
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Math.max(0, 8 - left.length - right.length);
  const groups = tail === undefined ? left : [...left, ...Array<string>(zeros).fill("0"), ...right];
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}

/** How long startup waits for Redis, in ms. */
const OPEN_MS = 2_000;

/** The limiter counts in memory while they fail. */
const CALLS: EngineCalls<RateLimitEngine> = {
  take: {
    result: expectFields({ allowed: ["boolean"], retryAfterSeconds: ["number"] }),
    limitMs: ENGINE_MS,
  },
  release: { result: expectKind("anything"), limitMs: ENGINE_MS },
  close: closeCall,
};

/** Opens the slot `rateLimit` with the engine of `rateLimit.store`. */
export function openLimiter(site: SiteContext): RateLimiter {
  const check = expectMethods(["take"], ["release", "close"]);
  const slot = site.engines.open("rateLimit", check, CALLS);
  // A changed wall clock must not lift the limits. Without `release`: the limiter counts attempts.
  const memory = new MemoryRateLimit(() => performance.now());
  slot.register("memory", {
    take: (key, limit, windowMs) => memory.take(key, limit, windowMs),
  });
  slot.activate("memory");
  site.lifecycle.onClose(() => closeEngines(slot, site.log));
  const { workers, clock } = site.runtime;
  if (site.settings.system.rateLimit.store === "redis") useRedis(site, slot);
  let primary: PrimaryLimit | null = null;
  if (site.settings.system.rateLimit.store === "memory" && workers.id > 0) {
    const engine = new WorkersRateLimit(workers);
    slot.register("workers", engine);
    slot.activate("workers");
    // Before the first heartbeat the others are unknown; there is at least one.
    primary = { engine, workers: () => Math.max(2, workers.all.length) };
  }
  return new RateLimiter({ slot, clock, log: site.log, primary });
}

/** Checked and connected only to listen: commands and exports count nothing. */
function useRedis(site: SiteContext, slot: EngineSlot<RateLimitEngine>): void {
  const url = site.runtime.env.get("SITE_REDIS_URL");
  if (url === undefined || !/^rediss?:\/\/\S+$/.test(url)) {
    site.lifecycle.onListen(() => {
      throw noAddress(url);
    });
    return;
  }
  const engine = new RedisRateLimit(url, site.log);
  slot.register("redis", engine);
  slot.activate("redis");
  site.lifecycle.onListen(async () => {
    if (slot.active === engine) await within(OPEN_MS, engine.open(), () => undefined);
  });
}

function noAddress(url: string | undefined): SiteError {
  const state = url === undefined ? "is not set" : "is not a `redis://` or `rediss://` address";
  return new SiteError(
    "ERR_RATE_LIMIT_URL",
    `\`rateLimit.store\` is "redis" and SITE_REDIS_URL ${state}`,
    { fix: "set SITE_REDIS_URL to redis://host:port, or use `store: memory`" },
  );
}
