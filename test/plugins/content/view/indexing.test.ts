import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const PAGES: Readonly<Record<string, { matter: string; isIndexed: boolean }>> = {
  plain: { matter: "title: P", isIndexed: true },
  robots: { matter: "robots: noindex", isIndexed: false },
  list: { matter: "robots: [noindex, nofollow]", isIndexed: false },
  flag: { matter: "noindex: true", isIndexed: false },
  metadata: { matter: "metadata: { robots: 'NOINDEX, nofollow' }", isIndexed: false },
  none: { matter: "metadata: { Robots: none }", isIndexed: false },
  follow: { matter: "robots: nofollow", isIndexed: true },
  preview: { matter: "robots: max-image-preview:none", isIndexed: true },
  off: { matter: "noindex: false", isIndexed: true },
  elsewhere: { matter: "routes: { canonical: 'https://b.example/x' }", isIndexed: false },
  other: { matter: "routes: { canonical: /plain }", isIndexed: false },
  itself: { matter: "routes: { canonical: 'https://a.example/itself/' }", isIndexed: true },
};

describe("pages that search engines must not list", () => {
  let site: TestSite;
  before(async () => {
    const files = Object.entries(PAGES).map(([name, { matter }]) => [
      `content/${name}.md`,
      `---\n${matter}\ndate: 2026-01-01\n---\nText`,
    ]);
    site = await bootSite({
      files: { "content/index.md": "# Home", ...Object.fromEntries(files) },
      settings: { site: { url: "https://a.example" } },
    });
  });
  after(() => site.close());
  const text = async (path: string): Promise<string> => (await site.fetch(path)).text();

  for (const [name, { matter, isIndexed }] of Object.entries(PAGES)) {
    it(`${isIndexed ? "lists" : "leaves out"} a page with ${matter}`, async () => {
      const sitemap = await text("/sitemap.xml");
      assert.equal(sitemap.includes(`<loc>https://a.example/${name}</loc>`), isIndexed);
      assert.equal((await text("/llms.txt")).includes(`/${name}.md)`), isIndexed);
      assert.equal((await text("/feed.xml?x")).includes(`/${name}<`), true);
    });
  }

  it("states the directives in the page and with its Markdown", async () => {
    for (const name of ["robots", "list", "flag", "metadata", "none"]) {
      const page = await text(`/${name}`);
      const tags = page.match(/<meta name="robots"[^>]*>/gi) ?? [];
      assert.equal(tags.length, 1, name);
      assert.match(tags[0] ?? "", /noindex|none/i, name);
      const { headers } = await site.fetch(`/${name}.md`);
      assert.match(headers.get("x-robots-tag") ?? "", /noindex|none/i, name);
    }
  });

  it("links the canonical address of a page from its Markdown", async () => {
    const { headers } = await site.fetch("/elsewhere.md");
    assert.equal(headers.get("link"), '<https://b.example/x>; rel="canonical"');
  });

  it("leaves out every page of a site with noindex, except those that say otherwise", async () => {
    const closed = await bootSite({
      files: { "content/index.md": "# Home", "content/a.md": "---\nrobots: index\n---\n# A" },
      settings: { site: { url: "https://a.example", metadata: { robots: "noindex" } } },
    });
    const sitemap = await (await closed.fetch("/sitemap.xml")).text();
    assert.deepEqual(sitemap.match(/<loc>[^<]*/g), ["<loc>https://a.example/a"]);
    await closed.close();
  });
});
