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
const DOWN = "the store of rate limits does not respond";
const FIX = "restore the store; each process counts in memory until then";
/** Longest wait of a request for a shared engine, in ms. */
export const ENGINE_MS = 250;

/** True below a limited prefix; case-insensitive, so that no spelling bypasses the limit. */
export function isLimitedPath(path: string): boolean {
  if (LIMITED.some((prefix) => path.startsWith(prefix))) return true;
  const lower = path.toLowerCase();
  return lower !== path && LIMITED.some((prefix) => lower.startsWith(prefix));
}

/** Counts in the slot's active engine, or in memory while that fails. */
export class RateLimiter {
  readonly #slot: EngineSlot<RateLimitEngine>;
  readonly #fallback = new MemoryRateLimit(() => performance.now());
  /** By the site's clock, because lock-outs last for minutes. */
  readonly #attemptsInMemory: MemoryRateLimit;
  readonly #guard: StoreGuard;
  readonly attempts: AttemptLimit;

  constructor(slot: EngineSlot<RateLimitEngine>, clock: Clock, log: Logger) {
    this.#slot = slot;
    this.#attemptsInMemory = new MemoryRateLimit(() => clock.now());
    this.#guard = engineGuard(log);
    this.attempts = {
      take: (key, limit, windowMs) =>
        slot.active.release === undefined
          ? this.#attemptsInMemory.take(key, limit, windowMs)
          : this.#tryEngine(
              (engine) => engine.take(key, limit, windowMs),
              () => this.#attemptsInMemory.take(key, limit, windowMs),
            ),
      release: (key, windowMs, count) => this.#release(key, windowMs, count),
    };
  }

  /** The problem for the health report while the engine is down. */
  get problem(): string | null {
    return this.#guard.isDown ? DOWN : null;
  }

  take(key: string, limit: number, windowMs: number): RateVerdict | Promise<RateVerdict> {
    return this.#tryEngine(
      (engine) => engine.take(key, limit, windowMs),
      () => this.#fallback.take(key, limit, windowMs),
    );
  }

  /** In memory too: the attempt may have been counted there. */
  #release(key: string, windowMs: number, count?: number): void | Promise<void> {
    this.#attemptsInMemory.release(key, windowMs, count);
    return this.#tryEngine(
      (engine) => engine.release?.(key, windowMs, count),
      () => undefined,
    );
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

function engineGuard(log: Logger): StoreGuard {
  return new StoreGuard({
    monotonic: () => performance.now(),
    limitMs: () => ENGINE_MS,
    toError: (cause) => new Error(DOWN, { cause }),
    onChange: ({ isDown, error }) => {
      if (!isDown) log.info("security.rate_limit_store_back");
      else log.error("security.rate_limit_store_down", { fix: FIX, ...engineFailureFields(error) });
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
  else if (workers.id > 0) {
    slot.register("workers", new WorkersRateLimit(workers));
    slot.activate("workers");
  }
  return new RateLimiter(slot, clock, site.log);
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
