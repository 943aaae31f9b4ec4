import assert from "node:assert/strict";
import { Lines } from "../../../lib/yaml/document.js";
import { yamlFaults } from "../../../lib/yaml/mistakes.js";
import { parseYaml } from "../../../lib/yaml/parse.js";

describe("mistakes of YAML", () => {
  /** `line:column message` of each mistake. */
  function told(text: string): string[] {
    const lines = new Lines(text);
    const { errors, warnings } = parseYaml(text);
    return yamlFaults(text, [...errors, ...warnings]).map(({ message, pos }) => {
      const { line, column } = lines.at(pos[0]);
      return `${line}:${column} ${message}`;
    });
  }

  for (const [text, ...expected] of [
    ["title: T\n  url: x\n", "2:3 the line is indented below a key that has a value already"],
    [
      "title: T\n  url: x\n plugins: []\n",
      "2:3 the line is indented below a key that has a value already",
    ],
    [
      "a: 1\ntitle: T\n    # note\n    deep: 1\nb: 2\n",
      "4:5 the line is not indented like its neighbours",
    ],
    ["title: Note: this\n", "1:8 a value contains a colon and a space"],
    [
      "a: 1\nfoo\nb: 2\n",
      "2:1 the line has no colon, so it is neither a key nor the rest of a value",
    ],
    ["a: 1\nfoo\n", "2:1 the line has no colon, so it is neither a key nor the rest of a value"],
    ["a:\n  - b\n c: 1\n", "3:2 the line is not indented like its neighbours"],
    ["a: [1, [2, 3]\nb: 3\n", '1:4 a "[" is never closed'],
    ["a: [1, 2", '1:9 a "[" is never closed'],
    ["a: {b: 1\nc: 2\n", '1:4 a "{" is never closed'],
    ["a: 1\nb: 'x\nc: 1\n", "2:4 a quote opens here and is never closed"],
    ["a:\n\tb: 1\n", "2:1 a tab indents the line"],
    ["- a\nb: 1\n", "2:1 the line does not continue what stands above it"],
    ["a: @x\n", '1:4 a value starts with "@", which YAML reserves'],
    ['a: "x\\q"\n', "1:6 a text in double quotes has a backslash that is no escape"],
    ["a: [1,,2]\n", '1:7 "," is not expected here'],
    ["a: !foo x\n", '1:4 the tag "!foo" is not read'],
    [
      "a: 1\na: 2\nb: !x 1\nc: d: e\n",
      "2:1 the key stands in this map already",
      '3:4 the tag "!x" is not read',
      "4:4 a value contains a colon and a space",
    ],
  ] as const) {
    it(`are reported once, where they are: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(told(text), expected);
    });
  }

  it("have a fix, and the words of no parser", () => {
    for (const text of [
      "a: b: c\n",
      "a: &x &y 1\n",
      "a: |x\n  b\n",
      "? [a\n: b\n",
      "%\n---\na\n",
    ]) {
      const { errors, warnings } = parseYaml(text);
      for (const { message, fix } of yamlFaults(text, [...errors, ...warnings])) {
        assert.match(message, /^[a"]|^the /, message);
        assert.doesNotMatch(message, /mapping|implicit|token|scalar|collection/i);
        assert.ok(fix.length > 5, message);
      }
    }
  });
});
