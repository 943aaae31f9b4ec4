import assert from "node:assert/strict";
import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { absoluteUrl, absoluteUrls, xmlText } from "../../../plugins/feeds/feed-document.js";

describe("text for XML", () => {
  it("is valid in CDATA", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const clean = xmlText(text);
        // oxlint-disable-next-line no-control-regex -- what XML 1.0 cannot hold
        assert.doesNotMatch(clean, /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u);
        assert.equal(XMLValidator.validate(`<a><![CDATA[${clean}]]></a>`), true);
      }),
    );
  });

  for (const [text, expected] of [
    ["a\u0007b\0c", "abc"],
    ["a\tb\nc\r", "a\tb\nc\r"],
    ["\ud83d", "\ufffd"],
    ["🎉", "🎉"],
    ["]]>", "]]&gt;"],
    ["]]]]>>", "]]]]&gt;>"],
    ["]]\0>", "]]&gt;"],
  ] as const) {
    it(`turns ${JSON.stringify(text)} into ${JSON.stringify(expected)}`, () => {
      assert.equal(xmlText(text), expected);
    });
  }
});

describe("absolute URLs", () => {
  it("are escaped once", () => {
    assert.equal(absoluteUrl("https://a.example", "/ü b"), "https://a.example/%C3%BC%20b");
    assert.equal(absoluteUrl("https://a.example", "/%C3%BC"), "https://a.example/%C3%BC");
  });

  it("replace links and images in HTML; srcset is removed", () => {
    const html = `<a href="../x">x</a><img src="p.png" srcset="p.png 1x, q.png 2x"> href="y"`;
    assert.equal(
      absoluteUrls(html, "https://a.example/blog/post/"),
      `<a href="https://a.example/blog/x">x</a><img src="https://a.example/blog/post/p.png"> href="https://a.example/blog/post/y"`,
    );
  });

  it("do not replace invalid or external ones", () => {
    for (const target of ["http://", "mailto:a@b.example", "https://b.example/x"]) {
      const html = `<a href="${target}">x</a>`;
      assert.equal(absoluteUrls(html, "https://a.example/"), html);
    }
  });
});
