import assert from "node:assert/strict";
import { plainText } from "../../../plugins/markdown/parse/plain-text.js";
import { toSearchRecord } from "../../../plugins/flex/listed-record.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

describe("toSearchRecord", () => {
  const type = flexType([
    flexField("name", "text"),
    flexField("tags", "list"),
    flexField("price", "number"),
    flexField("ink", "color"),
    flexField("body", "markdown"),
  ]);
  const meta = { _id: "abc", _type: "product", _createdAt: 0, _updatedAt: 0 };

  const plain = "Long\nIt is warm.";

  it("indexes texts, stripped Markdown and lists of texts as body, with its type", () => {
    const record = {
      ...meta,
      name: "Lamp",
      tags: ["red", 7, "small"],
      price: 3,
      ink: "#fff",
      body: "# Long\n\nIt is **warm**.",
    };
    assert.deepEqual(toSearchRecord(type, record, { plainText, timezone: "UTC" }), {
      route: "/flex/product/abc",
      title: "Lamp",
      body: `Lamp\nred small\n${plain}`,
      fields: { name: "Lamp", tags: "red small", body: plain, subtype: "product" },
      template: "flex",
      date: "1970-01-01",
      type: "product",
    });
  });

  it("is found only by its id without text", () => {
    const { title, body } = toSearchRecord(type, meta, { plainText, timezone: "UTC" });
    assert.deepEqual([title, body], ["abc", ""]);
  });
});
