import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const path = "02.blog/01.first/post.md";
const files = {
  [`content/${path}`]:
    "---\ntitle: First\nslug: one\nroutes: { aliases: [/old] }\npublish_date: 2020-01-01\n---\nText.\n",
  "content/02.blog/01.first/post.de.md": "---\ntitle: Erster\n---\nText.\n",
  "content/02.blog/01.first/photo.txt": "photo",
  "content/02.blog/01.first/photo.txt.meta.yaml": "alt: A photo\n",
  "content/02.blog/01.first/files/plan.txt": "plan",
  "content/02.blog/01.first/_hero/default.md": "---\ntitle: Hero\n---\n",
  "content/02.blog/01.first/below/default.md": "---\ntitle: Below\n---\n",
  "content/02.blog/01.first/below/own.txt": "own",
  "content/about.md": "---\ntitle: About\n---\n",
};

describe("POST {admin.path}/api/pages/duplicate", () => {
  const site = useFreshAdmin({
    files,
    settings: { system: { languages: { supported: ["en", "de"] } } },
  });
  const author = site.user("author");
  const duplicate = (body: object, who = author) =>
    who.json(201, "POST", "/admin/api/pages/duplicate", body);
  const below = (folder: string) =>
    readdir(join(site.root, "content", folder), { recursive: true }).then((all) => all.toSorted());
  const onDisk = (file: string) => readFile(join(site.root, "content", file), "utf8");

  it("copies a page with its languages, modules and media, without the pages below it", async () => {
    const copy = await duplicate({ path });
    assert.equal(copy.sourcePath, "02.blog/03.first-copy/post.md");
    assert.equal(copy.route, "/blog/first-copy");
    assert.equal(copy.status, "draft");
    assert.equal(copy.raw, "---\ntitle: First (copy)\nstatus: draft\n---\nText.\n");
    assert.deepEqual(await below("02.blog/03.first-copy"), [
      "_hero",
      "_hero/default.md",
      "files",
      "files/plan.txt",
      "photo.txt",
      "photo.txt.meta.yaml",
      "post.de.md",
      "post.md",
    ]);
    assert.match(await onDisk("02.blog/03.first-copy/post.de.md"), /Erster \(Kopie\)/);
    assert.equal((await site.fetch("/api/pages/blog/first-copy")).status, 404);
  });

  it("leaves modules published with the right to publish, and hides them without", async () => {
    await duplicate({ path });
    assert.match(await onDisk("02.blog/03.first-copy/_hero/default.md"), /status: draft/);
    await duplicate({ path }, await site.as("editor"));
    assert.equal(
      await onDisk("02.blog/04.first-copy-2/_hero/default.md"),
      files["content/02.blog/01.first/_hero/default.md"],
    );
  });

  it("finds a free address again and again, also for a page that is a file", async () => {
    const paths = [];
    for (let time = 0; time < 3; time += 1)
      paths.push((await duplicate({ path: "about.md" })).sourcePath);
    assert.deepEqual(paths, ["about-copy.md", "about-copy-2.md", "about-copy-3.md"]);
  });

  it("copies a text that is not saved", async () => {
    const content = "---\ntitle: First\n---\nUnsaved.\n";
    assert.match((await duplicate({ path, content })).raw, /First \(copy\)[^]*Unsaved\./);
  });

  it("needs the right to create pages, and leaves nothing behind when it fails", async () => {
    const reader = await site.withToken(["pages.read"]);
    const url = "/admin/api/pages/duplicate";
    assert.equal((await reader.send("POST", url, { path })).status, 403);
    const blind = await site.withToken(["pages.create"]);
    assert.equal((await blind.send("POST", url, { path })).status, 403);
    const textOnly = await site.withToken(["pages.read", "pages.create"]);
    const { error } = await textOnly.json(403, "POST", url, { path });
    assert.match(error, /media\.upload/);
    assert.deepEqual(
      (await below("02.blog")).filter((name) => name.includes("copy")),
      [],
    );
    assert.equal((await author.send("POST", url, { path: "none.md" })).status, 404);
  });

  it("copies no page that cannot be read", async () => {
    await site.write("content/bad.md", "---\ntitle: [\n---\n");
    await site.site.use("content").rebuild();
    const url = "/admin/api/pages/duplicate";
    const { error } = await author.json(400, "POST", url, { path: "bad.md" });
    assert.match(error, /bad\.md/);
  });
});
