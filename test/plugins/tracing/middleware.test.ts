import assert from "node:assert/strict";
import { rawRequest } from "../../support/servers/raw-request.js";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";

const token = "metrics-token-of-the-test";
const files = {
  "content/01.home/default.md": "# Home\n",
  "content/02.about/default.md": "# About\n",
};

describe("GET /metrics", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function boot(metrics: Record<string, unknown>, options: BootOptions = {}): Promise<void> {
    site = await bootSite({ files, ...options, settings: { system: { metrics } } });
  }

  async function read(): Promise<string> {
    const res = await site.fetch("/metrics", { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(res.status, 200);
    assert.match(res.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    assert.equal(res.headers.get("cache-control"), "no-store");
    return res.text();
  }

  function valueOf(text: string, sample: string): number {
    const line = text.split("\n").find((each) => each.startsWith(`${sample} `));
    assert.ok(
      line,
      `${sample} in\n${text
        .split("\n")
        .filter((l) => !l.startsWith("#"))
        .join("\n")}`,
    );
    return Number(line.slice(sample.length + 1));
  }

  it("requires the token from any address", async () => {
    await boot({ token });
    for (const authorization of [null, "Bearer", "Bearer ", `Bearer ${token}x`, `Basic ${token}`]) {
      const headers = new Headers(authorization === null ? {} : { authorization });
      const res = await site.fetch("/metrics", { headers });
      assert.equal(res.status, 401);
      assert.deepEqual(Object.keys(Object(await res.json())), ["error"]);
    }
    assert.equal((await site.fetch(`/metrics?token=${token}`)).status, 401);
    assert.equal((await site.fetch("/metrics", { method: "POST" })).status, 405);
    await read();
  });

  it("counts requests by declared route, so that visitors cannot invent labels", async () => {
    await boot({ token });
    for (const path of ["/about", "/api/pages/about", "/api/pages/home", "/api/nav", "/api/nav"])
      await (await site.fetch(path)).text();
    for (let at = 0; at < 20; at += 1) {
      await (await site.fetch(`/made-up-${at}`)).text();
      await (await site.fetch(`/api/made-up-${at}`)).text();
      await (await site.fetch("/about", { method: "PROPFIND" })).text();
    }
    const text = await read();
    const count = (labels: string): number => valueOf(text, `site_http_requests_total{${labels}}`);
    assert.equal(count('route="/api/pages/*route",method="GET",status="200"'), 2);
    assert.equal(count('route="/api/nav",method="GET",status="200"'), 2);
    assert.equal(count('route="page",method="GET",status="404"'), 20);
    assert.ok(!text.includes("made-up") && !text.includes("PROPFIND"));
    const name = 'site_http_request_duration_seconds_count{route="/api/nav",method="GET"}';
    assert.equal(valueOf(text, name), 2);
  });

  it("has the route of cached responses too", async () => {
    await boot({ token }, { env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) } });
    for (let at = 0; at < 3; at += 1) await (await site.fetch("/about")).text();
    const text = await read();
    assert.equal(
      valueOf(text, 'site_http_requests_total{route="page",method="GET",status="200"}'),
      3,
    );
    assert.equal(valueOf(text, "site_cache_hits_total"), 2);
  });

  it("reports index, queues, hooks, event loop and process", async () => {
    await boot(
      { token },
      {
        extraPlugins: [
          { name: "listener", version: "1.0.0", hooks: { onRequest: () => undefined } },
        ],
      },
    );
    await (await site.fetch("/about")).text();
    const text = await read();
    assert.equal(valueOf(text, "site_index_pages"), 2);
    assert.equal(valueOf(text, "site_search_documents"), 2);
    assert.equal(valueOf(text, "site_ready"), 1);
    for (const queue of ["image", "webhook"])
      assert.equal(valueOf(text, `site_queue_length{queue="${queue}"}`), 0);
    assert.equal(valueOf(text, 'site_hook_calls_total{plugin="listener",hook="onRequest"}'), 1);
    for (const quantile of ["p50", "p99", "max"])
      assert.ok(valueOf(text, `site_event_loop_lag_seconds{quantile="${quantile}"}`) >= 0);
    assert.ok(valueOf(text, "process_resident_memory_bytes") > 1_000_000);
    const { eventLoopLag } = site.site.use("health").report();
    assert.deepEqual(Object.keys(Object(eventLoopLag)), ["p50", "p99", "max"]);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    assert.equal(new Set(names).size, names.length, "each metric once");
  });

  it("without a token serves only direct connections from this machine", async () => {
    await boot({ enabled: true });
    assert.equal((await site.fetch("/metrics")).status, 200);
    for (const [name, value] of [
      ["X-Forwarded-For", "203.0.113.9"],
      ["Forwarded", "for=203.0.113.9"],
      ["Via", "1.1 proxy"],
      ["X-Real-IP", "203.0.113.9"],
    ] as const)
      assert.equal((await site.fetch("/metrics", { headers: { [name]: value } })).status, 404);
    const raw = await rawRequest(
      site.url,
      "GET /metrics HTTP/1.1\r\nHost: www.example.org\r\nConnection: close\r\n\r\n",
    );
    assert.equal(raw.status, 404);
  });

  it("is 404 unless enabled", async () => {
    await boot({});
    assert.equal((await site.fetch("/metrics")).status, 404);
  });

  it("needs a token that is set", async () => {
    await assert.rejects(boot({ token: "$NOT_SET_ANYWHERE" }), /NOT_SET_ANYWHERE/);
  });
});
