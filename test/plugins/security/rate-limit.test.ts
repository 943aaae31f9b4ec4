import assert from "node:assert/strict";
import { clientKey } from "../../../plugins/security/client-key.js";
import { isLimitedPath } from "../../../plugins/security/rate-limit.js";
import { createSlidingWindow } from "../../../plugins/security/sliding-window.js";
import type { RateVerdict } from "../../../plugins/security/contract.js";
import { bootSite, type TestSite } from "../../support/boot-site.js";

describe("createSlidingWindow", () => {
  function limiter() {
    const clock = { now: 1_000 };
    const engine = createSlidingWindow(() => clock.now);
    const take = (key = "a", limit = 120) => engine.take(key, limit, 60_000) as RateVerdict;
    return { clock, take };
  }

  it("RL5: allows the limit at once, then refuses with a Retry-After of 1 to 60 that holds", () => {
    const { clock, take } = limiter();
    for (let at = 0; at < 120; at += 1) assert.equal(take().allowed, true);
    const refused = take();
    assert.equal(refused.allowed, false);
    assert.ok(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 60);
    clock.now += refused.retryAfterSeconds * 1_000 + 1_000;
    assert.equal(take().allowed, true);
  });

  it("RL5: never allows twice the limit around the edge of a window", () => {
    const { clock, take } = limiter();
    take();
    clock.now += 59_000;
    const burst = () =>
      Array.from({ length: 200 }, () => take()).filter(({ allowed }) => allowed).length;
    const before = burst();
    clock.now += 2_000;
    assert.ok(before + burst() <= 124, "at most the limit plus what has run out since");
  });

  it("counts every key for itself", () => {
    const { take } = limiter();
    for (let at = 0; at < 5; at += 1) take("a", 5);
    assert.equal(take("a", 5).allowed, false);
    assert.equal(take("b", 5).allowed, true);
  });

  it("RL2: keeps at most 100,000 keys", () => {
    const { take } = limiter();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 400_000; at += 1) take(`k${at}`);
    assert.ok(process.memoryUsage().heapUsed - before < 64 * 1_024 * 1_024);
    assert.equal(take("k0").allowed, true);
  });
});

describe("clientKey", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ];
  for (const [ip, key] of cases) {
    it(`RL2: counts ${ip} as ${key}`, () => assert.equal(clientKey(ip), key));
  }
});

describe("isLimitedPath", () => {
  for (const path of [
    "/api/search",
    "/api/search/suggest",
    "/API/search",
    "/api/pages/x",
    "/api/flex/a/b",
  ]) {
    it(`RL3: limits ${path}`, () => assert.equal(isLimitedPath(path), true));
  }
  for (const path of ["/api/nav", "/api/config/site", "/", "/blog"]) {
    it(`RL8: leaves ${path} alone`, () => assert.equal(isLimitedPath(path), false));
  }
});

describe("rate limits of a site", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const boot = async (settings: object = {}) =>
    (site = await bootSite({
      plugins: ["pages", "security"],
      settings: { system: { server: settings } },
    }));

  it("RL1 RL4: counts the socket's address, whatever headers and queries say", async () => {
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

  it("RL1: counts the right-most untrusted hop behind a trusted proxy", async () => {
    await boot({ rate_limit: 1, trust_proxy: ["127.0.0.1/32"] });
    const ask = async (forwarded: string) =>
      (await site.fetch("/api/pages", { headers: { "X-Forwarded-For": forwarded } })).status;
    assert.equal(await ask("203.0.113.1"), 200);
    assert.equal(await ask("198.51.100.7, 203.0.113.1"), 429);
    assert.equal(await ask("203.0.113.2"), 200);
  });

  it("RL7: a 429 is JSON, carries Retry-After, CORS headers and Vary: Origin", async () => {
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

  it("RL8: never limits /api/nav and /api/config/site", async () => {
    await boot({ rate_limit: 1 });
    for (const path of ["/api/nav", "/api/config/site"]) {
      for (let at = 0; at < 20; at += 1) assert.equal((await site.fetch(path)).status, 200);
    }
  });

  it("switches off with rate_limit: false", async () => {
    await boot({ rate_limit: false });
    for (let at = 0; at < 130; at += 1) assert.equal((await site.fetch("/api/pages")).status, 200);
  });
});
