import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const VIDEO = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const TEXT = `Before the sea.\n\n{{ embed "${VIDEO}" title="A film" }}\n\nAn {{ hint "inner" }} word, and \\{{ escaped }}.\n\nAfter the sea.\n`;
const FRAME =
  /<iframe[^>]+youtube-nocookie\.com\/embed\/dQw4w9WgXcQ[^>]*title="A film"|<iframe[^>]+title="A film"[^>]*youtube-nocookie/;

const hints = definePlugin({
  name: "hints",
  version: "1.0.0",
  requires: ["markdown"],
  setup(site) {
    site.use("markdown").addShortcode("hint", {
      params: { text: { type: "text" } },
      render: ({ text }) => `<mark>${String(text)}</mark>`,
    });
  },
});

describe("shortcodes and embeds outside of pages", () => {
  let site: TestSite;
  const text = async (path: string) => (await site.fetch(path)).text();
  before(async () => {
    site = await bootSite({
      plugins: [
        "content",
        "markdown",
        "embeds",
        "outbound",
        "pages",
        "search",
        "flex",
        "feeds",
        "render",
        "media",
        "security",
      ],
      extraPlugins: [hints],
      settings: {
        system: {
          content: { markdown: { embeds: ["youtube"] } },
          search: { include_flex: ["boat"] },
          server: { rate_limit: false as const },
        },
      },
      files: {
        "site.yaml": "title: T\nurl: http://localhost:8000\n",
        "blueprints/landing.yaml": "fields: { parts: { type: blocks } }\n",
        "blueprints/blocks/text.yaml": "fields: { body: { type: markdown } }\n",
        "flex-objects/boat.yaml": "fields: { name: { type: text }, story: { type: markdown } }\n",
        "flex-objects/boat/anna.yaml": `name: Anna\nstory: ${JSON.stringify(TEXT)}\n`,
        "content/01.home/default.md": "# Home\n",
        "content/02.blog/blog.md": "---\ntitle: Blog\n---\n",
        "content/02.blog/film/post.md": `---\ntitle: Film\ndate: 2026-01-01\n---\n${TEXT}`,
        "content/02.blog/bare/post.md": `---\ntitle: Bare\n---\nBefore\n\n${VIDEO}\n\nAfter\n\nhttps://example.org/x\n`,
        "content/03.parts/default.md": "---\ntitle: Parts\n---\n",
        "content/03.parts/01._one/text.md": TEXT,
        "content/04.blocks/landing.md": `---\ntitle: Blocks\nparts: [${JSON.stringify({ type: "text", body: TEXT })}]\n---\n`,
      },
    });
  });
  after(() => site.close());

  for (const path of ["/blog/film", "/parts", "/blocks", "/flex/boat/anna"]) {
    it(`are drawn at ${path}`, async () => {
      const page = await text(path);
      assert.match(page, FRAME);
      assert.match(page, /<mark>inner<\/mark>/);
      const [, main = ""] = page.split("<main");
      assert.match([...main.matchAll(/\{\{[^}]*\}\}/g)].join(), /^\{\{\W+escaped\W+\}\}$/);
    });
  }

  it("are drawn in the HTML of modules in the API", async () => {
    const page = JSON.parse(await text("/api/pages/parts?include=modules"));
    assert.match(page.modules[0].html, FRAME);
    assert.doesNotMatch(page.modules[0].html, /\{\{ (?:embed|hint)/);
  });

  it("leave no syntax in feeds", async () => {
    for (const path of ["/blog/feed.xml", "/blog/atom.xml", "/blog/feed.json"]) {
      const feed = await text(path);
      assert.match(feed, /Before the sea/, path);
      assert.doesNotMatch(feed, /\{\{ (?:embed|hint)/, path);
    }
  });

  it("leave no syntax in search excerpts, summaries and descriptions", async () => {
    const { items } = JSON.parse(await text("/api/search?q=sea"));
    const routes = items.map(({ route }: { route: string }) => route).sort();
    assert.deepEqual(routes, ["/blocks", "/blog/film", "/flex/boat/anna", "/parts"]);
    for (const { excerpt, route } of items)
      assert.doesNotMatch(excerpt, /\{\{ (?:embed|hint)|dQw4w9WgXcQ/, route);
    const list = await text("/api/pages?include=summary");
    assert.doesNotMatch(list, /\{\{ (?:embed|hint)/);
    const [head = ""] = (await text("/blog/film")).split("<main");
    assert.doesNotMatch(head, /\{\{ (?:embed|hint)/);
  });

  it("leave other addresses, and none of their own, in the description of a page", async () => {
    const html = await text("/blog/bare");
    const [, description = ""] = /<meta name="description" content="([^"]*)"/.exec(html) ?? [];
    assert.equal(description, "Before After https://example.org/x");
  });
});
