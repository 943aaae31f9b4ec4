import { after, before, describe, it } from "node:test";
import { createTestSite, type TestSite } from "sitewright/testing";
import { requests } from "./requests.js";

void describe("Express middlewares in a test site", () => {
  let site: TestSite;
  before(async () => {
    site = await createTestSite({
      plugins: [new URL("./middlewares.mjs", import.meta.url)],
      files: { "content/index.md": "# Home\n" },
    });
  });
  after(() => site.close());

  for (const [name, check] of Object.entries(requests)) {
    void it(name, () => check({ fetch: (path, init) => site.fetch(path, init), root: site.root }));
  }
});
