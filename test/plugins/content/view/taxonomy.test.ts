import assert from "node:assert/strict";
import { countTerms, visibleLists } from "../../../../plugins/content/view/visible-lists.js";
import { anonymous } from "../../../../plugins/content/view/view.js";
import { indexOf, listRules } from "../../../support/content/content-tree.js";

describe("countTerms", () => {
  const index = indexOf({
    "a/post.md": "---\ntaxonomy: {tag: [x, y], other: [o]}\n---\n",
    "b/post.md": "---\ntaxonomy: {tag: [x]}\n---\n",
    "c/post.md": "---\ntaxonomy: {tag: [x, hidden]}\npublished: false\n---\n",
    "d/post.md": "---\ntaxonomy: {tag: [x, gated]}\nroles: member\n---\n",
  });

  it("counts what the viewer sees in the configured taxonomies, unused ones empty", () => {
    const lists = visibleLists(index, anonymous, listRules());
    assert.deepEqual(countTerms(lists, "en", ["tag", "category"]), {
      tag: { x: 2, y: 1 },
      category: {},
    });
  });

  it("counts gated pages for authorised viewers", () => {
    const lists = visibleLists(index, { roles: ["member"], seesUnpublished: false }, listRules());
    assert.deepEqual(countTerms(lists, "en", ["tag"]), { tag: { gated: 1, x: 3, y: 1 } });
  });

  it("has the values by name", () => {
    const lists = visibleLists(
      indexOf({ "a/post.md": "---\ntaxonomy: {tag: [b, a, c]}\n---\n" }),
      anonymous,
      listRules(),
    );
    assert.deepEqual(Object.keys(countTerms(lists, "en", ["tag"]).tag ?? {}), ["a", "b", "c"]);
  });
});
