import assert from "node:assert/strict";
import fc from "fast-check";
import { stripInline } from "../../../../plugins/markdown/parse/plain-inline.js";

describe("stripInline", () => {
  for (const [source, text] of [
    ["plain text", "plain text"],
    ["**bold** and *it* and ~~gone~~", "bold and it and gone"],
    ["_under_ and snake_case_name", "under and snake_case_name"],
    ["2 * 3 and a ~ b", "2 * 3 and a ~ b"],
    ["`code *text*`", "code *text*"],
    ["``a ` b``", "a ` b"],
    ["`never closed", "never closed"],
    ["[text](https://example.org 'title')", "text"],
    ["[text](a(b)c) after", "text after"],
    ["[text][label] after", "text after"],
    ["[*inner*](x)", "inner"],
    ["![alt](a.png) after", "after"],
    ["really!", "really!"],
    ["note[^1] here", "note here"],
    ["\\*not bold\\*", "*not bold*"],
    ["a\\b", "a\\b"],
    ["<https://example.org>", "https://example.org"],
    ["<me@example.org>", "me@example.org"],
    ["a<b>c</b>d", "acd"],
    ["a<br>b<p>c", "a b c"],
    ["1 < 2 > 1", "1 < 2 > 1"],
    ["a<!-- hidden -->b", "a b"],
    ["a<script>evil()</script>b", "a b"],
    ["a<STYLE>p{}</STYLE>b", "a b"],
    ["&lt;b&gt; &amp; &unknown;", "<b> & &unknown;"],
    ["  two   spaces\t\n\n next ", "two spaces\nnext"],
    ["", ""],
  ] as const) {
    it(`reads ${JSON.stringify(source)}`, () => assert.equal(stripInline(source), text));
  }

  it("terminates for any text, without trailing blanks", () => {
    const mark = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "`",
      "``",
      "<",
      ">",
      "<!--",
      "<script",
      "*",
      "_",
      "~~",
      "!",
      "\\",
      "&",
      "&#",
      "\n",
      " ",
      "a",
    );
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 40 }), (marks) => {
        for (const line of stripInline(marks.join("")).split("\n")) assert.equal(line, line.trim());
      }),
    );
  });
});
