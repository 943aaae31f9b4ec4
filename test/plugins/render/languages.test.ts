import assert from "node:assert/strict";
import { hrefIn, languageOf } from "../../../plugins/render/languages.js";

const one = { supported: ["en"], default: "en", include_default_in_url: false };
const two = { supported: ["en", "de"], default: "en", include_default_in_url: false };

describe("languageOf", () => {
  it("reads the language from the first segment of a path", () => {
    assert.equal(languageOf("/de/about", two), "de");
    assert.equal(languageOf("/about", two), "en");
    assert.equal(languageOf("/fr/about", two), "en");
  });
});

describe("hrefIn", () => {
  it("puts the language before routes, but not the default one", () => {
    assert.equal(hrefIn("de", two)("/about"), "/de/about");
    assert.equal(hrefIn("de", two)("/"), "/de");
    assert.equal(hrefIn("en", two)("/about"), "/about");
    assert.equal(hrefIn("en", { ...two, include_default_in_url: true })("/about"), "/en/about");
  });

  it("puts no language before anything where there is one", () => {
    assert.equal(hrefIn("en", one)("/about"), "/about");
  });

  it("encodes routes and leaves addresses and fragments alone", () => {
    assert.equal(hrefIn("en", one)("/über"), "/%C3%BCber");
    assert.equal(hrefIn("de", two)("https://other.test/ü"), "https://other.test/ü");
    assert.equal(hrefIn("de", two)("#part"), "#part");
  });
});
