import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";

const TRASH = "/admin/api/trash";
const first = "/admin/api/pages/02.blog/01.first/post.md";
const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const DAY = 86_400_000;

describe("the trash of the admin API", () => {
  let site: AdminSite;
  let editor: AdminClient;
  let now = Date.parse("2026-05-01T00:00:00Z");
  const boot = (days?: number) =>
    bootAdmin({
      clock: { now: () => now },
      ...(days !== undefined && { settings: { admin: { trash_days: days } } }),
      files: {
        "content/02.blog/01.first/dot.gif": picture,
        "content/02.blog/01.first/dot.gif.meta.yaml": "alt: A dot\n",
        "content/02.blog/01.first/below/default.md": "---\ntitle: Below\n---\n",
        "content/02.blog/flat.md": "---\ntitle: Flat\n---\n",
        "content/02.blog/03.flat.md": "---\ntitle: Also flat\n---\n",
      },
    });
  beforeEach(async () => {
    site = await boot();
    editor = await site.as("editor");
  });
  afterEach(() => site.close());
  const content = (path: string) => readFile(join(site.root, "content", path));
  const list = () => editor.json(200, "GET", TRASH);

  it("keeps a deleted page, and restores it byte for byte", async () => {
    const source = await content("02.blog/01.first/post.md");
    const { trashId } = await editor.json(200, "DELETE", first);
    await assert.rejects(content("02.blog/01.first/post.md"), { code: "ENOENT" });
    const { items, total } = await list();
    assert.equal(total, 1);
    const [{ id, kind, path, title, deletedAt, expiresAt, by, files }] = items;
    assert.deepEqual(
      [id, kind, path, title],
      [trashId, "page", "02.blog/01.first/post.md", "First"],
    );
    assert.deepEqual([deletedAt, expiresAt, by.id], [now, now + 30 * DAY, editor.id]);
    assert.deepEqual(files, [{ path, size: source.length }]);
    const answer = await editor.json(200, "POST", TRASH, { id });
    assert.deepEqual(answer, { restored: true, paths: [path] });
    assert.deepEqual(await content(path), source);
    assert.equal((await list()).total, 0);
    assert.equal((await site.fetch("/api/pages/blog/first")).status, 200);
    assert.equal((await editor.send("POST", TRASH, { id })).status, 404);
  });

  it("keeps a page with its folder, media and pages below", async () => {
    await editor.json(200, "DELETE", `${first}?folder=true`);
    const [entry] = (await list()).items;
    assert.deepEqual(
      entry.files.map(({ path }: { path: string }) => path),
      ["below/default.md", "dot.gif", "dot.gif.meta.yaml", "post.md"].map(
        (name) => `02.blog/01.first/${name}`,
      ),
    );
    assert.ok(!(await readdir(join(site.root, "content/02.blog"))).includes("01.first"));
    await editor.json(200, "POST", TRASH, { id: entry.id });
    assert.deepEqual(await content("02.blog/01.first/dot.gif"), picture);
    assert.equal((await site.fetch("/api/pages/blog/first/below")).status, 200);
  });

  it("never takes the folder of the page above with a flat page", async () => {
    for (const name of ["flat.md", "03.flat.md"]) {
      await editor.json(200, "DELETE", `/admin/api/pages/02.blog/${name}?folder=true`);
      const { items } = await list();
      const entry = items.find(({ path }: { path: string }) => path === `02.blog/${name}`);
      assert.equal(entry.files.length, 1);
    }
    assert.ok(await content("02.blog/blog.md"));
  });

  it("keeps media with their sidecars", async () => {
    const media = "/admin/api/media?path=02.blog/01.first/dot.gif";
    const { trashId } = await editor.json(200, "DELETE", media);
    assert.equal((await list()).items[0].kind, "media");
    await editor.json(200, "POST", TRASH, { id: trashId });
    assert.deepEqual(await content("02.blog/01.first/dot.gif"), picture);
    assert.equal(String(await content("02.blog/01.first/dot.gif.meta.yaml")), "alt: A dot\n");
  });

  it("overwrites nothing when it restores", async () => {
    const { trashId } = await editor.json(200, "DELETE", `${first}?folder=true`);
    const page = { path: "02.blog/01.first/post.md", content: "Another" };
    await editor.json(201, "POST", "/admin/api/pages", page);
    const { error } = await editor.json(409, "POST", TRASH, { id: trashId });
    assert.match(error, /02\.blog\/01\.first\/post\.md" exists/);
    assert.equal(String(await content(page.path)), "Another");
    await assert.rejects(content("02.blog/01.first/dot.gif"), { code: "ENOENT" });
    assert.equal((await list()).total, 1);
  });

  it("is emptied: one entry, all, and what is older than admin.trash_days", async () => {
    const { trashId } = await editor.json(200, "DELETE", first);
    await editor.json(200, "DELETE", "/admin/api/pages/02.blog/flat.md");
    assert.deepEqual(await editor.json(200, "DELETE", `${TRASH}/${trashId}`), { purged: 1 });
    assert.equal((await editor.send("DELETE", `${TRASH}/${trashId}`)).status, 404);
    assert.deepEqual(await editor.json(200, "DELETE", TRASH), { purged: 1 });
    await editor.json(200, "DELETE", "/admin/api/pages/02.blog/02.second/post.md");
    now += 30 * DAY + 1;
    editor = await site.as("editor", { username: "later" });
    assert.equal((await list()).total, 0);
    assert.deepEqual(await readdir(join(site.root, ".dune/admin/trash")), []);
  });

  it("keeps nothing with trash_days: 0", async () => {
    const own = await boot(0);
    try {
      const client = await own.as("editor");
      assert.equal((await client.json(200, "DELETE", first)).trashId, null);
      assert.equal((await client.json(200, "GET", TRASH)).total, 0);
    } finally {
      await own.close();
    }
  });

  it("needs rights, and ignores what is not its own", async () => {
    const author = await site.as("author");
    const { trashId } = await editor.json(200, "DELETE", first);
    assert.equal((await author.send("DELETE", TRASH)).status, 403);
    assert.equal((await author.send("DELETE", `${TRASH}/${trashId}`)).status, 403);
    const { error } = await author.json(403, "POST", TRASH, { id: trashId });
    assert.match(error, /pages\.publish/);
    for (const id of ["..", "__proto__", "../..", "", "%2e%2e"]) {
      assert.equal((await editor.send("POST", TRASH, { id })).status, 404);
    }
    const folder = join(site.root, ".dune/admin/trash");
    await mkdir(join(folder, "01J00000000000000000000000"));
    await writeFile(join(folder, "01J00000000000000000000000/entry.json"), "{ broken");
    assert.equal((await list()).total, 1);
  });

  it("deletes nothing of a page that has changed since it was read", async () => {
    const stale = { "if-match": `"${"0".repeat(40)}"` };
    await editor.json(409, "DELETE", `${first}?folder=true`, undefined, stale);
    assert.deepEqual(await content("02.blog/01.first/dot.gif"), picture);
    assert.equal((await list()).total, 0);
  });
});
