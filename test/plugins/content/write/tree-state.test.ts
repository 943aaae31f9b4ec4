import assert from "node:assert/strict";
import { changeTags, changedTags, treeState } from "../../../../plugins/content/write/changes.js";
import type { PageEntry } from "../../../../plugins/content/contract.js";
import { pageEntry } from "../../../support/content/markdown-pages.js";

const one = pageEntry("blog/one.md", { route: "/blog/one", parent: "/blog", hash: "1" });
const two = pageEntry("blog/two.md", { route: "/blog/two", parent: "/blog", hash: "2" });
const before = treeState([one, two]);

describe("the state of a tree", () => {
  it("is reused for a page with the same bytes and position", () => {
    const after = treeState([one, { ...two, mtimeMs: 99 }], before);
    for (const path of before.keys()) assert.equal(after.get(path), before.get(path), path);
    assert.deepEqual([...changedTags(before, after)], []);
  });

  it("names the page, and no list, when only its text has changed", () => {
    const after = treeState([one, { ...two, hash: "3", size: 7 }], before);
    assert.deepEqual([...changedTags(before, after)], ["page:blog/two.md"]);
  });

  it("names only the days of changes when the same text was written on another day", () => {
    const touched = treeState([one, { ...two, mtimeMs: two.mtimeMs + 48 * 3600 * 1000 }], before);
    assert.deepEqual([...changedTags(before, touched)], ["modified"]);
  });

  it("names the lists that contain it when its title has changed", () => {
    const after = treeState([one, { ...two, hash: "3", title: "Other" }], before);
    assert.deepEqual([...changedTags(before, after)].sort(), [
      "list",
      "list:/blog",
      "page:blog/two.md",
      "route:/blog/two",
    ]);
  });

  it("changes for the same bytes wherever the tree around the page matters", () => {
    const moved = {
      route: "/news/two",
      url: "/x",
      parent: "/news",
      template: "post",
      title: "T",
      navTitle: "N",
      order: 7,
      depth: 7,
      lang: "de",
      routable: !two.routable,
      isModule: !two.isModule,
      published: !two.published,
      folder: "elsewhere",
      format: "mdx",
      visible: !two.visible,
    };
    for (const [name, value] of Object.entries(moved)) {
      const after = treeState([one, { ...two, [name]: value }], before);
      assert.ok(changedTags(before, after).has("page:blog/two.md"), name);
    }
  });

  const shown = { ...two, visible: true, taxonomy: { tag: ["x"] } };
  const others: Readonly<Record<string, Partial<PageEntry>>> = {
    "its redirect": { hash: "3", frontmatter: { redirect: "/elsewhere" } },
    "a number without order": { isOrdered: !two.isOrdered },
    "its title": { title: "Other" },
    "its order": { order: 7 },
    "its terms": { hash: "3", taxonomy: { tag: ["y"] } },
    "its visibility": { visible: false },
    "its status": { published: !two.published },
    "its readers": { roles: { any: ["member"], all: [] } },
    "its alias": { aliases: ["/old"] },
  };
  for (const [what, change] of Object.entries(others)) {
    it(`has the tags that the running site has when ${what} changes`, () => {
      const changed = { ...shown, hash: "3", ...change };
      const [first, next] = [treeState([one, shown]), treeState([one, changed])];
      assert.deepEqual(
        [...changedTags(first, next)].sort(),
        [...changeTags([[shown, changed]])].sort(),
      );
    });
  }

  it("changes when a page loses its number, but not its bytes", () => {
    const after = treeState([one, { ...two, isOrdered: !two.isOrdered }], before);
    assert.ok(changedTags(before, after).has("page:blog/two.md"));
  });

  it("names the old and the new address of a page", () => {
    const after = treeState([one, { ...two, route: "/news", parent: null }], before);
    const tags = changedTags(before, after);
    for (const tag of ["list:/blog", "route:/blog/two", "list:/", "route:/news"]) {
      assert.ok(tags.has(tag), tag);
    }
  });

  it("reports deleted and new pages", () => {
    const tags = changedTags(before, treeState([one], before));
    assert.ok(tags.has("page:blog/two.md") && tags.has("list"));
    assert.ok(changedTags(treeState([one]), before).has("page:blog/two.md"));
  });
});
