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
  it("contains the canonical address", () => {
    assert.equal(
      new Head().of(request, input),
      `<link rel="canonical" href="https://site.test/a">`,
    );
  });

  it("contains every language of a page, and the default one for others", () => {
    const translations = [
      { lang: "en", url: "/a" },
      { lang: "de", url: "/de/a" },
    ];
    const html = new Head().of(request, { ...input, translations });
    assert.match(html, /hreflang="en" href="https:\/\/site.test\/a"/);
    assert.match(html, /hreflang="de" href="https:\/\/site.test\/de\/a"/);
    assert.match(html, /hreflang="x-default" href="https:\/\/site.test\/a"/);
  });

  it("contains no languages on a site with one", () => {
    const html = new Head().of(request, { ...input, translations: [{ lang: "en", url: "/a" }] });
    assert.doesNotMatch(html, /hreflang/);
  });

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
