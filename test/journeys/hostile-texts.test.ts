import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const hostile = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>";

describe("texts of pages in JSON and in scripts", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      plugins: ["content", "markdown", "pages", "search", "security"],
      files: {
        "content/01.home/default.md": `---\ntitle: '${hostile}'\n---\n${hostile} words`,
      },
    });
  });
  after(() => site.close());

  it("have a JSON content type that browsers do not render", async () => {
    for (const path of ["/api/pages/", "/api/pages", "/api/search?q=words", "/api/nav"]) {
      const response = await site.fetch(path);
      const text = await response.text();
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/, path);
      assert.equal(response.headers.get("x-content-type-options"), "nosniff", path);
      assert.doesNotThrow(() => void JSON.parse(text), path);
    }
    const page = (await (await site.fetch("/api/pages/")).json()) as {
      rawContent: string;
      html: string;
    };
    assert.ok(page.rawContent.includes(hostile), "the source is the source");
    assert.doesNotMatch(page.html, /<script|onerror/u);
  });

  it("cannot close a script of the search page", async () => {
    for (const query of ["words", hostile]) {
      const html = await (await site.fetch(`/search?q=${encodeURIComponent(query)}`)).text();
      assert.equal(html.match(/<script/gu)?.length, 1, "the page's own");
      assert.equal(html.match(/<\/script/gu)?.length, 1);
      assert.doesNotMatch(html, /<img/u);
    }
  });
});
