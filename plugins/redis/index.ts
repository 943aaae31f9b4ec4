/**
 * Keeps in Redis what several servers of one site share: background jobs.
 * Uses: jobs, health.
 * Adds: jobs, writeLock.
 */
import {
  definePlugin,
  OptionalPackages,
  type SiteContext,
  SiteError,
  type WriteLock,
} from "#kernel";
import { siteIdentity } from "#lib/stores";
import { RedisCalls } from "#lib/databases";
import { redisCheck } from "#lib/diagnostics";
import { messageOf } from "#lib/errors";
import type {} from "../health/contract.js";
import type {} from "../jobs/contract.js";
import { RedisJobs } from "./engines/jobs.js";
import { claimDatabase } from "./engines/startup.js";
import { redisDown, redisErrors } from "./errors.js";

const packages = new OptionalPackages({
  plugin: "redis",
  packages: ["redis"],
  neededBy: ({ settings: { system } }) =>
    system.jobs.engine === "redis" ? "jobs.engine: redis" : null,
});

export default definePlugin({
  name: "redis",
  version: "1.0.0",
  diagnostics: [packages.diagnostic, redisCheck(({ system }) => system.jobs.engine === "redis")],
  onlyServing: true,
  description: "Shared jobs in Redis",
  errors: redisErrors,
  requires: ["jobs"],
  after: ["cluster", "health", "postgres"],
  async setup(site) {
    await packages.assertInstalled(site);
    if (site.settings.system.jobs.engine === "redis") setUp(site, openCalls(site));
  },
});

function setUp(site: SiteContext, calls: RedisCalls): void {
  const { engines, lifecycle, log } = site;
  engines.activate("jobs", new RedisJobs(calls));
  lifecycle.onReady(async () => {
    const risks = await claimDatabase(calls, siteIdentity(site.settings.site));
    for (const risk of risks) log.warn("redis.may_lose_jobs", risk);
    guardWrites(site, calls);
  });
  lifecycle.onClose(() => calls.close());
  site.use("health", { optional: true })?.addCheck("redis", () => {
    return calls.isDown ? "Redis does not respond: pages are served, nothing can be saved" : null;
  });
}

function openCalls({ runtime, log }: SiteContext): RedisCalls {
  const url = runtime.env.get("SITE_REDIS_URL");
  if (url === undefined || !/^rediss?:\/\/\S+$/.test(url)) {
    const what = url === undefined ? "not set" : "not a redis:// URL";
    throw new SiteError("ERR_REDIS_URL", `jobs.engine is redis and SITE_REDIS_URL is ${what}`, {
      fix: "set SITE_REDIS_URL to redis://user:password@host:6379/0",
    });
  }
  return new RedisCalls({
    url,
    toError: redisDown,
    onError: (error) => log.debug("redis.connection_failed", { error: String(error) }),
    onChange: ({ isDown, error }) => {
      if (isDown) log.error("redis.down", { error: messageOf(error) });
      else log.info("redis.up");
    },
  });
}

/**
 * Rejects writes of pages and records while Redis is down, before anything is written: what follows
 * from a write, such as webhooks, could not be stored.
 */
function guardWrites({ engines }: SiteContext, calls: RedisCalls): void {
  const slot = engines.slot("writeLock");
  const inner: WriteLock = slot.active;
  const guarded: WriteLock = {
    run: async (work) => {
      await calls.run((client) => client.ping());
      return inner.run(work);
    },
  };
  engines.activate("writeLock", guarded, { wraps: slot.activeName });
}
