import assert from "node:assert/strict";
import { toCollectionItem } from "../../../plugins/flex/listed-record.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

describe("toCollectionItem", () => {
  it("shapes a record like a page, its fields as front matter", () => {
    const record = {
      _id: "abc",
      _type: "product",
      _createdAt: 0,
      _updatedAt: 5,
      name: "Lamp",
      price: 3,
    };
    const item = toCollectionItem(flexType([flexField("name", "text")]), record, {
      lang: "de",
      index: 4,
      timezone: "UTC",
    });
    assert.deepEqual(
      [item.route, item.title, item.date, item.template, item.lang, item.order, item.status],
      ["/flex/product/abc", "Lamp", "1970-01-01", "flex", "de", 4, "published"],
    );
    assert.equal(item.sourcePath, "flex-objects/product/abc.yaml");
    assert.equal(item.frontmatter["price"], 3);
    assert.equal(item.roles, null);
  });
});
