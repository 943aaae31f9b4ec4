import assert from "node:assert/strict";
import { plainText } from "../../../plugins/markdown/parse/plain-text.js";
import {
  recordDay,
  recordTitle,
  toCollectionItem,
  toSearchRecord,
} from "../../../plugins/flex/listed-record.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

const meta = { _id: "abc", _type: "product", _createdAt: 0, _updatedAt: 0 };

describe("recordTitle", () => {
  it("is the name, else the title, else the first text, else the id", () => {
    const type = flexType([flexField("price", "number"), flexField("label", "text")]);
    assert.equal(recordTitle(type, { ...meta, label: "L", title: "T", name: "N" }), "N");
    assert.equal(recordTitle(type, { ...meta, label: "L", title: "T", name: "" }), "T");
    assert.equal(recordTitle(type, { ...meta, label: "L", title: 7 }), "L");
    assert.equal(recordTitle(type, meta), "abc");
  });
});

describe("recordDay", () => {
  it("is the day of creation in the site's time zone, null for an out-of-range time", () => {
    for (const [createdAt, timezone, day] of [
      [Date.UTC(2026, 0, 2, 23), "UTC", "2026-01-02"],
      [Date.UTC(2026, 0, 2, 3), "UTC", "2026-01-02"],
      [Date.UTC(2026, 0, 2, 3), "America/New_York", "2026-01-01"],
      [1e300, "UTC", null],
      [8.64e15, "Asia/Tokyo", null],
      [-8.64e15, "America/New_York", null],
    ] as const) {
      assert.equal(recordDay({ ...meta, _createdAt: createdAt }, timezone), day);
    }
  });
});

describe("toCollectionItem", () => {
  it("shapes a record like a page, its fields as front matter", () => {
    const record = { ...meta, name: "Lamp", price: 3 };
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

describe("toSearchRecord", () => {
  const type = flexType([
    flexField("name", "text"),
    flexField("tags", "list"),
    flexField("price", "number"),
    flexField("ink", "color"),
    flexField("body", "markdown"),
  ]);
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
