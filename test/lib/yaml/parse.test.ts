import assert from "node:assert/strict";
import fc from "fast-check";
import { isScalar, parseDocument, visit } from "yaml";
import { Lines } from "../../../lib/yaml/document.js";
import { parseYaml } from "../../../lib/yaml/parse.js";

/** Texts that nest `depth` levels deep. */
const nested: Readonly<Record<string, (depth: number) => string>> = {
  "lists in brackets": (depth) => "[".repeat(depth) + "]".repeat(depth),
  "maps in braces": (depth) => "{a: ".repeat(depth) + "}".repeat(depth),
  "lists on one line": (depth) => "- ".repeat(depth) + "x",
  "keys that are maps": (depth) => "? ".repeat(depth) + "x",
  "maps by indentation": (depth) =>
    Array.from({ length: depth }, (_, level) => " ".repeat(level) + "a:").join("\n"),
  "references to references": (depth) =>
    Array.from({ length: depth }, (_, at) =>
      at === 0 ? "a0: &a0 [x]" : `a${at}: &a${at} [*a${at - 1}]`,
    ).join("\n"),
};

const quiet = { prettyErrors: false, logLevel: "error" } as const;

/** What random texts are made of. */
const PIECES = [
  "a",
  "b",
  ":",
  ": ",
  "- ",
  "\n",
  "\n  ",
  "[",
  "]",
  "{",
  "}",
  ",",
  "&x ",
  "*x",
  "? ",
  "'q'",
  '"d"',
  "|\n",
  "#c\n",
  "!t ",
  "---\n",
  "...\n",
  "1",
  "~",
];

describe("parseYaml", () => {
  for (const [name, text] of Object.entries(nested)) {
    it(`rejects ${name} beyond the limit before anything recurses`, () => {
      for (const depth of name === "maps by indentation" ? [122, 1_000] : [122, 1_000, 5_000]) {
        const { errors, contents } = parseYaml(text(depth));
        assert.deepEqual([errors[0]?.code, contents], ["RESOURCE_EXHAUSTION", null], `${depth}`);
      }
    });
    it(`parses ${name} to 110 levels`, () => {
      assert.deepEqual(parseYaml(text(110)).errors, []);
    });
  }

  for (const [text, line] of [
    ['title: T\nname: "Hello\nplace: Sea\nend: 1\n', 2],
    ['name: "Hello\nplace: "Sea"\n', 1],
    ["a: 1\nlist:\n  - 'one\n  - two\nb: 2\n", 3],
    ["a: 1\nmap: { b: 'x, c: 2 }\nd: 3\n", 2],
  ] as const) {
    it(`reports an unclosed quote at its own line: ${JSON.stringify(text)}`, () => {
      const [error] = parseYaml(text).errors;
      assert.match(error?.message ?? "", /closing .quote/);
      assert.equal(new Lines(text).at(error?.pos[0] ?? 0).line, line);
    });
  }

  it("reports where the first level beyond the limit starts", () => {
    const text = `a: 1\nb:\n  ${"- ".repeat(500)}x`;
    const [error] = parseYaml(text).errors;
    assert.deepEqual(new Lines(text).at(error?.pos[0] ?? 0).line, 3);
    assert.match(error?.message ?? "", /more than 120 levels/);
  });

  it("rejects oversized texts in time, and stops after a number of errors", () => {
    const [error] = parseYaml("#\n".repeat(210_000)).errors;
    assert.match(error?.message ?? "", /too many tokens/);
    assert.ok(parseYaml("]".repeat(5_000)).errors.length <= 200);
    assert.ok(parseYaml("k: 1\n".repeat(5_000)).errors.length <= 200);
  });

  it("reports duplicate keys of both kinds of maps, in the order of the text", () => {
    const { errors } = parseYaml("a: {b: 1, c: 2, b: 3}\nd: 1\nd: 2\n1: x\n'1': y\n");
    assert.deepEqual(
      errors.map(({ code, pos }) => [code, pos[0]]),
      [
        ["DUPLICATE_KEY", 16],
        ["DUPLICATE_KEY", 27],
      ],
    );
  });

  it("accepts what the package accepts, and finds the same errors", () => {
    const piece = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const [ours, theirs] = [parseYaml(text), parseDocument(text, quiet)];
        const apart = keysByText(theirs);
        visit(theirs, {
          Pair: (_, { key }) => {
            // Keys are named by their text.
            if (isScalar(key) && typeof key.value !== "string") key.value = key.source ?? "";
          },
        });
        assert.deepEqual(facts(ours), facts(theirs, apart), text);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Keys that are one for the package and two by their texts: `~` and an empty one. */
function keysByText(document: ReturnType<typeof parseDocument>): number {
  let count = 0;
  visit(document, {
    Map: (_, { items }) => {
      const keys = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
      for (const [at, { value, source = "" }] of keys.entries()) {
        const same = keys.slice(0, at).filter((key) => key.value === value);
        const isByText = same.every((key) => (key.source ?? "") !== source);
        if (value === null && same.length > 0 && isByText) count += 1;
      }
    },
  });
  return count;
}

/** Values, or errors without `apart` reports of a duplicate key. */
function facts(document: ReturnType<typeof parseYaml>, apart = 0): unknown {
  // Not their positions: where an empty key starts is ambiguous.
  let skipped = 0;
  const codes = document.errors
    .map(({ code }) => code)
    .filter((code) => code !== "DUPLICATE_KEY" || ++skipped > apart);
  if (codes.length > 0) return codes.sort();
  try {
    return document.toJS();
  } catch (error) {
    return String(error);
  }
}
