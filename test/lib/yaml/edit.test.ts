import assert from "node:assert/strict";
import { editYaml, readYaml, withoutKeys } from "#lib/yaml";
import { assertLinearIn } from "../../support/growth.js";

const keysOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `k${at}`);

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
      const values = readYaml(text).values as Record<string, unknown>;
      const changed = editYaml(text, [{ path: ["text"], value: "Changed" }]);
      const back = editYaml(changed, [{ path: ["text"], value: values["text"] }]);
      for (const result of [changed, back]) {
        assert.ok(result.startsWith(`${before}text:`), result);
        assert.ok(result.endsWith(after), result);
      }
      assert.deepEqual(readYaml(back).values, values);
      assert.equal(editYaml(text, [{ path: ["text"], value: values["text"] }]), text);
    });
  }
});

describe("a list of changes", () => {
  for (const [text, changes, expected] of [
    ["a: {b: 1, c: 2}\n", [[["a"]], [["a", "b"], 2]], { a: { b: 2 } }],
    ["a: {b: 1, c: 2}\n", [[["a", "b"]], [["a", "b"], 3]], { a: { b: 3, c: 2 } }],
    ["x: 1\n", [[["b", "c"], 2], [["b", "c"]]], { x: 1, b: {} }],
    ["x: 1\n", [[["b"], { c: 1, d: 2 }], [["b", "c"]]], { x: 1, b: { d: 2 } }],
    ["l: [{n: 1}, {n: 2}]\n", [[["l", "0"]], [["l", "0", "n"], 3]], { l: [{ n: 3 }] }],
    ["x: 1\n", [[["x"]], [["x", "y"], 2]], { x: { y: 2 } }],
  ] as const) {
    it(`sees the changes before it: ${JSON.stringify(changes)}`, () => {
      const next = editYaml(
        text,
        changes.map(([path, value]) => ({ path: [...path], value })),
      );
      assert.deepEqual(readYaml(next).values, expected);
    });
  }

  it("is refused where an earlier change has put a plain value", () => {
    assert.throws(
      () =>
        editYaml("a: {b: 1}\n", [
          { path: ["a"], value: 1 },
          { path: ["a", "b"], value: 2 },
        ]),
      /is a value and cannot have keys/,
    );
  });
});

describe("an edit of 10,000 keys", () => {
  const allOf = (keys: string[], value: unknown): unknown =>
    Object.fromEntries(keys.map((key) => [key, value]));
  for (const [what, textOf, valueOf] of [
    [
      "removes all but one in brackets",
      (keys) => `{${keys.map((key) => `${key}: 1`).join(", ")}}`,
      () => ({ k5: 1 }),
    ],
    [
      "changes a list in lines",
      (keys) => keys.map((key) => `\n- ${key}`).join(""),
      (keys) => keys.map((key) => `${key}x`),
    ],
    [
      "changes a list in brackets",
      (keys) => `[${keys.join(", ")}]`,
      (keys) => keys.map((key) => `${key}x`),
    ],
    [
      "keeps the quotes of a map",
      (keys) => `!t${keys.map((key) => `\n  ${key}: 'q'`).join("")}`,
      (keys) => allOf(keys, "z"),
    ],
  ] satisfies [string, (keys: string[]) => string, (keys: string[]) => unknown][]) {
    it(`${what} in linear time`, () => {
      let next = "";
      assertLinearIn(what, 10_000, (count) => {
        const keys = keysOf(count);
        const text = `a: ${textOf(keys)}\n`;
        const value = valueOf(keys);
        return () => (next = editYaml(text, [{ path: ["a"], value }]));
      });
      assert.deepEqual(readYaml(next, { allowsMore: true }).values, { a: valueOf(keysOf(10_000)) });
    });
  }

  it("adds them one by one in linear time", () => {
    let next = "";
    assertLinearIn("adding keys", 10_000, (count) => {
      const changes = keysOf(count).map((key) => ({ path: ["z", key], value: 1 }));
      return () => (next = editYaml("a: 1\n", changes));
    });
    assert.deepEqual(readYaml(next).values, { a: 1, z: allOf(keysOf(10_000), 1) });
  });
});

describe("withoutKeys", () => {
  const isPrivate = (key: string): boolean => key.startsWith("_");

  it("leaves the lines of keys out, and every other byte as it is", () => {
    const text = "# ours\na:   1 # one\n_b:\n  - x\n  # inside\nc: 'y'\n_d: |\n  z\n";
    assert.equal(withoutKeys(text, isPrivate), "# ours\na:   1 # one\nc: 'y'\n");
    assert.equal(withoutKeys("a: {_b: 1}\n", isPrivate), "a: {_b: 1}\n");
    assert.equal(withoutKeys("- _a\n", isPrivate), "- _a\n");
  });

  it("leaves only the keys out of braces", () => {
    assert.equal(withoutKeys("{a: 1, _b: [x], c: 'y'}\n", isPrivate), "{a: 1, c: 'y'}\n");
  });

  it("is empty where the keys are ambiguous or cannot be left out", () => {
    assert.equal(withoutKeys("[".repeat(200), isPrivate), "");
    assert.equal(withoutKeys("{_a: &x 1, b: *x}\n", isPrivate), "");
  });
});
