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

  it("accepts only configured taxonomies, not inherited properties", async () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "none"]) {
      assert.equal((await site.fetch(`/api/taxonomy/${name}`)).status, 404, name);
      assert.deepEqual(Object(await json(`/api/taxonomy/tag/${name}`))["items"], []);
    }
  });

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

  it("has the same addresses as other lists, in the requested language", async () => {
    const inTwo = await bootSite({
      files: {
        "system.yaml": "languages: { supported: [en, de] }\n",
        "content/01.home/default.md": "# Home\n",
        "content/01.home/default.de.md": "# Heim\n",
        "content/02.über uns.md": "# Us\n",
      },
    });
    const routes = async (query: string): Promise<string[]> => {
      const body: unknown = await (await inTwo.fetch(`/api/nav${query}`)).json();
      const items: { route: string }[] = Object(body)["items"];
      return items.map(({ route }) => route);
    };
    assert.deepEqual(await routes(""), ["/", "/%C3%BCber%20uns"]);
    assert.deepEqual(await routes("?lang=de"), ["/de", "/de/%C3%BCber%20uns"]);
    for (const route of await routes("?lang=de&tree=true"))
      assert.equal((await inTwo.fetch(`/api/pages${route}`)).status, 200, route);
    await inTwo.close();
  });

  it("counts and lists the pages of one language, by taxonomy and as collections", async () => {
    const page = (tag: string): string => `---\ntitle: T\ntaxonomy: { tag: ${tag} }\n---\n`;
    const inTwo = await bootSite({
      files: {
        "system.yaml": "languages: { supported: [en, de] }\n",
        "content/01.home/default.md": "# Home\n",
        "content/01.home/default.de.md": "# Heim\n",
        "content/02.a/default.md": page("tea"),
        "content/02.a/default.de.md": page("tee"),
        "content/03.b/default.md": page("tea"),
      },
      plugins: ["pages"],
    });
    const body = async (path: string): Promise<Record<string, unknown>> =>
      Object(await (await inTwo.fetch(path)).json());
    const routes = async (path: string): Promise<string[]> =>
      [(await body(path))["items"]].flat().map((item) => String(Object(item)["route"]));
    assert.deepEqual(Object(await body("/api/taxonomy"))["tag"], { tea: 2 });
    assert.deepEqual(Object(await body("/api/taxonomy?lang=de"))["tag"], { tee: 1 });
    assert.deepEqual((await body("/api/taxonomy/tag?lang=de"))["values"], { tee: 1 });
    assert.deepEqual(await routes("/api/taxonomy/tag/tee?lang=de"), ["/de/a"]);
    assert.deepEqual(await routes("/api/collections?order=title"), ["/a", "/b"]);
    assert.deepEqual(await routes("/api/collections?lang=de"), ["/de/a"]);
    assert.equal((await inTwo.fetch("/api/taxonomy?lang=de&lang=en")).status, 400);
    await inTwo.close();
  });

  it("nests the same items as the flat list", async () => {
    const flat: { route: string }[] = Object(await json("/api/nav"))["items"];
    const nested = JSON.stringify(await json("/api/nav?tree=true"));
    for (const { route } of flat)
      assert.ok(nested.includes(`"route":${JSON.stringify(route)}`), route);
  });
});
