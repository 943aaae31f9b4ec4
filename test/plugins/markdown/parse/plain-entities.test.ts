import assert from "node:assert/strict";
import { decodeEntity } from "../../../../plugins/markdown/parse/plain-inline.js";

describe("decodeEntity", () => {
  for (const [entity, text] of [
    ["&amp;", "&"],
    ["&lt;", "<"],
    ["&nbsp;", " "],
    ["&shy;", ""],
    ["&Auml;", "Ä"],
    ["&auml;", "ä"],
    ["&#65;", "A"],
    ["&#x1F600;", "😀"],
    ["&#X41;", "A"],
    ["&#0;", "\ufffd"],
    ["&#xD800;", "\ufffd"],
    ["&#x110000;", "\ufffd"],
  ] as const) {
    it(`reads ${entity} as ${JSON.stringify(text)}`, () => {
      assert.deepEqual(decodeEntity(`ab${entity}cd`, 2), { text, end: 2 + entity.length });
    });
  }

  for (const source of [
    "&amp",
    "& amp;",
    "&unknown;",
    "&constructor;",
    "&toString;",
    "&#;",
    "&#xG;",
    "&#12345678;",
    "&",
  ]) {
    it(`ignores ${source}`, () => assert.equal(decodeEntity(source, 0), null));
  }

  it("only looks at the given position", () => assert.equal(decodeEntity("x&amp;", 0), null));
});
