import assert from "node:assert/strict";
import type { Root } from "hast";
import { eachElement } from "../../../../plugins/markdown/parse/elements.js";
import { h } from "../../../support/oracles/hast.js";

describe("eachElement", () => {
  it("sees every element once, in document order", () => {
    const root: Root = {
      type: "root",
      children: [
        h("ul", {}, [h("li", {}, ["a", h("b", {}, ["x"])]), h("li")]),
        { type: "text", value: "t" },
        h("p"),
      ],
    };
    const names: string[] = [];
    eachElement(root, ({ tagName }) => void names.push(tagName));
    assert.deepEqual(names, ["ul", "li", "b", "li", "p"]);
  });

  it("sees the element it is given", () => {
    const names: string[] = [];
    eachElement(h("p", {}, [h("i")]), ({ tagName }) => void names.push(tagName));
    assert.deepEqual(names, ["p", "i"]);
  });

  it("does not overflow the stack", () => {
    let deep = h("b");
    for (let at = 0; at < 50_000; at += 1)
      deep = { type: "element", tagName: "b", properties: {}, children: [deep] };
    let count = 0;
    eachElement(deep, () => (count += 1));
    assert.equal(count, 50_001);
  });
});
