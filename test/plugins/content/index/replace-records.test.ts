import assert from "node:assert/strict";
import fc from "fast-check";
import { runAtOnce } from "#lib/concurrency";
import { replaceRecords } from "../../../../plugins/content/index/update-index.js";
import { indexOf, recordsOf, type Sources } from "../../../support/content/content-tree.js";

const sources: Sources = {
  "01.home/default.md": "---\ntitle: Home\n---\n",
  "02.blog/blog.md": "---\ntitle: Blog\n---\n",
  "02.blog/a/post.md": "---\ntitle: A\n---\n",
  "02.blog/b/post.md": "---\ntitle: B\n---\n",
  "02.blog/flat.md": "---\ntitle: F\n---\n",
  "02.blog/b/c/post.md": "---\ntitle: C\n---\n",
  "02.blog/b/d/post.md": "---\ntitle: D\n---\n",
  "_drafts/d/post.md": "---\ntitle: D\n---\n",
};

function replaced(texts: Sources) {
  const records = recordsOf(texts);
  return runAtOnce(replaceRecords(indexOf(sources), [...records.values()], { timezone: "UTC" }));
}

describe("replaceRecords", () => {
  it("has the same result as a full build of the index", () => {
    const path = fc.constantFrom(...Object.keys(sources).filter((name) => !name.startsWith("_")));
    const front = fc.record(
      {
        title: fc.constantFrom("A", "Z", "m", "ä"),
        order: fc.integer({ min: 0, max: 3 }),
        date: fc.constantFrom("2024-01-01", "never"),
        published: fc.boolean(),
        visible: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const changes = fc.uniqueArray(fc.tuple(path, front), {
      selector: ([name]) => name,
      minLength: 1,
    });
    fc.assert(
      fc.property(changes, (changed) => {
        const texts = Object.fromEntries(
          changed.map(([name, frontmatter]) => [
            name,
            `---\n${JSON.stringify(frontmatter)}\n---\nbody`,
          ]),
        );
        const quick = replaced(texts);
        const rebuilt = indexOf({ ...sources, ...texts });
        assert.ok(quick);
        assert.deepEqual(quick.entries, rebuilt.entries);
        assert.deepEqual(quick.problems, rebuilt.problems);
        for (const by of ["tree", "date", "title", "order", "route"] as const) {
          assert.deepEqual(quick.orders.get(by, "asc"), rebuilt.orders.get(by, "asc"), by);
        }
      }),
    );
  });

  for (const [what, path, text] of [
    ["the page is new", "02.blog/c/post.md", "# C"],
    ["its slug has changed", "02.blog/a/post.md", "---\ntitle: A\nslug: other\n---\n"],
    ["it has lost its route", "02.blog/a/post.md", "---\nroutable: false\n---\n"],
    ["it cannot be read", "02.blog/a/post.md", "---\ntitle: A\n"],
    ["its roles mean nothing", "02.blog/a/post.md", "---\nroles: {}\n---\n"],
    ["it had no route", "_drafts/d/post.md", "---\ntitle: E\n---\n"],
  ] as const) {
    it(`requires a full build when ${what}`, () => assert.equal(replaced({ [path]: text }), null));
  }

  it("increments the generation and leaves the previous one unchanged", () => {
    const before = indexOf(sources);
    const [record] = recordsOf({ "02.blog/a/post.md": "---\ntitle: New\n---\n" }).values();
    assert.ok(record);
    const after = runAtOnce(replaceRecords(before, [record], { timezone: "UTC" }));
    assert.equal(after?.id, before.id + 1);
    assert.equal(before.at("/blog/a", "en")?.title, "A");
    assert.equal(after.at("/blog/a", "en")?.title, "New");
  });
});
