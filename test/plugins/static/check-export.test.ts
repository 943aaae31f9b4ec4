import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { exportFolder, type ExportedFolder } from "../../support/processes/export-folder.js";
import { startProcess } from "../../support/processes/site-process.js";

describe("site build --static --check", function () {
  // Each check is a process with its own site.
  this.timeout(120_000);
  let site: ExportedFolder;
  let server: TestSite;

  before(async () => {
    site = await exportFolder({
      "content/01.home/default.md": "---\ntitle: Home\n---\n[About](/about)\n",
      "content/02.about/default.md": "---\ntitle: About\n---\nUs.\n",
    });
    await site.export();
    server = await bootSite({ root: site.root, env: { SITE_ENV: "production" } });
  });
  after(async () => {
    await server.close();
    await site.close();
  });

  async function check(
    ...options: readonly string[]
  ): Promise<{ code: number | null; text: string }> {
    const command = ["build", "--static", "--check", ...options, "--root", site.root];
    const process = startProcess(command);
    const code = await process.ended();
    return { code, text: process.text() };
  }

  it("exits with 0 and reports no differences when the export equals the server's responses", async () => {
    const { code, text } = await check(server.url);
    assert.equal(code, 0, text);
    assert.match(text, /the export is what http:\/\/\S+ serves/);
  });

  it("exits with 1 and prints each difference, as text or as JSON", async () => {
    await writeFile(join(site.out, "about/index.html"), "<h1>Them</h1>");
    await rm(join(site.out, "feed.xml"));
    const { code, text } = await check(server.url, "--json");
    assert.equal(code, 1, text);
    const { differences } = JSON.parse(text) as { differences: { url: string }[] };
    assert.deepEqual(differences.map(({ url }) => url).sort(), ["/about", "/feed.xml"]);
  });

  it("exits with 1 and names the folder when there is no export", async () => {
    const { code, text } = await check(server.url, "--out", "elsewhere");
    assert.equal(code, 1, text);
    assert.match(text, /elsewhere.*holds no export/s);
  });
});
