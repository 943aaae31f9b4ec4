import assert from "node:assert/strict";
import fc from "fast-check";
import { runAtOnce } from "#lib/concurrency";
import { TermTable } from "../../../../../plugins/search/engines/builtin/term-table.js";
import { tokenize } from "../../../../../plugins/search/query/terms.js";

function scanned(text: string, table = new TermTable()): string[] {
  return Array.from(table.scan(text), (id) => table.term(id));
}

describe("the table of terms", () => {
  it("finds the same terms as the shared tokenizer in any text", () => {
    const unit = fc.oneof(
      fc.constantFrom(
        " ",
        "\t",
        "\u00a0",
        "\u3000",
        "\u2009",
        "\u1680",
        "\ufeff",
        "\0",
        "\u007f",
        ".",
        "'",
        "É",
        "ß",
        "İ",
        "ﷺ",
        "\ud800",
        "e\u0301",
      ),
      fc.string({ minLength: 1, maxLength: 1, unit: "binary" }),
      fc.constantFrom("a", "B", "1"),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) =>
        assert.deepEqual(scanned(text), tokenize(text)),
      ),
      { numRuns: 500 },
    );
  });

  it("finds them in any ASCII text too, whatever it has read before", () => {
    const table = new TermTable();
    const unit = fc.constantFrom(" ", "\t", "\n", "\0", "\u007f", ".", "'", "_", "a", "B", "1");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) =>
        assert.deepEqual(scanned(text, table), tokenize(text)),
      ),
      { numRuns: 500 },
    );
  });

  it("splits words at all white space, and at no other ASCII character", () => {
    const units = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
    for (const unit of units.filter((one) => /[\s\0-\x7f]/u.test(one))) {
      const text = `xx${unit}yy${unit}`;
      assert.deepEqual(scanned(text), tokenize(text), JSON.stringify(unit));
    }
  });

  for (const text of [
    "a".repeat(8_000),
    `${"x".repeat(60)}${".".repeat(10)}y`,
    `${"x".repeat(60)}${".".repeat(10)} y2`,
    `${".".repeat(70)}ab${"\0".repeat(70)}c`,
    "é".repeat(500),
    "x".repeat(63) + "é".repeat(9),
    "(a+)+$",
    "[",
    "ﷺ".repeat(100),
    "__proto__ constructor",
    "don't a.b",
  ]) {
    it(`treats ${JSON.stringify(text.slice(0, 20))} like the tokenizer`, () => {
      assert.deepEqual(scanned(text), tokenize(text));
    });
  }

  it("assigns one number to all spellings of a word, and keeps it while it grows", () => {
    const table = new TermTable();
    const words = Array.from({ length: 5_000 }, (_, at) => `word${at}`);
    const ids = (text: string): number[] => [...table.scan(text)];
    const first = ids(words.join(" "));
    assert.equal(new Set(first).size, 5_000);
    assert.deepEqual(ids(words.map((word) => `(${word.toUpperCase()})`).join("\n")), first);
    assert.equal(table.size, 5_000);
    assert.deepEqual(
      first.map((id) => table.term(id)),
      words,
    );
    assert.deepEqual(
      Array.from(runAtOnce(table.sorted()), (id) => table.term(id)),
      words.toSorted(),
    );
  });
});
