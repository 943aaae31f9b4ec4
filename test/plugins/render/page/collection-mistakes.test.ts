import assert from "node:assert/strict";
import { RecordedLog } from "#lib/testing";
import { bootSite } from "../../../support/sites/boot-site.js";

describe("a list in front matter that cannot be read", () => {
  it("is logged with page, key, value and fix; the page is shown without it", async () => {
    const log = new RecordedLog();
    const site = await bootSite({
      log: log.logger,
      plugins: ["content", "markdown", "render"],
      files: {
        "content/a.md": '---\ntitle: A\ncollection: { itmes: "@self.children" }\n---\nx\n',
        "content/b.md": "---\ntitle: B\ncollections: { news: { items: 3 } }\n---\nx\n",
      },
    });
    try {
      for (const path of ["/a", "/b"]) assert.equal((await site.fetch(path)).status, 200);
      const logged = log.of("render.collection_invalid").map(({ fields }) => fields);
      const found = new Set(logged.map(({ page, error, fix }) => [page, error, fix].join(" | ")));
      assert.deepEqual(
        [...found],
        [
          'a.md | collection.itmes: received "@self.children", expected a known key | did you mean "items"?',
          "b.md | collections.news.items: received 3, expected text or keys and values | correct the value",
        ],
      );
    } finally {
      await site.close();
    }
  });
});
