import assert from "node:assert/strict";
import {
  collectItems,
  isOfTree,
  listSources,
  sourceTags,
  treeItems,
  type CollectionScope,
} from "../../../../plugins/content/view/collection-items.js";
import type { CollectionQuery } from "../../../../plugins/content/contract.js";
import { anonymous } from "../../../../plugins/content/view/view.js";
import { visibleLists } from "../../../../plugins/content/view/visible-lists.js";
import { indexOf, listRules, viewOf } from "../../../support/content/content-tree.js";
import { pageEntry } from "../../../support/content/markdown-pages.js";

const index = indexOf({
  "01.home/default.md": "---\ntitle: Home\nlinks: [/blog/a, c, gone, {route: /blog}]\n---\n",
  "02.blog/blog.md": "---\ntitle: Blog\n---\n",
  "02.blog/01.a/post.md": "---\ntitle: A\ntaxonomy: {tag: [x], category: [n]}\n---\n",
  "02.blog/02.b/post.md": "---\ntitle: B\ntaxonomy: {tag: [y]}\n---\n",
  "02.blog/02.b/c/post.md": "---\ntitle: C\ntaxonomy: {tag: [x, y]}\n---\n",
  "02.blog/_hero/item.md": "---\ntitle: Hero\n---\n",
});
const outside = pageEntry("outside.md", { title: "Outside" });

function scope(self: string | null): CollectionScope {
  return {
    lists: visibleLists(index, anonymous, listRules()),
    language: { lang: "en", fallback: false },
    self: self === null ? null : (index.at(self, "en") ?? null),
    view: viewOf(index),
    sources: new Map([["@outside", () => [outside]]]),
    names: viewOf(index).names({}),
  };
}
async function titles(items: CollectionQuery["items"], self: string | null = "/blog") {
  const pairs = listSources(items);
  const found = await collectItems(pairs, scope(self));
  if (isOfTree(pairs)) assert.deepEqual(treeItems(pairs, scope(self)), found);
  return found.map(({ title }) => title).join(" ");
}

describe("sourcesOf", () => {
  for (const [items, pairs] of [
    ["@self.children", [["@self.children", true]]],
    ["@page.children:/a:b", [["@page.children", "/a:b"]]],
    [{ "@self.children": true, "@self.modules": false }, [["@self.children", true]]],
  ] as const) {
    it(`reads ${JSON.stringify(items)}`, () => assert.deepEqual(listSources(items), pairs));
  }
});

describe("collectItems", () => {
  for (const [items, self, expected] of [
    ["@self.children", "/blog", "A B"],
    ["@self.descendants", "/blog", "A B C"],
    ["@self.siblings", "/blog/a", "B"],
    ["@self.modules", "/blog", "Hero"],
    ["@page.children:blog/b/", "/", "C"],
    ["@page.descendants:/blog", "/", "A B C"],
    ["@taxonomy.tag:x", "/", "A C"],
    [{ "@taxonomy.tag": ["x", "y"] }, "/", "A C B"],
    [{ "@taxonomy": { tag: "x", category: "n" } }, "/", "A"],
    [{ "@self.children": true, "@taxonomy.tag": "y" }, "/blog", "B"],
    [{ "@self.children": true, "@self.descendants": true }, "/blog", "A B C"],
    [{ "@frontmatter": "links" }, "/", "A C Blog"],
    [{ "@frontmatter": "nothing" }, "/", ""],
    ["@outside", "/blog", "Outside"],
    ["@self.children", null, "Blog"],
  ] as const) {
    it(`finds ${JSON.stringify(expected)} for ${JSON.stringify(items)} at ${self}`, async () => {
      const found = await titles(items, self);
      const inOrder = JSON.stringify(items).includes("@taxonomy")
        ? sortWords
        : (text: string) => text;
      assert.equal(inOrder(found), inOrder(expected));
    });
  }

  for (const name of ["@self.parents", "nonsense", "constructor", ""]) {
    it(`responds 400 to the source ${JSON.stringify(name)}`, async () => {
      await assert.rejects(titles(name), { code: "ERR_COLLECTION_SOURCE", status: 400 });
    });
  }
});

describe("isOfTree", () => {
  it("is true when the items depend only on the tree", () => {
    assert.equal(isOfTree([["@self.children", true]]), true);
    assert.equal(isOfTree([["@taxonomy.tag", "x"]]), true);
    for (const name of ["@frontmatter", "@outside", "constructor", ""]) {
      const pairs = [
        ["@self.children", true],
        [name, true],
      ] as const;
      assert.equal(isOfTree(pairs), false, name);
    }
  });
});

function sortWords(text: string): string {
  return text.split(" ").sort().join(" ");
}

describe("tagsOf", () => {
  const self = pageEntry("blog/a/post.md", { route: "/blog/a", parent: "/blog" });

  for (const [name, value, tags] of [
    ["@self.children", true, ["list:/blog/a"]],
    ["@self.siblings", true, ["list:/blog"]],
    ["@page.children", "news/", ["list:/news"]],
    ["@taxonomy.tag", "x", ["list", "taxonomy"]],
    ["@self.descendants", true, ["list"]],
  ] as const) {
    it(`of ${name} are ${tags.join(" and ")}`, () => {
      assert.deepEqual(sourceTags([[name, value]], self), tags);
    });
  }

  it("use the home page without a page", () => {
    assert.deepEqual(sourceTags([["@self.children", true]], null), ["list:/"]);
  });
});
