import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { buildLookups } from "../../../../plugins/content/index/lookups.js";
import { indexOf } from "../../../support/content/content-tree.js";

describe("lookupsOf", () => {
  const index = indexOf({
    "01.home/default.md": "---\ntitle: Home\n---\n",
    "02.blog/blog.md": "---\ntitle: Blog\n---\n",
    "02.blog/a.md": "---\ntitle: A\nroutable: false\n---\n",
    "02.blog/b.md": "---\ntitle: B\n---\n",
  });
  const placed = [...index.placed.values()];

  it("finds every page by file, and routable ones by route", () => {
    const { entries, bySource, routes, placed: byPath } = runAtOnce(buildLookups(placed));
    assert.deepEqual(entries, index.entries);
    assert.deepEqual([...bySource.keys()], [...index.bySource.keys()]);
    assert.deepEqual([...byPath.values()], placed);
    assert.deepEqual([...(routes.get("en")?.keys() ?? [])], ["/", "/blog", "/blog/b"]);
  });

  it("pauses regularly, regardless of the number of pages", () => {
    const many = Array.from({ length: 400 }, () => placed).flat();
    const pauses = [...buildLookups(many)].length;
    assert.equal(pauses, Math.floor(many.length / 500));
  });
});
