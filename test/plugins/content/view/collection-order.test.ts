import assert from "node:assert/strict";
import type { CollectionQuery, PageEntry } from "../../../../plugins/content/contract.js";
import { compileFilter, compileOrder } from "../../../../plugins/content/view/collections.js";
import { pageEntry } from "../../../support/content/markdown-pages.js";

const item = (name: string, fields: Partial<PageEntry> = {}): PageEntry =>
  pageEntry(`${name}/post.md`, { title: name, routable: true, ...fields });

const items = [
  item("a", {
    template: "post",
    date: "2024-01-01",
    taxonomy: { tag: ["x"] },
    frontmatter: { rating: 10, custom: { color: "red" }, list: [1, 2] },
  }),
  item("b", {
    template: "item",
    date: "2024-02-01",
    taxonomy: { tag: ["x", "y"], category: ["news"] },
    frontmatter: { rating: 9, custom: { color: "blue" } },
  }),
  item("c", { date: null, status: "draft", visible: true, frontmatter: { rating: null } }),
];

function kept(filter: CollectionQuery["filter"]): string {
  const test = compileFilter(filter);
  return (test === null ? items : items.filter(test)).map(({ title }) => title).join("");
}
function sorted(by: string, dir?: "asc" | "desc"): string {
  const compare = compileOrder({ by, ...(dir && { dir }) });
  const list = compare === null ? items : [...items].sort(compare);
  return list.map(({ title }) => title).join("");
}

describe("filterOf", () => {
  it("is null without a filter", () => {
    assert.equal(compileFilter(undefined), null);
    assert.equal(compileFilter({}), null);
  });

  for (const [filter, expected] of [
    [{ template: "post" }, "a"],
    [{ template: ["post", "item"] }, "ab"],
    [{ published: true }, "ab"],
    [{ published: false }, "c"],
    [{ visible: true }, "c"],
    [{ rating: 10 }, "a"],
    [{ rating: "10" }, "a"],
    [{ rating: null }, "c"],
    [{ "custom.color": "blue" }, "b"],
    [{ "frontmatter.custom.color": "red" }, "a"],
    [{ list: 2 }, "a"],
    [{ missing: "x" }, ""],
    [{ "constructor.name": "Object" }, ""],
    [{ taxonomy: { tag: "x" } }, "ab"],
    [{ taxonomy: { tag: ["y", "z"] } }, "b"],
    [{ taxonomy: { tag: "x", category: "news" } }, "b"],
    [{ taxonomy: { tag: "x" }, template: "post" }, "a"],
    [{ taxonomy: { tag: "none" } }, ""],
  ] as const) {
    it(`lets ${JSON.stringify(expected)} through ${JSON.stringify(filter)}`, () => {
      assert.equal(kept(filter), expected);
    });
  }
});

describe("orderOf", () => {
  it("is null for the order of the source", () => {
    assert.equal(compileOrder(undefined), null);
    assert.equal(compileOrder({}), null);
    assert.equal(compileOrder({ by: "default" }), null);
  });

  for (const [by, dir, expected] of [
    ["date", undefined, "bac"],
    ["date", "asc", "abc"],
    ["title", undefined, "abc"],
    ["title", "desc", "cba"],
    ["route", "desc", "cba"],
    ["rating", undefined, "bac"],
    ["rating", "desc", "abc"],
    ["custom.color", "asc", "bac"],
    ["custom.color", "desc", "abc"],
    ["missing", "desc", "abc"],
  ] as const) {
    it(`sorts by ${by} ${dir ?? "as it comes"}, items without the value last`, () => {
      assert.equal(sorted(by, dir), expected);
    });
  }
});
