import assert from "node:assert/strict";
import { editYaml, readYaml } from "#lib/yaml";

describe("editYaml", () => {
  for (const lineBreak of ["\n", "\r\n"]) {
    it(`keeps the comment above a last block of text with its key (${JSON.stringify(lineBreak)})`, () => {
      const inFile = (lines: string): string => lines.replaceAll("\n", lineBreak);
      const text = inFile("list:\n- a: 1 # q\n# above\nlast: |\n  text");
      const next = editYaml(text, [
        { path: ["list"], value: { a: "two\nlines" } },
        { path: ["new"], value: 1 },
      ]);
      assert.equal(next, inFile('list:\n  a: "two\\nlines" # q\nnew: 1\n# above\nlast: |\n  text'));
    });
  }
});

describe("a text of several lines that changes and changes back", () => {
  const before = "# first\nabove: 01234 # kept\n";
  const after = "\n# between\nbelow: [1.10,  'x']\n\n\n# last";
  for (const [what, value] of [
    ["a plain text", "one\n  two\n  three\n"],
    ["a quoted text", '"one\n  two \\\n  three"\n'],
    ["a folded text", ">\n  one\n  two\n\n  three\n"],
    ["a folded text without a last line break", ">-\n  one\n  two\n"],
    ["a literal text", "|\n  one\n  two\n"],
    ["a list over several lines", "[one,\n  two]\n"],
  ] as const) {
    it(`${what}: its lines may differ, its value and all other bytes do not`, () => {
      const text = `${before}text: ${value}${after}`;
      const values = readYaml(text).toJS() as Record<string, unknown>;
      const changed = editYaml(text, [{ path: ["text"], value: "Changed" }]);
      const back = editYaml(changed, [{ path: ["text"], value: values["text"] }]);
      for (const result of [changed, back]) {
        assert.ok(result.startsWith(`${before}text:`), result);
        assert.ok(result.endsWith(after), result);
      }
      assert.deepEqual(readYaml(back).toJS(), values);
      assert.equal(editYaml(text, [{ path: ["text"], value: values["text"] }]), text);
    });
  }
});
