import assert from "node:assert/strict";
import { bootAdmin } from "../../../support/sites/admin-site.js";

describe("the routes of the admin API", () => {
  it("match the specification", async () => {
    const site = await bootAdmin();
    try {
      const routes = site.site
        .use("admin")
        .routes.map(({ method, path, permission }) => `${method} ${path} ${permission}`);
      for (const wanted of [
        "get /admin/api/introspect any",
        "get /admin/api/page-source pages.read",
        "post /admin/api/render-markdown pages.read",
        "post /admin/api/dev/apply pages.update",
        "get /admin/api/search/analytics pages.read",
        "get /admin/api/webhooks/deliveries pages.read",
      ]) {
        assert.ok(routes.includes(wanted), wanted);
      }
    } finally {
      await site.close();
    }
  });

  it("respond with JSON, also for errors", async () => {
    const site = await bootAdmin();
    try {
      const author = await site.as("author");
      for (const path of ["/admin/api/none", "/admin/api/pages/none.md", "/admin/api/users"]) {
        const answer = await author.send("GET", path);
        assert.equal(typeof ((await answer.json()) as { error: string }).error, "string");
      }
    } finally {
      await site.close();
    }
  });
});
