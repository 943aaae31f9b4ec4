import assert from "node:assert/strict";
import fc from "fast-check";
import { runAtOnce } from "#lib/concurrency";
import { orderTexts } from "../../../../../plugins/search/engines/builtin/term-table.js";

function ordered(texts: readonly string[]): string[] {
  const offsets = [0];
  for (const text of texts) offsets.push((offsets.at(-1) ?? 0) + text.length);
  const all = texts.join("");
  const order = runAtOnce(
    orderTexts({
      pool: Uint16Array.from({ length: all.length }, (_, at) => all.charCodeAt(at)),
      offsets: Uint32Array.from(offsets),
      count: texts.length,
    }),
  );
  return Array.from(order, (at) => texts[at] ?? "");
}

describe("the order of texts", () => {
  it("is by UTF-16 units, like Array.prototype.sort", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.string({ unit: fc.constantFrom("a", "b", "é", "\ud83d\ude00", "\uffff"), maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(text), (texts) => {
        assert.deepEqual(ordered(texts), texts.toSorted());
      }),
    );
  });

  it("puts a prefix before longer texts", () => {
    assert.deepEqual(ordered(["a\0\0", "a", "a\0", ""]), ["", "a", "a\0", "a\0\0"]);
  });

  it("is correct for texts with long common prefixes, and for sorted ones", () => {
    const texts = Array.from({ length: 3_000 }, (_, at) => `${"long".repeat(12)}${10_000 + at}`);
    assert.deepEqual(ordered(texts), texts);
    assert.deepEqual(ordered(texts.toReversed()), texts);
  });

  it("runs in steps", () => {
    const offsets = Uint32Array.from({ length: 40_001 }, (_, at) => at);
    const pool = Uint16Array.from({ length: 40_000 }, (_, at) => 40_000 - at);
    const steps = orderTexts({ pool, offsets, count: 40_000 });
    assert.equal(steps.next().done, false);
    assert.deepEqual(runAtOnce(steps).subarray(0, 2), Uint32Array.of(39_999, 39_998));
  });
});
