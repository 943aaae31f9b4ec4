import assert from "node:assert/strict";
import { definePlugin, type EngineSlot, silentLog, silentWorker } from "#kernel";
import type { RateLimitEngine } from "../../../plugins/security/contract.js";
import { MemoryRateLimit } from "../../../plugins/security/engines/memory.js";
import { isLimitedPath, RateLimiter } from "../../../plugins/security/rate-limit.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("isLimitedPath", () => {
  for (const path of [
    "/api/search",
    "/api/search/suggest",
    "/API/search",
    "/api/pages/x",
    "/api/flex/a/b",
  ]) {
    it(`limits ${path}`, () => assert.equal(isLimitedPath(path), true));
  }
  for (const path of ["/api/nav", "/api/config/site", "/", "/blog"]) {
    it(`does not limit ${path}`, () => assert.equal(isLimitedPath(path), false));
  }
});

describe("RateLimiter", () => {
  const slotOf = (active: RateLimitEngine): EngineSlot<RateLimitEngine> => ({
    active,
    activeName: "mine",
    activePlugin: "mine",
    names: ["mine"],
    get: () => active,
    register: () => undefined,
    activate: () => undefined,
  });
  const limiterOf = (engine: RateLimitEngine) =>
    new RateLimiter({ slot: slotOf(engine), clock: { now: () => 0 }, log: silentLog });
  const broken: readonly (readonly [string, RateLimitEngine])[] = [
    ["rejects", { take: () => Promise.reject(new Error("down")) }],
    [
      "throws",
      {
        take: () => {
          throw new Error("down");
        },
      },
    ],
  ];
  for (const [how, engine] of broken) {
    it(`counts in memory while the engine ${how}`, async () => {
      const limiter = limiterOf(engine);
      const allowed = [];
      for (let at = 0; at < 4; at += 1) {
        allowed.push((await limiter.take("203.0.113.9", 3, 60_000)).allowed);
      }
      assert.deepEqual(allowed, [true, true, true, false]);
    });
  }

  describe("of a worker", () => {
    const counter = { engine: new MemoryRateLimit(() => 0), isSilent: false };
    const silent = async (): Promise<never> => {
      throw silentWorker("rateLimit.take");
    };
    const engine: Required<Pick<RateLimitEngine, "take" | "release">> = {
      take: (...input) => (counter.isSilent ? silent() : counter.engine.take(...input)),
      release: (...input) => (counter.isSilent ? silent() : counter.engine.release(...input)),
    };
    beforeEach(() => {
      counter.engine = new MemoryRateLimit(() => 0);
      counter.isSilent = false;
    });
    const workerOf3 = (): RateLimiter => {
      const slot = { ...slotOf(engine), activeName: "workers", names: ["workers"] };
      const primary = { engine, workers: () => 3 };
      return new RateLimiter({ slot, clock: { now: () => 0 }, log: silentLog, primary });
    };
    const allowedOf = async (limiter: RateLimiter, requests: number): Promise<number> => {
      let allowed = 0;
      for (let at = 0; at < requests; at += 1) {
        if ((await limiter.take("203.0.113.9", 120, 60_000)).allowed) allowed += 1;
      }
      return allowed;
    };

    it("allows its share of a limit while the primary process is silent", async () => {
      counter.isSilent = true;
      const workers = [workerOf3(), workerOf3(), workerOf3()];
      const allowed = await Promise.all(workers.map((worker) => allowedOf(worker, 60)));
      assert.deepEqual(allowed, [40, 40, 40]);
    });

    it("allows nothing more then when it has had its share", async () => {
      const worker = workerOf3();
      assert.equal(await allowedOf(worker, 150), 120);
      counter.isSilent = true;
      assert.equal(await allowedOf(worker, 60), 0);
    });

    it("refuses attempts with 503 while the primary process is silent", async () => {
      const worker = workerOf3();
      const guess = () => worker.attempts.take("login", 10, 900_000);
      for (let at = 0; at < 9; at += 1) assert.equal((await guess()).allowed, true);
      counter.isSilent = true;
      for (let at = 0; at < 9; at += 1) {
        await assert.rejects(async () => guess(), { status: 503, code: "ERR_WORKERS_SILENT" });
      }
      counter.isSilent = false;
      assert.equal((await guess()).allowed, true);
      assert.equal((await guess()).allowed, false);
    });

    it("uses the engine of a plugin that has replaced the one of the workers", async () => {
      counter.isSilent = true;
      const own = new MemoryRateLimit(() => 0);
      const options = { clock: { now: () => 0 }, log: silentLog };
      const primary = { engine, workers: () => 3 };
      const limiter = new RateLimiter({ ...options, slot: slotOf(own), primary });
      assert.equal((await limiter.attempts.take("login", 1, 900_000)).allowed, true);
      assert.equal(await allowedOf(limiter, 150), 120);
    });
  });

  const attempt = async (limiter: RateLimiter) =>
    (await limiter.attempts.take("login", 1, 60_000)).allowed;

  it("counts attempts in the engine, and withdraws them there", async () => {
    const engine = new MemoryRateLimit(() => 0);
    const limiter = limiterOf(engine);
    assert.equal(await attempt(limiter), true);
    assert.equal(engine.take("login", 1, 60_000).allowed, false);
    await limiter.attempts.release("login", 60_000);
    assert.equal(await attempt(limiter), true);
  });

  const without: readonly (readonly [string, RateLimitEngine])[] = [
    ["cannot release", { take: () => ({ allowed: true, retryAfterSeconds: 0 }) }],
    ...broken.map(
      ([how, { take }]) =>
        [how, { take, release: () => Promise.reject(new Error("down")) }] as const,
    ),
  ];
  for (const [how, engine] of without) {
    it(`counts attempts in memory while the engine ${how}`, async () => {
      const limiter = limiterOf(engine);
      assert.deepEqual([await attempt(limiter), await attempt(limiter)], [true, false]);
      await limiter.attempts.release("login", 60_000);
      assert.deepEqual([await attempt(limiter), await attempt(limiter)], [true, false]);
    });
  }
});

describe("an engine of a plugin", () => {
  it("replaces memory, and is closed with the site", async () => {
    const seen: string[] = [];
    const engine: RateLimitEngine = {
      take: async (key) => ({ allowed: seen.push(key) < 3, retryAfterSeconds: 7 }),
      close: async () => void seen.push("closed"),
    };
    const plugin = definePlugin({
      name: "counter",
      version: "1.0.0",
      requires: ["security"],
      setup(site) {
        const slot = site.engines.slot("rateLimit");
        slot.register("counter", engine);
        slot.activate("counter");
      },
    });
    const site = await bootSite({ plugins: ["pages", "security"], extraPlugins: [plugin] });
    try {
      const answers = [];
      for (let at = 0; at < 3; at += 1) answers.push(await site.fetch("/api/pages"));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 429],
      );
      assert.equal(answers[2]?.headers.get("retry-after"), "7");
    } finally {
      await site.close();
    }
    assert.deepEqual(seen, ["api:127.0.0.1", "api:127.0.0.1", "api:127.0.0.1", "closed"]);
  });
});

describe("rate limits of a site", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const boot = async (settings: object = {}) =>
    (site = await bootSite({
      plugins: ["pages", "security"],
      settings: { system: { server: settings } },
    }));

  it("uses the socket's address, for any headers and queries", async () => {
    await boot({ rate_limit: 20 });
    const statuses = [];
    for (let at = 0; at < 30; at += 1) {
      const headers = {
        "X-Forwarded-For": `10.0.0.${at}`,
        "X-Real-IP": `10.0.1.${at}`,
        Cookie: `a=${at}`,
      };
      statuses.push((await site.fetch(`/api/pages?x=${at}`, { headers })).status);
    }
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 10);
  });

  it("uses the right-most untrusted hop behind a trusted proxy", async () => {
    await boot({ rate_limit: 1, trust_proxy: ["127.0.0.1/32"] });
    const ask = async (forwarded: string) =>
      (await site.fetch("/api/pages", { headers: { "X-Forwarded-For": forwarded } })).status;
    assert.equal(await ask("203.0.113.1"), 200);
    assert.equal(await ask("198.51.100.7, 203.0.113.1"), 429);
    assert.equal(await ask("203.0.113.2"), 200);
  });

  it("responds 429 with JSON, Retry-After, CORS headers and Vary: Origin", async () => {
    await boot({ rate_limit: 1 });
    const headers = { Origin: "http://localhost:8000" };
    await site.fetch("/api/pages", { headers });
    const refused = await site.fetch("/api/pages", { headers });
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal(refused.headers.get("access-control-allow-origin"), "http://localhost:8000");
    assert.match(refused.headers.get("vary") ?? "", /Origin/);
    assert.deepEqual(await refused.json(), { error: "Too many requests" });
  });

  it("never limits /api/nav and /api/config/site", async () => {
    await boot({ rate_limit: 1 });
    for (const path of ["/api/nav", "/api/config/site"]) {
      for (let at = 0; at < 20; at += 1) assert.equal((await site.fetch(path)).status, 200);
    }
  });

  it("is disabled with rate_limit: false", async () => {
    await boot({ rate_limit: false });
    for (let at = 0; at < 130; at += 1) assert.equal((await site.fetch("/api/pages")).status, 200);
  });
});
