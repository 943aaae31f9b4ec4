import assert from "node:assert/strict";
import type { SiteContext } from "#kernel";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const anchors = [
  '## Intro\n<a id="intro-anchor"></a>\n\ntext <a name="named"></a>',
  '<h2 id="by hand">By hand</h2>',
  '| a |\n|---|\n| <a id="cell"></a>x |',
  '```html\n<a id="fenced"></a>\n```\n\n`<a id="span"></a>`\n\n## Fenced\n\n## Span',
  '[own](#intro-anchor) [self](target.md#named) <a id="Über"></a>',
  '## Events {% addedin "2.0.0" %}\n\n[tag](#events)',
  '## Transform <span id="x"></span>\n\n[span](#transform)',
].join("\n\n");

const files = {
  "site.yaml": "title: T\ntrusted_html: true\n",
  "system.yaml": "languages:\n  supported: [en, de]\n",
  "content/01.home/default.md": "# Home",
  "content/02.sträße/default.md": "# S",
  "content/02.sträße/default.de.md": "# S auf Deutsch",
  "content/03.a b/default.md": "# Space",
  "content/03.a b/100%.md": "# Percent",
  "content/docs/target.md": anchors,
  "content/docs/trusted.md": `---\ntrusted_html: true\n---\n${anchors}`,
};

const links: readonly (readonly [written: string, href: string])[] = [
  ["../02.sträße/default.md", "/str%C3%A4%C3%9Fe"],
  ["/sträße", "/str%C3%A4%C3%9Fe"],
  ["/str%C3%A4%C3%9Fe?a=ü#ö", "/str%C3%A4%C3%9Fe?a=%C3%BC#%C3%B6"],
  ["<../03.a b/default.md>", "/a%20b"],
  ["../03.a%20b/100%25.md", "/a%20b/100%25"],
  ["target.md#intro-anchor", "/docs/target#user-content-intro-anchor"],
  ["./target.md?q=1#named", "/docs/target?q=1#user-content-named"],
  ["/docs/target#by%20hand", "/docs/target#user-content-by%20hand"],
  ["target#cell", "/docs/target#user-content-cell"],
  ["target.md#Über", "/docs/target#user-content-%C3%9Cber"],
  ["target.md#intro", "/docs/target#intro"],
  ["target.md#fenced", "/docs/target#fenced"],
  ["target.md#span", "/docs/target#span"],
  ["target.md#none", "/docs/target#none"],
  ["target.md#events", "/docs/target#events--addedin-200-"],
  ["target.md#transform", "/docs/target#transform-"],
  ["trusted.md#intro-anchor", "/docs/trusted#intro-anchor"],
];

describe("links of Markdown", () => {
  let site: TestSite;
  let context: SiteContext;
  before(async () => {
    const all = links.map(([written]) => `[x](${written})`).join("\n\n");
    const pages = {
      "content/docs/from.md": all,
      "content/docs/from.de.md": "[x](/sträße) [y](/docs/target#named) [z](/ü%20ä)",
    };
    const plugins = ["content", "markdown"];
    site = await bootSite({ files: { ...files, ...pages }, plugins });
    context = site.site.context("markdown");
  });
  after(() => site.close());

  async function render(sourcePath: string): Promise<string> {
    const page = await context.use("content").source(sourcePath);
    assert.ok(page, sourcePath);
    return (await context.use("markdown").render(page)).html;
  }

  const hrefs = (html: string): string[] =>
    [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = ""]) => href);

  it("have the URL of the page, encoded once", async () => {
    const found = hrefs(await render("docs/from.md"));
    assert.deepEqual(
      found.map((href, at) => [links[at]?.[0], href]),
      links,
    );
  });

  it("lead to a page of the site, and to an id or name of that page", async () => {
    const view = context.use("content").view();
    for (const href of hrefs(await render("docs/from.md"))) {
      const { pathname, hash } = new URL(href, "http://a.example");
      const match = view.resolve(decodeURIComponent(pathname));
      assert.equal(match.kind, "page", href);
      if (match.kind !== "page" || hash === "" || /none|%C3%B6/.test(hash)) continue;
      const html = await render(match.entry.sourcePath);
      const id = decodeURIComponent(hash.slice(1));
      assert.ok(html.includes(`id="${id}"`) || html.includes(`name="${id}"`), href);
    }
  });

  it("lead to the translation in the language of the linking page", async () => {
    assert.deepEqual(hrefs(await render("docs/from.de.md")), [
      "/de/str%C3%A4%C3%9Fe",
      "/de/docs/target#user-content-named",
      "/de/%C3%BC%20%C3%A4",
    ]);
  });

  it("reach anchors of their own page, with or without its file name", async () => {
    assert.deepEqual(hrefs(await render("docs/target.md")), [
      "#user-content-intro-anchor",
      "/docs/target#user-content-named",
      "#events--addedin-200-",
      "#transform-",
    ]);
  });

  it("follow an anchor that the other page gains or loses", async () => {
    const content = context.use("content");
    const linkOf = async (): Promise<string | undefined> => hrefs(await render("docs/late.md"))[0];
    await content.apply([
      { op: "write", path: "docs/late.md", content: "[x](other.md#late)" },
      { op: "write", path: "docs/other.md", content: "## Late" },
    ]);
    assert.equal(await linkOf(), "/docs/other#late");
    const anchored = '<a id="late"></a>';
    await content.apply([{ op: "write", path: "docs/other.md", content: anchored }]);
    assert.equal(await linkOf(), "/docs/other#user-content-late");
    const page = await content.source("docs/late.md");
    assert.ok(page);
    const { reads } = await context.use("markdown").render(page);
    assert.ok(reads?.includes("page:docs/other.md"));
  });

  for (const empty of [
    '<a id="x"></a>',
    '<a name="x"></a>',
    "- <a id='x'></a>",
    "## <a id=x></a>",
  ]) {
    it(`keep ${empty}, although it is empty`, async () => {
      const html = await context.use("markdown").renderText(empty);
      assert.match(html, /<a (?:id|name)="user-content-x"><\/a>/);
    });
  }
});
