import assert from "node:assert/strict";
import { bootAdmin } from "../../../../support/sites/admin-site.js";

describe("the dashboard", () => {
  it("shows searches to accounts with pages.read", async () => {
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

  it("lists content problems with file, line and fix until they are fixed", async () => {
    const site = await bootAdmin({ env: { SITE_ENV: "production" } });
    const shown = async (permission: "pages.read" | "submissions.read") => {
      const token = { name: "t", permissions: [permission], userId: null, expiresAt: null };
      const { secret } = await site.site.use("admin").tokens.create(token);
      const answer = await site.fetch("/admin", { headers: { authorization: `Bearer ${secret}` } });
      return answer.text();
    };
    assert.doesNotMatch(await shown("pages.read"), /Content problems/);
    await site.write("content/02.blog/blog.md", "---\ntitle: <b>\ndate: someday\n---\n");
    await site.write("content/01.home/default.md", '---\ntitle: "one" two\n---\n');
    await site.site.use("content").rebuild();
    const text = await shown("pages.read");
    assert.match(text, /Content problems/);
    assert.match(text, /content\/02\.blog\/blog\.md:3/);
    assert.match(text, /content\/01\.home\/default\.md:2/);
    assert.match(text, /Fix: correct/);
    assert.doesNotMatch(await shown("submissions.read"), /Content problems/);
    await site.write("content/02.blog/blog.md", "# Blog\n");
    await site.write("content/01.home/default.md", "# Home\n");
    await site.site.use("content").rebuild();
    assert.doesNotMatch(await shown("pages.read"), /Content problems/);
    await site.close();
  });
});
