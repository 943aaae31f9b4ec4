import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const COMPOSED = "caf\u00e9";
const DECOMPOSED = "cafe\u0301";
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

describe("media whose names are in another Unicode form", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "content/index.md": `# Home\n\n![pic](${COMPOSED}.gif)\n`,
        [`content/${DECOMPOSED}.gif`]: GIF,
        [`content/${DECOMPOSED}/index.md`]: "---\nroles: member\n---\n# Members\n",
        [`content/${DECOMPOSED}/secret.gif`]: GIF,
      },
      plugins: ["content", "markdown", "render", "pages", "media", "session", "users", "security"],
    });
  });
  after(() => site.close());

  for (const name of [COMPOSED, DECOMPOSED]) {
    it(`are served by ${encodeURIComponent(name)}`, async () => {
      assert.equal((await site.fetch(`/${encodeURIComponent(name)}.gif`)).status, 200);
      const direct = await site.fetch(`/content-media/${encodeURIComponent(name)}.gif`);
      assert.equal(direct.status, 200);
    });

    it(`stay gated below the folder ${encodeURIComponent(name)}`, async () => {
      const path = `/content-media/${encodeURIComponent(name)}/secret.gif`;
      assert.notEqual((await site.fetch(path)).status, 200);
    });
  }

  it("are the images of pages that name them", async () => {
    const html = await (await site.fetch("/")).text();
    assert.match(html, /<img[^>]*src="\/content-media\/cafe%CC%81\.gif/);
  });
});
