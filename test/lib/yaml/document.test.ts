import assert from "node:assert/strict";
import { readYaml } from "#lib/yaml";

const SCALARS: readonly (readonly [string, unknown])[] = [
  ["01234", "01234"],
  ["-007", "-007"],
  ["00", "00"],
  ["007.5", "007.5"],
  ["1234567890123456789", "1234567890123456789"],
  ["1234567890123456", "1234567890123456"],
  ["123456789012345", 123456789012345],
  ["-123456789012345", -123456789012345],
  ["0.1234567890123456789", "0.1234567890123456789"],
  ["0.30000000000000004", 0.30000000000000004],
  ["1e999", "1e999"],
  ["-1e999", "-1e999"],
  ["1e-999", "1e-999"],
  ["1e3", 1000],
  ["1e+21", 1e21],
  ["21.00", 21],
  ["1.10", 1.1],
  ["0.00", 0],
  ["0x1F", 31],
  ["0xFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFF"],
  ["0o17", 15],
  [".inf", ".inf"],
  [".nan", ".nan"],
  [".5", 0.5],
  ["5.", 5],
  ["+12", 12],
  ["12:30", "12:30"],
  ["1_000", "1_000"],
  ["2024-01-02", "2024-01-02"],
  ["yes", "yes"],
  ["True", true],
  ["~", null],
  ["'5'", "5"],
];

describe("readYaml", () => {
  it("returns values", () => {
    assert.deepEqual(readYaml("# ours\na: 1 # one\nb: [x]\n").values, { a: 1, b: ["x"] });
  });

  it("reads a plain scalar that would lose characters as a number as a text", () => {
    const values = readYaml(SCALARS.map(([text], at) => `k${at}: ${text}\n`).join("")).values;
    assert.deepEqual(values, Object.fromEntries(SCALARS.map(([, value], at) => [`k${at}`, value])));
  });

  it("names keys by their text", () => {
    const keys = [
      "01",
      "1.10",
      "1.1",
      "2024-01-02",
      "true",
      "True",
      "null",
      "~",
      "0x1F",
      "__proto__",
    ];
    const values = readYaml(keys.map((key) => `${key}: x\n`).join("")).values;
    assert.deepEqual(Object.keys(values ?? {}).sort(), [...keys].sort());
  });

  it("reports errors with their position, and never throws", () => {
    for (const text of ["a: [", "a: 1\na: 2\n", "- ".repeat(5_000), "a: 1\n---\nb: 2\n", "\t\0"]) {
      const { mistake } = readYaml(text);
      assert.ok(mistake && mistake.message !== "" && mistake.fix !== "", text.slice(0, 20));
      const line = text.split("\n")[mistake.line - 1];
      assert.ok(line !== undefined && mistake.column >= 1 && mistake.column <= line.length + 1);
    }
  });

  it("reports aliases that have no value, at their place", () => {
    for (const [text, message] of [
      ["a: 1\nb: [*gone]\n", 'the alias "*gone" has no anchor above it'],
      ["a: 1\nb: &x [*x]\n", "the aliases repeat too many values, or a value that contains itself"],
    ] as const) {
      const { mistake, values } = readYaml(text);
      assert.deepEqual([mistake?.message, mistake?.line, values], [message, 2, null]);
    }
    const shared = readYaml("a: &x { b: 1 }\nc: [*x, *x]\n");
    assert.deepEqual(
      [shared.mistake, shared.values],
      [null, { a: { b: 1 }, c: [{ b: 1 }, { b: 1 }] }],
    );
  });

  it("reports a second document and a tag only where the reader rejects them", () => {
    const two = "a: 1\n---\nb: 2\n";
    assert.equal(readYaml(two).mistake?.line, 2);
    const first = readYaml(two, { allowsMore: true });
    assert.deepEqual([first.mistake, first.values], [null, { a: 1 }]);
    assert.deepEqual(readYaml("a: !x 1\n").mistake, null);
    assert.equal(readYaml("a: !x 1\n", { rejectsTags: true }).mistake?.column, 4);
  });

  it("has the texts of numbers, and the values beside them", () => {
    const document = readYaml("a: 1.10\nb: [0x1F, true]\n");
    assert.deepEqual(document.texts, { a: "1.10", b: ["0x1F", true] });
    assert.deepEqual(document.values, { a: 1.1, b: [31, true] });
  });

  it("knows the line of a key, of an item, or of what stands above it", () => {
    const document = readYaml("# ours\na: &x\n  b: 1\nc:\n  - one\n  - two\nd: *x\n");
    assert.equal(document.lineOf(["a", "b"]), 3);
    assert.equal(document.lineOf(["c", 1]), 6);
    assert.equal(document.lineOf(["c", 9, "z"]), 4);
    assert.equal(document.lineOf(["d", "b"]), 3);
    assert.equal(document.lineOf(["z"]), 2);
    assert.equal(readYaml("").lineOf(["z"]), 1);
  });
});
