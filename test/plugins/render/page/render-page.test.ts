import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

describe("renderPage", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const home = "content/01.home/default.md";

  it("adds the head once, whether the layout contains it or not", async () => {
    const shows =
      'import { Html } from "sitewright/theme";\nexport default ({ head }) => <html><Html as="head" html={head} /><body></body></html>;\n';
    for (const template of [shows, "export default () => <html><head></head></html>;\n"]) {
      site = await bootSite({
        files: {
          [home]: "# Hi",
          "site.yaml": "title: T\ntheme: { name: mine }\n",
          "themes/mine/templates/default.tsx": template,
        },
      });
      const html = await (await site.fetch("/")).text();
      assert.equal(html.match(/rel="canonical"/g)?.length, 1);
      await site.close();
    }
  });

  it("shows a theme without templates in the built-in style", async () => {
    site = await bootSite({
      files: {
        [home]: "# Hi\n\nWords.",
        "site.yaml": "title: T\ntheme: { name: mine }\n",
        "themes/mine/theme.yaml": "",
      },
    });
    const html = await (await site.fetch("/")).text();
    assert.match(html, /document\.css/);
    assert.match(html, /Words\./);
  });

  it("renders a whole document without a layout", async () => {
    site = await bootSite({
      files: {
        [home]: "# Hi",
        "content/02.raw/page.tsx":
          "export const frontmatter = { title: 'Raw', layout: false };\nexport default () => <html><head><title>Raw</title></head><body>whole</body></html>;\n",
      },
    });
    const html = await (await site.fetch("/raw")).text();
    assert.match(html, /^<!doctype html><html lang="en"><head><title>Raw<\/title>/);
    assert.doesNotMatch(html, /site-header/);
  });

  it("provides named collections of `collections`", async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: T\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx":
          "export default ({ collections }) => <html><head></head><body>{Object.entries(collections ?? {}).map(([n, c]) => n + c.total).join()}</body></html>;\n",
        [home]: "---\ncollections: { a: { items: { '@page.children': /b } }, broken: 3 }\n---\n",
        "content/02.b/c/default.md": "C",
      },
    });
    assert.match(await (await site.fetch("/")).text(), /<body>a1<\/body>/);
  });

  it("serves a scheduled page while it is public", async () => {
    const clock = { time: Date.parse("2026-01-01T00:00:00Z"), now: () => clock.time };
    site = await bootSite({
      clock,
      env: { SITE_ENV: "production" },
      files: {
        [home]: "# Hi",
        "content/02.sale/default.md": "---\ntitle: Sale\nunpublish_date: 2026-01-02\n---\n",
      },
    });
    assert.equal((await site.fetch("/sale")).status, 200);
    assert.match(await (await site.fetch("/")).text(), /href="\/sale"/);
    clock.time = Date.parse("2026-01-03T00:00:00Z");
    assert.equal((await site.fetch("/sale")).status, 404);
    assert.doesNotMatch(await (await site.fetch("/")).text(), /href="\/sale"/);
  });
});
