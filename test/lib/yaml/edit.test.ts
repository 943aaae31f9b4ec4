import assert from "node:assert/strict";
import { editYaml, readYaml, withoutKeys } from "#lib/yaml";

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
  const count = 10_000;
  const keys = Array.from({ length: count }, (_, at) => `k${at}`);
  const valuesOf = (value: unknown): Record<string, unknown> =>
    Object.fromEntries(keys.map((key) => [key, value]));
  const lines = (line: (key: string) => string): string => keys.map(line).join("\n");
  for (const [what, text, value] of [
    [
      "removes all but one in brackets",
      `a: {${keys.map((key) => `${key}: 1`).join(", ")}}\n`,
      { k5: 1 },
    ],
    ["changes a list in lines", `a:\n${lines((key) => `- ${key}`)}\n`, keys.map((k) => `${k}x`)],
    ["changes a list in brackets", `a: [${keys.join(", ")}]\n`, keys.map((key) => `${key}x`)],
    ["keeps the quotes of a map", `a: !t\n${lines((key) => `  ${key}: 'q'`)}\n`, valuesOf("z")],
  ] as const) {
    it(`${what} in linear time`, () => {
      const start = process.cpuUsage();
      const next = editYaml(text, [{ path: ["a"], value }]);
      const { user, system } = process.cpuUsage(start);
      assert.deepEqual(readYaml(next, { allowsMore: true }).values, { a: value });
      assert.ok(user + system < 3_000_000, `${Math.round((user + system) / 1_000)} ms`);
    });
  }

  it("adds them one by one in linear time", () => {
    const start = process.cpuUsage();
    const changes = keys.map((key) => ({ path: ["z", key], value: 1 }));
    const next = editYaml("a: 1\n", changes);
    const { user, system } = process.cpuUsage(start);
    assert.deepEqual(readYaml(next).values, { a: 1, z: valuesOf(1) });
    assert.ok(user + system < 3_000_000, `${Math.round((user + system) / 1_000)} ms`);
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
