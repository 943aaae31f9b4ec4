import assert from "node:assert/strict";
import { toSearchRecord } from "../../../plugins/flex/search-record.js";
import { flexField, flexType } from "../../support/flex-type.js";

describe("toSearchRecord", () => {
  const type = flexType([
    flexField("name", "text"),
    flexField("tags", "list"),
    flexField("price", "number"),
    flexField("ink", "color"),
    flexField("body", "markdown"),
  ]);
  const meta = { _id: "abc", _type: "product", _createdAt: 0, _updatedAt: 0 };

  it("has texts and lists of texts as its body, and says its type", () => {
    const record = {
      ...meta,
      name: "Lamp",
      tags: ["red", 7, "small"],
      price: 3,
      ink: "#fff",
      body: "Long",
    };
    assert.deepEqual(toSearchRecord(type, record), {
      route: "/flex/product/abc",
      title: "Lamp",
      body: "Lamp\nred small\nLong",
      fields: { name: "Lamp", tags: "red small", body: "Long", subtype: "product" },
      template: "flex",
      date: "1970-01-01",
      type: "product",
    });
  });

  it("is found by nothing but its id when it has no text", () => {
    const { title, body } = toSearchRecord(type, meta);
    assert.deepEqual([title, body], ["abc", ""]);
  });
});
