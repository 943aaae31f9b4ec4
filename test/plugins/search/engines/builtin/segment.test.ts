import assert from "node:assert/strict";
import fc from "fast-check";
import {
  firstWhere,
  hashText,
  termRange,
  toDay,
} from "../../../../../plugins/search/engines/builtin/segment.js";

describe("a segment", () => {
  it("finds the same range of terms with a prefix as a filter", () => {
    const terms = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom("a", "b", "é", "\uffff"), maxLength: 4 }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        terms,
        fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 1, maxLength: 3 }),
        (list, prefix) => {
          const sorted = list.toSorted((a, b) => (a < b ? -1 : 1));
          assert.deepEqual(
            sorted.slice(...termRange(sorted, prefix)),
            sorted.filter((term) => term.startsWith(prefix)),
          );
        },
      ),
    );
  });

  it("finds the first place where a predicate holds, or the end", () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(60), (to, from) => {
        assert.equal(
          firstWhere(0, to, (at) => at >= from),
          Math.min(from, to),
        );
      }),
    );
  });

  it("converts days to ordered numbers, undated to 0", () => {
    assert.deepEqual(
      [null, "0001-01-01", "2024-03-01", "2024-12-31"].map(toDay),
      [0, 10_101, 20_240_301, 20_241_231],
    );
  });

  it("hashes texts to unsigned 32-bit integers", () => {
    for (const text of ["", "a", "title", "\uffff".repeat(99)]) {
      const hash = hashText(text);
      assert.ok(Number.isInteger(hash) && hash >= 0 && hash <= 0xffffffff, text);
    }
    assert.notEqual(hashText("ab"), hashText("ba"));
  });
});
