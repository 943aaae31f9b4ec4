import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { movePageCommand } from "../../../plugins/check/commands.js";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootPages, runCommand } from "../../support/sites/check-site.js";

describe("content:move", () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await bootPages();
  });
  afterEach(() => site.close());
  const move = (args: string[], options: Record<string, unknown> = {}) =>
    runCommand(site, movePageCommand(), { args, options });
  const home = () => readFile(join(site.root, "content/01.home/default.md"), "utf8");

  it("moves the page, updates links and redirects", async () => {
    const { code, lines } = await move(["/blog/one", "/blog/eins"]);
    assert.equal(code, 0);
    assert.deepEqual(lines, [
      "02.blog/01.one → 02.blog/01.eins",
      "links rewritten: 01.home/default.md",
    ]);
    assert.match(await home(), /\(\/blog\/eins\)/);
    const answer = await site.fetch("/blog/one");
    assert.equal(answer.headers.get("location"), "/blog/eins");
  });

  it("redirects nothing with --no-redirect", async () => {
    await move(["/blog/one", "/blog/eins"], { redirect: false });
    assert.equal((await site.fetch("/blog/one")).status, 404);
  });

  it("changes nothing with --dry-run", async () => {
    const { code, lines } = await move(["/blog/one", "/blog/eins"], { dryRun: true });
    assert.deepEqual([code, lines.length], [0, 2]);
    assert.match(await home(), /\(\/blog\/one\)/);
    assert.equal((await site.fetch("/blog/one")).status, 200);
  });

  it("exits with 2 for wrong routes, and changes nothing", async () => {
    for (const args of [
      [],
      ["/none", "/x"],
      ["/blog/one"],
      ["/blog/one", "/blog"],
      ["/blog/one", "/../x"],
    ]) {
      const { code, errors } = await move(args);
      assert.deepEqual([code, errors.length], [2, 3], errors.join("\n"));
    }
    assert.match(await home(), /\(\/blog\/one\)/);
  });
});
