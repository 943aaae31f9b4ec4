import assert from "node:assert/strict";
import fc from "fast-check";
import { readQuery } from "#lib/query";
import { directed } from "../../../plugins/pages/routes/list-routes.js";
import { Languages } from "../../../plugins/content/view/languages.js";
import {
  collectionsQuery as collectionsQueryIn,
  navQuery as navQueryIn,
  pagesQuery as pagesQueryIn,
  singleTaxonomyValues,
  toListQuery,
  toSource,
} from "../../../plugins/pages/params.js";

const languages = new Languages({
  supported: ["en", "de"],
  default: "en",
  include_default_in_url: false,
  rtl_override: [],
});
const language = languages.parameters({ fallback: false });
const pagesQuery = pagesQueryIn(language);
const collectionsQuery = collectionsQueryIn(language);
const navQuery = navQueryIn(language);

const list = (query: Record<string, unknown>) => toListQuery(pagesQuery.parse(query));

describe("the query of /api/pages", () => {
  it("has defaults, and reads given values", () => {
    assert.deepEqual(list({}), {
      offset: 0,
      limit: 20,
      published: true,
      taxonomy: {},
      fallback: false,
    });
    assert.deepEqual(
      list({
        limit: "5",
        offset: "10",
        template: "post",
        lang: "de",
        published: "false",
        "taxonomy.tag": "a",
      }),
      {
        limit: 5,
        offset: 10,
        template: "post",
        lang: "de",
        fallback: false,
        published: false,
        taxonomy: { tag: "a" },
      },
    );
  });

  for (const [order, by, dir] of [
    ["date", "date", "desc"],
    ["title", "title", "asc"],
    ["order", "order", "asc"],
    ["date:asc", "date", "asc"],
    ["title:desc", "title", "desc"],
  ] as const) {
    it(`orders ${order} by ${by}, ${dir}`, () =>
      assert.deepEqual(
        directed(readQuery(`order=${order}`).order, (name) => (name === "date" ? "desc" : "asc")),
        [{ name: by, dir }],
      ));
  }

  it("lowers a limit above the maximum, and rejects non-integers", () => {
    assert.equal(list({ limit: "999999999" }).limit, 200);
    for (const limit of [
      "0",
      "-1",
      "1.5",
      "0x10",
      "NaN",
      "1e3",
      "9".repeat(400),
      "",
      " 1",
      ["1"],
      { a: "1" },
    ]) {
      assert.equal(pagesQuery.safeParse({ limit }).success, false, JSON.stringify(limit));
    }
    assert.equal(pagesQuery.safeParse({ offset: "1000001" }).success, false);
  });

  it("reports a taxonomy filter with several values", () => {
    assert.equal(singleTaxonomyValues({ "taxonomy.tag": "a", limit: ["1"] }), null);
    assert.equal(singleTaxonomyValues({ "taxonomy.tag": ["a", "b"] }), "taxonomy.tag");
  });

  it("accepts or rejects any value of any parameter, and never throws", () => {
    const key = fc.constantFrom(
      "limit",
      "offset",
      "order",
      "template",
      "lang",
      "published",
      "taxonomy.tag",
      "__proto__",
    );
    fc.assert(
      fc.property(fc.dictionary(key, fc.anything()), (query) => {
        const parsed = pagesQuery.safeParse(query);
        if (parsed.success) assert.ok(toListQuery(parsed.data).limit <= 200);
        collectionsQuery.safeParse(query);
        navQuery.safeParse(query);
      }),
    );
  });
});

describe("the query of /api/collections", () => {
  for (const [source, name, value] of [
    ["@self.children", "@self.children", null],
    ["@page.children:/blog", "@page.children", "/blog"],
    ["@page.descendants:/a:b", "@page.descendants", "/a:b"],
    ["@taxonomy.tag:one", "@taxonomy.tag", "one"],
  ] as const) {
    it(`reads the source ${source}`, () => {
      const query = collectionsQuery.parse({ source });
      assert.deepEqual(toSource(query.source), { name, value });
    });
  }
  for (const source of [
    "@flex",
    "@root",
    "@page.children",
    "@page.children:",
    "x@self.children",
    "@taxonomy.tag",
    "",
    "__proto__",
  ]) {
    it(`rejects the source ${JSON.stringify(source)}`, () =>
      assert.equal(collectionsQuery.safeParse({ source }).success, false));
  }

  it("has defaults", () => {
    assert.deepEqual(collectionsQuery.parse({}), {
      source: "@self.children",
      dir: "desc",
      fallback: false,
      limit: 20,
      offset: 0,
    });
  });
});
