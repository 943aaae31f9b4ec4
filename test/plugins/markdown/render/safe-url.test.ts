import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isExternal,
  isLocalReference,
  safeUrl,
} from "../../../../plugins/markdown/render/html/safe-url.js";

describe("safeUrl", () => {
  for (const [value, url] of [
    ["https://example.org/a", "https://example.org/a"],
    ["HTTPS://example.org", "https://example.org"],
    ["mailto:me@example.org", "mailto:me@example.org"],
    ["tel:+49123", "tel:+49123"],
    ["/path?x=a:b", "/path?x=a:b"],
    ["a/b:c", "a/b:c"],
    ["#part:2", "#part:2"],
    ["java&#58;script:x", "java&#58;script:x"],
    ["//host/x", "//host/x"],
    ["  /x\n", "/x"],
    ["", ""],
  ] as const) {
    it(`returns ${JSON.stringify(url)} for the link ${JSON.stringify(value)}`, () => {
      assert.equal(safeUrl(value, "link"), url);
    });
  }

  for (const value of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    " \u0000\u001fjavascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:x",
    "ü:x",
  ]) {
    it(`rejects the link ${JSON.stringify(value)}`, () => {
      assert.equal(safeUrl(value, "link"), null);
    });
  }

  it("loads nothing from schemes only allowed for links", () => {
    assert.equal(safeUrl("mailto:me@example.org", "source"), null);
    assert.equal(safeUrl("tel:1", "source"), null);
    assert.equal(safeUrl("http://example.org/a.png", "source"), "http://example.org/a.png");
  });

  it("rejects what a browser reads as another scheme", () => {
    const part = fc.constantFrom(
      "javascript",
      "data",
      "http",
      "s",
      ":",
      "/",
      "\t",
      "\n",
      " ",
      "\u0001",
      "#",
      "?",
      "x",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const url = safeUrl(parts.join(""), "link");
        if (url === null || !URL.canParse(url, "https://site.example/page")) return;
        assert.match(new URL(url, "https://site.example/page").protocol, /^https?:$/);
      }),
    );
  });
});

describe("isLocalReference", () => {
  for (const [value, isLocal] of [
    ["a.png", true],
    ["../a.md", true],
    ["/blog", true],
    ["?q=1", false],
    ["#top", false],
    ["", false],
    [" \n", false],
    ["//host", false],
    ["\\\\host", false],
    ["/\\host", false],
    ["https://x", false],
    ["mailto:x", false],
    ["ja\nvascript:x", false],
  ] as const) {
    it(`is ${isLocal} for ${JSON.stringify(value)}`, () => {
      assert.equal(isLocalReference(value), isLocal);
    });
  }
});

describe("isExternal", () => {
  for (const [value, external] of [
    ["https://example.org", true],
    ["HTTP://example.org", true],
    ["//example.org", true],
    ["/\\example.org", true],
    ["\t//example.org", true],
    ["/blog", false],
    ["a", false],
    ["#x", false],
    ["mailto:x", false],
  ] as const) {
    it(`is ${external} for ${JSON.stringify(value)}`, () => {
      assert.equal(isExternal(value), external);
    });
  }
});
