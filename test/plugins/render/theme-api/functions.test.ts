import assert from "node:assert/strict";
import { addressIn, cx, formatDate, formatNumber, getSearchUrl, languageName } from "#theme";
import { hrefBelow } from "../../../../plugins/render/page/url.js";
import { cachedByLanguage } from "../../../../plugins/render/theme-api/formats.js";

describe("functions for templates", () => {
  for (const [claim, found, expected] of [
    ["cx joins non-empty names", cx("a", false, null, undefined, "", "b"), "a b"],
    ["cx returns nothing without names", cx(false), undefined],
    ["getSearchUrl encodes the query", getSearchUrl("a b&c"), "/search?q=a%20b%26c"],
    ["formatDate writes English", formatDate("2026-03-01", "en"), "March 1, 2026"],
    ["formatDate writes German", formatDate("2026-03-01", "de"), "1. März 2026"],
    ["formatDate keeps an invalid date", formatDate("soon"), "soon"],
    ["formatDate takes no date", formatDate(null), ""],
    [
      "formatDate uses English for an invalid language",
      formatDate("2026-03-01", "no such language"),
      "March 1, 2026",
    ],
    ["formatNumber writes English", formatNumber(1234.5), "1,234.5"],
    ["formatNumber writes German", formatNumber(1234.5, "de"), "1.234,5"],
    [
      "formatNumber uses English for an invalid language",
      formatNumber(1234.5, "no such language"),
      "1,234.5",
    ],
    ["languageName knows the language's own name", languageName("fr"), "français"],
    [
      "languageName keeps an invalid language",
      languageName("no such language"),
      "no such language",
    ],
    ["languageName keeps an unknown language", languageName("xx"), "xx"],
  ] as const) {
    it(claim, () => assert.equal(found, expected));
  }
});

describe("addressIn", () => {
  const href = hrefBelow("de", (lang) => `/${lang}`, ["en", "de"]);
  for (const [url, expected] of [
    ["/guide", "/de/guide"],
    ["/de/guide", "/de/guide"],
    ["/en/guide#part", "/en/guide#part"],
    ["/de", "/de"],
    ["/design", "/de/design"],
    ["/über uns#teil", "/de/%C3%BCber%20uns#teil"],
    ["/search?q=a%20b#c?d", "/de/search?q=a%20b#c?d"],
    ["#part", "#part"],
    ["?page=2", "?page=2"],
    ["https://example.org/a b?c#d", "https://example.org/a b?c#d"],
    ["mailto:a@example.org", "mailto:a@example.org"],
  ] as const) {
    it(`turns ${url} into ${expected}`, () => {
      assert.equal(addressIn(href, url), expected);
    });
  }
});

describe("cachedByLanguage", () => {
  const made: string[] = [];
  const formatOf = cachedByLanguage((locale) => {
    made.push(locale);
    return { locale };
  });

  it("creates a formatter once for each language", () => {
    assert.equal(formatOf("de"), formatOf("de"));
    assert.deepEqual(formatOf("pt-br"), { locale: "pt-BR" });
    assert.deepEqual(made, ["de", "pt-BR"]);
  });

  it("uses English for an invalid language", () => {
    assert.deepEqual(formatOf("no such language"), { locale: "en" });
  });

  it("caches a bounded number of them", () => {
    const first = formatOf("x-first");
    for (let at = 0; at < 200; at += 1) formatOf(`x-other${at}`);
    assert.notEqual(formatOf("x-first"), first);
  });
});
