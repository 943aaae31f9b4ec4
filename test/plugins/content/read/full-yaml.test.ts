import assert from "node:assert/strict";
import { isMap, parseYamlMap } from "../../../../plugins/content/read/front-matter/full-yaml.js";

function dataOf(text: string): Record<string, unknown> {
  const result = parseYamlMap(text);
  assert.ok("data" in result, "issue" in result ? result.issue.message : "");
  return result.data;
}
function issueOf(text: string) {
  const result = parseYamlMap(text);
  return "issue" in result ? result.issue : null;
}

describe("parseYamlMap", () => {
  for (const [text, data] of [
    ["", {}],
    ["# only a comment", {}],
    ["a: 1\nb: [x, y]\nc: {d: null}", { a: 1, b: ["x", "y"], c: { d: null } }],
    ["date: 2024-01-02", { date: "2024-01-02" }],
    ["a: yes\nb: true", { a: "yes", b: true }],
    ["a: .inf\nb: .nan", { a: ".inf", b: ".nan" }],
    ["base: &x {k: 1}\ncopy: *x", { base: { k: 1 }, copy: { k: 1 } }],
    ["a: |\n  two\n  lines\n", { a: "two\nlines\n" }],
    ["<<: {a: 1}", { "<<": { a: 1 } }],
  ] as const) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(dataOf(text), data));
  }

  for (const [what, text] of [
    ["a list", "- a"],
    ["a text", "just text"],
    ["a key twice", "a: 1\na: 2"],
    ["a tag", "a: !!js/function x"],
    ["an alias without an anchor", "a: *gone"],
    ["a value that contains itself", "a: &x\n  b: *x"],
    ["200 brackets inside each other", `a: ${"[".repeat(200)}${"]".repeat(200)}`],
    ["an open bracket", "a: [1, 2"],
  ] as const) {
    it(`refuses ${what}`, () => assert.notEqual(issueOf(text), null));
  }

  it("rejects alias bombs", () => {
    const levels = Array.from({ length: 9 }, (_, at) => {
      const items = at === 0 ? '"x"' : `*l${at - 1}`;
      return `l${at}: &l${at} [${Array.from({ length: 9 }, () => items).join(", ")}]`;
    });
    assert.notEqual(issueOf(levels.join("\n")), null);
  });

  it("drops __proto__ with a warning and touches no prototype", () => {
    const result = parseYamlMap("__proto__: {polluted: true}\na: 1");
    assert.ok("data" in result);
    assert.deepEqual(Object.keys(result.data), ["a"]);
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    assert.equal(result.warnings.length, 1);
  });

  it("reports the line of an error", () => {
    assert.equal(issueOf("a: 1\nb: c: d")?.line, 2);
  });
});

describe("isMap", () => {
  it("is true for plain objects only", () => {
    for (const value of [{}, { a: 1 }, Object.create(null)]) assert.equal(isMap(value), true);
    for (const value of [null, undefined, [], new Map(), new Date(), "x", 1]) {
      assert.equal(isMap(value), false);
    }
  });
});
