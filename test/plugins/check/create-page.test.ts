import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPageCommand } from "../../../plugins/check/commands.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { runCommand } from "../../support/sites/check-site.js";

describe("content:create", () => {
  let site: TestSite;
  before(async () => {
    const files = {
      "content/01.home/default.md": "# Home",
      "content/02.blog/default.md": "[new](/blog/new)",
    };
    site = await bootSite({ files, plugins: ["content", "check"] });
  });
  after(() => site.close());

  const create = async (args: string[], options: Record<string, unknown> = {}) =>
    (await runCommand(site, createPageCommand(), { args, options })).code;
  const raw = (path: string) => readFile(join(site.root, "content", path), "utf8");

  it("numbers a page after its neighbours and leaves it unpublished", async () => {
    assert.equal(await create(["/our-team"]), 0);
    assert.equal(
      await raw("03.our-team/default.md"),
      "---\ntitle: Our team\npublished: false\n---\n\n# Our team\n",
    );
    assert.equal((await site.fetch("/api/pages")).status, 404);
  });

  it("creates a file with --flat, and a title that needs quotes", async () => {
    const options = { flat: true, publish: true, title: "One: two #3", template: "post" };
    assert.equal(await create(["/blog/new"], options), 0);
    assert.equal(
      await raw("02.blog/new.md"),
      '---\ntitle: "One: two #3"\ntemplate: post\n---\n\n# One: two #3\n',
    );
    assert.deepEqual(await site.site.use("check").problems(), []);
  });

  it("rejects taken and invalid routes, and writes nothing outside", async () => {
    for (const route of [
      "/blog",
      "/",
      "",
      "/../x",
      "/a/../../x",
      "/_x",
      "/.git/x",
      "/a\\b",
      "/a\0b",
    ]) {
      assert.equal(await create([route]), 2, JSON.stringify(route));
    }
    assert.equal(await create(["/ok"], { template: "../../x" }), 2);
  });
});
