import assert from "node:assert/strict";
import { detailBody, listBody, plainDocument } from "../../../plugins/flex/routes/pages.js";
import { flexField, flexType } from "../../support/content/flex-type.js";

const evil = '<img src=x onerror="alert(1)">';
const type = flexType(
  [flexField("name", "text"), flexField("tags", "list"), flexField("text", "markdown")],
  {
    title: evil,
    description: evil,
  },
);
const record = {
  _id: "abc",
  _type: "product",
  _createdAt: 0,
  _updatedAt: 0,
  name: evil,
  tags: [evil, 1],
  text: evil,
};

describe("the built-in pages", () => {
  it("escape text", () => {
    const list = listBody({
      type,
      records: [record],
      total: 1,
      prevUrl: null,
      nextUrl: '/x?a="b"',
    });
    for (const html of [list, detailBody(type, record, {}, "UTC"), plainDocument(evil, "", evil)]) {
      assert.ok(!html.includes("<img"), html);
      assert.ok(html.includes("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"));
    }
    assert.ok(list.includes('href="/x?a=&quot;b&quot;"'));
  });

  it("show the label of a choice, not its value", () => {
    const options = [{ value: "film", label: "A film" }];
    const choices = flexType([flexField("name", "text"), flexField("kind", "select", { options })]);
    const records = [{ ...record, kind: "film" }];
    const list = listBody({ type: choices, records, total: 1, prevUrl: null, nextUrl: null });
    assert.match(list, /<td>A film<\/td>/);
    assert.match(detailBody(choices, { ...record, kind: "film" }, {}, "UTC"), /<dd>A film<\/dd>/);
  });

  it("link records and neighbouring pages", () => {
    const page = {
      type,
      records: [record],
      total: 9,
      prevUrl: "/flex/product",
      nextUrl: "/flex/product?page=3",
    };
    const html = listBody(page);
    for (const link of ["/flex/product/abc", "/flex/product?page=3"])
      assert.ok(html.includes(`href="${link}"`));
    assert.match(listBody({ ...page, records: [], total: 0 }), /Nothing here yet/);
  });

  it("show rendered Markdown, and omit empty fields", () => {
    const { text: _text, ...rest } = record;
    assert.ok(
      detailBody(type, record, { text: "<p>rendered</p>" }, "UTC").includes("<p>rendered</p>"),
    );
    assert.ok(!detailBody(type, rest, {}, "UTC").includes("Text"));
  });
});
