import assert from "node:assert/strict";
import type { ListQuery } from "../../../../plugins/content/contract.js";
import { listTerms } from "../../../../plugins/content/view/visible-lists.js";
import { indexOf, viewOf } from "../../../support/content/content-tree.js";
import { pageEntry } from "../../../support/content/markdown-pages.js";

const page = (date: string, tags: string, more = "") =>
  `---\ndate: ${date}\ntaxonomy: {tag: [${tags}], category: [news]}\n${more}---\n`;
const index = indexOf({
  "a/post.md": page("2024-01-01", "x"),
  "b/post.md": page("2024-03-01", "x, y"),
  "c/item.md": page("2024-02-01", "y"),
  "d/post.md": page("2024-04-01", "x, secret", "published: false\n"),
});
const view = viewOf(index);

function routes(query: Partial<ListQuery>, lang = "en"): string[] {
  return view.list({ offset: 0, limit: 10, lang, ...query }).items.map(({ route }) => route);
}

describe("ContentView.list", () => {
  for (const [query, expected] of [
    [{}, ["/b", "/c", "/a"]],
    [{ order: { by: "date", dir: "asc" } }, ["/a", "/c", "/b"]],
    [{ order: { by: "title", dir: "desc" } }, ["/c", "/b", "/a"]],
    [{ template: "post" }, ["/b", "/a"]],
    [{ template: "none" }, []],
    [{ taxonomy: { tag: "y" } }, ["/b", "/c"]],
    [{ taxonomy: { tag: "y" }, template: "item" }, ["/c"]],
    [{ taxonomy: { tag: "x", category: "news" } }, ["/b", "/a"]],
    [{ taxonomy: { tag: "X" } }, []],
    [{ taxonomy: { tag: "secret" } }, []],
    [{ taxonomy: { constructor: "x" } }, []],
    [{ taxonomy: { tag: "__proto__" } }, []],
    [{ offset: 100 }, []],
    [{ order: { by: "route", dir: "asc" } }, ["/a", "/b", "/c"]],
    [{ order: { by: "route", dir: "desc" }, template: "post" }, ["/b", "/a"]],
  ] as const) {
    it(`filters by ${JSON.stringify(query)}`, () => assert.deepEqual(routes(query), expected));
  }

  it("has nothing in another language", () => assert.deepEqual(routes({}, "de"), []));

  it("slices, and counts all", () => {
    const { items, ...rest } = view.list({ offset: 1, limit: 1, template: "post" });
    assert.deepEqual(
      items.map(({ route }) => route),
      ["/a"],
    );
    assert.deepEqual(rest, { total: 2, offset: 1, nextCursor: null });
  });

  it("caches a query regardless of its key order, but not for a value that no page has", () => {
    const query = { offset: 0, limit: 10 };
    const first = view.list({ ...query, taxonomy: { tag: "x", category: "news" } }).items;
    const again = view.list({ ...query, taxonomy: { category: "news", tag: "x" } }).items;
    assert.equal(first, again);
    const none = { ...query, taxonomy: { tag: "nowhere" } };
    assert.notEqual(view.list(none).items, view.list(none).items);
  });

  it("continues after a cursor in an order that the index keeps", () => {
    for (const [name, dir, expected] of [
      ["date", "desc", ["/b", "/c", "/a"]],
      ["title", "asc", ["/a", "/b", "/c"]],
    ] as const) {
      const query = { all: [], any: [], order: [{ name, dir }] };
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const part = view.list({ offset: 0, limit: 1, query: { ...query, cursor } });
        seen.push(...part.items.map(({ route }) => route));
        cursor = part.nextCursor;
      }
      assert.deepEqual(seen, expected);
    }
  });
});

describe("termsOf", () => {
  it("has the page's own values only", () => {
    const entry = pageEntry("a.md", { taxonomy: { tag: ["x"] } });
    assert.deepEqual(listTerms(entry, "tag"), ["x"]);
    assert.deepEqual(listTerms(entry, "category"), []);
    assert.deepEqual(listTerms(entry, "constructor"), []);
  });
});
