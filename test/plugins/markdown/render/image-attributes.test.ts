import assert from "node:assert/strict";
import type { Element, Properties } from "hast";
import { fillImages } from "../../../../plugins/markdown/render/html/image-attributes.js";
import type { ReferenceFact } from "../../../../plugins/markdown/render/render-options.js";
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

  it("adds missing alt, title and attributes of the file", () => {
    const fact = {
      url: "/a",
      alt: "Theirs",
      title: "U",
      attributes: { srcset: "a 1x", class: "c", fetchpriority: "high", width: "9" },
    };
    assert.deepEqual(filled({ alt: "" }, fact), {
      ...defaults,
      alt: "Theirs",
      title: "U",
      srcSet: "a 1x",
      className: "c",
      fetchPriority: "high",
      width: "9",
    });
  });

  it("does not change other elements", () => {
    const link = h("a");
    fillImages({ type: "root", children: [link] }, new Map());
    assert.deepEqual(link.properties, {});
  });
});
