import assert from "node:assert/strict";
import { useAdmin } from "../../../support/sites/use-site.js";

const PAGES = "/admin/api/pages";

describe("saving pages with a blueprint", () => {
  const site = useAdmin({
    files: {
      "blueprints/product.yaml":
        "status: draft\ncolumns: [price, title]\nfields:\n  price: { type: number, label: Price, required: true }\n",
      "blueprints/note.yaml": "naming: { prefix: number }\n",
      "blueprints/event.yaml": "naming: { slug: name, prefix: date }\n",
      "content/shop/chair/product.md": "---\ntitle: Chair\nprice: dear\n---\nA chair.\n",
    },
  });
  const editor = site.user("editor");

  it("responds 422 with the fields that do not fit", async () => {
    const body = { path: "shop/table/product.md", content: "---\nprice: cheap\n---\n" };
    assert.deepEqual(await editor.json(422, "POST", PAGES, body), {
      error: "Price must be a number.",
      validationErrors: [{ field: "price", message: "Price must be a number." }],
    });
    const chair = `${PAGES}/shop/chair/product.md`;
    const edits = [
      { body: "Other." },
      { frontmatter: { price: null } },
      { content: "# No price\n" },
    ];
    for (const edit of edits) {
      const { validationErrors } = await editor.json(422, "PUT", chair, edit);
      assert.equal(validationErrors[0].field, "price");
    }
    const saved = await editor.json(200, "PUT", chair, { frontmatter: { price: 3 } });
    assert.equal(saved.frontmatter.price, 3);
  });

  it("serves a hand-written page that does not fit", async () => {
    await site.write("content/shop/bench/product.md", "---\ntitle: Bench\nprice: x\n---\n");
    await site.site.use("content").rebuild();
    assert.equal((await site.fetch("/api/pages/shop/bench")).status, 200);
  });

  it("gives new pages the blueprint's status, unless they have one", async () => {
    const path = "shop/lamp/product.md";
    await editor.json(201, "POST", PAGES, { path, content: "---\nprice: 1\n---\n" });
    const { frontmatter } = await editor.json(200, "GET", `${PAGES}/${path}`);
    assert.equal(frontmatter.status, "draft");
    const other = "shop/rug/product.md";
    const content = "---\nprice: 1\nstatus: in_review\n---\n";
    await editor.json(201, "POST", PAGES, { path: other, content });
    const rug = await editor.json(200, "GET", `${PAGES}/${other}`);
    assert.equal(rug.frontmatter.status, "in_review");
  });

  it("lists the columns of the blueprint", async () => {
    const { items } = await editor.json(200, "GET", `${PAGES}?q=lamp`);
    assert.deepEqual(items[0].columns, { price: 1, title: "lamp" });
    const free = await editor.json(200, "GET", `${PAGES}?q=blog/first`);
    assert.equal("columns" in free.items[0], false);
  });

  it("names new pages as the blueprint says", async () => {
    const page = { parent: "/blog", template: "note", frontmatter: { title: "Ein Fluß!" } };
    const named = async (body: object): Promise<string> =>
      (await editor.json(201, "POST", PAGES, body)).sourcePath;
    assert.equal(await named(page), "02.blog/03.ein-fluß/note.md");
    assert.equal(await named(page), "02.blog/04.ein-fluß-2/note.md");
    const dated = { ...page, template: "event", frontmatter: { name: "Fair", date: "2027-06-01" } };
    assert.equal(await named({ ...dated, body: "Come." }), "02.blog/20270601.fair/event.md");
    assert.equal(await named({ ...page, template: "free", parent: "/" }), "ein-fluß/free.md");
    const bad = [
      [422, { ...dated, frontmatter: {} }],
      [422, { ...page, frontmatter: { title: "../.." } }],
      [400, { ...page, parent: "/nowhere" }],
      [400, { ...page, template: "../x" }],
      [400, { ...page, frontmatter: { title: "A", constructor: 1 } }],
      [400, { template: "note", frontmatter: {} }],
    ] as const;
    for (const [status, body] of bad) await editor.json(status, "POST", PAGES, body);
  });

  it("moves pages whose links are rewritten although they do not fit", async () => {
    await site.write(
      "content/shop/sofa/product.md",
      "---\nprice: x\n---\nSee [first](/blog/first).\n",
    );
    await site.site.use("content").rebuild();
    const body = { path: "02.blog/01.first", to: "02.blog/01.start" };
    const { rewritten } = await editor.json(200, "POST", `${PAGES}/move`, body);
    assert.ok(rewritten.includes("shop/sofa/product.md"));
  });
});
