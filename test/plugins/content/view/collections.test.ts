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
  names: viewOf(index).names({}),
};

const is = (name: string, ...values: readonly string[]) =>
  ({ parameter: name, name, operator: "is", values }) as const;

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

  for (const [more, query, expected] of [
    [{}, { order: [{ name: "date", dir: "desc" }] }, "edcba 1/1"],
    [{ limit: 2, offset: 2 }, { order: [{ name: "title", dir: "desc" }] }, "cb 2/3 more before"],
    [{ limit: 2 }, { all: [is("title", "b", "d", "e")] }, "bd 1/2 more"],
    [{ filter: { title: ["b", "d"] } }, { order: [{ name: "date", dir: "desc" }] }, "db 1/1"],
    [{ order: { by: "date" }, pagination: { size: 1 } }, {}, "abcde 1/1"],
  ] as const) {
    it(`selects ${expected} by the query ${JSON.stringify({ ...more, query })}`, async () => {
      const found = await resolved({
        ...more,
        query: { all: [], any: [], order: [], cursor: null, ...query },
      });
      const { titles, page, pages, hasNext, hasPrev, nextCursor } = found;
      const rest = `${hasNext ? " more" : ""}${hasPrev ? " before" : ""}`;
      assert.equal(`${titles} ${page}/${pages}${rest}`, expected);
      assert.equal(typeof nextCursor, hasNext ? "string" : "object");
    });
  }

  it("continues after a cursor, of sources of the tree and others", async () => {
    for (const items of [
      "@page.children:/blog",
      { "@frontmatter": "none", "@page.children": "/blog" },
    ]) {
      const query = { all: [], any: [], order: [{ name: "title", dir: "desc" as const }] };
      const first = await resolved({ items, limit: 3, query: { ...query, cursor: "" } });
      const cursor = first.nextCursor ?? null;
      const next = await resolved({ items, limit: 3, query: { ...query, cursor } });
      assert.deepEqual([first.titles, next.titles, next.nextCursor], ["edc", "ba", null]);
    }
  });

  it("is empty without pages when the source is empty", async () => {
    const { items, ...rest } = await resolveCollection({ items: "@page.children:/no" }, scope, 1);
    assert.deepEqual(items, []);
    assert.deepEqual(rest, { total: 0, page: 1, pages: 0, hasNext: false, hasPrev: false });
  });
});
