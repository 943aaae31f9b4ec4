import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { buildIndex } from "../../../../plugins/content/index/build-index.js";
import { changesBetween, scheduledChanges } from "../../../../plugins/content/write/changes.js";
import type { ContentIndex } from "../../../../plugins/content/index/content-index.js";
import type { SourceRecord } from "../../../../plugins/content/read/source-record.js";
import {
  contentRules,
  indexOf,
  recordsOf,
  type Sources,
} from "../../../support/content/content-tree.js";

const before: Sources = {
  "blog/blog.md": "---\ntitle: Blog\nvisible: true\n---\n",
  "blog/a/post.md": "---\ntitle: A\ntaxonomy: {tag: [x]}\nroutes: {aliases: [/old]}\n---\nbody",
};

function build(records: ReadonlyMap<string, SourceRecord>, previous: ContentIndex | null) {
  return runAtOnce(buildIndex({ records, treeProblems: [], rules: contentRules, previous }));
}

function between(after: Sources, media: readonly string[] = []) {
  const old = recordsOf(before);
  // Files that did not change keep their records, as in the store.
  const records = new Map(
    [...recordsOf(after)].map(([path, record]) => {
      const known = old.get(path);
      return [path, known?.hash === record.hash ? known : record];
    }),
  );
  const first = build(old, null);
  const { tags, ...changes } = changesBetween(first, build(records, first), media);
  const paths = (entries: readonly { sourcePath: string }[]) =>
    entries.map(({ sourcePath }) => sourcePath);
  return {
    created: paths(changes.created),
    updated: paths(changes.updated),
    deleted: paths(changes.deleted),
    tags: [...tags].sort(),
  };
}

describe("changesBetween", () => {
  const nothing = { created: [], updated: [], deleted: [], tags: [] };

  it("is empty without changes", () => assert.deepEqual(between(before), nothing));

  it("invalidates only the page when only its body has changed", () => {
    const path = "blog/a/post.md";
    assert.deepEqual(between({ ...before, [path]: `${before[path]} and more` }), {
      ...nothing,
      updated: [path],
      tags: [`page:${path}`],
    });
  });

  it("invalidates lists, but not navigation or terms, when a plain page is added", () => {
    assert.deepEqual(between({ ...before, "blog/b/post.md": "# B" }), {
      ...nothing,
      created: ["blog/b/post.md"],
      tags: ["list", "list:/blog", "page:blog/b/post.md", "route:/blog/b"],
    });
  });

  it("invalidates the navigation when the title of a visible page has changed", () => {
    const { tags } = between({
      ...before,
      "blog/blog.md": "---\ntitle: New\nvisible: true\n---\n",
    });
    assert.deepEqual(tags, ["list", "list:/", "nav", "page:blog/blog.md", "route:/blog"]);
  });

  it("invalidates terms, aliases and both places when a page is removed", () => {
    const { deleted, tags } = between({ "blog/blog.md": before["blog/blog.md"] ?? "" });
    assert.deepEqual(deleted, ["blog/a/post.md"]);
    assert.deepEqual(tags, [
      "list",
      "list:/blog",
      "page:blog/a/post.md",
      "route:/blog/a",
      "route:/old",
      "taxonomy",
    ]);
  });

  it("invalidates the media of the given folders", () => {
    assert.deepEqual(between(before, ["blog/a"]).tags, ["media:blog/a"]);
  });
});

describe("scheduledChanges", () => {
  it("reports due pages and their lists as changed", () => {
    const index = indexOf(before);
    const due = index.entries.filter(({ title }) => title === "A");
    const changes = scheduledChanges(index, due);
    assert.deepEqual([changes.created, changes.updated, changes.deleted], [[], due, []]);
    for (const tag of ["page:blog/a/post.md", "list", "list:/blog", "route:/blog/a", "taxonomy"]) {
      assert.ok(changes.tags.has(tag), tag);
    }
    assert.equal(changes.tags.has("nav"), false);
  });
});
