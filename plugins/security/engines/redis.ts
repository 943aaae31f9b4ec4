import { createHash } from "node:crypto";
import { RedisConnection } from "#lib/databases";
import type { Logger } from "#kernel";
import type { RateLimitEngine, RateVerdict } from "../contract.js";

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

/** A Lua script and the name under which Redis keeps it. */
interface Script {
  readonly lua: string;
  readonly sha: string;
}

/**
 * As in lib/concurrency/sliding-window.ts: a key holds the times of its requests, oldest first, as time, count,
 * time, count. Above a limit of 128, requests within 1/128 of the window share an entry. The clock is
 * that of Redis, so that nodes with different clocks count alike. An unreadable value counts as empty.
 */
const READ = `
local function read(key)
  local packed = redis.call("GET", key)
  if not packed then return {} end
  local ok, counted = pcall(cmsgpack.unpack, packed)
  if ok and type(counted) == "table" then return counted end
  return {}
end
local function keep(key, counted, window)
  redis.call("SET", key, cmsgpack.pack(counted), "PX", window)
end
`;

/** KEYS: the key. ARGV: limit, window in ms. Returns 0 when counted, else the ms to wait. */
const TAKE: Script = script(`${READ}
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local counted, total = {}, 0
local before = read(KEYS[1])
for at = 1, #before, 2 do
  if math.abs(now - before[at]) < window then
    counted[#counted + 1] = before[at]
    counted[#counted + 1] = before[at + 1]
    total = total + before[at + 1]
  end
end
if total >= limit then
  local surplus, free = total + 1 - limit, now + window
  for at = 1, #counted, 2 do
    if surplus <= 0 then break end
    free = counted[at] + window
    surplus = surplus - counted[at + 1]
  end
  return math.max(1, math.min(free - now, window))
end
local last = #counted - 1
local resolution = limit > 128 and window / 128 or 0
if last > 0 and math.abs(now - counted[last]) <= resolution then
  counted[last + 1] = counted[last + 1] + 1
else
  counted[#counted + 1] = now
  counted[#counted + 1] = 1
end
keep(KEYS[1], counted, window)
return 0
`);

/** KEYS: the key. ARGV: number of requests to withdraw (-1: all), window in ms. */
const RELEASE: Script = script(`${READ}
local left = tonumber(ARGV[1])
local counted = left < 0 and {} or read(KEYS[1])
while left > 0 and #counted > 0 do
  local last = counted[#counted]
  if last > left then
    counted[#counted] = last - left
  else
    counted[#counted] = nil
    counted[#counted] = nil
  end
  left = left - last
end
if #counted == 0 then redis.call("DEL", KEYS[1]) else keep(KEYS[1], counted, tonumber(ARGV[2])) end
return 0
`);

function script(lua: string): Script {
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}
