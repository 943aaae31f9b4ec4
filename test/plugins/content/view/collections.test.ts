import assert from "node:assert/strict";
import type { CollectionQuery } from "../../../../plugins/content/contract.js";
import type { CollectionScope } from "../../../../plugins/content/view/collection-items.js";
import { resolveCollection } from "../../../../plugins/content/view/collections.js";
import { anonymous } from "../../../../plugins/content/view/view.js";
import { visibleLists } from "../../../../plugins/content/view/visible-lists.js";
import { indexOf, listRules, viewOf } from "../../../support/content/content-tree.js";

const letters = ["a", "b", "c", "d", "e"];
const index = indexOf({
  "blog/blog.md": "---\ntitle: Blog\n---\n",
  ...Object.fromEntries(
    letters.map((name, at) => [
      `blog/${name}/post.md`,
      `---\ntitle: ${name}\ndate: 2024-01-0${at + 1}\n---\n`,
    ]),
  ),
});
const scope: CollectionScope = {
  lists: visibleLists(index, anonymous, listRules()),
  language: { lang: "en", fallback: false },
  self: index.at("/blog", "en") ?? null,
  view: viewOf(index),
  sources: new Map(),
};

async function resolved(query: Partial<CollectionQuery>, page = 1) {
  const found = await resolveCollection({ items: "@page.children:/blog", ...query }, scope, page);
  const { items, ...rest } = found;
  return { titles: items.map(({ title }) => title).join(""), ...rest };
}

describe("resolveCollection", () => {
  for (const [query, page, expected] of [
    [{}, 1, { titles: "abcde", total: 5, page: 1, pages: 1, hasNext: false, hasPrev: false }],
    [
      { limit: 2, offset: 2 },
      1,
      { titles: "cd", total: 5, page: 2, pages: 3, hasNext: true, hasPrev: true },
    ],
    [{ offset: 9 }, 1, { titles: "", total: 5, page: 1, pages: 1, hasNext: false, hasPrev: true }],
    [
      { pagination: { size: 2 } },
      1,
      { titles: "ab", total: 5, page: 1, pages: 3, hasNext: true, hasPrev: false },
    ],
    [
      { pagination: { size: 2 } },
      3,
      { titles: "e", total: 5, page: 3, pages: 3, hasNext: false, hasPrev: true },
    ],
    [
      { pagination: { size: 2 } },
      4,
      { titles: "", total: 5, page: 4, pages: 3, hasNext: false, hasPrev: true },
    ],
    [
      { pagination: { size: 2 }, limit: 3, offset: 1 },
      2,
      { titles: "d", total: 3, page: 2, pages: 2, hasNext: false, hasPrev: true },
    ],
    [
      { order: { by: "date" }, limit: 1 },
      1,
      { titles: "e", total: 5, page: 1, pages: 5, hasNext: true, hasPrev: false },
    ],
    [
      { filter: { title: ["b", "d"] } },
      1,
      { titles: "bd", total: 2, page: 1, pages: 1, hasNext: false, hasPrev: false },
    ],
  ] as const) {
    it(`returns page ${page} of ${JSON.stringify(query)}`, async () => {
      const found = await resolved(query, page);
      assert.deepEqual(found, expected);
    });
  }

  for (const [what, query, titles] of [
    ["a negative offset", { offset: -1 }, "abcde"],
    ["a limit of zero", { limit: 0 }, "abcde"],
    ["a broken limit", { limit: 1.5 }, "abcde"],
    ["a page size of zero", { pagination: { size: 0 } }, "abcde"],
    ["no pagination", { pagination: null, limit: 1 }, "a"],
  ] as const) {
    it(`treats ${what} as absent`, async () => {
      assert.equal((await resolved(query)).titles, titles);
    });
  }

  it("is empty without pages when the source is empty", async () => {
    const { items, ...rest } = await resolveCollection({ items: "@page.children:/no" }, scope, 1);
    assert.deepEqual(items, []);
    assert.deepEqual(rest, { total: 0, page: 1, pages: 0, hasNext: false, hasPrev: false });
  });
});
