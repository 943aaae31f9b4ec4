import assert from "node:assert/strict";
import fc from "fast-check";
import { parseYamlMap } from "../../../../plugins/content/read/front-matter/full-yaml.js";
import {
  readPlainYaml,
  type PlainYaml,
} from "../../../../plugins/content/read/front-matter/plain-yaml.js";

/** What the `yaml` package says; undefined when it refuses. */
function reference(text: string): PlainYaml | undefined {
  const result = parseYamlMap(text);
  return "data" in result ? { data: result.data, texts: result.texts } : undefined;
}

describe("readPlainYaml", () => {
  it("reads common front matter without the full parser", () => {
    const text = [
      "title: Hello World",
      "# a comment",
      'quoted: "a: b # c"',
      "single: 'it''s'",
      "date: 2024-01-02",
      "time: 2024-01-02T10:00:00Z",
      "order: 3",
      "rating: -4.5",
      "published: false",
      "nothing:",
      "none: ~",
      "tags: [a, 'b', \"c\", 4]",
      "empty: []",
      "map: {}",
      "taxonomy:",
      "  category: news",
      "  tag:",
      "    - one",
      "    - two words",
      "list:",
      "- a",
      "- name: x",
      "  url: https://example.org/a?b=c",
      "",
    ].join("\n");
    assert.deepEqual(readPlainYaml(text), reference(text));
    assert.notEqual(readPlainYaml(text), undefined);
  });

  for (const [what, text] of [
    ["anchors and aliases", "a: &x 1\nb: *x"],
    ["tags", "a: !!str 1"],
    ["block scalars", "a: |\n  text"],
    ["folded scalars", "a: >-\n  text"],
    ["nested flow", "a: [[1]]"],
    ["flow maps", "a: {b: 1}"],
    ["multi-line plain scalars", "a: b\n  c"],
    ["duplicate keys", "a: 1\na: 2"],
    ["__proto__", "__proto__: 1"],
    ["tabs", "a:\tb"],
    ["trailing comments", "a: b # c"],
    ["merge keys", "<<: a"],
    ["a colon in a plain scalar", "a: b: c"],
    ["escapes", 'a: "\\u0041"'],
  ]) {
    it(`gives up at ${what}`, () => assert.equal(readPlainYaml(text ?? ""), undefined));
  }

  it("matches the yaml package whenever it does not give up, on lines like front matter", () => {
    const key = fc.constantFrom(
      "a",
      "b",
      "title",
      "true",
      "null",
      "x.y",
      "k-1",
      "_z",
      "__proto__",
      "y",
      "1a",
    );
    const scalar = fc.oneof(
      fc.constantFrom(
        "",
        "~",
        "null",
        "true",
        "False",
        "0",
        "-0",
        "007",
        "1.50",
        "-.5",
        "1e3",
        "0x1f",
        "0o7",
        ".inf",
        "-.INF",
        ".nan",
        "1_000",
        "2024-01-02",
        "12:30",
        "a: b",
        "a:b",
        "a #b",
        "a#b",
        "#c",
        "'a'",
        "'it''s'",
        "'a' b",
        '"a"',
        '"a\\n"',
        '"a" b',
        "[a, b]",
        "[]",
        "[a,]",
        "[ ]",
        "[a, [b]]",
        "[a: b]",
        "['a,b']",
        "[\"a\", 'b', c]",
        "{}",
        "{ }",
        "{a: 1}",
        "&a",
        "*a",
        "!t",
        "|",
        ">",
        "%x",
        "@x",
        "`x`",
        "- a",
        "-a",
        "-",
        "--",
        "---",
        "...",
        "? a",
        "?a",
        ": a",
        ":a",
        "a:",
        ",",
        "ü",
        "日本",
        "😀",
        "a\u0085b",
        "\u00a0",
        "\ufeffa",
        "a ",
        " a",
        "a\tb",
        "yes",
        "no",
        "on",
        "+1",
        "+a",
        "99999999999999999999",
        "1.",
        ".",
        "1.2.3",
        "[-]",
        "[- a]",
        "[?]",
        "['', \"\"]",
        "[a b, c]",
        "[a#b]",
        "[a 'b]",
        '"a\'b"',
        "'a\"b'",
        "a, b",
        "a]b",
        "[a]b",
        "x}y",
        "<<",
      ),
      fc.string({ maxLength: 8 }),
      fc.double().map(String),
      fc.integer().map(String),
    );
    const indent = fc.constantFrom("", "", "", "  ", "  ", "    ", " ", "\t");
    const line = fc.oneof(
      fc.tuple(indent, key, scalar).map(([space, name, value]) => `${space}${name}: ${value}`),
      fc.tuple(indent, key).map(([space, name]) => `${space}${name}:`),
      fc.tuple(indent, scalar).map(([space, value]) => `${space}- ${value}`),
      fc.tuple(indent, key, scalar).map(([space, name, value]) => `${space}- ${name}: ${value}`),
      fc.tuple(indent, scalar).map(([space, value]) => `${space}${value}`),
      fc.constantFrom("", "# c", "  # c", "\r"),
    );
    const ending = fc.constantFrom("\n", "\n", "\r\n");
    const document = fc
      .tuple(fc.array(line, { maxLength: 8 }), ending)
      .map(([lines, end]) => lines.join(end));
    fc.assert(
      fc.property(document, (text) => {
        const plain = readPlainYaml(text);
        if (plain === undefined) return;
        assert.deepEqual(plain, reference(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it("reads back every map that is written in its style", () => {
    const scalar = fc.oneof(
      fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,10}$/).map((text) => text.trim()),
      fc.integer({ min: -1000, max: 1000 }),
      fc.boolean(),
    );
    const leaf = fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 }));
    const map = fc.dictionary(fc.stringMatching(/^[a-z]{2,6}$/), leaf, { maxKeys: 5 });
    fc.assert(
      fc.property(map, (value) => {
        const text = Object.entries(value)
          .map(([key, item]) =>
            Array.isArray(item)
              ? `${key}:\n${item.map((one) => `  - ${String(one)}`).join("\n")}`
              : `${key}: ${String(item)}`,
          )
          .join("\n");
        const plain = readPlainYaml(text);
        if (plain !== undefined) assert.deepEqual(plain, reference(text));
      }),
    );
  });
});
