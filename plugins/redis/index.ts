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
import { RedisJobs, PREFIX } from "./engines/jobs.js";
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

/** Version of the keys and records; a later one is for changes that this one cannot read. */
const VERSION = 1;
/** Error replies of Redis begin so; other failures are those of the connection. */
const REPLY = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR) /;

/** KEYS: meta. ARGV: site, version. Returns the site that the jobs belong to, and their version. */
const CLAIM_SITE = `
redis.call('HSETNX', KEYS[1], 'site', ARGV[1])
redis.call('HSETNX', KEYS[1], 'version', ARGV[2])
return redis.call('HMGET', KEYS[1], 'site', 'version')`;

/** A setting of the server with which it may lose jobs. */
interface LossRisk extends Record<string, unknown> {
  readonly setting: string;
  readonly value: string;
  readonly fix: string;
}

/**
 * Connects, and checks whose jobs the database has; resolves with settings of the server with which it may lose
 * them. @throws ERR_REDIS_LOGIN, ERR_REDIS_UNREACHABLE, ERR_REDIS_SITE, ERR_REDIS_NEWER.
 */
async function claimDatabase(calls: RedisCalls, site: string): Promise<readonly LossRisk[]> {
  const options = { keys: [`${PREFIX}meta`], arguments: [site, String(VERSION)] };
  const reply = await calls
    .run((client) => client.eval(CLAIM_SITE, options))
    .catch((error: unknown) => {
      throw startupError(calls.lastError ?? error);
    });
  const [owner, version] = Array.isArray(reply) ? reply.map(String) : [site];
  if (owner !== site) throw foreign(String(owner), site);
  if (Number(version) > VERSION) {
    throw new SiteError("ERR_REDIS_NEWER", `the jobs in Redis have version ${String(version)}`, {
      fix: `update this node, which reads version ${VERSION}, or use another database number`,
    });
  }
  return findRisks(calls);
}

function foreign(owner: string, site: string): SiteError {
  const names = `the site ${JSON.stringify(owner)}, this one is ${JSON.stringify(site)}`;
  return new SiteError("ERR_REDIS_SITE", `the jobs of SITE_REDIS_URL belong to ${names}`, {
    fix: "give each site a database number of its own; after a change of `url` or `title`, delete the key site:jobs:meta",
  });
}

function startupError(error: unknown): SiteError {
  const reason = messageOf(error);
  if (REPLY.test(reason)) {
    return new SiteError("ERR_REDIS_LOGIN", `Redis rejects SITE_REDIS_URL: ${reason}`, {
      fix: "correct user, password and database number in SITE_REDIS_URL",
      cause: error,
    });
  }
  return new SiteError("ERR_REDIS_UNREACHABLE", `Redis is unreachable: ${reason}`, {
    fix: "start Redis, or correct host and port in SITE_REDIS_URL",
    cause: error,
  });
}

async function findRisks(calls: RedisCalls): Promise<readonly LossRisk[]> {
  // A hosted Redis may forbid the command.
  const info = await calls.run((client) => client.info()).catch(() => "");
  const risks: LossRisk[] = [];
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "noeviction";
  const limit = /^maxmemory:(\d+)/m.exec(info)?.[1] ?? "0";
  // The keys of jobs never expire, so only these policies evict them.
  if (limit !== "0" && policy.startsWith("allkeys")) {
    risks.push({ setting: "maxmemory-policy", value: policy, fix: "set it to noeviction" });
  }
  if (/^aof_enabled:0/m.test(info)) {
    risks.push({ setting: "appendonly", value: "no", fix: "set it to yes" });
  }
  return risks;
}
