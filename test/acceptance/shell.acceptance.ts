import assert from "node:assert/strict";
import { join } from "node:path";
import { home, runSite, writeSite } from "./home.js";
import { checkBlocks } from "./shell-blocks.js";
import { firstCommand, OWN_SITES, runnableOf, shellBlocks, SKIPPED } from "./shell-pages.js";

describe("the shell blocks of README.md and content/", function () {
  this.timeout(150_000);

  for (const [page, { files = {}, before, site }] of Object.entries(OWN_SITES)) {
    it(`${page}: runs from the top to the end`, async () => {
      const own = runnableOf(page);
      const name = join("blocks", page.replaceAll("/", "-"), "site");
      await writeSite(name, files);
      const folder = join(home, name);
      // The tabs of this page are alternatives.
      if (!page.includes("03.new-site")) return checkBlocks(own, { folder, before, site });
      for (const block of own)
        await checkBlocks([block], { folder: join(folder, String(block.line)) });
    });
  }

  it("are skipped for a reason that still applies", () => {
    const unused = SKIPPED.filter(
      ([page, command]) =>
        !shellBlocks.some(
          (block) => block.page.startsWith(page) && firstCommand(block).startsWith(command),
        ),
    );
    assert.deepEqual(unused, []);
  });

  it("show every command as site --help lists it", async () => {
    const { text } = await runSite("--help");
    const shown = shellBlocks.filter(({ page }) =>
      page.startsWith("content/05.operate/16.command-line"),
    );
    const names = shown.flatMap((block) => /^site ([\w:]+)/.exec(block.text)?.[1] ?? []);
    assert.ok(names.length > 50);
    assert.deepEqual(
      names.filter((name) => !new RegExp(`^\\s+${name}\\b`, "m").test(text)),
      [],
    );
  });
});
