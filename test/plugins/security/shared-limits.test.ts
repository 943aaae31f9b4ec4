import assert from "node:assert/strict";
import { RecordedLog } from "#testing";
import {
  adminPlugins,
  bootAdmin,
  password,
  postLogin,
  type AdminSite,
} from "../../support/sites/admin-site.js";
import type { BootOptions } from "../../support/sites/boot-site.js";
import { useRedis } from "../../support/services.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";
import { until } from "../../support/until.js";

const TOKEN = "health-token-of-the-test";
const HOOK = "a-secret-of-the-pipeline";
const admin = { incoming_webhooks: [{ token: HOOK, actions: ["rebuild"] }] };

describe("rate limits of two nodes with one Redis", () => {
  let redis: TcpProxy;
  let nodes: AdminSite[] = [];
  let log: RecordedLog;
  beforeEach(async function () {
    redis = await startTcpProxy((await useRedis(this)).url);
    log = new RecordedLog();
  });
  afterEach(async () => {
    for (const node of nodes) await node.close();
    nodes = [];
    await redis.close();
  });

  async function boot(options: BootOptions = {}): Promise<AdminSite> {
    const node = await bootAdmin({
      plugins: [...adminPlugins, "health"],
      settings: { system: { rateLimit: { store: "redis" } }, admin, ...options.settings },
      env: { SITE_REDIS_URL: redis.url },
      log: log.logger,
    });
    nodes.push(node);
    return node;
  }

  /** The statuses of `count` requests, by turns to each node. */
  async function statuses(
    count: number,
    request: (node: AdminSite, at: number) => Promise<Response>,
  ): Promise<number[]> {
    const all: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const node = nodes[at % nodes.length];
      if (node !== undefined) all.push((await request(node, at)).status);
    }
    return all;
  }
  const timesOf = (list: number[], status: number): number =>
    list.filter((one) => one === status).length;
  const guessPassword = (node: AdminSite) =>
    postLogin(node, { username: "admin-user", password: "wrong" });

  it("lets 120 of a limit of 120 through", async () => {
    await boot();
    await boot();
    const all = await statuses(150, (node) => node.fetch("/api/pages"));
    assert.deepEqual([timesOf(all, 200), timesOf(all, 429)], [120, 30]);
  });

  it("counts ten wrong passwords, and forgets them after a correct one", async () => {
    const first = await boot();
    await boot();
    await first.as("admin");
    const login = (node: AdminSite) => postLogin(node, { username: "admin-user", password });
    assert.deepEqual(await statuses(9, guessPassword), Array(9).fill(401));
    assert.equal((await login(first)).status, 200);
    const all = await statuses(12, guessPassword);
    assert.deepEqual([timesOf(all, 401), timesOf(all, 429)], [10, 2]);
  });

  it("counts wrong tokens of incoming webhooks", async () => {
    await boot();
    await boot();
    const all = await statuses(40, (node) =>
      node.fetch("/api/webhook/incoming", {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer wrong" },
        body: JSON.stringify({ actions: ["rebuild"] }),
      }),
    );
    assert.deepEqual([timesOf(all, 401), timesOf(all, 429)], [30, 10]);
  });

  it("counts in each process while Redis is down, logs that once, and recovers", async () => {
    const node = await boot({ settings: { site: { health_token: TOKEN } } });
    const health = async (): Promise<string> =>
      (await node.fetch(`/health?detailed=true&token=${TOKEN}`)).text();
    const limited = () => statuses(150, (one) => one.fetch("/api/pages"));
    for (const fail of ["cut", "freeze"] as const) {
      await redis[fail]();
      const all = await limited();
      assert.deepEqual(timesOf(all, 200) + timesOf(all, 429), 150);
      assert.ok(timesOf(all, 200) <= 123, String(timesOf(all, 200)));
      assert.ok(timesOf(all, 429) > 0);
      assert.match(await health(), /the store of rate limits does not respond/);
      assert.equal(log.of("security.rate_limit_store_down").length, fail === "cut" ? 1 : 2);
      await redis.restore();
      await until(async () => {
        await node.fetch("/api/pages");
        return !(await health()).includes("the store of rate limits");
      });
      assert.equal(log.of("security.rate_limit_store_back").length, fail === "cut" ? 1 : 2);
    }
    const secrets = JSON.stringify(log.lines).includes(redis.url);
    assert.equal(secrets, false, "the address of Redis is logged");
  });

  it("starts while Redis is down", async () => {
    await redis.cut();
    await boot();
    assert.deepEqual(await statuses(5, (node) => node.fetch("/api/pages")), Array(5).fill(200));
  });

  for (const url of [undefined, "127.0.0.1:6379", "http://127.0.0.1"]) {
    it(`does not start with SITE_REDIS_URL=${url}`, async () => {
      const settings = { system: { rateLimit: { store: "redis" } } };
      await assert.rejects(bootAdmin({ settings, env: { SITE_REDIS_URL: url } }), {
        code: "ERR_RATE_LIMIT_URL",
      });
    });
  }
});
