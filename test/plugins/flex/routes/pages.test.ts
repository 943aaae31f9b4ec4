import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useSite } from "../../../support/sites/use-site.js";

const files = {
  "content/01.home/default.md": "# Home",
  "content/flex/about/default.md": "# About flex",
  "flex-objects/product.yaml":
    "title: Products\ndescription: What we sell\nfields:\n" +
    "  name: { type: text, label: Name }\n  text: { type: markdown, label: Text }\n",
  "flex-objects/product/a.yaml":
    "_createdAt: 1\nname: <b>Lamp</b>\ntext: '**bold** <script>alert(1)</script>'\n",
};

describe("/flex pages without a theme", () => {
  const site = useSite({ plugins: ["content", "flex"], files });

  it("list the records of a type and show one", async () => {
    const list = await site.fetch("/flex/product");
    assert.equal(list.headers.get("content-type"), "text/html; charset=utf-8");
    const html = await list.text();
    assert.match(html, /<html lang="en"/);
    assert.ok(html.includes("Products") && html.includes('href="/flex/product/a"'));
    assert.ok(html.includes("&lt;b&gt;Lamp&lt;/b&gt;") && !html.includes("<b>Lamp"));
    const detail = await (await site.fetch("/flex/product/a")).text();
    assert.ok(detail.includes("&lt;script&gt;") && !detail.includes("<script>"));
  });

  it("have one address, without a trailing slash", async () => {
    for (const path of ["/flex/product", "/flex/product/a"]) {
      const { status, headers } = await site.fetch(`${path}/?page=1`);
      assert.deepEqual([status, headers.get("location")], [301, `${path}?page=1`]);
    }
    for (const path of ["/flex/none/", "/flex/product/none/", "/flex/product//", "/flex/about/"]) {
      assert.equal((await site.fetch(path)).status, 404, path);
    }
  });

  it("are 404 for an unknown type or record", async () => {
    for (const path of [
      "/flex/none",
      "/flex/constructor",
      "/flex/product/none",
      "/flex/product/__proto__",
      "/flex/product?page=2",
      "/flex/product?page=x",
    ]) {
      assert.equal((await site.fetch(path)).status, 404, path);
    }
  });
});

describe("/flex pages of a theme", () => {
  let site: TestSite;
  before(async () => {
    const records = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `flex-objects/event/e${index}.yaml`,
        `_createdAt: ${index}\nname: Event ${index}\n`,
      ]),
    );
    site = await bootSite({
      plugins: ["content", "markdown", "render", "flex"],
      files: {
        ...files,
        ...records,
        "flex-objects/event.yaml": "title: Events\nfields:\n  name: { type: text }\n",
        "site.yaml": "title: Test\ntheme:\n  name: own\n",
        "themes/own/templates/default.tsx":
          "export default ({ page }) => <main dangerouslySetInnerHTML={{ __html: page.html }} />;",
        "themes/own/templates/flex/event-list.tsx":
          "export default ({ type, records, total, pageNumber, pages, nextUrl, schema }) => " +
          "<main>own list {type} {schema.title} {records.length}/{total} {pageNumber}/{pages} {nextUrl} {records[0].name}</main>;",
        "themes/own/templates/flex/detail.tsx":
          "export default ({ record, recordHtml }) => <main>own detail {record.name} " +
          "<div dangerouslySetInnerHTML={{ __html: recordHtml.text ?? '' }} /></main>;",
      },
    });
  });
  after(() => site.close());
  const text = async (path: string): Promise<string> => (await site.fetch(path)).text();

  it("use the type's own template, page by page", async () => {
    const first = await text("/flex/event");
    for (const part of [
      "own list",
      "event",
      "Events",
      "20/120",
      "1/6",
      "/flex/event?page=2",
      "Event 119",
    ]) {
      assert.ok(first.includes(part), `${part} in ${first}`);
    }
    assert.ok((await text("/flex/event?page=6")).includes("20/120"));
  });

  it("use the template for all types, with rendered and sanitised Markdown", async () => {
    const html = await text("/flex/product/a");
    assert.ok(html.includes("own detail") && html.includes("<strong>bold</strong>"));
    assert.ok(!html.includes("<script>alert"));
  });

  it("fall back to the built-in page without a template", async () => {
    assert.ok((await text("/flex/product")).includes("What we sell"));
  });

  it("leave addresses of unknown types to the content", async () => {
    assert.ok((await text("/flex/about")).includes("About flex"));
  });

  it("follow a change", async () => {
    const data = { name: "Changed" };
    await site.site.use("flex").apply([{ op: "update", type: "product", id: "a", data }]);
    assert.ok((await text("/flex/product/a")).includes("Changed"));
  });
});

describe("/flex lists of many pages, cached", () => {
  let site: TestSite;
  const echo = "export default ({ pageNumber, search }) => <main>[{pageNumber}{search}]</main>;";
  before(async () => {
    const records = Object.fromEntries(
      Array.from({ length: 45 }, (_, at) => [`flex-objects/product/r${at}.yaml`, "name: x\n"]),
    );
    site = await bootSite({
      plugins: ["content", "markdown", "render", "cache", "flex"],
      env: { SITE_ENV: "production" },
      files: {
        ...files,
        ...records,
        "site.yaml": "title: Test\ntheme:\n  name: own\n",
        "themes/own/templates/default.tsx": "export default () => <main />;",
        "themes/own/templates/flex/list.tsx": echo,
      },
    });
  });
  after(() => site.close());
  const text = async (path: string) => (await site.fetch(path)).text();
  const stats = () => site.site.use("cache").stats();

  it("are cached page by page", async () => {
    assert.match(await text("/flex/product?page=2"), /\[2\?page=2\]/);
    const { hits } = stats();
    assert.match(await text("/flex/product?page=2"), /\[2\?page=2\]/);
    assert.match(await text("/flex/product?page=3"), /\[3\?page=3\]/);
    assert.equal(stats().hits, hits + 1);
  });

  it("are rendered for an undeclared parameter, and not cached under it", async () => {
    await text("/flex/product?page=2");
    const { entries } = stats();
    assert.match(await text("/flex/product?page=2&x=1"), /\[2\?page=2&amp;x=1\]/);
    assert.match(await text("/flex/product?x=1"), /\[1\?x=1\]/);
    assert.match(await text("/flex/product"), /\[1\]/);
    assert.equal(stats().entries, entries + 1);
  });

  it("are evicted when a record changes", async () => {
    const before = stats();
    await text("/flex/product?page=2");
    await site.site
      .use("flex")
      .apply([{ op: "update", type: "product", id: "r0", data: { name: "y" } }]);
    await text("/flex/product?page=2");
    assert.ok(stats().misses > before.misses);
  });
});
