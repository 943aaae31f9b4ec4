import assert from "node:assert/strict";
import { Languages } from "../../../plugins/content/view/languages.js";
import { searchQuery, toPageRequest, toRequest } from "../../../plugins/search/params.js";
import { settings } from "../../../plugins/search/settings.js";

const languages = new Languages({
  supported: ["en", "de"],
  default: "en",
  include_default_in_url: false,
  rtl_override: [],
});
const searchSchema = searchQuery(languages.parameters({ fallback: false }));
const section = (search: Record<string, unknown> = {}) => settings.system.parse({ search }).search;
const faceted = section({ facets: [{ field: "subtype" }, { field: "colour" }] });
const request = (query: Record<string, unknown>, from = faceted) =>
  toRequest(searchSchema.parse(query), from);

describe("the query string of a search", () => {
  it("requests twenty results by relevance in every language by default", () => {
    assert.deepEqual(request({}), {
      text: "",
      filters: { taxonomy: {}, facets: {} },
      sort: "relevance",
      limit: 20,
      offset: 0,
      lang: null,
      fallback: false,
    });
  });

  for (const [limit, expected] of [
    ["1", 1],
    ["500", 500],
    ["501", 500],
    ["999999999", 500],
  ] as const) {
    it(`requests ${expected} with limit=${limit}`, () => {
      assert.equal(request({ limit }).limit, expected);
    });
  }

  it("requests no facet __proto__", () => {
    assert.deepEqual(request({ facet: JSON.parse(`{"__proto__":"x"}`) }).filters.facets, {});
  });

  it("converts one value to a list, and drops empty ones", () => {
    const { filters } = request({
      taxonomy: { tag: ["a", ""], x: "" },
      facet: { colour: "red" },
      type: "guide",
    });
    assert.deepEqual(filters, {
      taxonomy: { tag: ["a"] },
      facets: { colour: ["red"], subtype: ["guide"] },
    });
  });
});

describe("the query string of the search page", () => {
  it("requests fifty, or the configured or requested number", () => {
    assert.equal(toPageRequest({}, faceted).limit, 50);
    assert.equal(toPageRequest({}, section({ page_size: 7 })).limit, 7);
    assert.equal(toPageRequest({ limit: "9" }, section({ page_size: 7 })).limit, 9);
  });

  it("supports the type of older links, if there are types", () => {
    assert.equal(toPageRequest({ facet: { subtype: "guide" } }, faceted).type, "guide");
    assert.equal(toPageRequest({ facet: { subtype: "guide" } }, section()).type, "");
  });
});
