import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";

describe("Server-Timing of a site", () => {
  const slow = {
    name: "slow",
    version: "1.0.0",
    hooks: { onBeforeRender: () => undefined },
  };

  it("lists durations in dev mode: rendering, and each handler by plugin and hook", async () => {
    const test = await bootSite({
      files: { "content/01.home/default.md": "---\ntitle: Home\n---\nText.\n" },
      env: { SITE_ENV: "dev" },
      extraPlugins: [slow],
    });
    for (const path of ["/", "/api/pages", "/absent", "/api/pages?limit=x", "/favicon.svg"]) {
      assert.match(
        (await test.fetch(path)).headers.get("server-timing") ?? "",
        /^total;dur=/,
        path,
      );
    }
    const header = (await test.fetch("/")).headers.get("server-timing") ?? "";
    assert.match(header, /slow\.onBeforeRender;/);
    assert.match(header, /render;/);
    await test.close();
  });

  it("is absent in production", async () => {
    const test = await bootSite({ env: { SITE_ENV: "production" }, extraPlugins: [slow] });
    assert.equal((await test.fetch("/")).headers.get("server-timing"), null);
    await test.close();
  });
});
