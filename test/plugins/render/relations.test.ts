import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
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

describe("fields that a blueprint shows, in the default theme", () => {
  let site: TestSite;
  const html = async (path: string) => (await site.fetch(path)).text();
  before(async () => {
    const fields = {
      price: { type: "number", label: "Price" },
      kind: { type: "select", label: "Kind", options: { book: "A book" } },
      web: { type: "url", label: "Site" },
      by: { type: "pages", label: "Makers" },
      size: { type: "object", label: "Size", fields: { width: { type: "number" } } },
      isbn: { type: "text", label: "ISBN" },
    };
    const show = ["price", "kind", "web", "by", "size", "isbn", "prise"];
    const product = JSON.stringify({ template: "default", show, fields });
    const matter = (values: object): string => `---\n${JSON.stringify(values)}\n---\nText.\n`;
    const whole = { title: "Lamp", price: 1250, kind: "book", web: "https://example.org/a" };
    const hostile = { title: "Bad", web: "javascript:alert(1)", kind: "<b>", by: ["hidden"] };
    site = await bootSite({
      plugins: ["content", "markdown", "render", "media", "cache"],
      files: {
        "blueprints/product.yaml": product,
        "content/01.home/default.md": "# Home\n",
        "content/02.hidden/default.md": "---\ntitle: Hidden\npublished: false\n---\n",
        "content/03.lamp/product.md": matter({
          ...whole,
          by: ["home", "hidden"],
          size: { width: 3 },
        }),
        "content/04.bad/product.md": matter(hostile),
      },
    });
  });
  after(() => site.close());

  it("are listed with their labels, pages as links, without empty values and maps", async () => {
    const page = await html("/lamp");
    const [list = ""] = /<dl class="facts-list">.*?<\/dl>/s.exec(page) ?? [];
    const text = list
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    assert.equal(text, "Price 1,250 Kind A book Site example.org/a Makers Home");
    assert.match(list, /<a href="\/">Home<\/a>/);
    assert.match(list, /<a href="https:\/\/example\.org\/a">/);
  });

  it("are escaped, and lead nowhere but to web pages", async () => {
    const page = await html("/bad");
    const [list = ""] = /<dl class="facts-list">.*?<\/dl>/s.exec(page) ?? [];
    assert.doesNotMatch(list, /href|<b>|Hidden|Makers/);
    assert.match(list, /&lt;b/);
  });

  it("are reported when the blueprint has no such field", () => {
    const { problems } = site.site.use("content").blueprints;
    const [problem] = problems.filter(({ sourcePath }) => sourcePath === "blueprints/product.yaml");
    assert.match(problem?.message ?? "", /there is no field prise/);
    assert.equal(problem?.fix, "did you mean price?");
  });
});
