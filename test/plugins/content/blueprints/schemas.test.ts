import assert from "node:assert/strict";
import { blueprintTypes } from "../../../../plugins/codegen/site-types.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

describe("schemas of blueprints", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      plugins: ["content", "openapi", "pages", "markdown", "session"],
      files: {
        "blueprints/product.yaml":
          "title: Product\nfields:\n  price: { type: number, required: true }\n  parts: { type: blocks }\n",
        "blueprints/blocks/quote.yaml": "fields:\n  text: { type: text, required: true }\n",
      },
    });
  });
  after(() => site.close());

  it("are JSON Schema for editors", () => {
    const all = site.site.context("test").use("editorSchemas").all();
    const { product, "blocks/quote": quote } = JSON.parse(JSON.stringify(all));
    assert.equal(product.title, "Product");
    assert.deepEqual(product.required, ["price"]);
    assert.equal(product.properties.price.type, "number");
    assert.deepEqual(quote.properties.type, { const: "quote" });
    assert.deepEqual(quote.required, ["type", "text"]);
  });

  it("are in the description of the API, also after a change", async () => {
    const { openapi } = { openapi: site.site.context("test").use("openapi") };
    const schemas = () => openapi.document("public").components.schemas;
    assert.ok(schemas()["ProductFrontmatter"]);
    assert.ok(schemas()["QuoteBlock"]);
  });

  it("are TypeScript types of this site", () => {
    const types = blueprintTypes(site.site.context("test").use("content").blueprints);
    assert.match(types, /export type ProductFrontmatter = \{[^}]*readonly price: number;/);
    assert.match(types, /readonly product: ProductFrontmatter;/);
    assert.match(types, /export type Block = QuoteBlock;/);
  });
});
