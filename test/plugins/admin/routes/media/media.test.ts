import assert from "node:assert/strict";
import { access, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../../../support/until.js";
import { useAdmin } from "../../../../support/sites/use-site.js";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("media of the admin API", () => {
  const site = useAdmin();
  const editor = site.user("editor");
  const author = site.user("author");

  const upload = (name: string, bytes: Buffer | string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [key, value] of Object.entries({ pagePath: "02.blog/01.first/post.md", ...fields }))
      form.set(key, value);
    form.set("file", new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]), name);
    return author.send("POST", "/admin/api/media/upload", form);
  };

  it("stores a file beside its page and serves it", async () => {
    const answer = await upload("My Photo (1).png", png);
    assert.equal(answer.status, 201);
    const { path, item } = (await answer.json()) as {
      path: string;
      item: { url: string; type: string; size: number };
    };
    assert.equal(path, "02.blog/01.first/My-Photo-1-.png");
    assert.equal(item.type, "image/png");
    const served = await site.fetch(item.url);
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), png);
    const { items } = await author.json(
      200,
      "GET",
      "/admin/api/media?path=02.blog/01.first/post.md",
    );
    assert.equal(items.length, 1);
  });

  it("lists the files of a folder that came as the site runs, until it is deleted", async () => {
    const content = site.site.context("content").use("content");
    const listed = async (): Promise<unknown[]> => {
      const { items } = await author.json(200, "GET", "/admin/api/media?q=harbour");
      return items.map(({ path }: { path: string }) => path);
    };
    assert.deepEqual(await listed(), []);
    await site.write("content/media/photos/harbour.png", png);
    await content.refresh(["media"]);
    assert.deepEqual(await listed(), ["media/photos/harbour.png"]);
    await rename(join(site.root, "content/media"), join(site.root, "content/pictures"));
    await content.refresh(["media", "pictures"]);
    assert.deepEqual(await listed(), ["pictures/photos/harbour.png"]);
    await rm(join(site.root, "content/pictures"), { recursive: true });
    await content.refresh(["pictures"]);
    assert.deepEqual(await listed(), []);
  });

  it("does not overwrite unless requested", async () => {
    // A draft: files of published pages need the right to publish.
    const draft = { pagePath: "02.blog/02.second/post.md" };
    assert.equal((await upload("same.png", png, draft)).status, 201);
    const other = Buffer.concat([png, Buffer.from("x")]);
    assert.equal((await upload("same.png", other, draft)).status, 409);
    assert.equal((await upload("same.png", other, { ...draft, overwrite: "true" })).status, 201);
    assert.deepEqual(await readFile(join(site.root, "content/02.blog/02.second/same.png")), other);
  });

  it("stores one of several concurrent uploads with the same name", async () => {
    const files = ["a", "b", "c"].map((mark) => Buffer.concat([png, Buffer.from(mark)]));
    const answers = await Promise.all(files.map((bytes) => upload("race.png", bytes)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    const stored = await readFile(join(site.root, "content/02.blog/01.first/race.png"));
    assert.ok(stored.equals(files[answers.findIndex(({ status }) => status === 201)] ?? png));
  });

  const refused: [string, Buffer | string, number][] = [
    ["page.md", "# hi", 415],
    ["page.tsx", "export default 1", 415],
    ["x.html", "<script>", 415],
    ["photo.jpg", png, 415],
    ["photo.png", "not a picture", 415],
    ["text.txt", Buffer.from([0, 1, 2]), 415],
    ["setup.exe", "MZ", 415],
    ["photo.png.meta.yaml", "alt: x", 415],
    ["none", png, 400],
    [".env", "SECRET=1", 400],
    ["...", png, 400],
  ];
  for (const [name, bytes, status] of refused) {
    it(`responds ${status} to ${name}`, async () =>
      assert.equal((await upload(name, bytes)).status, status));
  }

  it("uses the last part of a name with a path", async () => {
    const answer = await upload("../../../../evil.png", png);
    assert.equal(answer.status, 201);
    assert.equal(((await answer.json()) as { path: string }).path, "02.blog/01.first/evil.png");
  });

  for (const pagePath of ["../..", "/etc", "none", "02.blog/none", ".dune"]) {
    it(`rejects page path ${JSON.stringify(pagePath)}`, async () => {
      const { status } = await upload("a.png", png, { pagePath });
      assert.ok(status === 404 || status === 400, String(status));
    });
  }

  it("responds 400, 413 and 415 to invalid bodies", async () => {
    const form = new FormData();
    form.set("pagePath", "02.blog/blog.md");
    assert.equal((await author.send("POST", "/admin/api/media/upload", form)).status, 400);
    assert.equal((await author.send("POST", "/admin/api/media/upload", {})).status, 415);
    const broken = { "content-type": "multipart/form-data; boundary=" };
    assert.equal((await author.send("POST", "/admin/api/media/upload", "x", broken)).status, 400);
    const torn = { "content-type": "multipart/form-data; boundary=b" };
    const text = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc';
    assert.equal((await author.send("POST", "/admin/api/media/upload", text, torn)).status, 400);
    assert.equal((await upload("big.txt", Buffer.alloc(51 * 1_048_576, "a"))).status, 413);
  });

  it("deletes a file with its sidecar, not for authors, and never a page", async () => {
    await upload("gone.png", png);
    await site.write("content/02.blog/01.first/gone.png.meta.yaml", "alt: x\n");
    const address = "/admin/api/media?path=02.blog/01.first/gone.png";
    assert.equal((await author.send("DELETE", address)).status, 403);
    await editor.json(200, "DELETE", address);
    await assert.rejects(access(join(site.root, "content/02.blog/01.first/gone.png.meta.yaml")));
    for (const path of [
      "02.blog/01.first/post.md",
      "02.blog/01.first/gone.png",
      "../site.yaml",
      "%00",
      "x".repeat(300),
    ]) {
      await editor.json(404, "DELETE", `/admin/api/media?path=${path}`);
    }
  });

  it("moves a file with its description to another page, with links and fields that name it", async () => {
    const from = "03.old/photo.png";
    const pages = {
      "blueprints/card.yaml": "fields:\n  cover: { type: media }\n  more: { type: media }\n",
      "content/03.old/card.md": "---\ntitle: Old\ncover: photo.png\n---\n![](photo.png)\n",
      "content/04.new/card.md": "---\ntitle: New\ncover: old/photo.png\n---\n",
      [`content/${from}.meta.yaml`]: "alt: A boat\n",
    };
    for (const [path, text] of Object.entries(pages)) await site.write(path, text);
    await site.write(`content/${from}`, png);
    const content = site.site.use("content");
    await until(() => content.blueprints.of("card") !== undefined);
    await content.rebuild();
    const move = { path: from, folder: "04.new/card.md" };
    const taken = await author.json(403, "POST", "/admin/api/media/move", move);
    assert.match(taken.error, /pages\.publish/);
    const moved = await editor.json(200, "POST", "/admin/api/media/move", move);
    assert.equal(moved.to, "04.new/photo.png");
    const text = (path: string) => readFile(join(site.root, "content", path), "utf8");
    assert.equal(await text("04.new/photo.png.meta.yaml"), "alt: A boat\n");
    assert.match(
      await text("03.old/card.md"),
      /cover: new\/photo\.png\n---\n!\[\]\(\.\.\/04\.new\/photo\.png\)/,
    );
    assert.match(await text("04.new/card.md"), /cover: new\/photo\.png/);
    await assert.rejects(access(join(site.root, "content", from)));
    await site.write(`content/${from}`, png);
    await content.refresh([from]);
    assert.equal((await editor.send("POST", "/admin/api/media/move", move)).status, 409);
    const none = { path: "03.old/none.png", folder: "04.new" };
    assert.equal((await editor.send("POST", "/admin/api/media/move", none)).status, 404);
    const nowhere = { path: from, folder: "none" };
    assert.equal((await editor.send("POST", "/admin/api/media/move", nowhere)).status, 404);
  });
});
