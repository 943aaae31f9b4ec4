import assert from "node:assert/strict";
import { addressIn } from "#theme";
import { hrefBelow } from "../../../../plugins/render/page/url.js";

describe("addressIn", () => {
  const href = hrefBelow("de", (lang) => `/${lang}`);
  for (const [url, expected] of [
    ["/guide", "/de/guide"],
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
