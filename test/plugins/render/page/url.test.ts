import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodePath,
  hrefBelow,
  parseLanguage,
  redirectTarget,
} from "../../../../plugins/render/page/url.js";

describe("encodePath", () => {
  it("encodes invalid characters of a path and leaves the rest readable", () => {
    assert.equal(encodePath("/über uns/a+b=c@d:2"), "/%C3%BCber%20uns/a+b=c@d:2");
    assert.equal(encodePath("/a#b?c%d"), "/a%23b%3Fc%25d");
  });

  it("never throws and always returns a URL path, for any file name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const path = encodePath(`/${name}`);
        assert.match(path, /^[\x21-\x7e]+$/);
        assert.doesNotMatch(path, /["<>#?]/);
      }),
    );
  });
});

describe("redirectTarget", () => {
  it("keeps the query string on the way to another page", () => {
    assert.equal(redirectTarget("/new", "a=1"), "/new?a=1");
    assert.equal(redirectTarget("/new#part", "a=1"), "/new?a=1#part");
  });

  it("keeps a target's own query string", () => {
    assert.equal(redirectTarget("/new?b=2", "a=1"), "/new?b=2");
  });

  it("allows redirects to http and https addresses", () => {
    assert.equal(redirectTarget("https://example.com/x", "a=1"), "https://example.com/x");
  });

  for (const target of [
    "//evil.example/x",
    "/\\evil.example",
    "\\\\evil.example",
    "///evil.example",
  ]) {
    it(`stays on the site for ${JSON.stringify(target)}`, () => {
      assert.equal(new URL(redirectTarget(target, ""), "http://site.test").host, "site.test");
    });
  }

  for (const target of [
    "javascript:alert(1)",
    "data:text/html,x",
    "/a\r\nSet-Cookie: x=1",
    "/a\0b",
  ]) {
    it(`rejects ${JSON.stringify(target)}`, () => {
      assert.throws(() => redirectTarget(target, ""), { code: "ERR_REDIRECT_TARGET" });
    });
  }

  it("returns a header value or throws for any target and query string", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (to, search) => {
        let location: string;
        try {
          location = redirectTarget(to, search);
        } catch (error) {
          assert.ok(
            error instanceof Error && "code" in error && error.code === "ERR_REDIRECT_TARGET",
          );
          return;
        }
        assert.match(location, /^[\x21-\x7e]+$/);
        const isSameSite = new URL(location, "http://site.test").host === "site.test";
        assert.ok(isSameSite || /^https?:/i.test(to.trim()));
      }),
    );
  });
});

const two = {
  supported: ["en", "de"],
  default: "en",
  include_default_in_url: false,
  rtl_override: [],
};

describe("parseLanguage", () => {
  it("reads the language from the first segment of a path", () => {
    assert.equal(parseLanguage("/de/about", two), "de");
    assert.equal(parseLanguage("/about", two), "en");
    assert.equal(parseLanguage("/fr/about", two), "en");
  });
});

describe("hrefBelow", () => {
  const prefixOf = (lang: string): string => (lang === "de" ? "/de" : "");
  const german = hrefBelow("de", prefixOf);
  const plain = hrefBelow("en", prefixOf);

  it("adds the prefix of another language when asked", () => {
    assert.equal(plain("/about", "de"), "/de/about");
    assert.equal(german("/about", "en"), "/about");
  });

  it("adds the prefix to routes", () => {
    assert.equal(german("/about"), "/de/about");
    assert.equal(german("/"), "/de");
    assert.equal(plain("/about"), "/about");
    assert.equal(plain("/"), "/");
  });

  it("encodes routes and does not change addresses and fragments", () => {
    assert.equal(plain("/über"), "/%C3%BCber");
    assert.equal(german("https://other.test/ü"), "https://other.test/ü");
    assert.equal(german("//other.test/x"), "//other.test/x");
    assert.equal(german("#part"), "#part");
  });
});
