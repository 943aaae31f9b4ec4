import assert from "node:assert/strict";
import fc from "fast-check";
import type { PageEntry } from "../../../../plugins/content/contract.js";
import { anonymous } from "../../../../plugins/content/view/view.js";
import {
  isEntries,
  unreleasedLists,
  visibleLists,
} from "../../../../plugins/content/view/visible-lists.js";
import { countPassed } from "../../../../plugins/content/schedule/publication-time.js";
import { indexOf, listRules } from "../../../support/content/content-tree.js";

const index = indexOf({
  "home/default.md": "---\ntitle: Home\n---\n",
  "blog/blog.md": "---\ntitle: Blog\n---\n",
  "blog/a/post.md": "---\ntitle: A\ntaxonomy: {tag: [x]}\npublish_date: 2024-01-01\n---\n",
  "blog/b/post.md": "---\ntitle: B\nroles: member\n---\n",
  "blog/b/c/post.md": "---\ntitle: C\n---\n",
  "blog/_hero/item.md": "---\ntitle: Hero\n---\n",
  "blogs/item.md": "---\ntitle: Blogs\npublished: false\n---\n",
});
const [before, after] = [Date.UTC(2023, 0), Date.UTC(2025, 0)];
const titles = (entries: readonly PageEntry[]): string =>
  entries.map(({ title }) => title).join(" ");

describe("visibleLists", () => {
  it("are shared by viewers with the same roles, until a boundary passes", () => {
    const lists = visibleLists(
      index,
      { roles: ["a", "b"], seesUnpublished: false },
      listRules(after),
    );
    const same = visibleLists(
      index,
      { roles: ["b", "a"], seesUnpublished: false },
      listRules(after + 1),
    );
    assert.equal(lists, same);
    assert.notEqual(lists, visibleLists(index, anonymous, listRules(after)));
    assert.notEqual(
      visibleLists(index, anonymous, listRules(before)),
      visibleLists(index, anonymous, listRules(after)),
    );
  });

  it("compute a value once per key, and evict the oldest beyond 256", () => {
    const lists = visibleLists(indexOf({}), anonymous, listRules(after));
    const makes: string[] = [];
    const ask = (key: string) =>
      lists.once(key, isEntries, () => {
        makes.push(key);
        return [];
      });
    ask("first");
    ask("first");
    assert.deepEqual(makes, ["first"]);
    for (let at = 0; at < 256; at += 1) ask(String(at));
    ask("first");
    assert.equal(makes.filter((key) => key === "first").length, 2);
    ask("255");
    assert.equal(makes.filter((key) => key === "255").length, 1);
  });
});

describe("unreleasedLists", () => {
  it("contain exactly the unreleased pages", () => {
    assert.equal(titles(unreleasedLists(index, listRules(after)).ordered("en")), "Blogs");
    assert.equal(
      titles(unreleasedLists(index, listRules(before)).ordered("en", "title")),
      "A Blogs",
    );
  });
});

describe("epochOf", () => {
  it("counts the boundaries that have passed", () => {
    const moments = fc.uniqueArray(fc.nat(50)).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(moments, fc.nat(50), (boundaries, now) => {
        assert.equal(countPassed(boundaries, now), boundaries.filter((time) => time <= now).length);
      }),
    );
  });
});
