import assert from "node:assert/strict";
import { hrefBelow, languageOf } from "../../../../plugins/render/theme/languages.js";

const two = { supported: ["en", "de"], default: "en", include_default_in_url: false };

describe("languageOf", () => {
  it("reads the language from the first segment of a path", () => {
    assert.equal(languageOf("/de/about", two), "de");
    assert.equal(languageOf("/about", two), "en");
    assert.equal(languageOf("/fr/about", two), "en");
  });
});

describe("hrefBelow", () => {
  it("adds the prefix to routes", () => {
    assert.equal(hrefBelow("/de")("/about"), "/de/about");
    assert.equal(hrefBelow("/de")("/"), "/de");
    assert.equal(hrefBelow("")("/about"), "/about");
    assert.equal(hrefBelow("")("/"), "/");
  });

  it("encodes routes and does not change addresses and fragments", () => {
    assert.equal(hrefBelow("")("/über"), "/%C3%BCber");
    assert.equal(hrefBelow("/de")("https://other.test/ü"), "https://other.test/ü");
    assert.equal(hrefBelow("/de")("//other.test/x"), "//other.test/x");
    assert.equal(hrefBelow("/de")("#part"), "#part");
  });
});
