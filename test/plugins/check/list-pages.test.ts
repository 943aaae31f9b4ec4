import assert from "node:assert/strict";
import { listPagesCommand } from "../../../plugins/check/commands.js";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootPages, runCommand } from "../../support/sites/check-site.js";

describe("content:list", () => {
  let site: TestSite;
  afterEach(() => site.close());

  it("lists every page in tree order, unpublished ones as drafts", async () => {
    site = await bootPages({ "content/03.d/default.md": "---\ntitle: D\npublished: false\n---\n" });
    const { lines } = await runCommand(site, listPagesCommand());
    assert.equal(lines.length, 4);
    assert.equal(lines[0], "/  published  default  Home  01.home/default.md");
    assert.equal(lines[3], "/d  draft  default  D  03.d/default.md");
  });

  it("names the page that is served instead of one that is never shown", async () => {
    const config = { "site.yaml": "title: T\nredirects: { /d: / }\n" };
    site = await bootPages({ ...config, "content/03.d/default.md": "# D" });
    const { lines } = await runCommand(site, listPagesCommand());
    assert.match(
      lines[3] ?? "",
      /^\/d {2}.* {2}the page is never shown: at "\/d" a redirect leads/,
    );
  });

  it("prints one JSON value with --json", async () => {
    site = await bootPages();
    const { json, lines } = await runCommand(site, listPagesCommand(), { options: { json: true } });
    assert.deepEqual([lines.length, json.length], [0, 1]);
  });
});
