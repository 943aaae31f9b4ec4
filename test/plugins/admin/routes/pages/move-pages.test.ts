import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AdminClient } from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

describe("moving pages", () => {
  const site = useFreshAdmin();
  const editor = site.user("editor");
  const move = (body: object) => editor.send("POST", "/admin/api/pages/move", body);

  it("lists links to a page", async () => {
    const { items, total } = await editor.json(
      200,
      "GET",
      "/admin/api/pages/02.blog/01.first/post.md/references",
    );
    assert.equal(total, 1);
    assert.equal(items[0].from, "02.blog/02.second/post.md");
    assert.equal((await editor.send("GET", "/admin/api/pages/none.md/references")).status, 404);
  });

  it("moves a folder, rewrites links to it and adds a redirect", async () => {
    const answer = await move({ path: "02.blog/01.first", to: "02.blog/01.renamed" });
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.match(
      await readFile(join(site.root, "content/02.blog/02.second/post.md"), "utf8"),
      /\/blog\/renamed/,
    );
    assert.match(
      await readFile(join(site.root, "site.yaml"), "utf8"),
      /\/blog\/first: \/blog\/renamed/,
    );
    assert.equal((await site.fetch("/api/pages/blog/renamed")).status, 200);
  });

  it("rejects a target that exists, is unknown, outside or of another kind", async () => {
    assert.equal((await move({ path: "02.blog/01.first", to: "02.blog/02.second" })).status, 409);
    assert.equal((await move({ path: "none", to: "x" })).status, 404);
    assert.equal((await move({ path: "02.blog/01.first", to: "../outside" })).status, 400);
    assert.equal(
      (await move({ path: "02.blog/01.first/post.md", to: "02.blog/01.first/post.tsx" })).status,
      400,
    );
    assert.equal((await move({ path: "02.blog" })).status, 400);
  });

  it("requires publish rights to move pages out of _drafts", async () => {
    const page = { path: "_drafts/idea.md", content: "---\ntitle: Idea\n---\n" };
    await editor.json(201, "POST", "/admin/api/pages", page);
    const author = await site.as("author");
    const moved = (client: AdminClient, path: string, to: string) =>
      client.send("POST", "/admin/api/pages/move", { path, to });
    assert.equal((await moved(author, "_drafts/idea.md", "idea.md")).status, 403);
    assert.equal((await moved(author, "_drafts/idea.md", "_drafts/plan.md")).status, 200);
    assert.equal((await moved(editor, "_drafts/plan.md", "plan.md")).status, 200);
  });

  it("requires publish rights to make a module visible", async () => {
    const page = { path: "_hero/default.md", content: "---\ntitle: Hero\n---\n" };
    await editor.json(201, "POST", "/admin/api/pages", page);
    const author = await site.as("author");
    const body = { path: "_hero", to: "hero" };
    const { error } = await author.json(403, "POST", "/admin/api/pages/move", body);
    assert.match(error, /pages\.publish/);
    assert.equal((await site.fetch("/api/pages/hero")).status, 404);
    assert.equal((await move(body)).status, 200);
    assert.equal((await site.fetch("/api/pages/hero")).status, 200);
  });

  it("requires publish rights to leave media without their page's roles", async () => {
    const author = await site.as("author");
    const content = "---\ntitle: Members\nroles: member\n---\n";
    const paths = ["03.members/default.md", "03.members/files/01.list/default.md"];
    for (const path of paths) {
      await editor.json(201, "POST", "/admin/api/pages", { path, content });
    }
    await mkdir(join(site.root, "content/03.members/files"), { recursive: true });
    await writeFile(join(site.root, "content/03.members/files/plan.txt"), "secret");
    const media = "/content-media/03.members/files/plan.txt";
    assert.equal((await site.fetch(media)).status, 404);
    for (const body of [
      { path: "03.members/default.md", to: "04.elsewhere/default.md" },
      { path: "03.members/files", to: "files" },
    ]) {
      const { error } = await author.json(403, "POST", "/admin/api/pages/move", body);
      assert.match(error, /pages\.publish/);
    }
    await editor.json(200, "POST", "/admin/api/pages/move", { path: "03.members", to: "05.club" });
    assert.equal((await site.fetch("/content-media/05.club/files/plan.txt")).status, 404);
  });

  it("puts a page before its sibling: renumbers folders, preserves URLs", async () => {
    const body = {
      path: "02.blog/02.second/post.md",
      target: "02.blog/01.first/post.md",
      position: "before",
    };
    const done = await editor.json(200, "POST", "/admin/api/pages/reorder", body);
    assert.equal(done.sourcePath, "02.blog/01.second/post.md");
    assert.deepEqual((await readdir(join(site.root, "content/02.blog"))).sort(), [
      "01.second",
      "02.first",
      "blog.md",
    ]);
    assert.equal((await site.fetch("/api/pages/blog/first")).status, 200);
    const other = { ...body, target: "01.home/default.md" };
    assert.equal((await editor.send("POST", "/admin/api/pages/reorder", other)).status, 404);
  });
});
