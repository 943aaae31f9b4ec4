import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { blogFiles } from "../../support/content/blog-files.js";

describe("the protective step", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: blogFiles,
      plugins: ["pages", "render", "security", "cache", "health"],
      env: { SITE_ENV: "production" },
    });
  });
  after(() => site.close());
  const header = async (path: string, name: string, init?: RequestInit) =>
    (await site.fetch(path, init)).headers.get(name);

  it("applies to pages, API, assets, health, errors and rejections alike", async () => {
    for (const path of [
      "/",
      "/api/nav",
      "/none",
      "/api/none",
      "/health",
      "/favicon.svg",
      "/%ZZ",
      "/%00",
      "/a%5cb",
    ]) {
      assert.equal(await header(path, "x-content-type-options"), "nosniff", path);
      assert.ok(await header(path, "content-security-policy"), path);
      assert.equal(await header(path, "x-frame-options"), "SAMEORIGIN", path);
      assert.equal(await header(path, "x-powered-by"), null, path);
    }
  });

  it("sends HSTS only in production over HTTPS", async () => {
    assert.match((await header("/", "strict-transport-security")) ?? "", /max-age=\d+/);
    const plain = await bootSite({
      plugins: ["security", "health"],
      env: { SITE_ENV: "production" },
      settings: { site: { url: "http://site.example" } },
    });
    assert.equal((await plain.fetch("/health")).headers.get("strict-transport-security"), null);
    await plain.close();
  });

  it("responds to a preflight for the API only", async () => {
    assert.equal((await site.fetch("/api/pages", { method: "OPTIONS" })).status, 204);
    assert.equal((await site.fetch("/", { method: "OPTIONS" })).status, 405);
  });

  it("allows no credentials on any API route", async () => {
    for (const path of [
      "/api/pages",
      "/api/nav",
      "/api/config/site",
      "/_site/schema/config",
      "/api/none",
    ]) {
      const headers = { Origin: "https://journal.example" };
      assert.equal(
        await header(path, "access-control-allow-origin", { headers }),
        "https://journal.example",
      );
      assert.equal(await header(path, "access-control-allow-credentials", { headers }), null);
    }
  });
});
