import assert from "node:assert/strict";
import { blogFiles } from "../../../support/content/blog-files.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { leaks } from "../../../support/hostile/global-oracle.js";

describe("nav, taxonomy and configuration of the read API", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: blogFiles,
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "zcanaryz".repeat(5), TOKEN: "zcanaryz" },
      settings: { site: { health_token: "zcanaryz-health-token" } },
    });
  });
  after(() => site.close());
  const json = async (path: string): Promise<unknown> => (await site.fetch(path)).json();

  it("exposes no secret in the configuration and its schema", async () => {
    for (const path of ["/api/config/site", "/_site/schema/config"]) {
      const text = await (await site.fetch(path)).text();
      assert.deepEqual(leaks(text, site.root), []);
    }
    assert.deepEqual(Object.keys(Object(await json("/api/config/site"))).toSorted(), [
      "author",
      "description",
      "metadata",
      "taxonomies",
      "title",
      "url",
    ]);
  });

  it("serves /api/nav from the cache, with an ETag", async () => {
    const first = await site.fetch("/api/nav");
    const { hits } = site.site.use("cache").stats();
    const etag = first.headers.get("etag") ?? "";
    assert.equal(
      (await site.fetch("/api/nav", { headers: { "If-None-Match": etag } })).status,
      304,
    );
    assert.equal(site.site.use("cache").stats().hits, hits + 1);
  });

  it("nests the same items as the flat list", async () => {
    const flat: { route: string }[] = Object(await json("/api/nav"))["items"];
    const nested = JSON.stringify(await json("/api/nav?tree=true"));
    for (const { route } of flat)
      assert.ok(nested.includes(`"route":${JSON.stringify(route)}`), route);
  });
});

describe("lists of the read API in two languages", () => {
  const page = (tag: string): string => `---\ntitle: T\ntaxonomy: { tag: ${tag} }\n---\n`;
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "system.yaml": "languages: { supported: [en, de] }\n",
        "content/01.home/default.md": "# Home\n",
        "content/01.home/default.de.md": "# Heim\n",
        "content/02.über uns.md": "# Us\n",
        "content/a/default.md": page("tea"),
        "content/a/default.de.md": page("tee"),
        "content/b/default.md": page("tea"),
      },
      plugins: ["pages"],
    });
  });
  after(() => site.close());
  const body = async (path: string): Promise<Record<string, unknown>> =>
    Object(await (await site.fetch(path)).json());
  const routes = async (path: string): Promise<string[]> =>
    [(await body(path))["items"]].flat().map((item) => String(Object(item)["route"]));

  it("have the same addresses in the navigation as elsewhere, in the requested language", async () => {
    assert.deepEqual(await routes("/api/nav"), ["/", "/%C3%BCber%20uns"]);
    assert.deepEqual(await routes("/api/nav?lang=de"), ["/de", "/de/%C3%BCber%20uns"]);
    for (const route of await routes("/api/nav?lang=de&tree=true"))
      assert.equal((await site.fetch(`/api/pages${route}`)).status, 200, route);
  });

  it("count and list the pages of one language, by taxonomy and as collections", async () => {
    assert.deepEqual(Object(await body("/api/taxonomy"))["tag"], { tea: 2 });
    assert.deepEqual(Object(await body("/api/taxonomy?lang=de"))["tag"], { tee: 1 });
    assert.deepEqual((await body("/api/taxonomy/tag?lang=de"))["values"], { tee: 1 });
    assert.deepEqual(await routes("/api/taxonomy/tag/tee?lang=de"), ["/de/a"]);
    assert.deepEqual(await routes("/api/collections?order=title:asc"), [
      "/a",
      "/b",
      "/%C3%BCber%20uns",
    ]);
    assert.deepEqual(await routes("/api/collections?lang=de"), ["/de/a"]);
    assert.equal((await site.fetch("/api/taxonomy?lang=de&lang=en")).status, 400);
  });
});
