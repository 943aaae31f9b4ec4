import assert from "node:assert/strict";
import { useAdmin } from "../../../../support/sites/use-site.js";

const statuses = ["draft", "in_review", "published", "archived"];
const allowed = new Set([
  "draft in_review",
  "draft published",
  "in_review published",
  "in_review draft",
  "published archived",
  "published draft",
  "archived draft",
]);

describe("POST {admin.path}/api/workflow/transition", () => {
  const told: string[] = [];
  const site = useAdmin();
  const editor = site.user("editor");
  const author = site.user("author");
  before(async () => {
    site.site
      .context("admin")
      .hooks.on("onWorkflowChange", ({ data }) => void told.push(`${data.from} ${data.to}`));
  });
  const path = "02.blog/02.second/post.md";
  const go = (to: string, who = editor) =>
    who.send("POST", "/admin/api/workflow/transition", { path, to });
  /** The status of the page with a key that hides it: in the editor, and in the list. */
  const seenStatus = async (): Promise<unknown[]> => {
    const page = await editor.json(200, "GET", "/admin/api/pages/hidden/default.md");
    const list = `/admin/api/pages?q=hidden&status=${page.status}`;
    const { items } = await editor.json(200, "GET", list);
    return [page.status, items[0]?.status];
  };

  for (const from of statuses) {
    for (const to of statuses) {
      const isAllowed = allowed.has(`${from} ${to}`);
      it(`${isAllowed ? "moves" : "does not move"} a page from ${from} to ${to}`, async () => {
        await site.site
          .use("content")
          .apply([{ op: "frontmatter", path, patch: { status: from } }]);
        await site.site.context("admin").hooks.settled();
        told.length = 0;
        const answer = await go(to);
        assert.equal(answer.status, isAllowed ? 200 : 400);
        const { status } = await author.json(200, "GET", `/admin/api/workflow/status/${path}`);
        assert.equal(status, isAllowed ? to : from);
        await site.site.context("admin").hooks.settled();
        assert.deepEqual(told, isAllowed ? [`${from} ${to}`] : []);
      });
    }
  }

  for (const [hidden, shown] of [
    ["draft: true", "draft: false"],
    ["published: false", "published: true"],
    ["private: true # for now", "private: false # for now"],
    ["publish: no", "publish: true"],
    ["isDraft: true", "isDraft: false"],
    ["permalink: false", ""],
    ["status: published\ndraft: true", "draft: false"],
    ["build: { render: never, list: always }", "render: always, list: always }"],
  ]) {
    it(`publishes a page with ${JSON.stringify(hidden)}`, async () => {
      await site.write("content/hidden/default.md", `---\ntitle: H\n${hidden}\n---\nText\n`);
      await site.site.use("content").rebuild();
      assert.equal((await site.fetch("/api/pages/hidden")).status, 404);
      assert.deepEqual(await seenStatus(), ["draft", "draft"]);
      const body = { path: "hidden/default.md", to: "published" };
      const answer = await editor.send("POST", "/admin/api/workflow/transition", body);
      assert.equal(answer.status, 200);
      assert.equal((await site.fetch("/api/pages/hidden")).status, 200);
      assert.deepEqual(await seenStatus(), ["published", "published"]);
      const page = await site.site.use("content").source("hidden/default.md");
      assert.match(page?.raw ?? "", new RegExp(`${shown}\\n`));
    });
  }

  it("does not say that it published a page that stays off the site", async () => {
    await site.write("content/hidden/default.md", "---\ntitle: H\nDraft: true\n---\nText\n");
    await site.site.use("content").rebuild();
    const body = { path: "hidden/default.md", to: "published" };
    const answer = await editor.send("POST", "/admin/api/workflow/transition", body);
    assert.equal(answer.status, 409);
    assert.match(await answer.text(), /\\"Draft\\"/);
  });

  it("requires pages.publish to publish", async () => {
    await site.site.use("content").apply([{ op: "frontmatter", path, patch: { status: "draft" } }]);
    assert.equal((await go("in_review", author)).status, 200);
    const denied = await go("published", author);
    assert.equal(denied.status, 403);
    assert.match(await denied.text(), /pages\.publish/);
  });

  it("removes `published: false`, so that a published page is public", async () => {
    await site.site
      .use("content")
      .apply([{ op: "frontmatter", path, patch: { status: null, published: false } }]);
    assert.equal((await site.fetch("/api/pages/blog/second")).status, 404);
    assert.equal((await go("published")).status, 200);
    assert.equal((await site.fetch("/api/pages/blog/second")).status, 200);
  });

  it("responds 404 to an unknown page and 400 to an invalid status", async () => {
    await editor.json(404, "POST", "/admin/api/workflow/transition", {
      path: "../site.yaml",
      to: "draft",
    });
    assert.equal((await go("gone")).status, 400);
  });
});
