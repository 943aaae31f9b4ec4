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
    assert.deepEqual(readYaml("# ours\na: 1 # one\nb: [x]\n").toJS(), { a: 1, b: ["x"] });
  });

  it("reads a plain scalar that would lose characters as a number as a text", () => {
    const values = readYaml(SCALARS.map(([text], at) => `k${at}: ${text}\n`).join("")).toJS();
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
    const values = readYaml(keys.map((key) => `${key}: x\n`).join("")).toJS();
    assert.deepEqual(Object.keys(values ?? {}).sort(), [...keys].sort());
  });

  it("reports errors with their position, and never throws", () => {
    for (const text of ["a: [", "a: 1\na: 2\n", "- ".repeat(5_000), "a: 1\n---\nb: 2\n", "\t\0"]) {
      const [fault] = readYaml(text).errors;
      assert.ok(fault && fault.message !== "" && fault.pos[0] <= text.length, text.slice(0, 20));
    }
  });
});
