import assert from "node:assert/strict";
import fc from "fast-check";
import { diffLines } from "../../../plugins/history/service.js";

const marks = { same: " ", added: "+", removed: "-" };
const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => marks[kind] + text);

describe("diffLines", () => {
  it("shows removed, added and unchanged lines", () => {
    assert.deepEqual(shown("a\nb\nc\n", "a\nB\nc\nd\n"), [" a", "-b", "+B", " c", "+d"]);
    assert.deepEqual(shown("", "a\n"), ["+a"]);
    assert.deepEqual(shown("a\n", ""), ["-a"]);
    assert.deepEqual(shown("a\n", "a\n"), [" a"]);
  });

  it("reproduces any two texts, with line numbers", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before.join("\n"), after.join("\n"));
        const old = lines.filter(({ kind }) => kind !== "added");
        const now = lines.filter(({ kind }) => kind !== "removed");
        assert.deepEqual(
          old.map((line) => line.text),
          before,
        );
        assert.deepEqual(
          now.map((line) => line.text),
          after,
        );
        assert.deepEqual(
          old.map((line) => line.oldLine),
          before.map((_, at) => at + 1),
        );
        assert.deepEqual(
          now.map((line) => line.newLine),
          after.map((_, at) => at + 1),
        );
      }),
    );
  });

  it("is as short as the longest common subsequence allows", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 10 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const same = diffLines(before.join("\n"), after.join("\n")).filter(
          ({ kind }) => kind === "same",
        );
        assert.equal(same.length, common(before, after));
      }),
    );
  });

  it("is fast for large texts with nothing in common", () => {
    const lines = (mark: string) => Array.from({ length: 20_000 }, (_, at) => mark + at).join("\n");
    assert.equal(diffLines(lines("a"), lines("b")).length, 40_000);
  });

  it("is fast for large texts that repeat a line", () => {
    const lines = (mark: string) => `${mark}${"\n".repeat(50)}`.repeat(4_000);
    assert.equal(diffLines(lines("a"), lines("b")).length, 2 * 4_000 * 50 - 49);
  });
});

function common(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      table[i]![j] =
        a[i - 1] === b[j - 1]
          ? table[i - 1]![j - 1]! + 1
          : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
    }
  }
  return table[a.length]![b.length]!;
}
