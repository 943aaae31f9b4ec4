import assert from "node:assert/strict";
import { builtInPage, formatTitle } from "../../../plugins/search/built-in-page.js";
import type { SearchItem } from "../../../plugins/search/contract.js";
import { toQuery } from "../../../plugins/search/testing/engine-suite.js";

const item: SearchItem = {
  route: "/a",
  title: "A",
  template: "default",
  date: "",
  taxonomy: {},
  score: 1,
  excerpt: "<mark>a</mark>",
};

function page(text: string, items: SearchItem[] = [], rest = {}): string {
  const request = { ...toQuery(text), type: "", ...rest };
  const answer = { total: items.length, items, facets: {}, hasMore: items.length > 0 };
  const options = { nonce: `n"o`, lang: "en", path: "/search", private: false, until: Infinity };
  return String(builtInPage({ request, answer, siteTitle: "S & T" }, options).body);
}

describe("the built-in search page", () => {
  it("escapes query, titles and routes", () => {
    const hostile = `"><img src=x onerror=1>`;
    const html = page(hostile, [{ ...item, title: hostile, route: `/${hostile}`, date: hostile }]);
    assert.doesNotMatch(html, /<img/);
    assert.doesNotMatch(html, /nonce="n"o"/);
  });

  for (const route of [
    "javascript:alert(1)",
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "",
  ]) {
    it(`links to the home page instead of ${JSON.stringify(route)}`, () => {
      assert.match(page("a", [{ ...item, route }]), /<h2><a href="\/">/);
    });
  }

  it("shows the day of a dated result only", () => {
    const result = (date: string) => page("a", [{ ...item, date }]).match(/<time[^>]*>/)?.[0];
    assert.equal(result("2024-03-01"), `<time datetime="2024-03-01">`);
    assert.equal(result(""), undefined);
  });

  it("shows the number of results, or a message for none, but only after a query", () => {
    assert.match(page("a", [item]), />1 result</);
    assert.match(page("a", [item, item]), />2 results</);
    assert.match(page("a"), /<p id="search-empty">/);
    assert.match(page("  "), /<p id="search-empty" hidden>/);
  });

  it("links to the previous and next results for the same query", () => {
    const html = page("a&b", [item], { offset: 30, limit: 20, sort: "date", type: "x y" });
    assert.match(
      html,
      /rel="prev" href="\/search\?q=a%26b&amp;sort=date&amp;type=x\+y&amp;offset=10&amp;limit=20"/,
    );
    assert.match(html, /rel="next" href="[^"]*offset=50&amp;limit=20"/);
    assert.doesNotMatch(page("a"), /rel="(prev|next)"/);
  });

  it("has the query as its title", () => {
    assert.equal(formatTitle(" ", "S"), "Search | S");
    assert.equal(formatTitle("pear", "S"), "Search: pear | S");
  });
});
