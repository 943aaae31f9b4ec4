import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite } from "../../support/sites/boot-site.js";
import { leaks } from "../../support/hostile/global-oracle.js";

const failing = definePlugin({
  name: "failing",
  version: "2.0.0",
  optional: true,
  hooks: {
    onRequest: () => {
      throw new Error("zcanaryz /etc/passwd");
    },
  },
  setup: () => Promise.reject(new Error("zcanaryz")),
});

/** Sections of the detailed report and their fields. */
const SECTIONS = {
  pages: ["total", "published", "errors"],
  cache: ["entries", "hits", "misses", "hitRate", "evictions"],
  search: ["engine", "documents", "builtAt"],
  memory: ["rss", "heapUsed"],
};

describe("the detailed report", () => {
  it("contains versions, counts and failures, but no path, setting or error text", async () => {
    const site = await bootSite({
      files: {
        "content/01.home/default.md": "# Hi\n",
        "content/02.broken/default.md": "---\n: [\n---\n",
      },
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "zcanaryz".repeat(5) },
      extraPlugins: [failing],
      settings: { site: { health_token: "secret-token-of-health" } },
    });
    await site.fetch("/");
    const res = await site.fetch("/health?detailed=true&token=secret-token-of-health");
    const text = await res.text();
    const report: Record<string, unknown> = Object(JSON.parse(text));
    assert.deepEqual(leaks(text, site.root), []);
    assert.doesNotMatch(text, /secret-token|\/etc/);
    assert.equal(report["status"], "degraded");
    assert.deepEqual(Object(report["pages"])["total"], 1);
    for (const key of ["uptime", "version", "plugins"]) assert.ok(key in report, key);
    for (const [section, keys] of Object.entries(SECTIONS)) {
      for (const key of keys) assert.ok(key in Object(report[section]), `${section}.${key}`);
    }
    assert.deepEqual(
      [report["plugins"]].flat().filter((plugin) => Object(plugin)["name"] === "failing"),
      [{ name: "failing", version: "2.0.0", state: "failed" }],
    );
    await site.close();
  });

  it("counts published pages in every language, including gated ones", async () => {
    const page = (more: string): string => `---\ntitle: T\n${more}---\n`;
    const site = await bootSite({
      files: {
        "system.yaml": "languages: { supported: [en, de] }\n",
        "content/01.home/default.md": page(""),
        "content/01.home/default.de.md": page(""),
        "content/02.members/default.md": page("roles: [member]\n"),
        "content/03.draft/default.md": page("published: false\n"),
        "content/04.review/default.md": page("status: in_review\n"),
        "content/05.later/default.md": page("publish_date: 2999-01-01\n"),
      },
      plugins: ["health", "content"],
    });
    const { pages } = site.site.use("health").report();
    assert.deepEqual(pages, { total: 6, published: 3, errors: 0 });
    await site.close();
  });

  it("counts uptime in whole seconds of the site's clock", async () => {
    const clock = { at: 10_000, now: () => clock.at };
    const site = await bootSite({ plugins: ["health"], clock });
    clock.at += 61_900;
    assert.equal(site.site.use("health").report()["uptime"], 61);
    await site.close();
  });
});
