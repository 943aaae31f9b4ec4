import assert from "node:assert/strict";
import { deletePageCommand } from "../../../plugins/check/commands.js";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootPages, runCommand } from "../../support/sites/check-site.js";

describe("content:delete", () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await bootPages({ "content/02.blog/01.one/p.png": "x", "content/note.md": "# N" });
  });
  afterEach(() => site.close());
  const remove = (args: string[], options: Record<string, unknown> = {}) =>
    runCommand(site, deletePageCommand(), { args, options });
  const status = async (path: string): Promise<number> => (await site.fetch(path)).status;

  it("deletes nothing without --confirm, but lists the files and the links to the page", async () => {
    const { code, lines } = await remove(["/blog/one"]);
    assert.equal(code, 1);
    assert.deepEqual(lines.slice(0, 2).toSorted(), [
      "02.blog/01.one/default.md",
      "02.blog/01.one/p.png",
    ]);
    assert.equal(lines[2], "linked from 01.home/default.md:4");
    assert.equal(await status("/blog/one"), 200);
  });

  it("deletes nothing with --dry-run, also with --confirm", async () => {
    assert.equal((await remove(["/blog/one"], { dryRun: true, confirm: true })).code, 0);
    assert.equal(await status("/blog/one"), 200);
  });

  it("deletes a page with everything below it, and a single file", async () => {
    assert.equal((await remove(["/note"], { confirm: true })).code, 0);
    assert.equal(await status("/blog"), 200);
    assert.equal((await remove(["/blog"], { confirm: true })).code, 0);
    assert.deepEqual(
      [await status("/note"), await status("/blog"), await status("/blog/one"), await status("/")],
      [404, 404, 404, 200],
    );
  });

  it("exits with 2 for routes without a page, and deletes nothing", async () => {
    for (const route of ["", "/", "/none", "/../01.home", "/.git"])
      assert.equal((await remove([route], { confirm: true })).code, 2, JSON.stringify(route));
    assert.equal(site.site.use("content").generation().entries.length, 4);
  });
});
