import assert from "node:assert/strict";
import { hrefBelow, parseLanguage } from "../../../../plugins/render/page/url.js";

const two = {
  supported: ["en", "de"],
  default: "en",
  include_default_in_url: false,
  rtl_override: [],
};

describe("languageOf", () => {
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
