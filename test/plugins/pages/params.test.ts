import assert from "node:assert/strict";
import fc from "fast-check";
import {
  collectionsQuery,
  navQuery,
  pagesQuery,
  singleTaxonomyValues,
  toCollectionQuery,
  toListQuery,
} from "../../../plugins/pages/params.js";

const list = (query: Record<string, unknown>) => toListQuery(pagesQuery.parse(query));

describe("the query of /api/pages", () => {
  it("has defaults, and reads what is given", () => {
    assert.deepEqual(list({}), { offset: 0, limit: 20, published: true, taxonomy: {} });
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
        ...{
          limit: 5,
          offset: 10,
          template: "post",
          lang: "de",
          published: false,
          taxonomy: { tag: "a" },
        },
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
      assert.deepEqual(list({ order }).order, { by, dir }));
  }

  it("R6: lowers a limit above the most, and refuses what is no whole number or no field", () => {
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
    for (const order of [
      "__proto__:asc",
      "frontmatter.x",
      "date:up",
      "date:",
      ":asc",
      "",
      ["date"],
    ]) {
      assert.equal(pagesQuery.safeParse({ order }).success, false, JSON.stringify(order));
    }
    assert.equal(pagesQuery.safeParse({ offset: "1000001" }).success, false);
  });

  it("H10: names a taxonomy filter that has several values", () => {
    assert.equal(singleTaxonomyValues({ "taxonomy.tag": "a", limit: ["1"] }), null);
    assert.equal(singleTaxonomyValues({ "taxonomy.tag": ["a", "b"] }), "taxonomy.tag");
  });

  it("H10: takes any value of any parameter as valid or not, never as an error of its own", () => {
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
  const collection = (query: Record<string, unknown>) =>
    toCollectionQuery(collectionsQuery.parse(query));

  for (const [source, items] of [
    ["@self.children", { "@self.children": true }],
    ["@page.children:/blog", { "@page.children": "/blog" }],
    ["@page.descendants:/a:b", { "@page.descendants": "/a:b" }],
    ["@taxonomy.tag:one", { "@taxonomy.tag": "one" }],
  ] as const) {
    it(`reads the source ${source}`, () => assert.deepEqual(collection({ source }).items, items));
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
    it(`refuses the source ${JSON.stringify(source)}`, () =>
      assert.equal(collectionsQuery.safeParse({ source }).success, false));
  }

  it("has defaults", () => {
    assert.deepEqual(collection({}), {
      ...{
        items: { "@self.children": true },
        order: { by: "date", dir: "desc" },
        limit: 20,
        offset: 0,
      },
    });
  });
});
