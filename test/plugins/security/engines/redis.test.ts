import assert from "node:assert/strict";
import { createClient } from "redis";
import { silentLog } from "#kernel/internal";
import { RedisRateLimit } from "../../../../plugins/security/engines/redis.js";
import { rateLimitContract } from "../../../../plugins/testing.js";
import { useRedis } from "../../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../../support/servers/tcp-proxy.js";
import { until } from "../../../support/until.js";

/** Makes every counted request older: Redis' own clock cannot be set. */
const AGE = `
for _, key in ipairs(redis.call("KEYS", "site:rate:*")) do
  local counted = cmsgpack.unpack(redis.call("GET", key))
  for at = 1, #counted, 2 do counted[at] = counted[at] - tonumber(ARGV[1]) end
  redis.call("SET", key, cmsgpack.pack(counted), "KEEPTTL")
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

  it("slides: of two requests half a window apart, the first is free first", async () => {
    const engine = opening();
    await engine.take("a", 2, MINUTE);
    await advance(MINUTE / 2);
    await engine.take("a", 2, MINUTE);
    await advance(MINUTE / 2);
    const verdicts = [await engine.take("a", 2, MINUTE), await engine.take("a", 2, MINUTE)];
    assert.deepEqual(
      verdicts.map(({ allowed }) => allowed),
      [true, false],
    );
    assert.ok((verdicts[1]?.retryAfterSeconds ?? 0) <= 30, JSON.stringify(verdicts));
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
      await command("SET", `site:rate:${MINUTE}:a`, value);
      assert.equal((await engine.take("a", 1, MINUTE)).allowed, true, value);
      assert.equal((await engine.take("a", 1, MINUTE)).allowed, false, value);
    }
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
