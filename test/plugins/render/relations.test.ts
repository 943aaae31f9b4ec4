import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/boot-site.js";
import { until } from "../../support/until.js";

const post = (author: string): string =>
  `---\ntitle: A post\nauthor: ${author}\nparts:\n  - 7\n  - { type: quote, text: Wind., author: ${author} }\n---\nText.\n`;

describe("relations in the default theme", () => {
  let site: TestSite;
  const html = async (path: string) => (await site.fetch(path)).text();
  before(async () => {
    site = await bootSite({
      plugins: ["content", "markdown", "render", "media", "cache"],
      env: { SITE_ENV: "production" },
      files: {
        "blueprints/author.yaml": "template: default\n",
        "blueprints/post.yaml":
          "fields:\n  author: { type: page, of: [author] }\n  parts: { type: blocks }\n",
        "blueprints/blocks/quote.yaml":
          "fields: { text: { type: text }, author: { type: page, of: [author] } }\n",
        "content/01.home/default.md": "# Home\n",
        "content/02.authors/ines/author.md": "---\ntitle: Ines & Co\n---\n",
        "content/02.authors/hidden/author.md": "---\ntitle: Hidden\npublished: false\n---\n",
        "content/03.blog/shown/post.md": post("authors/ines"),
        "content/03.blog/unseen/post.md": post("authors/hidden"),
      },
    });
  });
  after(() => site.close());

  const link = '<a href="/authors/ines">Ines &amp; Co</a>';

  it("link to the page with its title, in pages and blocks", async () => {
    const page = await html("/blog/shown");
    assert.equal(page.split(link).length, 3);
    assert.doesNotMatch(page, />authors\/ines</);
  });

  it("show nothing of a page that the visitor may not see", async () => {
    const page = await html("/blog/unseen");
    assert.match(page, /Wind\./);
    assert.doesNotMatch(page, /authors\/hidden|>Hidden/);
  });

  it("follow the page that they name", async () => {
    await site.write("content/02.authors/ines/author.md", "---\ntitle: Inez\n---\n");
    await until(async () =>
      (await html("/blog/shown")).includes('<a href="/authors/ines">Inez</a>'),
    );
  });
});
