import assert from "node:assert/strict";
import { pathAfter, reorderMoves } from "../../../../plugins/admin/write/reorder.js";
import type { PageEntry } from "../../../../plugins/content/contract.js";

/** A page of its folder; the names of those that are not begin with a number or with `side`. */
function entry(sourcePath: string): PageEntry {
  const folders = sourcePath.split("/").slice(0, -1);
  const isFlat = /\/(?:\d|side)[^/]*$/.test(sourcePath);
  const depth = isFlat ? folders.length : folders.length - 1;
  return { sourcePath, folder: folders.join("/"), depth, route: "/x" } as PageEntry;
}

describe("reorderMoves", () => {
  const entries = [
    "b/blog.md",
    "b/01.one/post.md",
    "b/02.two/post.md",
    "b/02.two/post.de.md",
    "b/03.three/post.md",
    "b/loose/post.md",
    "b/01.one/side.md",
    "f/01.a.md",
    "f/01.a.de.md",
    "f/02.b.md",
  ].map(entry);
  const moves = (path: string, target: string, position: "before" | "after") =>
    reorderMoves(entries, { path, target, position });

  it("only moves what changes its number", () => {
    assert.deepEqual(moves("b/03.three/post.md", "b/02.two/post.md", "before"), [
      { path: "b/03.three", to: "b/02.three" },
      { path: "b/02.two", to: "b/03.two" },
    ]);
    assert.deepEqual(moves("b/01.one/post.md", "b/02.two/post.md", "before"), []);
  });

  it("has no order for a page that is a file without a number in a numbered folder", () => {
    assert.equal(moves("b/01.one/side.md", "b/02.two/post.md", "after"), null);
  });

  it("moves the translations of a flat file too", () => {
    assert.deepEqual(moves("f/02.b.md", "f/01.a.md", "before"), [
      { path: "f/02.b.md", to: "f/01.b.md" },
      { path: "f/01.a.md", to: "f/02.a.md" },
      { path: "f/01.a.de.md", to: "f/02.a.de.md" },
    ]);
  });

  it("is null for pages of different folders, without number, unknown, or identical", () => {
    for (const [path, target] of [
      ["b/01.one/post.md", "f/01.a.md"],
      ["b/loose/post.md", "b/01.one/post.md"],
      ["x", "b/01.one/post.md"],
      ["b/01.one/post.md", "b/01.one/post.md"],
    ] as const) {
      assert.equal(moves(path, target, "after"), null);
    }
  });

  it("returns a page's new path", () => {
    assert.equal(
      pathAfter("b/02.two/post.md", [{ path: "b/02.two", to: "b/01.two" }]),
      "b/01.two/post.md",
    );
    assert.equal(pathAfter("c.md", [{ path: "b", to: "x" }]), "c.md");
  });
});
