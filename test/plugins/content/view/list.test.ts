import assert from "node:assert/strict";
import type { ListQuery } from "../../../../plugins/content/contract.js";
import {
  listPages,
  termsOf,
  visibleLists,
} from "../../../../plugins/content/view/visible-lists.js";
import { anonymous } from "../../../../plugins/content/view/view.js";
import { indexOf, listRules } from "../../../support/content/content-tree.js";
import { pageEntry } from "../../../support/content/markdown-pages.js";

const page = (date: string, tags: string, more = "") =>
  `---\ndate: ${date}\ntaxonomy: {tag: [${tags}], category: [news]}\n${more}---\n`;
const index = indexOf({
  "a/post.md": page("2024-01-01", "x"),
  "b/post.md": page("2024-03-01", "x, y"),
  "c/item.md": page("2024-02-01", "y"),
  "d/post.md": page("2024-04-01", "x, secret", "published: false\n"),
});
const lists = visibleLists(index, anonymous, listRules());

function routes(query: Partial<ListQuery>, lang = "en"): string[] {
  return listPages(lists, { offset: 0, limit: 10, ...query }, lang).map(({ route }) => route);
}

describe("listPages", () => {
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
  ] as const) {
    it(`filters by ${JSON.stringify(query)}`, () => assert.deepEqual(routes(query), expected));
  }

  it("has nothing in another language", () => assert.deepEqual(routes({}, "de"), []));

  it("caches a query regardless of its key order, but not for a value that no page has", () => {
    const query = { offset: 0, limit: 1 };
    const first = listPages(lists, { ...query, taxonomy: { tag: "x", category: "news" } }, "en");
    const again = listPages(lists, { ...query, taxonomy: { category: "news", tag: "x" } }, "en");
    assert.equal(first, again);
    const none = { ...query, taxonomy: { tag: "nowhere" } };
    assert.notEqual(listPages(lists, none, "en"), listPages(lists, none, "en"));
  });
});

describe("termsOf", () => {
  it("has the page's own values only", () => {
    const entry = pageEntry("a.md", { taxonomy: { tag: ["x"] } });
    assert.deepEqual(termsOf(entry, "tag"), ["x"]);
    assert.deepEqual(termsOf(entry, "category"), []);
    assert.deepEqual(termsOf(entry, "constructor"), []);
  });
});
