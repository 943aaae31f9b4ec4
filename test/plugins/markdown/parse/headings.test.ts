import assert from "node:assert/strict";
import type { Root } from "hast";
import {
  applyCustomIds,
  headingLevel,
  isFootnoteLabel,
  listHeadings,
} from "../../../../plugins/markdown/links/anchors.js";
import { h } from "../../../support/oracles/hast.js";

const tree = (...children: Root["children"]): Root => ({ type: "root", children });

describe("headingLevel", () => {
  for (const [name, level] of [
    ["h1", 1],
    ["h6", 6],
    ["h7", 0],
    ["hr", 0],
    ["header", 0],
    ["p", 0],
  ] as const) {
    it(`of ${name} is ${level}`, () => assert.equal(headingLevel(h(name)), level));
  }
});

describe("applyCustomIds", () => {
  for (const [text, id, rest] of [
    ["Title {#my-id}", "my-id", "Title"],
    ["Title {#ü_1.a:b}  ", "ü_1.a:b", "Title"],
    ["Title {#1a}", undefined, "Title {#1a}"],
    ["Title {#a b}", undefined, "Title {#a b}"],
    ["Title {#a} more", undefined, "Title {#a} more"],
    ["Title {#}", undefined, "Title {#}"],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as the id ${id}`, () => {
      const heading = h("h2", {}, [text]);
      applyCustomIds(tree(heading));
      assert.equal(heading.properties.id, id);
      assert.deepEqual(heading.children, [{ type: "text", value: rest }]);
    });
  }

  it("does not change other elements", () => {
    const paragraph = h("p", {}, ["text {#id}"]);
    applyCustomIds(tree(paragraph));
    assert.deepEqual(paragraph, h("p", {}, ["text {#id}"]));
  });
});

describe("listHeadings", () => {
  it("returns those with an id, in order, on one line, without the footnotes heading", () => {
    const found = listHeadings(
      tree(
        h("h1", { id: "a" }, ["The\n ", h("em", {}, ["first"])]),
        h("h2", {}, ["without id"]),
        h("section", {}, [h("h3", { id: "b" }, ["Below"])]),
        h("h2", { id: "user-content-footnote-label" }, ["Footnotes"]),
      ),
    );
    assert.deepEqual(found, [
      { level: 1, id: "a", text: "The first" },
      { level: 3, id: "b", text: "Below" },
    ]);
  });
});

describe("isFootnoteLabel", () => {
  it("is true for the id of the footnotes' heading", () => {
    assert.equal(isFootnoteLabel("footnote-label"), true);
    assert.equal(isFootnoteLabel("footnote-labels"), false);
    assert.equal(isFootnoteLabel(undefined), false);
  });
});
