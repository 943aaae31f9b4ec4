import assert from "node:assert/strict";
import { addressOf, listPaths } from "../../../plugins/cdn/ledger.js";
import { bootSite } from "../../support/sites/boot-site.js";

describe("the addresses of a page", () => {
  it("are its own, its aliases and the API's, in its language", async () => {
    const site = await bootSite({
      plugins: ["content", "markdown"],
      files: {
        "content/01.home/default.md": "# Home\n",
        "content/01.home/default.de.md": "---\nroutes:\n  aliases: [/start]\n---\n# Home\n",
        "content/01.blog/default.md": "---\nroutes:\n  aliases: [/old]\n---\n# Blog\n",
        "content/01.blog/default.de.md": "---\nroutes:\n  aliases: [/alt]\n---\n# Blog\n",
      },
      settings: { system: { languages: { supported: ["en", "de"], default: "en" } } },
    });
    const content = site.site.use("content");
    const { entries } = content.generation();
    const byUrl = new Map(entries.map((entry) => [entry.url, listPaths(entry, content.addresses)]));
    assert.deepEqual(byUrl.get("/blog"), ["/blog", "/old", "/api/pages/blog"]);
    assert.deepEqual(byUrl.get("/de/blog"), ["/de/blog", "/de/alt", "/api/pages/blog"]);
    assert.deepEqual(byUrl.get("/de"), ["/de", "/de/start", "/api/pages/"]);
    await site.close();
  });

  it("are absolute below the base, percent-encoded once", () => {
    assert.equal(addressOf("https://a.example", "/%C3%BC?q=1"), "https://a.example/%C3%BC?q=1");
    assert.equal(addressOf("https://a.example/sub", "/ü x"), "https://a.example/sub/%C3%BC%20x");
  });
});
