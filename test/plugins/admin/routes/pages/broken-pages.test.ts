import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const BROKEN = "---\ntitle: Odd\nsummary: a: b\nroles: [staff]\n---\nText.\n";
const FIXED = BROKEN.replace("a: b", "'a: b'");
const POST = "02.blog/03.third/post.md";

describe("a page whose front matter cannot be read", () => {
  const url = `/admin/api/pages/${POST}`;
  const site = useFreshAdmin({
    files: {
      [`content/${POST}`]: BROKEN,
      "content/04.roles/default.md": "---\ntitle: R\nroles: { some: x }\n---\n",
      "content/05.latin/default.md": Buffer.from("---\ntitle: caf\u00e9\n---\n", "latin1"),
      "admin.yaml":
        'roles:\n  guide: { permissions: [pages.read, pages.update], paths: ["guide/**"] }\n',
    },
  });
  const editor = site.user("editor");
  const author = site.user("author");
  const onDisk = () => readFile(join(site.root, "content", POST), "utf8");
  it("is answered as the text of its file, with the place of the problem", async () => {
    const response = await editor.send("GET", url);
    assert.equal(response.status, 200);
    const page = (await response.json()) as Record<string, unknown>;
    assert.equal(page["raw"], BROKEN);
    assert.equal(response.headers.get("etag"), `"${String(page["hash"])}"`);
    const { message, ...place } = page["broken"] as Record<string, unknown>;
    assert.match(String(message), /a value contains a colon and a space; put the value in quotes/);
    assert.deepEqual(place, {
      code: "ERR_CONTENT_FRONT_MATTER",
      line: 3,
      column: 10,
      key: "summary",
      fix: place["fix"],
    });
  });

  it("is answered where its roles, or its bytes, are invalid", async () => {
    const roles = await editor.json(200, "GET", "/admin/api/pages/04.roles/default.md");
    assert.deepEqual([roles.broken.code, roles.broken.line], ["ERR_CONTENT_ROLES", 3]);
    const latin = await editor.json(200, "GET", "/admin/api/pages/05.latin/default.md");
    assert.deepEqual([latin.raw, latin.broken.code], ["", "ERR_CONTENT_ENCODING"]);
    assert.equal(latin.broken.isEditable, false);
    assert.equal(roles.broken.isEditable, undefined);
  });

  it("is in the lists of the panel, in its level, and in a search", async () => {
    const list = async (query: string) => {
      const { items } = await editor.json(200, "GET", `/admin/api/pages?broken=true&${query}`);
      return items
        .filter(({ broken }: { broken?: object }) => broken !== undefined)
        .map(({ sourcePath }: { sourcePath: string }) => sourcePath);
    };
    assert.deepEqual(await list("limit=100"), [POST, "04.roles/default.md", "05.latin/default.md"]);
    assert.deepEqual(await list("parent=/blog"), [POST]);
    assert.deepEqual(await list("parent=/"), ["04.roles/default.md", "05.latin/default.md"]);
    assert.deepEqual(await list("q=third"), [POST]);
    assert.deepEqual(await list("q=nothing"), []);
    assert.deepEqual(await list("status=published"), []);
    assert.deepEqual(await list("status=broken"), await list("limit=100"));
    const { items, total } = await editor.json(
      200,
      "GET",
      "/admin/api/pages?broken=true&limit=1&offset=1",
    );
    assert.equal(items.length, 1);
    assert.equal(total, 7);
    // Without `broken`, the list has only pages with an address.
    assert.equal((await editor.json(200, "GET", "/admin/api/pages")).total, 4);
  });

  it("has the name of its folder, or of a file with a number, as title", async () => {
    const names = {
      "02.blog/02.second-part.md": "second-part",
      "guide/default.md": "guide",
      "guide/tour.md": "tour",
      [POST]: "third",
    };
    for (const path of Object.keys(names)) await site.write(`content/${path}`, BROKEN);
    await site.site.use("content").refresh(Object.keys(names));
    const { items } = await editor.json(200, "GET", "/admin/api/pages?status=broken");
    const titles = new Map<string, string>(
      items.map(({ sourcePath, title }: Record<string, string>) => [sourcePath, title]),
    );
    for (const [path, name] of Object.entries(names)) assert.equal(titles.get(path), name);
  });

  it("is fixed by a text that can be read, and only by a whole text", async () => {
    const { hash } = await editor.json(200, "GET", url);
    const still = await editor.send("PUT", url, { content: BROKEN.replace("Text", "More") });
    assert.equal(still.status, 400);
    for (const edit of [{ body: "x" }, { frontmatter: { title: "x" } }]) {
      const refused = await editor.send("PUT", url, edit);
      assert.equal(refused.status, 400);
    }
    assert.equal(await onDisk(), BROKEN);
    const stale = await editor.send("PUT", url, { content: FIXED }, { "if-match": '"other"' });
    assert.equal(stale.status, 409);
    const page = await editor.json(
      200,
      "PUT",
      url,
      { content: FIXED },
      { "if-match": `"${hash}"` },
    );
    assert.equal(page.frontmatter.summary, "a: b");
    assert.equal(page.broken, undefined);
    assert.equal(await onDisk(), FIXED);
  });

  it("is fixed by a working copy that is published", async () => {
    const { hash } = await author.json(200, "GET", url);
    const draft = { content: FIXED, baseEtag: hash, review: true };
    const saved = await author.json(201, "PUT", `/admin/api/drafts/${POST}`, draft);
    assert.equal(saved.isBehind, false);
    assert.equal((await author.send("POST", `/admin/api/drafts/${POST}/publish`, {})).status, 403);
    await editor.json(200, "POST", `/admin/api/drafts/${POST}/publish`, {});
    assert.equal(await onDisk(), FIXED);
  });

  it("counts as published, because its status is unknown", async () => {
    for (const status of ["published", "draft"]) {
      const content = FIXED.replace("roles: [staff]", `status: ${status}`);
      assert.equal((await author.send("PUT", url, { content })).status, 403);
    }
    const rights = {
      fields: null,
      owner: null,
      refuse: (action: string) => (action === "publish" ? "may not publish" : null),
    };
    const [deleted] = await site.site
      .use("content")
      .apply([{ op: "delete", path: POST }], { rights });
    assert.equal(deleted?.code, "ERR_CONTENT_AUDIENCE");
    assert.equal(await onDisk(), BROKEN);
  });

  it("needs rights to its path, and to all fields", async () => {
    const guide = await site.as("guide");
    assert.equal((await guide.send("GET", url)).status, 403);
    const { items } = await guide.json(200, "GET", "/admin/api/pages?broken=true");
    assert.deepEqual(items, []);
    const limited = await site.withToken(
      ["pages.read", "pages.update", "pages.publish", "pages.delete"],
      { fields: ["title", "summary", "body"] },
    );
    const content = FIXED.replace("roles: [staff]\n", "");
    const refused = await limited.json(403, "PUT", url, { content });
    assert.match(refused.error, /cannot be read/);
    assert.equal(await onDisk(), BROKEN);
  });

  it("is deleted, on its own or with others, and restored byte for byte", async () => {
    const latin = "05.latin/default.md";
    const bytes = await readFile(join(site.root, "content", latin));
    await editor.json(200, "DELETE", url);
    const operations = [{ op: "delete", path: latin }];
    const { results } = await editor.json(200, "POST", "/admin/api/batch", { operations });
    await assert.rejects(onDisk(), { code: "ENOENT" });
    const { items } = await editor.json(200, "GET", "/admin/api/trash");
    const { id: trashId } = items.find((one: { path: string }) => one.path === latin);
    assert.deepEqual(results, [{ ...operations[0], status: "done", trashId }]);
    assert.deepEqual(
      items.map(({ title }: { title: string }) => title),
      ["latin", "third"],
    );
    for (const { id } of items) await editor.json(200, "POST", "/admin/api/trash", { id });
    assert.equal(await onDisk(), BROKEN);
    assert.deepEqual(await readFile(join(site.root, "content", latin)), bytes);
    assert.equal((await editor.json(200, "GET", url)).broken.line, 3);
  });

  it("is moved with others, and says why its fields cannot be changed", async () => {
    const operations = [
      { op: "publish", path: POST },
      { op: "tag", path: POST, value: "x" },
      { op: "move", path: POST, to: "02.blog/03.third/other.md" },
    ];
    const { results } = await editor.json(200, "POST", "/admin/api/batch", { operations });
    assert.deepEqual(
      results.map(({ code }: { code?: number }) => code),
      [400, 400, undefined],
    );
    assert.match(results[0].error, /line 3.*no part of the page can be changed/);
  });

  it("is answered as it is on the disk while its last good version is served", async () => {
    const path = "02.blog/01.first/post.md";
    await site.write(`content/${path}`, BROKEN);
    await site.site.use("content").refresh([path]);
    const page = await editor.json(200, "GET", `/admin/api/pages/${path}`);
    assert.deepEqual([page.raw, page.broken.line], [BROKEN, 3]);
    await editor.json(200, "PUT", `/admin/api/pages/${path}`, { content: FIXED });
    assert.equal((await editor.json(200, "GET", `/admin/api/pages/${path}`)).broken, undefined);
  });
});
