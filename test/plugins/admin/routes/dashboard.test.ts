import assert from "node:assert/strict";
import { bootAdmin } from "../../../support/admin-site.js";

describe("the dashboard", () => {
  it("shows searches to who may read pages", async () => {
    const site = await bootAdmin();
    await site.fetch("/api/search?q=canaries");
    const shown = async (permission: "pages.read" | "submissions.read") => {
      const token = { name: "t", permissions: [permission], userId: null, expiresAt: null };
      const { secret } = await site.site.use("admin").tokens.create(token);
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await site.fetch("/admin", { headers });
      assert.equal(answer.status, 200);
      return (await answer.text()).includes("canaries");
    };
    assert.equal(await shown("pages.read"), true);
    assert.equal(await shown("submissions.read"), false);
    await site.close();
  });
});
