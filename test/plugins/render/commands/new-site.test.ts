import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { scaffoldSite } from "../../../../plugins/render/commands/new-site.js";
import { useFolder } from "../../../support/folder.js";

const now = new Date("2026-05-04T10:00:00Z");

describe("site new", () => {
  const folder = useFolder();

  it("writes three pages, a post, an image and the three config files", async () => {
    const files = await scaffoldSite(join(folder.path, "my-site"), now);
    for (const name of ["site.yaml", "system.yaml", "admin.yaml", ".gitignore"]) {
      assert.ok(files.includes(name), name);
    }
    assert.equal(files.filter((file) => file.endsWith(".md")).length, 4);
    assert.ok(files.some((file) => file.endsWith(".png")));
  });

  it("names the site after its folder and dates the post", async () => {
    const root = join(folder.path, `it's "mine": {{date}}`);
    await scaffoldSite(root, now);
    const site: unknown = parse(await readFile(join(root, "site.yaml"), "utf8"));
    assert.ok(typeof site === "object" && site !== null && "title" in site);
    assert.equal(site.title, "It s mine date");
    const post = await readFile(join(root, "content/02.blog/hello-world/post.md"), "utf8");
    assert.match(post, /date: "2026-05-04"/);
  });

  it("touches no folder that holds something", async () => {
    await writeFile(join(folder.path, "mine.txt"), "mine");
    await assert.rejects(scaffoldSite(folder.path, now), { code: "ERR_SCAFFOLD_NOT_EMPTY" });
    await assert.rejects(readFile(join(folder.path, "site.yaml")), { code: "ENOENT" });
  });
});
