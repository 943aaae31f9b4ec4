import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command, Output } from "#kernel";
import { createPageCommand, deletePageCommand } from "../../../plugins/check/commands.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("commands for pages", () => {
  let site: TestSite;
  let printed: string[];
  beforeEach(async () => {
    printed = [];
    const files = {
      "content/01.home/default.md": "# Home",
      "content/02.blog/default.md": "[new](/blog/new)",
    };
    site = await bootSite({ files, plugins: ["content", "check"] });
  });
  afterEach(() => site.close());

  function run(command: Command, args: string[], options: Record<string, unknown> = {}) {
    const colour = {
      bold: String,
      dim: String,
      green: String,
      red: String,
      yellow: String,
      cyan: String,
    };
    const out: Output = {
      line: (text = "") => void printed.push(text),
      json: (value) => void printed.push(JSON.stringify(value)),
      error: (text) => void printed.push(text),
      progress: () => ({ tick: () => undefined, end: () => undefined }),
      colour,
    };
    return command.run({
      args,
      options,
      site: async () => site.site.context("check"),
      out,
      root: site.root,
    });
  }
  const raw = (path: string) => readFile(join(site.root, "content", path), "utf8");

  it("content:create numbers a page after its neighbours and leaves it unpublished", async () => {
    assert.equal(await run(createPageCommand(), ["/our-team"]), 0);
    assert.equal(
      await raw("03.our-team/default.md"),
      "---\ntitle: Our team\npublished: false\n---\n\n# Our team\n",
    );
    assert.equal((await site.fetch("/api/pages")).status, 404);
  });

  it("content:create creates a file with --flat, and a title that needs quotes", async () => {
    const options = { flat: true, publish: true, title: "One: two #3", template: "post" };
    assert.equal(await run(createPageCommand(), ["/blog/new"], options), 0);
    assert.equal(
      await raw("02.blog/new.md"),
      '---\ntitle: "One: two #3"\ntemplate: post\n---\n\n# One: two #3\n',
    );
    assert.deepEqual(await site.site.use("check").problems(), []);
  });

  it("content:create rejects taken and invalid routes, and writes nothing outside", async () => {
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
      assert.equal(await run(createPageCommand(), [route]), 2, JSON.stringify(route));
    }
    assert.equal(await run(createPageCommand(), ["/ok"], { template: "../../x" }), 2);
  });

  it("content:delete deletes only with --confirm, and lists the links to the page", async () => {
    await run(createPageCommand(), ["/blog/new"], { publish: true });
    printed = [];
    assert.equal(await run(deletePageCommand(), ["/blog/new"]), 1);
    assert.ok(printed.includes("linked from 02.blog/default.md:1"));
    assert.equal(await run(deletePageCommand(), ["/blog/new"], { dryRun: true, confirm: true }), 0);
    assert.match(await raw("02.blog/new/default.md"), /New/);
    assert.equal(await run(deletePageCommand(), ["/blog/new"], { confirm: true }), 0);
    await assert.rejects(raw("02.blog/new/default.md"));
    assert.equal(await run(deletePageCommand(), ["/blog/new"], { confirm: true }), 2);
  });
});
