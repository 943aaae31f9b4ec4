import assert from "node:assert/strict";
import type { Request } from "express";
import { absolute, Head } from "../../../../plugins/render/page/head.js";

const request = {} as Request;
const input = {
  canonical: "https://site.test/a",
  translations: [],
  base: "https://site.test",
  defaultLang: "en",
  prevUrl: null,
  nextUrl: null,
};

describe("Head", () => {
  it("escapes addresses", () => {
    const html = new Head().of(request, { ...input, canonical: `https://site.test/"><script>` });
    assert.doesNotMatch(html, /<script/);
  });

  it("adds the markup of plugins, in order", () => {
    const head = new Head();
    head.add(() => "<a>");
    head.add(() => "<b>");
    assert.equal(head.of(request, null), "<a><b>");
  });
});

describe("absolute", () => {
  it("adds the site's address to a path, once", () => {
    assert.equal(absolute("https://site.test/", "/ä"), "https://site.test/%C3%A4");
    assert.equal(absolute("https://site.test", "/%C3%A4"), "https://site.test/%C3%A4");
    assert.equal(absolute("https://site.test", "https://other.test/x"), "https://other.test/x");
  });
});
