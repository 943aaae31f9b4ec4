import assert from "node:assert/strict";
import { mdxText } from "../../../../plugins/markdown/formats/mdx.js";

describe("mdxText", () => {
  for (const [what, source, text] of [
    ["plain Markdown", "# Title\n\nSome *text*.", "Title\nSome text."],
    [
      "imports and exports up to the blank line",
      "import A from 'a'\nexport const b = {\n c: 1\n}\n\nText",
      "Text",
    ],
    [
      "the word import in a sentence",
      "important and exported\nimporting too",
      "important and exported\nimporting too",
    ],
    ["expressions, those inside each other too", "a {x.map((y) => { return y })} b", "a b"],
    ["nothing behind a bracket that never closes", "a {b\n\nc", "a"],
    ["components without their tags", "<Box>inner</Box>", "inner"],
    ["line ends of any system", "import A from 'a'\r\n\r\nText", "Text"],
  ] as const) {
    it(`reads ${what}`, () => assert.equal(mdxText(source), text));
  }
});
