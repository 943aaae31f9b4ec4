import assert from "node:assert/strict";
import fc from "fast-check";
import { remark } from "remark";
import { remarkDefinitionList } from "remark-definition-list";
import remarkGfm from "remark-gfm";
import { parsePlainBlocks } from "../../../plugins/markdown/quick-blocks.js";

const whole = remark().use(remarkGfm).use(remarkDefinitionList).freeze();

/** The tree of the full parser, without positions. */
function wholeTree(source: string): unknown {
  return JSON.parse(
    JSON.stringify(whole.parse(source), (key, value: unknown) => {
      return key === "position" ? undefined : value;
    }),
  );
}

const words = fc.constantFrom(
  ...[
    "a",
    "word",
    "Two words",
    "ä",
    "x_y",
    "1",
    "2020 was",
    "3.5",
    "(so)",
    "a.",
    "R & D",
    "2 * 3",
    "!",
    "“q”",
    "\u00a0",
    "😀",
  ],
);
const phrases = fc.constantFrom(
  ...[
    "**s**",
    "*e*",
    "`c`",
    "[l](/u)",
    "[l](https://a.b/c?d=e#f)",
    "![i](a.png)",
    "[*e* l](u)",
    "**a `c` b**",
    "**[l](u)**",
  ],
  ...[
    "***b***",
    "**",
    "*",
    "_e_",
    "``c``",
    "[r]",
    "[^f]",
    "<b>",
    "&amp;",
    "\\*",
    "~~d~~",
    "|",
    "a@b.c",
    "www.a.b",
    "http://a.b",
    "**a*b**",
    "a*b*",
    "*a",
    "a*",
    "[a](b c)",
    "[a](<b>)",
    "[](b)",
    "[a]()",
    "![](a)",
    "[![i](a)](b)",
    "[a](b))",
    "`a",
    "` a`",
    ":",
    "]:",
    "  ",
    "\\",
  ],
);
const line = fc
  .array(fc.oneof({ weight: 2, arbitrary: words }, phrases), { minLength: 1, maxLength: 5 })
  .chain((parts) => fc.constantFrom(" ", "", " ").map((gap) => parts.join(gap)));
const start = fc.constantFrom(
  ...["", "", "", "", "# ", "## ", "###### ", "- ", "- ", "1. ", "2) ", "* ", "+ "],
  ...[
    "#",
    "> ",
    "    ",
    "  ",
    "\t",
    "--- ",
    ": ",
    "= ",
    "```",
    "| ",
    "- [x] ",
    "10. ",
    "#  ",
    "-  ",
    "~~~",
    "<p>",
  ],
);
const anyLine = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(start, line).map((parts) => parts.join("")) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "",
      "",
      "---",
      "```",
      "```js",
      "===",
      "***",
      "-",
      "- ",
      "#",
      "[a]: /b",
      " ",
      "2. b",
    ),
  },
);
const document = fc
  .array(anyLine, { maxLength: 8 })
  .chain((lines) => fc.constantFrom("\n", "\n\n", "\n").map((gap) => lines.join(gap)));

/** A plain text with a few special characters inserted. */
const scattered = fc
  .tuple(
    fc.constantFrom(
      "# Head\n\nA word, **strong** and *so* on.\nSecond `code` line [l](/u).\n\n- one\n- two b\n\nEnd",
      "Words\n- a\n- b\n\n1. c\n2. d\n\n```js\nx = 1;\n```\n![i](a.png) and **[l](/u)** (*e*).\n## Sub",
    ),
    fc.array(
      fc.tuple(
        fc.nat(120),
        fc.constantFrom(...Array.from(" \n*_`[]()<>!&\\~|:#-+=.1@ax\u00a0\"'"), "\n\n", "**", "``"),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([plain, marks]) =>
    marks.reduce<string>((text, [at, mark]) => text.slice(0, at) + mark + text.slice(at), plain),
  );

const RUNS = 600;

describe("parsePlainBlocks", () => {
  /** Compares the tree with that of the full parser. */
  function isSame(source: string): boolean {
    const tree = parsePlainBlocks(source);
    if (tree !== null) assert.deepEqual(tree, wholeTree(source));
    return tree !== null;
  }

  for (const [name, texts] of Object.entries({
    "lines of all kinds": document,
    "stray marks": scattered,
  })) {
    it(`builds the same tree as the full parser, or none: ${name}`, () => {
      let made = 0;
      const property = fc.property(texts, (source) => void (made += Number(isSame(source))));
      fc.assert(property, { numRuns: RUNS });
      assert.ok(made > RUNS / 50, `${made} of ${RUNS} texts were plain`);
    });
  }

  for (const [name, source] of Object.entries({
    "headings and paragraphs": "# A\n\nb\nc\n## D\ne",
    "flat lists": "- a\n- b\n\n1. c\n2. d\n\ne",
    "a list right below a paragraph": "a\n- b\n- c",
    "code in fences": "```js\n\na < b\n```\nc\n\n---",
    phrases: '**a b** *c* `d` "*e*" [*f*](/g) ![h](i.png) j_k & l * m',
    nothing: "",
  })) {
    it(`reads ${name}`, () => assert.ok(isSame(source), source));
  }

  for (const [name, source] of Object.entries({
    "a loose list": "- a\n\n- b",
    "an item of several blocks": "- a\n\n  b",
    "a task": "- [x] a",
    "a heading that is underlined": "a\n---",
    "a fence that is not closed": "```\na",
    "a quotation": "> a",
    "a table": "a | b\n- | -",
    HTML: "a <b>b</b>",
    "a reference": "[a]",
    "a definition": "[a]: /b",
    "a footnote": "a[^b]",
    "an address": "see www.example.org",
    "emphasis in a word": "a*b*c",
    "a break": "a  \nb",
    "an escape": "\\*a",
    "a tab": "a\n\tb",
  })) {
    it(`leaves ${name} to the full parser`, () => assert.equal(parsePlainBlocks(source), null));
  }
});
