import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";

describe("requests behind a proxy that adds the port to X-Forwarded-For", () => {
  it("share one rate limit for an address", async () => {
    const site = await bootSite({
      files: { "content/index.md": "# Home\n" },
      settings: { system: { server: { trust_proxy: 1, rate_limit: 5 } } },
      plugins: ["content", "pages", "security", "markdown", "session"],
    });
    try {
      const statuses: number[] = [];
      for (let at = 0; at < 8; at += 1) {
        const headers = { "x-forwarded-for": `203.0.113.5:${3_000 + at}` };
        statuses.push((await site.fetch("/api/pages", { headers })).status);
      }
      assert.ok(statuses.includes(429), statuses.join(" "));
    } finally {
      await site.close();
    }
  });
});
