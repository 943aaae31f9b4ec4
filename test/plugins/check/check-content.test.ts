import assert from "node:assert/strict";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { checkContentCommand } from "../../../plugins/check/commands.js";
import { useFolder } from "../../support/folder.js";
import { startProcess } from "../../support/processes/site-process.js";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootPages, runCommand } from "../../support/sites/check-site.js";

describe("content:check", () => {
  let site: TestSite;
  afterEach(() => site.close());

  it("reports no problems and exits with 0", async () => {
    site = await bootPages();
    const { code, lines } = await runCommand(site, checkContentCommand());
    assert.deepEqual([code, lines], [0, ["no problems"]]);
  });

  it("exits with 0 for warnings, with 1 for errors, and names file, line and code", async () => {
    site = await bootPages({ "content/02.blog/lost.png": "x" });
    const warned = await runCommand(site, checkContentCommand());
    assert.deepEqual([warned.code, warned.lines.at(-1)], [0, "0 errors, 1 warnings"]);
    await site.close();
    site = await bootPages({ "content/03.bad/default.md": "# Bad\n[x](/none)\n" });
    const { code, lines } = await runCommand(site, checkContentCommand());
    assert.deepEqual([code, lines.at(-1)], [1, "1 errors, 0 warnings"]);
    assert.match(lines[0] ?? "", /^03\.bad\/default\.md:2 {2}error .*\(ERR_CHECK_LINK\)$/);
    const { json } = await runCommand(site, checkContentCommand(), { options: { json: true } });
    assert.match(JSON.stringify(json), /"errors":1,"warnings":0/);
  });

  it("sorts by path, then by line, and reports missing templates of pages", async () => {
    site = await bootPages({
      "content/03.b/default.md": "[x](/no)\n\n[y](/nor)",
      "content/04.c/default.md": "[x](/no)",
      "content/05.d/nothing.md": "# D",
    });
    const { lines } = await runCommand(site, checkContentCommand());
    assert.deepEqual(
      lines.slice(0, -1).map((line) => line.replace(/ .*\(/s, " ")),
      [
        "03.b/default.md:1 ERR_CHECK_LINK)",
        "03.b/default.md:3 ERR_CHECK_LINK)",
        "04.c/default.md:1 ERR_CHECK_LINK)",
        "05.d/nothing.md ERR_CHECK_TEMPLATE)",
      ],
    );
  });

  it("reports what does not fit a blueprint, and exits with 1 only when strict", async () => {
    site = await bootPages({
      "blueprints/item.yaml": "fields:\n  price: { type: number }\n  size: { type: numbr }\n",
      "content/03.shop/item.md": "---\nprice: dear\ntemplate: item\n---\n# Shop\n",
    });
    const { code, lines } = await runCommand(site, checkContentCommand());
    assert.match(lines.join("\n"), /^03\.shop\/item\.md:2 {2}warning .*price: "dear" {2}correct/m);
    assert.match(lines.join("\n"), /^blueprints\/item\.yaml:3 {2}warning .*did you mean number/m);
    assert.equal(code, 0);
    const strict = await runCommand(site, checkContentCommand(), { options: { strict: true } });
    assert.equal(strict.code, 1);
  });
});

describe("content:check of a site with logins", function () {
  this.timeout(60_000);
  const folder = useFolder();

  it("does not report that the logins are missing, which it does not load", async () => {
    const files = {
      "site.yaml": "title: Site\nauth: { providers: { magicLink: { enabled: true } } }\n",
      "content/01.home/default.md": "# Home\n",
      "content/02.members/default.md": "---\ntitle: Members\nroles: member\n---\nText.\n",
    };
    for (const [path, text] of Object.entries(files))
      await atomicWrite(join(folder.path, path), text);
    const check = startProcess(["content:check", "--strict", "--root", folder.path]);
    assert.deepEqual([await check.ended(), check.text()], [0, "no problems\n"]);
  });
});
