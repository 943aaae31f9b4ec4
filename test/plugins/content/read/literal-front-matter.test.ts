import assert from "node:assert/strict";
import { readLiteralFrontMatter } from "../../../../plugins/content/read/front-matter/front-matter.js";

function dataOf(source: string): unknown {
  const result = readLiteralFrontMatter(source);
  assert.ok("data" in result, "issue" in result ? result.issue.message : "");
  return result.data;
}

describe("readLiteralFrontMatter", () => {
  for (const [source, data] of [
    ["export default () => null;", {}],
    ["export const frontmatter = {};", {}],
    ['export const frontmatter = { title: "A", order: 2 };', { title: "A", order: 2 }],
    ["export const frontmatter = {\n  title: 'it\\'s',\n};", { title: "it's" }],
    ["export const frontmatter = { title: 'say \"hi\"' }", { title: 'say "hi"' }],
    ["export const frontmatter = { title: `plain` }", { title: "plain" }],
    ['export const frontmatter: Meta = { "a":"b" };', { a: "b" }],
    ["export const frontmatter = { list: ['a', 1, true, null] }", { list: ["a", 1, true, null] }],
    ["export const frontmatter = { a: { b: { c: 1 } } }", { a: { b: { c: 1 } } }],
    ["export const frontmatter = { a: 1, // one }\n /* two } */ b: 2 }", { a: 1, b: 2 }],
    [
      'export const frontmatter = { url: "https://example.org/{x}" }',
      { url: "https://example.org/{x}" },
    ],
    ["// first\nexport const frontmatter = { a: 1 };\nexport const other = { b: 2 };", { a: 1 }],
  ] as const) {
    it(`reads ${JSON.stringify(source)}`, () => assert.deepEqual(dataOf(source), data));
  }

  it("uses the whole file as body", () => {
    const result = readLiteralFrontMatter("export const frontmatter = { a: 1 };");
    assert.ok("data" in result);
    assert.equal(result.bodyOffset, 0);
  });

  it("reports an unclosed literal, with its line", () => {
    const result = readLiteralFrontMatter("\n\nexport const frontmatter = { a: [1 };");
    assert.ok("issue" in result);
    assert.equal(result.issue.code, "ERR_CONTENT_FRONT_MATTER");
    assert.equal(result.issue.line, 3);
  });

  it("does not execute the file", () => {
    const state = { ran: false };
    Object.assign(globalThis, { __ran: () => (state.ran = true) });
    readLiteralFrontMatter("export const frontmatter = { a: globalThis.__ran() };");
    readLiteralFrontMatter("export const frontmatter = { a: `${globalThis.__ran()}` };");
    Reflect.deleteProperty(globalThis, "__ran");
    assert.equal(state.ran, false);
  });
});
