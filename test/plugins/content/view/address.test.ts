import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodePath,
  encodeSegment,
  joinRoute,
  normaliseRoute,
  toLocation,
  toUrl,
} from "../../../../plugins/content/view/address.js";

describe("encodeSegment", () => {
  for (const [segment, encoded] of [
    ["plain-name_1.md", "plain-name_1.md"],
    ["a b", "a%20b"],
    ["ü", "%C3%BC"],
    ["a/b", "a%2Fb"],
    ["a?b#c", "a%3Fb%23c"],
    ["50%", "50%25"],
    ["tag:a@b$&+,;=", "tag:a@b$&+,;="],
    ["half \ud800", "half%20%EF%BF%BD"],
  ] as const) {
    it(`writes ${JSON.stringify(segment)} as ${encoded}`, () => {
      assert.equal(encodeSegment(segment), encoded);
    });
  }

  it("preserves well-formed text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        assert.equal(decodeURIComponent(encodeSegment(text)), text);
      }),
    );
  });
});

describe("encodePath", () => {
  it("keeps the slashes and encodes what is between them", () => {
    assert.equal(encodePath("/a b/ü"), "/a%20b/%C3%BC");
    assert.equal(encodePath("/plain/path.html"), "/plain/path.html");
  });
});

describe("joinRoute", () => {
  it("puts no second slash below home", () => {
    assert.equal(joinRoute("/", "blog"), "/blog");
    assert.equal(joinRoute("/blog", "post"), "/blog/post");
  });
});

describe("normaliseRoute", () => {
  for (const [text, route] of [
    ["blog", "/blog"],
    ["/blog/", "/blog"],
    ["//blog///post", "/blog/post"],
    ["", "/"],
    ["/", "/"],
    ["u\u0308", "/\u00fc"],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${route}`, () =>
      assert.equal(normaliseRoute(text), route));
  }
});

describe("toLocation", () => {
  for (const [target, location] of [
    ["/new", "/new"],
    ["/a b?q=ü#x", "/a%20b?q=%C3%BC#x"],
    ["/done%20already", "/done%20already"],
    ["/50%", "/50%25"],
    ['/"<>', "/%22%3C%3E"],
    ["https://example.org", "https://example.org/"],
    ["HTTP://Example.org/A", "http://example.org/A"],
  ] as const) {
    it(`writes ${JSON.stringify(target)} as ${location}`, () => {
      assert.equal(toLocation(target), location);
    });
  }

  for (const target of [
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "relative",
    "",
    "/a\r\nSet-Cookie: x=1",
    "/a\u0000",
    "https://",
    "http://a b/",
  ]) {
    it(`refuses ${JSON.stringify(target)}`, () => assert.equal(toLocation(target), null));
  }

  it("returns only printable ASCII for any path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const location = toLocation(`/x${text}`);
        assert.ok(location === null || /^[\u0021-\u007e]+$/.test(location));
      }),
    );
  });
});

describe("toUrl", () => {
  const rules = { languages: ["en", "de"], defaultLanguage: "en", includeDefaultInUrl: false };
  for (const [route, lang, changed, url] of [
    ["/a b", "en", {}, "/a%20b"],
    ["/a b", "de", {}, "/de/a%20b"],
    ["/", "de", {}, "/de"],
    ["/", "en", {}, "/"],
    ["/", "en", { includeDefaultInUrl: true }, "/en"],
    ["/x", "en", { includeDefaultInUrl: true }, "/en/x"],
    ["/x", "en", { languages: ["en"], includeDefaultInUrl: true }, "/x"],
  ] as const) {
    it(`puts ${route} in ${lang} at ${url} with ${JSON.stringify(changed)}`, () => {
      assert.equal(toUrl(route, lang, { ...rules, ...changed }), url);
    });
  }
});
