import assert from "node:assert/strict";
import fc from "fast-check";
import { stringify } from "yaml";
import { parseYamlSource } from "#lib/yaml";
import { parseYaml } from "../../../lib/yaml/parse.js";
import { boundedValues } from "../../../lib/yaml/source.js";

const read = (text: string) => parseYamlSource("site.yaml", new TextEncoder().encode(text));
const firstPlace = (text: string) => {
  const [problem] = read(text).problems;
  return problem && `${problem.line}:${problem.column}`;
};

describe("a YAML source", () => {
  it("has the position of each key and each list item", () => {
    const source = read("title: A\nfeed:\n  items: 3\nlist:\n  - one\n  - { url: x }\n");
    assert.deepEqual(source.position(["feed", "items"]), { line: 3, column: 3 });
    assert.deepEqual(source.position(["list", 1]), { line: 6, column: 5 });
    assert.deepEqual(source.position(["list", 1, "url"]), { line: 6, column: 7 });
    assert.equal(source.position(["feed", "missing"]), undefined);
  });

  it("counts columns after umlauts and a byte order mark as an editor does", () => {
    assert.deepEqual(read("{ ä: 1, b: 2 }").position(["b"]), { line: 1, column: 9 });
    assert.deepEqual(read("\ufefftitle: A\nb: 1").data, { title: "A", b: 1 });
  });

  it("follows references to the position of the value", () => {
    const source = read("a: &x\n  b: 1\nc: *x\n");
    assert.deepEqual(source.data, { a: { b: 1 }, c: { b: 1 } });
    assert.deepEqual(source.position(["c", "b"]), { line: 2, column: 3 });
  });

  it("is empty for an empty file and for comments only", () => {
    for (const text of ["", "# nothing\n", "---\n"]) {
      assert.deepEqual([read(text).data, read(text).problems], [{}, []]);
    }
  });

  it("parses no dates, no tags and no merge keys", () => {
    assert.deepEqual(read("d: 2024-01-02\nb: yes\n<<: { x: 1 }").data, {
      d: "2024-01-02",
      b: "yes",
      "<<": { x: 1 },
    });
  });

  const hostile: Record<string, [text: string, place: string]> = {
    "a duplicate key": ["a: 1\nb: 2\na: 3", "3:1"],
    "an unknown tag": ["a: 1\nb: !!js/function 'x'", "2:4"],
    "a known tag": ["a: !!binary aGVsbG8=", "1:4"],
    "a tab as indentation": ["a:\n\tb: 1", "2:1"],
    "an open bracket": ["a: [1, 2", "1:9"],
    "two documents": ["a: 1\n---\nb: 2", "2:1"],
    "an unknown reference": ["a: *nope", "1:4"],
    "a reference to itself": ["a: &x [1, *x]", "1:11"],
    "__proto__ as a key": ["a: 1\n__proto__: { polluted: 1 }", "2:1"],
    "constructor as a nested key": ["a:\n  constructor: 1", "2:3"],
    "a list as a key": ["? [a, b]\n: 1", "1:3"],
    "a list as the file": ["- a\n- b", "1:1"],
    "one word as the file": ["hello", "1:1"],
  };
  for (const [name, [text, place]] of Object.entries(hostile)) {
    it(`reports ${name} with its position`, () => {
      assert.equal(firstPlace(text), place);
    });
  }

  it("reports a line that is indented by mistake once, in the words of this project", () => {
    assert.deepEqual(read("title: T\n  url: x\n plugins: []\n").problems, [
      {
        file: "site.yaml",
        line: 2,
        column: 3,
        key: "",
        received: "url: x",
        expected: "valid YAML: the line is indented below a key that has a value already",
        fix: "indent it like that key, or remove the value of that key",
      },
    ]);
  });

  it("reports an alias bomb instead of expanding it", () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const items = level === 0 ? '"lol"' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 9 }, () => items).join(", ")}]`;
    });
    assert.ok(read(levels.join("\n")).problems.length > 0);
  });

  it("reports unlimited nesting, at any depth", () => {
    for (const depth of [100, 5_000, 100_000]) {
      assert.ok(
        read(`a: ${"[".repeat(depth)}${"]".repeat(depth)}`).problems.length > 0,
        `${depth}`,
      );
    }
  });

  it("reports bytes that are not UTF-8, and a file above 1 MB", () => {
    assert.equal(parseYamlSource("x", Uint8Array.of(0x61, 0x3a, 0x20, 0xff)).problems.length, 1);
    assert.equal(read(`a: "${"x".repeat(1024 * 1024)}"`).problems.length, 1);
  });

  it("has no prototype to pollute", () => {
    read("a: { __proto__: { polluted: true } }");
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  });

  it("parses what was formatted, and finds every key of it", () => {
    const key = fc
      .stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,8}$/)
      .filter((name) => name !== "constructor" && name !== "prototype");
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(key, tie("node"), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(key, value, { minKeys: 1, noNullPrototype: true }), (data) => {
        const source = read(stringify(data));
        assert.deepEqual(source.problems, []);
        assert.deepEqual(source.data, data);
        for (const name of Object.keys(data)) assert.ok(source.position([name]));
      }),
    );
  });

  it("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseYamlSource("x", bytes)),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab:-[]{}&*!|>?#'\"\n \t%@`".split("")) }),
        (text) => void read(text),
      ),
    );
  });
});

const valuesOf = (text: string) => boundedValues(parseYaml(text));

describe("the values of a YAML document", () => {
  it("are those in the text, with references resolved", () => {
    assert.deepEqual(valuesOf("a: &x [1, two, null, true]\nb: { c: *x }\n7: n"), {
      value: { a: [1, "two", null, true], b: { c: [1, "two", null, true] }, "7": "n" },
      faults: [],
    });
  });

  it("of an empty document are undefined", () => {
    assert.deepEqual(valuesOf(""), { value: null, faults: [] });
  });

  it("are counted, so that references cannot multiply them", () => {
    const wide = `a: &a [${"1,".repeat(900)}]\nb: [${"*a,".repeat(90)}]`;
    assert.equal(valuesOf(wide).faults.length, 1);
  });

  it("may be referenced a hundred times", () => {
    assert.deepEqual(valuesOf(`a: &a 1\nb: [${"*a,".repeat(100)}]`).faults, []);
    assert.equal(valuesOf(`a: &a 1\nb: [${"*a,".repeat(101)}]`).faults.length, 1);
  });

  it("are at most 64 levels deep", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    assert.deepEqual(valuesOf(nested(64)).faults, []);
    assert.equal(valuesOf(nested(65)).faults.length, 1);
  });

  it("report the offset of a problem", () => {
    assert.deepEqual(
      valuesOf("a: 1\nprototype: 2").faults.map(({ offset, key }) => [offset, key]),
      [[5, "prototype"]],
    );
  });
});
