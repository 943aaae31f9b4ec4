import assert from "node:assert/strict";
import { elementText } from "../../../../plugins/markdown/parse/elements.js";
import { h } from "../../../support/oracles/hast.js";

describe("textOf", () => {
  it("is the text of all descendants, without comments", () => {
    const tree = h("p", {}, [
      "a",
      h("b", {}, ["b", h("i", {}, ["c"])]),
      { type: "comment", value: "no" },
      "d",
    ]);
    assert.equal(elementText(tree), "abcd");
    assert.equal(elementText(h("p")), "");
  });
});
