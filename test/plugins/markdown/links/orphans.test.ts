import assert from "node:assert/strict";
import { renderMarkdown } from "../../../support/content/render-markdown.js";

const cases: readonly (readonly [claim: string, source: string, html: string])[] = [
  ["joins the last two words", "one two three", "<p>one two\u00a0three</p>"],
  ["reaches over markup", "one two *three*", "<p>one two\u00a0<em>three</em></p>"],
  ["joins within markup", "one *two three*", "<p>one <em>two\u00a0three</em></p>"],
  [
    "counts code as a word and does not change it",
    "one two `a b`",
    "<p>one two\u00a0<code>a b</code></p>",
  ],
  [
    "counts an image as a word",
    "one two ![](x.png)",
    '<p>one two\u00a0<img src="x.png" alt="" loading="lazy" decoding="async"></p>',
  ],
  ["takes a line break for a space", "one\ntwo", "<p>one\u00a0two</p>"],
  ["leaves a single word", "one", "<p>one</p>"],
  ["leaves a single code span", "`a b`", "<p><code>a b</code></p>"],
  ["leaves a last line that is one word", "one two  \nthree", "<p>one two<br>\nthree</p>"],
  ["leaves a space that does not break", "one two&nbsp;three", "<p>one two\u00a0three</p>"],
  [
    "leaves headings and lists",
    "# one two\n\n- one two",
    '<h1 id="one-two">one two</h1>\n<ul>\n<li>one two</li>\n</ul>',
  ],
  ["looks past a mark behind markup", "one two *three*.", "<p>one two\u00a0<em>three</em>.</p>"],
];

describe("protecting orphans", () => {
  for (const [claim, source, html] of cases) {
    it(`${claim}`, () => {
      assert.equal(renderMarkdown(source, { orphans: true }), html);
    });
  }
});
