import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../../support/sites/boot-site.js";

describe("a page's collection", () => {
  let site: TestSite;
  afterEach(() => site.close());

  it("contains the data for lists: address, date, excerpt or summary, image, neighbours", async () => {
    const show =
      "export default ({ collection }) => <html><head></head><body>{JSON.stringify(collection)}</body></html>;\n";
    site = await bootSite({
      files: {
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx": show,
        "content/01.list/default.md":
          "---\ncollection: { items: '@self.children', order: { by: date, dir: desc }, pagination: { size: 1 } }\n---\n",
        "content/01.list/old/default.md":
          "---\ntitle: Old\ndate: 2025-01-01\nsummary: In short.\nimage: a.png\n---\nLong.",
        "content/01.list/new/default.md":
          "---\ntitle: New\ndate: 2026-01-01\n---\nThe *first* words.",
      },
    });
    const read = async (path: string) => {
      const html = await (await site.fetch(path)).text();
      const json = /<body>(.*)<\/body>/s.exec(html)?.[1] ?? "";
      return JSON.parse(
        json.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&"),
      );
    };
    const first = await read("/");
    assert.equal(first.items[0].excerpt, "The first words.");
    assert.deepEqual(
      [first.prevUrl, first.nextUrl, first.total, first.pages],
      [null, "/page:2", 2, 2],
    );
    const second = await read("/page:2");
    const { title, date, excerpt, image } = second.items[0];
    assert.deepEqual([title, date, excerpt], ["Old", "2025-01-01", "In short."]);
    assert.match(image, /^\/content-media\/01\.list\/old\/a\.png$/);
    assert.deepEqual([second.prevUrl, second.nextUrl], ["/", null]);
  });

  it("has no neighbouring pages with a limit", async () => {
    const show =
      "export default ({ collection: { items, total, prevUrl, nextUrl } }) => <p>{JSON.stringify([items.length, total, prevUrl, nextUrl])}</p>;\n";
    site = await bootSite({
      files: {
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx": show,
        "content/01.list/default.md":
          "---\ncollection: { items: '@self.children', limit: 1, offset: 1 }\n---\n",
        "content/01.list/a/default.md": "A",
        "content/01.list/b/default.md": "B",
        "content/01.list/c/default.md": "C",
      },
    });
    assert.match(await (await site.fetch("/")).text(), /<p>\[1,3,null,null\]<\/p>/);
  });
});
