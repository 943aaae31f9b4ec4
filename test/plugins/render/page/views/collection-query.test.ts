import assert from "node:assert/strict";
import fc from "fast-check";
import { CollectionQuerySchema } from "../../../../../plugins/render/page/views/collection-view.js";

describe("CollectionQuerySchema", () => {
  it("accepts items as a name or a map", () => {
    assert.equal(CollectionQuerySchema.parse({ items: "@self.children" }).items, "@self.children");
    assert.deepEqual(CollectionQuerySchema.parse({ items: { "@flex": "team" } }).items, {
      "@flex": "team",
    });
  });

  it("drops invalid values and keeps the rest", () => {
    const query = CollectionQuerySchema.parse({
      items: "x",
      limit: -3,
      order: { dir: "up" },
      offset: 2,
    });
    assert.deepEqual([query.limit, query.order, query.offset], [undefined, undefined, 2]);
  });

  it("accepts pagination as a size or a boolean", () => {
    const size = (pagination: unknown) =>
      CollectionQuerySchema.parse({ items: "x", pagination }).pagination;
    assert.deepEqual(size({ size: 5 }), { size: 5 });
    assert.deepEqual(size(true), { size: 10 });
    assert.equal(size(false), null);
    assert.equal(size({ size: 0 }), undefined);
  });

  it("never throws for any YAML value", () => {
    fc.assert(fc.property(fc.anything(), (value) => void CollectionQuerySchema.safeParse(value)));
  });
});
