import assert from "node:assert/strict";
import type { AdminClient } from "../../../../support/sites/admin-site.js";
import { useAdmin } from "../../../../support/sites/use-site.js";

describe("history of the admin API", () => {
  const page = "02.blog/01.first/post.md";
  const site = useAdmin();
  const editor = site.user("editor");
  before(async () => {
    for (const body of ["one\n", "two\n"])
      await editor.json(200, "PUT", `/admin/api/pages/${page}`, { body });
    await site.site.use("history").settled();
  });

  it("lists versions with their authors, newest first", async () => {
    const { items, total } = await editor.json(200, "GET", `/admin/api/history/${page}`);
    assert.ok(total >= 2);
    assert.equal(items[0].actor.id, editor.id);
    assert.ok(items[0].n > items[1].n);
  });

  it("returns a version and its difference, and restores it", async () => {
    const { items } = await editor.json(200, "GET", `/admin/api/history/${page}`);
    const older = items[1].n;
    assert.match(
      (await editor.json(200, "GET", `/admin/api/history/${page}/${older}`)).content,
      /one\n$/,
    );
    const diff = await editor.json(200, "GET", `/admin/api/history/${page}/${older}/diff`);
    assert.deepEqual([diff.additions, diff.deletions], [1, 1]);
    await editor.json(200, "POST", `/admin/api/history/${page}/${older}/restore`);
    assert.match((await editor.json(200, "GET", `/admin/api/pages/${page}`)).raw, /one\n$/);
  });

  it("requires publish rights to restore a published version, and code rights for code", async () => {
    const author = await site.as("author");
    const restored = async (client: AdminClient, path: string) => {
      await site.site.use("history").settled();
      return (await client.send("POST", `/admin/api/history/${path}/1/restore`)).status;
    };
    const text = { path: "03.open/default.md", content: "---\ntitle: Open\n---\n" };
    await editor.json(201, "POST", "/admin/api/pages", text);
    const hidden = { frontmatter: { published: "no" } };
    await editor.json(200, "PUT", `/admin/api/pages/${text.path}`, hidden);
    assert.equal(await restored(author, text.path), 403);
    assert.equal(await restored(editor, text.path), 200);
    await editor.json(200, "PUT", `/admin/api/pages/${text.path}`, {
      frontmatter: { roles: "member" },
    });
    assert.equal(await restored(author, text.path), 403);
    assert.equal(await restored(editor, text.path), 200);

    const admin = await site.as("admin");
    const code = { path: "04.code/default.tsx", content: "export default () => <p>old</p>;" };
    await admin.json(201, "POST", "/admin/api/pages", code);
    const newer = { content: "export default () => <p>new</p>;" };
    await admin.json(200, "PUT", `/admin/api/pages/${code.path}`, newer);
    assert.equal(await restored(editor, code.path), 403);
    assert.equal(await restored(admin, code.path), 200);
  });

  for (const path of [
    "none.md",
    `${page}/999`,
    `${page}/999/diff`,
    `${page}/0`,
    "..%2f..%2fsite.yaml",
    "%00",
    "a".repeat(300),
  ]) {
    it(`responds 404 to ${path.slice(0, 40)}`, async () => {
      assert.equal((await editor.send("GET", `/admin/api/history/${path}`)).status, 404);
      assert.equal((await editor.send("POST", `/admin/api/history/${path}/restore`)).status, 404);
    });
  }
});
