import assert from "node:assert/strict";
import { patchFrontMatter } from "../../../../plugins/content/write/patch-front-matter.js";

const FILE = [
  "+++",
  "# of the page",
  "title = 'Old' # why",
  "draft = true",
  "date = 2026-01-01",
  "tags = [",
  "  'x', # y",
  "]",
  "",
  "[params]",
  'id = "1"',
  "+++",
  "body",
].join("\n");

function patched(patch: Record<string, unknown>, file = FILE): string {
  const result = patchFrontMatter(Buffer.from(file), patch);
  return "bytes" in result ? result.bytes.toString() : `error: ${result.error}`;
}

describe("patchFrontMatter with TOML", () => {
  for (const [patch, from, to] of [
    [{ title: "New" }, "title = 'Old' # why", 'title = "New" # why'],
    [{ draft: null }, "draft = true\n", ""],
    [{ draft: false }, "draft = true", "draft = false"],
    [{ date: "2027-01-01" }, "2026-01-01", "2027-01-01"],
    [{ tags: ["a"] }, "tags = [\n  'x', # y\n]", 'tags = [ "a" ]'],
    [{ weight: 3 }, "]\n\n[params]", "]\nweight = 3\n\n[params]"],
    [{ n: 1234567890123456 }, "]\n\n[params]", "]\nn = 1.234567890123456e+15\n\n[params]"],
  ] as const) {
    it(`changes only the lines of ${JSON.stringify(patch)}`, () => {
      assert.equal(patched(patch), FILE.replace(from, to));
    });
  }

  it("keeps numbers that are too long for a number", () => {
    const file = "+++\ntitle = 'Old'\nid = 1234567890123456789\nlast = inf\n+++\nbody";
    assert.equal(patched({ title: "New" }, file), file.replace("'Old'", '"New"'));
  });

  it("keeps the line ends of Windows", () => {
    const file = FILE.replaceAll("\n", "\r\n");
    assert.equal(patched({ draft: false }, file), file.replace("draft = true", "draft = false"));
  });

  for (const patch of [{ params: { id: "2" } }, { params: null }, { other: { a: 1 } }]) {
    it(`rejects ${JSON.stringify(patch)}, which changes a table`, () => {
      assert.match(patched(patch), /^error: (?:params|other) is a table/);
    });
  }

  for (const [patch, message] of [
    [{ a: [null] }, /^error: key "a": TOML has no null/],
    [{ a: [[{ b: null }]] }, /^error: key "a": TOML has no null/],
    [{ constructor: "x" }, /^error: the patch may not have the key "constructor"/],
    [JSON.parse('{ "__proto__": 1 }'), /^error: the patch may not have the key "__proto__"/],
  ] as const) {
    it(`rejects ${JSON.stringify(patch)}, as for YAML`, () =>
      assert.match(patched(patch), message));
  }

  it("rejects front matter that cannot be read, or that no fence opens", () => {
    assert.match(patched({ a: 1 }, "+++\na = \n+++\n"), /^error: .*cannot be read/);
    assert.match(patched({ a: 1 }, "----\na: 1\n----\n"), /^error: .*three dashes/);
  });
});
