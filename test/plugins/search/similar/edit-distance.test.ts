import assert from "node:assert/strict";
import fc from "fast-check";
import { editDistance, maxEdits } from "../../../../plugins/search/similar/find-similar.js";

/** All edits counted by the definition, without bounds. */
function naive(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_unused, j) => (i === 0 ? j : i)),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const row = table[i] as number[];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        (j === 1 ? i : at(i, j - 1)) + 1,
        (j === 1 ? i - 1 : at(i - 1, j - 1)) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? (j === 2 ? i - 2 : at(i - 2, j - 2)) + 1 : Infinity,
      );
    }
  }
  return b.length === 0 ? a.length : at(a.length, b.length);
}

describe("edit distance", () => {
  it("counts letters that are missing, added, wrong, or swapped", () => {
    for (const [term, word, distance] of [
      ["lamp", "lamps", 1],
      ["lamps", "lamp", 1],
      ["limp", "lamp", 1],
      ["lmap", "lamp", 1],
      ["recieve", "receive", 1],
      ["same", "same", 0],
    ] as const) {
      assert.equal(editDistance(term, word, 2), distance, `${term} ${word}`);
    }
    assert.equal(editDistance("lamp", "boat", 2), null);
  });

  it("compares longer terms with the beginning of words too", () => {
    assert.equal(editDistance("confgu", "configuration", 1), 1);
    assert.equal(editDistance("lmap", "lamplight", 1), null);
  });

  it("is the distance of the definition", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 2 }), (term, other, most) => {
        const beginnings = Array.from({ length: other.length + 1 }, (_, at) => other.slice(0, at));
        const all = term.length < 5 ? [other] : beginnings;
        const least = Math.min(...all.map((one) => naive(term, one)));
        assert.equal(editDistance(term, other, most), least <= most ? least : null);
      }),
    );
  });

  it("allows no edit in short terms, one in longer, two from seven letters on", () => {
    assert.deepEqual(["the", "lamp", "lights", "lanterns"].map(maxEdits), [0, 1, 1, 2]);
  });
});
