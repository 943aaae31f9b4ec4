import assert from "node:assert/strict";
import check from "fast-check";
import { readYamlMap } from "../../../../plugins/flex/records/flex-files.js";

describe("readYamlMap", () => {
  it("reads a map, dates as text", () => {
    const read = readYamlMap("a: 1.0\nb: 2024-01-02\nc: [x]\n");
    assert.ok(read.ok);
    const { lineOf, ...others } = read;
    assert.deepEqual(others, {
      ok: true,
      value: { a: 1, b: "2024-01-02", c: ["x"] },
      texts: { a: "1.0", b: "2024-01-02", c: ["x"] },
    });
    assert.equal(lineOf(["c", 0]), 3);
  });

  for (const [what, text] of Object.entries({
    "a list": "- a",
    nothing: "",
    "a text": "hello",
    "broken YAML": "a: [1",
    "a key twice": "a: 1\na: 2",
    "a tag of a language": 'a: !!js/function "function(){}"',
    "a tag of its own": "a: !custom x",
    "endless nesting": "a: ".concat("[".repeat(20_000)),
    "a huge file": `a: ${"x".repeat(1_100_000)}`,
    "an alias bomb": "a: &a [x,x,x,x,x,x,x,x,x,x]\n".concat(
      ..."bcdefghi".split("").map((name, index) => {
        const before = "abcdefghi"[index] ?? "a";
        return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(",")}]\n`;
      }),
    ),
  })) {
    it(`reports ${what}`, () => {
      const result = readYamlMap(text);
      assert.ok(!result.ok);
      assert.ok(result.message.length > 0 && !result.message.includes("\n"));
    });
  }

  it("names the line", () => {
    const result = readYamlMap("a: 1\nb: 2\nc: [1\n");
    assert.ok(!result.ok && result.line >= 3, JSON.stringify(result));
  });

  it("never sets a prototype", () => {
    const result = readYamlMap("__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}");
    assert.ok(result.ok);
    assert.equal(Reflect.get({}, "polluted"), undefined);
  });

  it("returns a result for any text", () => {
    check.assert(check.property(check.string(), (text) => void readYamlMap(text)));
  });
});
