import assert from "node:assert/strict";
import { findSpan } from "../../../../plugins/content/index/tree-order.js";
import { indexOf } from "../../../support/content/content-tree.js";

/** Repeatable numbers from 0 up to, without, 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe("findSpan", () => {
  it("finds the pages below each folder of random trees, and none below others", () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const random = createRandom(seed);
      const name = (): string => ["a", "b", "ab", "01.a", "02.c"][Math.floor(random() * 5)] ?? "";
      const files: Record<string, string> = {};
      for (let count = 0; count < 60; count += 1) {
        const folders = Array.from({ length: Math.floor(random() * 4) }, name);
        const order = random() < 0.5 ? `order: ${Math.floor(random() * 9)}\n` : "";
        files[[...folders, `${name()}.md`].join("/")] = `---\ntitle: ${name()}\n${order}---\n`;
      }
      const { pages } = indexOf(files);
      const paths = pages.map(({ entry }) => entry.sourcePath);
      const folders = paths.flatMap((path) => {
        const parts = path.split("/");
        return parts.map((_, depth) => parts.slice(0, depth).join("/"));
      });
      for (const folder of new Set([...folders, "c", "a/c", "01.a/b/c/a", "0"])) {
        const isIn = (path: string): boolean => folder === "" || path.startsWith(`${folder}/`);
        const [start, end] = [paths.findIndex(isIn), paths.findLastIndex(isIn) + 1];
        assert.deepEqual(findSpan(pages, folder), start === -1 ? null : { start, end }, folder);
      }
    }
  });
});
