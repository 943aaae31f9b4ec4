import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

describe("files at the root of a site", () => {
  const files = {
    "content/default.md": "---\ntitle: Home\n---\n",
    "content/robots.txt": "User-agent: *\nDisallow: /\n",
    "content/feed.xml": "<mine/>",
    "content/favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'><!-- mine --></svg>",
    "content/plan.txt": "plan",
    "content/blog/default.md": "---\ntitle: Blog\n---\n",
    "content/blog/feed.xml": "<mine/>",
    "content/robots.txt.md": "---\ntitle: Robots\nroutes: { aliases: [/sitemap.xml] }\n---\n",
  };
  const boot = (names: string[], given: Record<string, string> = files): Promise<TestSite> =>
    bootSite({ files: given, settings: { site: { title: "T", root_files: names } } });
  const text = async (site: TestSite, path: string) => (await site.fetch(path)).text();

  it("replace no route and no generated file", async () => {
    const site = await boot([]);
    try {
      assert.match(await text(site, "/robots.txt"), /^User-agent: \*\nAllow: \/\n/);
      assert.match(await text(site, "/sitemap.xml"), /<urlset/);
      for (const path of ["/feed.xml", "/blog/feed.xml", "/favicon.svg"]) {
        assert.doesNotMatch(await text(site, path), /mine/, path);
      }
      assert.equal(await text(site, "/plan.txt"), "plan");
    } finally {
      await site.close();
    }
  });

  it("replace the names in root_files", async () => {
    const site = await boot(["robots.txt", "feed.xml", "favicon.svg", "none.txt"]);
    try {
      assert.equal(await text(site, "/robots.txt"), files["content/robots.txt"]);
      assert.match(await text(site, "/feed.xml"), /mine/);
      assert.match(await text(site, "/favicon.svg"), /mine/);
      assert.doesNotMatch(await text(site, "/blog/feed.xml"), /mine/);
      assert.match(await text(site, "/atom.xml"), /<feed/);
      assert.equal((await site.fetch("/none.txt")).status, 404);
    } finally {
      await site.close();
    }
  });

  it("can be in the home page's folder, and replace a cached generated file", async () => {
    const site = await boot(["robots.txt"], { "content/01.home/default.md": "# Home" });
    try {
      assert.match(await text(site, "/robots.txt"), /Allow/);
      assert.match(await text(site, "/robots.txt"), /Allow/);
      const path = "01.home/robots.txt";
      const content = Buffer.from("User-agent: *\nDisallow: /\n");
      await site.site.use("content").apply([{ op: "write", path, content }]);
      assert.match(await text(site, "/robots.txt"), /Disallow/);
      await site.site.use("content").apply([{ op: "delete", path }]);
      assert.match(await text(site, "/robots.txt"), /Allow/);
    } finally {
      await site.close();
    }
  });

  for (const name of ["a/b.txt", "../x.txt", ".env", "api", "x.", ""]) {
    it(`cannot be named ${JSON.stringify(name)}`, async () => {
      await assert.rejects(boot([name]), { code: "ERR_CONFIG_INVALID" });
    });
  }
});
