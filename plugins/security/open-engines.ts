import {
  expectFields,
  expectKind,
  expectMethods,
  SiteError,
  within,
  type EngineCalls,
  type EngineSlot,
  type SiteContext,
} from "#kernel";
import { closeCall, closeEngines, createSlidingWindow } from "#kernel/internal";
import type { RateLimitEngine } from "./contract.js";
import { ENGINE_MS } from "./rate-limit.js";
import { RedisRateLimit } from "./engines/redis.js";
import { WorkersRateLimit } from "./engines/workers.js";

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
export function openEngines(site: SiteContext): EngineSlot<RateLimitEngine> {
  const check = expectMethods(["take"], ["release", "close"]);
  const slot = site.engines.open("rateLimit", check, CALLS);
  // A changed wall clock must not lift the limits. Without `release`: the limiter counts attempts.
  const { take } = createSlidingWindow(() => performance.now());
  slot.register("memory", { take });
  slot.activate("memory");
  site.lifecycle.onClose(() => closeEngines(slot, site.log));
  const { workers } = site.runtime;
  if (site.settings.system.rateLimit.store === "redis") useRedis(site, slot);
  else if (workers.id > 0) {
    slot.register("workers", new WorkersRateLimit(workers));
    slot.activate("workers");
  }
  return slot;
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
