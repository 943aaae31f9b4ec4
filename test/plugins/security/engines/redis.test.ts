import assert from "node:assert/strict";
import { createClient } from "redis";
import { silentLog } from "#kernel";
import { RedisRateLimit } from "../../../../plugins/security/engines/redis.js";
import { rateLimitContract } from "../../../../plugins/testing.js";
import { useRedis } from "../../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../../support/servers/tcp-proxy.js";
import { until } from "../../../support/until.js";

/** Brings every window nearer to its end: Redis' own clock cannot be set. */
const AGE = `
for _, key in ipairs(redis.call("KEYS", "site:rate:*")) do
  redis.call("PEXPIRE", key, redis.call("PTTL", key) - tonumber(ARGV[1]))
end`;
const MINUTE = 60_000;

describe("the rate-limit engine redis", () => {
  let redis: TcpProxy;
  before(async function () {
    redis = await startTcpProxy((await useRedis(this)).url);
  });
  after(() => redis.close());
  const open = (): RedisRateLimit => new RedisRateLimit(redis.url, silentLog);
  let opened: RedisRateLimit[] = [];
  const opening = (): RedisRateLimit => {
    const engine = open();
    opened.push(engine);
    return engine;
  };
  beforeEach(() => command("FLUSHDB"));
  afterEach(async () => {
    for (const engine of opened) await engine.close();
    opened = [];
  });

  async function command(...words: string[]): Promise<unknown> {
    const client = await createClient({ url: redis.url }).connect();
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  }
  const advance = async (ms: number): Promise<void> =>
    void (await command("EVAL", AGE, "0", String(ms)));

  rateLimitContract({
    open: async () => {
      await command("FLUSHDB");
      return open();
    },
    advance,
  });

  it("counts the requests of several nodes together, also concurrent ones", async () => {
    const nodes = [opening(), opening(), opening()];
    const verdicts = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => nodes[at % 3]?.take("a", 120, MINUTE)),
    );
    assert.equal(verdicts.filter((verdict) => verdict?.allowed).length, 120);
    await nodes[0]?.release("a", MINUTE);
    assert.equal((await nodes[1]?.take("a", 120, MINUTE))?.allowed, true);
    assert.equal((await nodes[2]?.take("a", 120, MINUTE))?.allowed, false);
  });

  it("counts all requests of a key until one window after the first", async () => {
    const engine = opening();
    await engine.take("a", 2, MINUTE);
    await advance(MINUTE / 2);
    await engine.take("a", 2, MINUTE);
    const rejected = await engine.take("a", 2, MINUTE);
    assert.equal(rejected.allowed, false);
    assert.ok(rejected.retryAfterSeconds <= 30, JSON.stringify(rejected));
    await advance(MINUTE / 2);
    const verdicts = [];
    for (let at = 0; at < 3; at += 1) verdicts.push(await engine.take("a", 2, MINUTE));
    assert.deepEqual(
      verdicts.map(({ allowed }) => allowed),
      [true, true, false],
    );
  });

  it("keeps a key of a high limit small, and counts it exactly", async () => {
    const engine = opening();
    const takes = Array.from({ length: 3_000 }, () => engine.take("a", 2_500, MINUTE));
    const allowed = (await Promise.all(takes)).filter((verdict) => verdict.allowed);
    assert.equal(allowed.length, 2_500);
    const bytes = Number(await command("STRLEN", `site:rate:${MINUTE}:a`));
    assert.ok(bytes < 3_000, String(bytes));
  });

  it("lets Redis delete a key when its window has passed", async () => {
    await opening().take("a", 5, MINUTE);
    const left = Number(await command("PTTL", `site:rate:${MINUTE}:a`));
    assert.ok(left > MINUTE - 10_000 && left <= MINUTE, String(left));
  });

  it("counts from zero over a damaged value", async () => {
    const engine = opening();
    for (const value of ["garbage", "\u0007", ""]) {
      await command("SET", `site:rate:${MINUTE}:a`, value, "PX", String(MINUTE));
      assert.equal((await engine.take("a", 1, MINUTE)).allowed, true, value);
      assert.equal((await engine.take("a", 1, MINUTE)).allowed, false, value);
    }
  });

  it("counts from zero over a value of another type", async () => {
    await command("LPUSH", `site:rate:${MINUTE}:a`, "garbage");
    await command("PEXPIRE", `site:rate:${MINUTE}:a`, String(MINUTE));
    const engine = opening();
    assert.equal((await engine.take("a", 1, MINUTE)).allowed, true);
    assert.equal((await engine.take("a", 1, MINUTE)).allowed, false);
  });

  it("keeps no key that a withdrawal created", async () => {
    const engine = opening();
    await engine.release("a", MINUTE);
    await engine.take("b", 1, MINUTE);
    await engine.release("b", MINUTE, 5);
    assert.deepEqual(await command("KEYS", "site:rate:*"), [`site:rate:${MINUTE}:b`]);
    assert.equal(await command("GET", `site:rate:${MINUTE}:b`), "0");
  });

  it("works after Redis has lost its scripts", async () => {
    const engine = opening();
    assert.equal((await engine.take("a", 2, MINUTE)).allowed, true);
    await command("SCRIPT", "FLUSH");
    assert.equal((await engine.take("a", 2, MINUTE)).allowed, true);
    assert.equal((await engine.take("a", 2, MINUTE)).allowed, false);
  });

  it("fails fast while Redis is down, and recovers without a restart", async () => {
    const engine = opening();
    await engine.take("a", 5, MINUTE);
    await redis.cut();
    await assert.rejects(engine.take("a", 5, MINUTE));
    await assert.rejects(engine.release("a", MINUTE));
    await redis.restore();
    await until(() =>
      engine.take("a", 5, MINUTE).then(
        ({ allowed }) => allowed,
        () => false,
      ),
    );
  });
});
