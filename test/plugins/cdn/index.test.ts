import assert from "node:assert/strict";
import type { Logger } from "#kernel";
import { introspect } from "../../../plugins/admin/routes/system/system.js";
import { answerJson, startApi, type ApiStandIn } from "../../support/servers/api-stand-in.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const base = "https://www.example.org";
const files = {
  "content/01.home/default.md": "# Home\n",
  "content/02.blog/default.md":
    "---\ncollection: { items: '@self.children', order: { by: date, dir: desc } }\n---\n# Blog\n",
  "content/02.blog/01.first/default.md": "---\ndate: 2030-01-01\n---\n# First\n",
  "content/03.about/default.md": "# About\n",
  "content/03.about/notes.txt": "one\n",
};

describe("purging a content delivery network", () => {
  let api: ApiStandIn;
  /** The site of tests that need no other settings. */
  let shared: TestSite;
  let site: TestSite;
  /** The number of calls of earlier tests. */
  let first = 0;

  before(async () => {
    api = await startApi((res) => answerJson(res, { success: true }));
    await boot();
    shared = site;
    await settle();
  });
  after(async () => {
    await shared.close();
    await api.close();
  });
  beforeEach(() => {
    api.answer = (res) => answerJson(res, { success: true });
    first = api.calls.length;
    site = shared;
  });
  afterEach(async () => {
    if (site !== shared) return site.close();
    await write("03.about/default.md", "# About\n");
    await settle();
  });

  async function boot(cdn: Record<string, unknown> = {}, log?: Logger): Promise<void> {
    site = await bootSite({
      files,
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
      settings: {
        site: { url: base, health_token: "health-token-of-the-test" },
        system: {
          cdn: {
            provider: "custom",
            url: api.url,
            token: "cdn-token",
            batch_delay_ms: 1,
            ...cdn,
          },
        },
      },
      ...(log && { log }),
    });
  }

  function purged(from = 0): string[] {
    return api.calls
      .slice(first + from)
      .flatMap(({ body }): string[] => Object(JSON.parse(body.toString()))["urls"])
      .map((url) => url.slice(base.length))
      .toSorted();
  }

  async function settle(): Promise<void> {
    await site.site.use("cdn").settled();
  }

  async function write(path: string, content: string): Promise<void> {
    const [result] = await site.site.use("content").apply([{ op: "write", path, content }]);
    assert.deepEqual(result?.errors, []);
  }

  async function visit(...paths: string[]): Promise<void> {
    for (const path of paths) {
      const res = await site.fetch(path);
      await res.arrayBuffer();
      assert.equal(res.status, 200, path);
    }
  }

  it("purges everything at startup, because changes during downtime are unknown", async () => {
    await boot();
    await settle();
    assert.deepEqual(purged(), ["/*"]);
    assert.equal(api.calls[first]?.method, "POST");
    assert.equal(api.calls[first]?.headers.authorization, "Bearer cdn-token");
  });

  it("purges only a changed body and the pages that show it", async () => {
    await visit("/", "/blog", "/blog/first", "/about", "/api/pages/blog/first", "/api/pages/about");
    await write("02.blog/01.first/default.md", "---\ndate: 2030-01-01\n---\n# First\n\nMore.\n");
    await settle();
    const urls = purged();
    assert.ok(urls.includes("/blog/first") && urls.includes("/api/pages/blog/first"), String(urls));
    assert.ok(!urls.includes("/about") && !urls.includes("/api/pages/about"), String(urls));
  });

  it("purges lists, feeds, navigation and sitemap with a page, in each requested form", async () => {
    const dependents = ["/blog", "/feed.xml", "/sitemap.xml", "/api/pages?limit=5", "/api/nav"];
    await visit(...dependents, "/about?campaign=1");
    await write("02.blog/02.second/default.md", "---\ndate: 2031-01-01\n---\n# Second\n");
    await settle();
    const urls = purged();
    for (const path of [...dependents, "/blog/second", "/api/pages/blog/second"])
      assert.ok(urls.includes(path), `${path} of ${urls.join(" ")}`);
  });

  it("purges a deleted page, and an address that was a 404 before", async () => {
    assert.equal((await site.fetch("/new")).status, 404);
    await write("04.new/default.md", "# New\n");
    await settle();
    assert.ok(purged().includes("/new"));
    first = api.calls.length;
    await site.site.use("content").apply([{ op: "delete", path: "04.new/default.md" }]);
    await settle();
    assert.ok(purged().includes("/new"));
  });

  it("purges a changed file of a page under both of its addresses", async () => {
    const paths = ["/content-media/03.about/notes.txt", "/about/notes.txt"];
    await visit(...paths, "/blog");
    await write("03.about/notes.txt", "two\n");
    await settle();
    const urls = purged();
    for (const path of paths) assert.ok(urls.includes(path), String(urls));
    assert.ok(!urls.includes("/blog"), String(urls));
  });

  it("purges requested addresses again, including cached responses", async () => {
    for (const text of ["one", "two", "three"]) {
      first = api.calls.length;
      await visit("/about", "/about");
      await write("03.about/default.md", `# About\n\n${text}\n`);
      await settle();
      assert.ok(purged().includes("/about"), text);
    }
  });

  it("purges a response under each requested query, cached or not", async () => {
    const paths = [
      "/about",
      "/about?utm_source=a",
      "/about?utm=1",
      "/about?utm=2",
      "/api/nav?x=1",
      "/api/nav?x=2",
    ];
    await visit(...paths);
    await write("03.about/default.md", "# About them\n");
    await settle();
    for (const path of paths) assert.ok(purged().includes(path), path);
  });

  it("purges everything when the cache is cleared manually", async () => {
    site.site.use("cache").clear();
    await settle();
    assert.deepEqual(purged(), ["/*"]);
  });

  it("purges everything at the first change when startup does not purge", async () => {
    await boot({ purge_on_start: false });
    await settle();
    assert.deepEqual(purged(), []);
    await write("03.about/default.md", "# About us\n");
    await settle();
    assert.deepEqual(purged(), ["/*"]);
    await visit("/about");
    await write("03.about/default.md", "# About you\n");
    await settle();
    assert.ok(!purged(1).includes("/*"));
  });

  it("sends batches of the configured size", async () => {
    await boot({ batch_size: 2 });
    await settle();
    await visit("/", "/blog", "/about", "/api/nav");
    await write("02.blog/02.second/default.md", "# Second\n");
    await settle();
    const sizes = api.calls
      .slice(first + 1)
      .map(({ body }) => [Object(JSON.parse(body.toString()))["urls"]].flat().length);
    assert.ok(sizes.length > 1 && sizes.every((size) => size <= 2), String(sizes));
  });

  it("does not purge in development", async () => {
    site = await bootSite({
      files,
      settings: { system: { cdn: { provider: "custom", url: api.url, token: "t" } } },
    });
    await write("03.about/default.md", "# Draft of a draft\n");
    await settle();
    assert.deepEqual(purged(), []);
  });

  it("a network that is down, hangs or sends malformed responses neither delays nor fails a save", async () => {
    for (const answer of [
      (res: Parameters<ApiStandIn["answer"]>[0]) => void res.socket?.destroy(),
      () => undefined,
      (res: Parameters<ApiStandIn["answer"]>[0]) => void res.writeHead(500).end("<html>"),
    ]) {
      api.answer = answer;
      await boot();
      await visit("/about");
      await write("03.about/default.md", "# Saved\n");
      assert.match(await (await site.fetch("/about")).text(), /Saved/);
      api.answer = (res) => void res.socket?.destroy();
      for (const call of api.calls.splice(0)) assert.equal(call.method, "POST");
      await site.close();
    }
    first = 0;
    api.answer = (res) => answerJson(res, { success: true });
    site = shared;
  });

  it("reports failures in health and to admins, never with a token, and recovers", async () => {
    const lines: string[] = [];
    const note = (event: string, fields: object = {}): void =>
      void lines.push(event + JSON.stringify(fields));
    const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
    api.answer = (res) => answerJson(res, { error: "bad token cdn-token" }, 401);
    await boot({}, log);
    await assert.rejects(settle(), { code: "ERR_CDN_REFUSED" });
    await api.count(first + 1);
    const read = async (): Promise<string> =>
      (await site.fetch("/health?detailed=true&token=health-token-of-the-test")).text();
    // The background attempt writes the failure down; the one by hand only throws it.
    await until(() => site.site.use("cdn").status().failures > 0);
    const sick: Record<string, unknown> = Object(JSON.parse(await read()));
    assert.equal(sick["status"], "degraded");
    assert.match(JSON.stringify(sick["problems"]), /"cdn".*custom answered 401/);
    const { plugins } = introspect({ site: site.site.context("admin") });
    const row = plugins.find(({ name }) => name === "cdn");
    assert.match(JSON.stringify(row), /custom answered 401/);
    assert.ok(!(JSON.stringify([sick, row]) + lines.join("\n")).includes("cdn-token"));
    api.answer = (res) => answerJson(res, {});
    await settle();
    assert.equal(Object(JSON.parse(await read()))["status"], "ok");
  });
});
