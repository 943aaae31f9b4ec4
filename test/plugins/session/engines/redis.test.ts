import assert from "node:assert/strict";
import { createClient } from "redis";
import { silentLog } from "#kernel";
import { RedisSessionStore } from "../../../../plugins/session/engines/redis.js";
import { sessionStoreContract } from "../../../../plugins/session/testing/session-store-contract.js";
import { useRedis } from "../../../support/services.js";
import { until } from "../../../support/until.js";
import { startTcpProxy, type TcpProxy } from "../../../support/servers/tcp-proxy.js";

describe("session store redis", () => {
  let redis: TcpProxy;
  before(async function () {
    redis = await startTcpProxy((await useRedis(this)).url);
  });
  after(() => redis.close());
  const open = (): RedisSessionStore => new RedisSessionStore(redis.url, silentLog);
  const id = `visitor-${"a".repeat(64)}`;
  const now = Date.now();
  const record = {
    userId: "u",
    kind: "visitor",
    data: {},
    createdAt: now,
    expiresAt: now + 9e6,
  } as const;

  async function command(...words: string[]): Promise<unknown> {
    const client = await createClient({ url: redis.url }).connect();
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  }

  sessionStoreContract({
    open: async () => {
      await command("FLUSHDB");
      return open();
    },
  });

  it("lets Redis expire old records", async () => {
    const store = open();
    await store.set(id, record, 100);
    const ttl = Number(await command("TTL", `site:session:${id}`));
    assert.ok(ttl > 90 && ttl <= 100, `ttl ${ttl}`);
    await store.close();
  });

  it("ignores garbage under its key", async () => {
    await command("SET", `site:session:${id}`, "not json");
    const store = open();
    assert.equal(await store.get(id), null);
    await store.close();
  });

  it("fails fast while Redis is down and recovers without a restart", async () => {
    const store = open();
    await store.set(id, record, 100);
    await redis.cut();
    await assert.rejects(store.get(id));
    await assert.rejects(store.set(id, record, 100));
    await redis.restore();
    await until(() =>
      store.get(id).then(
        (found) => found !== null,
        () => false,
      ),
    );
    assert.deepEqual(await store.get(id), record);
    await store.close();
  });

  it("opens when Redis is not running yet", async () => {
    await redis.cut();
    const store = open();
    await assert.rejects(store.get(id));
    await redis.restore();
    await store.close();
  });
});
