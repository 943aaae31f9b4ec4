import assert from "node:assert/strict";
import fc from "fast-check";
import { scanReferences } from "../../../plugins/check/scan-references.js";
import { assertLinear } from "../../support/growth.js";

const targets = (text: string) => scanReferences(text).map(({ target }) => target);

describe("scanReferences", () => {
  for (const [text, expected] of [
    ["[a](b.md)", ["b.md"]],
    ["![a](b.png)", ["b.png"]],
    ['[a](b.md "title")', ["b.md"]],
    ["[a](<b c.md>)", ["b c.md"]],
    ["[a](b_(c).md)", ["b_(c).md"]],
    ["[a](b\\_c.md)", ["b_c.md"]],
    ["[![i](p.png)](q.md)", ["p.png", "q.md"]],
    ["[a]: b.md\n[b]: <c d.md>\n[^1]: note.md", ["b.md", "c d.md"]],
    ['<a href="b.md">', ["b.md"]],
    ["<img src='b.png'>", ["b.png"]],
    ["`[a](b.md)` [c](d.md)", ["d.md"]],
    ["``[a](b.md) ` `` [c](d.md)", ["d.md"]],
    ["```\n[a](b.md)\n```\n[c](d.md)", ["d.md"]],
    ["~~~ md\n[a](b.md)\n```\n[x](y)\n~~~\n[c](d.md)", ["d.md"]],
    ["```\n[a](b.md)", []],
    ["One ` alone\n\n[a](b.md)\n\nand ` again", ["b.md"]],
    ["One ` alone\n\n`[a](b.md)`", []],
    ["\\`[a](b.md)` [c](d.md)", ["b.md", "d.md"]],
    ["- Item\n\n      ```\n      [a](b.md)\n      ```\n\n  [c](d.md)", ["d.md"]],
    ["> ```\n> [a](b.md)\n> ```\n> [c](d.md)", ["d.md"]],
    ["```[a](b.md)``` text\n\n[c](d.md)", ["d.md"]],
    ["<!-- [a](b.md) --> [c](d.md)", ["d.md"]],
    ["[a](b?x=1&amp;y=2)", ["b?x=1&y=2"]],
    ["[a]( )", []],
    ["", []],
  ] as const) {
    it(`finds ${JSON.stringify(expected)} in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(targets(text), expected));
  }

  it("returns the line of each in the file", () => {
    const text = "---\ntitle: [x](y)\n---\nä [a](b.md)\n\n[c](d.md)\n";
    const found = scanReferences(text, text.indexOf("ä"));
    assert.deepEqual(
      found.map(({ start, end, line }) => [text.slice(start, end), line]),
      [
        ["b.md", 4],
        ["d.md", 6],
      ],
    );
  });

  for (const unit of [
    "[",
    "](",
    "](a\\",
    "```\n",
    "`",
    "<!--",
    "[a]:",
    "href=",
    "](((",
    '<a href="',
    "]( \n",
  ]) {
    it(`takes linear time for repeated ${JSON.stringify(unit)}`, () =>
      assertLinear("scanReferences", unit, scanReferences));
  }

  it("never throws, and every position contains the reference", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'[]()<>`~\\\n a!:/"=-href'.split("")) }),
        (text) => {
          for (const { start, end } of scanReferences(text))
            assert.ok(start < end && end <= text.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
