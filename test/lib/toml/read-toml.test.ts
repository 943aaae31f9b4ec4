import assert from "node:assert/strict";
import { readToml } from "#lib/toml";

/** The value of `a` in a table that has it as written. */
function valueOf(written: string): unknown {
  const result = readToml(`a = ${written}\n[b]\nc = [1, ${written}]\n`);
  assert.ok("data" in result, JSON.stringify(result));
  assert.deepEqual(result.data["b"], { c: [1, result.data["a"]] });
  return result.data["a"];
}

describe("numbers in TOML", () => {
  const texts = [
    "1234567890123456789",
    "-1234567890123456789",
    "1234567890123456",
    "0.12345678901234567890",
    "1e999",
    "-1e999",
    "inf",
    "+inf",
    "-inf",
    "nan",
    "0xFFFFFFFFFFFFFFFF",
  ];
  for (const written of texts) {
    it(`reads ${written} as a text`, () => assert.equal(valueOf(written), written));
  }

  const numbers: readonly [string, number][] = [
    ["12", 12],
    ["+12", 12],
    ["-0.5", -0.5],
    ["1.10", 1.1],
    ["1e3", 1000],
    ["1e-3", 0.001],
    ["1_000", 1000],
    ["123456789012345", 123_456_789_012_345],
    ["1.234567890123456e+15", 1_234_567_890_123_456],
    ["0xFF", 255],
    ["0o17", 15],
    ["0b101", 5],
  ];
  for (const [written, number] of numbers) {
    it(`reads ${written} as a number`, () => assert.equal(valueOf(written), number));
  }

  for (const written of ["01234", "1__0", "1.", "infinite", "0b102"]) {
    it(`rejects ${written}, which is not TOML`, () =>
      assert.ok("issue" in readToml(`a = ${written}\n`)));
  }

  it("leaves texts, comments and dates as written", () => {
    const text = "a = \"= inf\" # = 1e999\nb = '[nan,'\nd = 2026-03-03\n";
    const result = readToml(text);
    assert.deepEqual("data" in result && result.data, { a: "= inf", b: "[nan,", d: "2026-03-03" });
  });

  it("names the line of a mistake below a long number", () => {
    const result = readToml("a = 1234567890123456789\nb = \n");
    assert.equal("issue" in result && result.issue.line, 2);
  });
});
