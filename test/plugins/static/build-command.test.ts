import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportFolder, type ExportedFolder } from "../../support/processes/export-folder.js";
import { startProcess } from "../../support/processes/site-process.js";

describe("site build --static", function () {
  // Each export is a process with its own site.
  this.timeout(120_000);
  let site: ExportedFolder;

  before(async () => {
    site = await exportFolder({
      "content/01.home/default.md": "# Home\n\n[s](../02.sträße/default.md) [s](/a%20b)",
      "content/02.sträße/default.md": "# S",
      "content/03.a b/default.md": "# Space\n\n[home](/)",
    });
  });
  after(() => site.close());

  async function build(
    ...options: readonly string[]
  ): Promise<{ code: number | null; text: string }> {
    const process = startProcess(["build", "--static", ...options, "--root", site.root]);
    const code = await process.ended();
    return { code, text: process.text() };
  }

  it("exits with 0 when links with spaces and non-ASCII characters lead to pages", async () => {
    const { code, text } = await build();
    assert.equal(code, 0, text);
    assert.ok(existsSync(join(site.root, "dist/sträße/index.html")));
  });

  it("lists the pages that it leaves out, with the reason", async () => {
    await writeFile(join(site.root, "content/health.md"), "# Health");
    await writeFile(join(site.root, "content/club.md"), "---\nroles: [member]\n---\n# Club");
    const { code, text } = await build();
    assert.match(text, /\d+ rendered, \d+ unchanged, \d+ written, \d+ removed, \d+ ms/);
    assert.equal(code, 0, text);
    assert.match(text, /health\.md left out: .* the route "\/health" answers/);
    assert.match(text, /club\.md left out: only members may read it/);
  });

  it("exits with 0 and names redirects that lead to nothing, with the fix", async () => {
    const gone = "redirects:\n  /old: /deleted\n  /old/*: /deleted/:splat\n  /s: /sträße\n";
    const settings = join(site.root, "site.yaml");
    const before = await readFile(settings, "utf8");
    await writeFile(settings, before + gone);
    await writeFile(join(site.root, "content/away.md"), "---\nredirect: /deleted\n---\n# Away");
    const { code, text } = await build();
    assert.equal(code, 0, text);
    const lines = text.split("\n").filter((line) => line.includes("/deleted"));
    assert.equal(lines.length, 2, text);
    assert.match(lines[0] ?? "", /redirect from \/away .*\/deleted.*correct or remove/);
    assert.match(lines[1] ?? "", /redirect from \/old /);
    const json = await build("--json");
    assert.match(json.text, /"deadRedirects": ?\[\s*\{\s*"from": ?"\/away"/);
    assert.match(json.text, /"success": ?true/);
    await rm(join(site.root, "content/away.md"));
    await writeFile(settings, before);
  });

  it("exits with 1 and names a broken link, unless broken links are allowed", async () => {
    const page = join(site.root, "content/02.sträße/default.md");
    await writeFile(page, "# S\n\n[x](/nowhere%20at all) [y](/nowhere%20at%20all)");
    const { code, text } = await build();
    assert.equal(code, 1, text);
    assert.match(text, /\/nowhere at all is not there; linked from \/str/);
    assert.match(text, /--allow-broken-links/);
    assert.ok(existsSync(join(site.root, "dist/index.html")));
    const allowed = await build("--allow-broken-links", "--json");
    assert.equal(allowed.code, 0, allowed.text);
    assert.match(allowed.text, /"success": ?true/);
    const json = await build("--json");
    assert.equal(json.code, 1, json.text);
    assert.match(json.text, /"success": ?false/);
  });
});
