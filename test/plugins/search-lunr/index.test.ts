import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";

describe("search-lunr", () => {
  const files = { "content/01.home/default.md": "# Home\n\nAn apple a day." };
  const env = { SITE_ENV: "production" };

  it("replaces the engine through configuration only", async () => {
    const site = await bootSite({
      plugins: ["content", "markdown", "search", "search-lunr"],
      files,
      env,
      settings: { system: { search: { engine: "lunr" } } },
    });
    const answer = (await (await site.fetch("/api/search?q=apple")).json()) as {
      items: { score: number }[];
    };
    assert.equal(site.site.use("search").state().engine, "lunr");
    assert.equal(answer.items[0]?.score, 1);
    await site.close();
  });
});
