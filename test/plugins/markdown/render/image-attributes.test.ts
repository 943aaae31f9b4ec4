import assert from "node:assert/strict";
import type { Element, Properties } from "hast";
import { fillImages } from "../../../../plugins/markdown/links/set-addresses.js";
import type { ReferenceFact } from "../../../../plugins/markdown/render/render-job.js";
import { h } from "../../../support/oracles/hast.js";

function filled(properties: Properties, fact?: ReferenceFact): Properties {
  const image: Element = { ...h("img"), properties, data: { reference: "a.png" } };
  const facts = new Map(fact === undefined ? [] : [["a.png", fact]]);
  fillImages({ type: "root", children: [h("p", {}, [image])] }, facts);
  return image.properties;
}
const defaults = { loading: "lazy", decoding: "async", alt: "" };

describe("fillImages", () => {
  it("adds lazy loading and an alt text", () => {
    assert.deepEqual(filled({}), defaults);
  });

  it("preserves the author's attributes", () => {
    const own = { loading: "eager", decoding: "sync", alt: "Mine", title: "T", width: "5" };
    const fact = { url: "/a", alt: "Theirs", title: "U", attributes: { width: "9" } };
    assert.deepEqual(filled({ ...own }, fact), own);
  });

  const SIZES: readonly (readonly [string, Properties, Properties])[] = [
    ["none", {}, { width: "1200", height: "800" }],
    ["a width", { width: "200" }, { width: "200", height: "133" }],
    ["a height", { height: "100" }, { width: "150", height: "100" }],
    ["a width as a number", { width: 200 }, { width: 200, height: "133" }],
    ["a width in px", { width: "300px" }, { width: "300px", height: "200" }],
    ["an empty height", { width: "600", height: "" }, { width: "600", height: "400" }],
    ["both", { width: "10", height: "10" }, { width: "10", height: "10" }],
    ["a percentage", { width: "50%" }, { width: "50%" }],
    ["a keyword", { height: "auto" }, { height: "auto" }],
    ["a very small width", { width: "1" }, { width: "1", height: "1" }],
  ];
  for (const [given, own, expected] of SIZES) {
    it(`keeps the ratio of the file for an image with ${given}`, () => {
      const { width, height } = filled(own, {
        url: "/a",
        attributes: { width: "1200", height: "800" },
      });
      assert.deepEqual(JSON.parse(JSON.stringify({ width, height })), expected);
    });
  }

  it("adds missing alt, title and attributes of the file", () => {
    const fact = {
      url: "/a",
      alt: "Theirs",
      title: "U",
      attributes: { srcset: "a 1x", class: "c", fetchpriority: "high", width: "9", height: "6" },
    };
    assert.deepEqual(filled({ alt: "" }, fact), {
      ...defaults,
      alt: "Theirs",
      title: "U",
      srcSet: "a 1x",
      className: "c",
      fetchPriority: "high",
      width: "9",
      height: "6",
    });
  });

  it("does not change other elements", () => {
    const link = h("a");
    fillImages({ type: "root", children: [link] }, new Map());
    assert.deepEqual(link.properties, {});
  });
});
