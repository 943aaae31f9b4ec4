import assert from "node:assert/strict";
import fc from "fast-check";
import { mdxText } from "../../../../plugins/markdown/formats/mdx.js";
import { plainText } from "../../../../plugins/markdown/parse/plain-text.js";
import { hostileMarkdown } from "../../../support/hostile/hostile-markdown.js";

const cases: readonly (readonly [claim: string, source: string, text: string])[] = [
  [
    "drops marks of headings",
    "# Title #\n\n## Two {#id}\n\nThree\n===\n\nC#\n---",
    "Title\nTwo\nThree\nC#",
  ],
  ["drops marks of emphasis", "*a* **b** ***c*** _d_ ~~e~~ a*b*c", "a b c d e abc"],
  [
    "keeps stars, underscores and tildes that are text",
    "2 * 3, snake_case_name, ~5",
    "2 * 3, snake_case_name, ~5",
  ],
  ["drops fenced code", "a\n\n```js\nconst x = 1;\n```\n\nb\n\n~~~\n```\n~~~\nc", "a\nb\nc"],
  ["drops fenced code in lists and quotes", "- a\n  ```\n  x\n  ```\n> ```\n> y\n> ```\nb", "a\nb"],
  ["drops the rest after a fence that does not end", "a\n```\nb", "a"],
  ["takes no code span for a fence", "``` a ``` b", "a b"],
  ["keeps the text of inline code", "run `npm start` or `` a`b ``", "run npm start or a`b"],
  ["keeps marks in inline code", "`*a* [b](c) <d>`", "*a* [b](c) <d>"],
  ["drops images", 'a ![alt *x*](b.png "t") c ![d][e] [![f](g)](h) i', "a c i"],
  [
    "keeps the text of links",
    '[a *b*](c "d") [e][f] [g][] [h] [i](<j k>) [l](m(n))',
    "a b e g h i l",
  ],
  ["drops link definitions", "[a]\n\n[a]: https://x.example 'T'", "a"],
  ["drops footnote marks and keeps footnotes", "a[^1].\n\n[^1]: Note.", "a.\nNote."],
  [
    "drops list bullets and quote marks",
    "- a\n  * b\n1. c\n2) d\n> e\n> > f\n- [x] g",
    "a\nb\nc\nd\ne\nf\ng",
  ],
  ["drops rules of tables and pipes", "| a | b |\n|---|:-:|\n| c | d |", "a b\nc d"],
  ["drops thematic breaks", "a\n\n---\n\n* * *\n\nb", "a\nb"],
  [
    "drops HTML tags and comments",
    'a <b class="x">c</b> <!-- d --> e<br>f <img\nsrc=x>g',
    "a c e f g",
  ],
  ["drops scripts and styles", "a <script>x()</script> b <style>\np{}\n</style> c", "a b c"],
  ["keeps comparisons", "1 < 2 and 3 > 2, a<b", "1 < 2 and 3 > 2, a<b"],
  [
    "keeps addresses in angle brackets",
    "<https://a.example> <m@b.example>",
    "https://a.example m@b.example",
  ],
  [
    "reads escapes and entities",
    "\\*a\\* &amp; &lt;b&gt; &#65;&#x42; &nope; \\d",
    "*a* & <b> AB &nope; \\d",
  ],
  ["drops marks of directives", ":::note\na\n:::", "a"],
  [
    "keeps titles of containers",
    "::: tip Small steps\na\n:::\n:::note[T] {open}\n",
    "Small steps\na\nT",
  ],
  [
    "drops markers of alerts, contents and formulas",
    "> [!NOTE]\n> a\n\n[[toc]]\n\n$$\nb\n$$",
    "a\nb",
  ],
  ["keeps the words of wiki links", "[[Page]] [[Page|text]]", "Page Page text"],
  ["drops marks of definition lists", "Term\n: Text", "Term\nText"],
  ["collapses spaces and blank lines", "a   b\t c\n\n\n\nd", "a b c\nd"],
  ["reads every line ending", "# a\r\n\r\n# b\r# c", "a\nb\nc"],
  ["gives nothing for nothing", "", ""],
];

describe("plain text of Markdown", () => {
  for (const [claim, source, text] of cases) {
    it(claim, () => {
      assert.equal(plainText(source), text);
    });
  }

  it("does not change prose", () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}]{1,12}$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const prose = `x ${words.join(" ")}`;
        assert.equal(plainText(prose), prose);
      }),
    );
  });

  it("terminates for any text and never makes it longer", () => {
    const piece = fc.constantFrom(
      "[",
      "](",
      ")",
      "`",
      "``",
      "<",
      ">",
      "!",
      "*",
      "_",
      "\n",
      "a",
      " ",
      "\\",
      "&#1;",
      "<!--",
      "|",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const source = pieces.join("");
        assert.ok(plainText(source).length <= source.length);
      }),
      { numRuns: 500 },
    );
  });

  it("reads hostile documents of a megabyte", () => {
    for (const [name, source] of Object.entries(hostileMarkdown(1_000_000))) {
      assert.equal(typeof plainText(source), "string", name);
    }
    for (const piece of [
      "](",
      "](a",
      "[^",
      "![",
      "<a ",
      "`a``",
      "](\\",
      "{#",
      "[^a]:\n",
      "<script>",
      "</script",
      "](a\n\n",
    ]) {
      assert.equal(typeof plainText(piece.repeat(1_000_000 / piece.length)), "string", piece);
    }
  });

  it("stops early at a limit in a line that is the whole page", () => {
    const text = plainText("*a **a ".repeat(140_000), { limit: 100 });
    assert.ok(text.length > 100 && text.length < 2_000, `${text.length}`);
  });

  it("stops early at a limit", () => {
    const text = plainText("word ".repeat(10).concat("\n").repeat(10_000), { limit: 100 });
    assert.ok(text.length >= 100 && text.length < 2000);
  });
});

describe("plain text of MDX", () => {
  for (const [what, source, text] of [
    [
      "all of them in one page",
      'import A from "./a.js"\nexport const meta = {\n  a: 1,\n}\n\n# Hi {1 + {a: 2}.a}\n\n<A b={c}>Text **d**</A>\n\n{/* no */}',
      "Hi\nText d",
    ],
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
