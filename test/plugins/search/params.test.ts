import assert from "node:assert/strict";
import { Languages } from "../../../plugins/content/view/languages.js";
import { HttpError } from "#kernel";
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
const isBadRequest = (error: unknown): boolean =>
  error instanceof HttpError && error.status === 400;

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

  for (const query of [
    { limit: "0" },
    { limit: "-1" },
    { limit: "1.5" },
    { limit: "0x10" },
    { limit: "1e3" },
    { limit: "NaN" },
    { limit: "9".repeat(400) },
    { limit: ["1", "2"] },
    { offset: "-1" },
    { offset: "1000001" },
    { from: "2024-02-30" },
    { from: "2024-13-01" },
    { to: "yesterday" },
    { to: "2024-1-1" },
    { from: ["2024-01-01"] },
    { sort: "__proto__" },
    { published: "yes" },
    { q: ["a"] },
    { facet: "x" },
    { taxonomy: "x" },
    { taxonomy: { a: { b: "c" } } },
  ]) {
    it(`is rejected with ${JSON.stringify(query).slice(0, 60)}`, () => {
      assert.equal(searchSchema.safeParse(query).success, false);
    });
  }

  it("accepts the last day of a leap February", () => {
    assert.equal(request({ from: "2024-02-29" }).filters.from, "2024-02-29");
  });

  for (const field of ["password", "constructor", "toString", "constructor.name"]) {
    it(`is rejected with the undeclared facet ${field}`, () => {
      const facet = Object.fromEntries([[field, "x"]]);
      assert.throws(() => request({ facet }), isBadRequest);
    });
  }

  it("requests no facet __proto__", () => {
    assert.deepEqual(request({ facet: JSON.parse(`{"__proto__":"x"}`) }).filters.facets, {});
  });

  it("is rejected with sort=date or a type without a facet subtype", () => {
    for (const query of [{ sort: "date" }, { type: "guide" }]) {
      assert.throws(() => request(query, section()), isBadRequest);
      assert.doesNotThrow(() => request(query));
    }
    assert.doesNotThrow(() => request({ type: "all" }, section()));
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
  for (const query of [
    { limit: "x" },
    { offset: "-1" },
    { q: ["a", "b"] },
    { sort: "up" },
    { facet: "x" },
    { type: {} },
  ]) {
    it(`is always valid: ${JSON.stringify(query)} is ignored`, () => {
      assert.deepEqual(toPageRequest(query, faceted), toPageRequest({}, faceted));
    });
  }

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
