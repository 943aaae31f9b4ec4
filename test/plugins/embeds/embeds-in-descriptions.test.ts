import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";

const VIDEO = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

describe("the description of a page with an embed", () => {
  it("has no address that is shown as an embed, and every other address", async () => {
    const site = await bootSite({
      plugins: ["content", "embeds", "markdown", "outbound", "render"],
      files: {
        "content/a.md": `---\ntitle: A\n---\nBefore\n\n${VIDEO}\n\nAfter\n\nhttps://example.org/x\n`,
      },
      settings: { system: { content: { markdown: { embeds: ["youtube"] } } } },
    });
    try {
      const html = await (await site.fetch("/a")).text();
      const [, description = ""] = /<meta name="description" content="([^"]*)"/.exec(html) ?? [];
      assert.equal(description, "Before After https://example.org/x");
    } finally {
      await site.close();
    }
  });
});
