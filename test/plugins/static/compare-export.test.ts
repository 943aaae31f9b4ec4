import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compareExport } from "../../../plugins/static/check-export.js";
import { parseBaseUrl } from "../../../plugins/static/plan/addresses.js";
import { readManifest } from "../../../plugins/static/commit/manifest.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { exportFolder } from "../../support/processes/export-folder.js";

describe("build --static --check", () => {
  it("finds no difference after an export, and every difference after changes", async function () {
    this.timeout(120_000);
    const site = await exportFolder({
      "content/01.home/default.md": "---\ntitle: Home\n---\n[About](/about)\n",
      "content/02.about/default.md": "---\ntitle: About\n---\nUs.\n",
    });
    await site.export();
    const server = await bootSite({ root: site.root, env: { SITE_ENV: "production" } });
    const compare = async () => {
      const manifest = await readManifest(site.out);
      if (manifest === null || manifest === "damaged") throw new Error("there is no manifest");
      return compareExport({
        out: site.out,
        manifest,
        siteAddress: parseBaseUrl("https://example.org"),
        server: server.url,
        searchHeads: new Map([
          ["/search", '<script type="module" src="/_site/search/search.js"></script>'],
        ]),
        get: async (address) => {
          const answer = await fetch(address, { redirect: "manual" });
          const body = Buffer.from(await answer.arrayBuffer());
          const type = answer.headers.get("content-type") ?? "";
          return { status: answer.status, type, body };
        },
      });
    };
    try {
      assert.deepEqual(await compare(), []);
      await writeFile(join(site.out, "about/index.html"), "<h1>Them</h1>");
      await rm(join(site.out, "feed.xml"));
      const urls = (await compare()).map(({ url }) => url).sort();
      assert.deepEqual(urls, ["/about", "/feed.xml"]);
    } finally {
      await server.close();
      await site.close();
    }
  });
});
