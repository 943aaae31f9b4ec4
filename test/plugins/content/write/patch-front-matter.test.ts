import assert from "node:assert/strict";
import fc from "fast-check";
import { readFrontMatter } from "../../../../plugins/content/read/front-matter/front-matter.js";
import { patchFrontMatter } from "../../../../plugins/content/write/patch-front-matter.js";

function patched(text: string, patch: Record<string, unknown>): string | null {
  const result = patchFrontMatter(Buffer.from(text), patch);
  return "bytes" in result ? result.bytes.toString("utf8") : null;
}

describe("patchFrontMatter", () => {
  it("reports over-nested front matter, and changes nothing", () => {
    const file = Buffer.from(`---\na:\n  ${"- ".repeat(5_000)}x\n---\nbody`);
    assert.deepEqual(patchFrontMatter(file, { b: 1 }), {
      error: "line 3: the front matter cannot be read: nested more than 120 levels deep",
    });
  });

  for (const [text, patch, expected] of [
    ["---\na: 1 # one\nb: 2\n---\nbody", { b: 3 }, "---\na: 1 # one\nb: 3\n---\nbody"],
    ["---\na: 1\nb: 2\n---\nbody", { a: null }, "---\nb: 2\n---\nbody"],
    ["---\na: 1\n---\nbody", { gone: null }, "---\na: 1\n---\nbody"],
    ["---\na: {x: 1, y: 2}\n---\n", { a: { y: null, z: 3 } }, "---\na: {x: 1, z: 3}\n---\n"],
    ["---\na: 1\n---\n", { m: { x: null, y: 1 } }, "---\na: 1\nm:\n  y: 1\n---\n"],
    ["---\na: [1, 2]\n---\n", { a: [3] }, "---\na: [3]\n---\n"],
    ["body", { title: "T" }, "---\ntitle: T\n---\nbody"],
    ["\ufeffbody", { title: "T" }, "\ufeff---\ntitle: T\n---\nbody"],
    ["---\r\na: 1\r\n---\r\nbody\r\n", { a: 2 }, "---\r\na: 2\r\n---\r\nbody\r\n"],
    ["---\na: 1\n---\nbody", { a: null }, "---\n---\nbody"],
  ] as const) {
    it(`patches ${JSON.stringify(text)} with ${JSON.stringify(patch)}`, () => {
      assert.equal(patched(text, patch), expected);
    });
  }

  for (const [what, text, patch] of [
    ["front matter that is never closed", "---\na: 1\n", { a: 2 }],
    ["broken YAML", "---\na: b: c\n---\n", { a: 2 }],
    ["a list", "---\n- a\n---\n", { a: 2 }],
    ["a key __proto__", "---\na: 1\n---\n", JSON.parse('{"__proto__": {"x": 1}}')],
    ["a key constructor further down", "", { a: { constructor: 1 } }],
    ["a bad key in a list", "", { a: [{ prototype: 1 }] }],
    ["an empty key", "", { "": 1 }],
    ["a date", "", { a: new Date(0) }],
    ["a function", "", { a: () => 1 }],
  ] as const) {
    it(`refuses ${what}`, () => assert.equal(patched(text, patch), null));
  }

  it("rejects an over-nested patch", () => {
    let patch: Record<string, unknown> = {};
    for (let at = 0; at < 30; at += 1) patch = { a: patch };
    assert.equal(patched("", patch), null);
  });

  it("writes any text so that it is read back, and does not change the body", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const bytes = patchFrontMatter(Buffer.from("---\na: 1\n---\nbody"), { text: value });
        assert.ok("bytes" in bytes);
        const result = readFrontMatter(bytes.bytes);
        assert.ok("data" in result);
        assert.deepEqual(result.data, { a: 1, text: value });
        assert.equal(bytes.bytes.toString("utf8", result.bodyOffset), "body");
      }),
    );
  });
});
