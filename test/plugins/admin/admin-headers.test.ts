import assert from "node:assert/strict";
import { bootAdmin } from "../../support/sites/admin-site.js";

describe("adminHeaders", () => {
  it("are on every response below the prefix, and on no other", async () => {
    const site = await bootAdmin();
    try {
      for (const path of ["/admin", "/admin/login", "/admin/api/pages", "/admin/none"]) {
        const { headers } = await site.fetch(path);
        assert.equal(headers.get("x-frame-options"), "DENY", path);
        assert.match(headers.get("cache-control") ?? "", /no-store/, path);
      }
      assert.notEqual((await site.fetch("/api/pages")).headers.get("x-frame-options"), "DENY");
    } finally {
      await site.close();
    }
  });
});
