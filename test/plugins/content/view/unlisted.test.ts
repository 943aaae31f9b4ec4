import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const WORD = "Quokka";

describe("pages that are left out of lists", () => {
  const KEYS = ["unlisted: true", "hidden: true", "hidden: yes", "unlisted: maybe"];
  let site: TestSite;
  before(async () => {
    const away = KEYS.map((key, at) => [
      `content/blog/b${at}.md`,
      `---\ntitle: Away\nvisible: true\ndate: 2026-01-01\ntaxonomy: { tag: [x, y] }\n${key}\n---\n${WORD}`,
    ]);
    site = await bootSite({
      files: {
        "content/index.md": "# Home",
        "content/blog/default.md": "---\ncollection: { items: '@self.children' }\n---\n# Blog",
        "content/blog/a.md": `---\ntitle: Seen\ndate: 2026-01-02\ntaxonomy: { tag: [x] }\n---\n${WORD}`,
        ...Object.fromEntries(away),
      },
    });
  });
  after(() => site.close());
  const text = async (path: string): Promise<string> => (await site.fetch(path)).text();

  for (const [at, key] of KEYS.entries()) {
    it(`have their address with ${key}`, async () => {
      assert.equal((await site.fetch(`/blog/b${at}`)).status, 200);
      assert.equal((await site.fetch(`/api/pages/blog/b${at}`)).status, 200);
    });
  }

  for (const path of [
    "/",
    "/blog",
    "/api/pages?limit=50",
    "/api/nav",
    "/api/taxonomy",
    "/api/taxonomy/tag/x",
    `/api/search?q=${WORD}`,
    "/api/search/suggest?q=aw",
    "/feed.xml",
    "/atom.xml",
    "/feed.json",
    "/blog/feed.xml",
    "/sitemap.xml",
    "/llms.txt",
    "/llms-full.txt",
  ]) {
    it(`are left out of ${path}`, async () => {
      assert.doesNotMatch(await text(path), /\/blog\/b\d\b|Away|"y"/);
    });
  }

  it("leave the other page in the lists", async () => {
    for (const path of ["/blog", "/api/pages", "/feed.xml", "/sitemap.xml"])
      assert.match(await text(path), /\/blog\/a\b/, path);
  });

  it("return to the lists when the key is removed", async () => {
    const other = await bootSite({
      files: { "content/index.md": "# Home", "content/01.b.md": "---\nunlisted: true\n---\n# B" },
    });
    const nav = async (): Promise<string> => (await other.fetch("/api/nav")).text();
    assert.doesNotMatch(await nav(), /"\/b"/);
    const write = async (text: string): Promise<void> => {
      await other.write("content/01.b.md", text);
      await other.site.context("test").use("content").refresh(["01.b.md"]);
    };
    await write("# B");
    assert.match(await nav(), /"\/b"/);
    await write("---\nhidden: true\n---\n# B");
    assert.doesNotMatch(await nav(), /"\/b"/);
    await other.close();
  });
});
