import assert from "node:assert/strict";
import fc from "fast-check";
import { remark } from "remark";
import { remarkDefinitionList } from "remark-definition-list";
import remarkGfm from "remark-gfm";
import { parseMarkdown } from "../../../../plugins/markdown/parse/markdown-parser.js";

const options = { extra: true, autoLinks: true };
const whole = remark().use(remarkGfm).use(remarkDefinitionList).freeze();

// Pieces that start, end or almost form a construct of GFM.
const pieces = [
  ...Array.from("ab @.:|-~[]^()<>*_\\&#`!x1\n\t "),
  "\n\n",
  "www.",
  "WWW.a.b",
  "http://",
  "https://a.b/c",
  "HTTPS://A.B",
  "a@b.c",
  "mailto:",
  "&#64;",
  "|-|",
  "\n-:\n",
  "\n:-\n",
  "a|b\n-|-\n",
  "~~",
  "[^a]",
  "[^a]: ",
  "[ ]",
  "- [x] ",
  "\n: ",
  "&commat;",
  "[a](https://a.b)",
  "w",
  "h",
  "word ",
  "&#58;//a.b ",
  "http&colon;//a.b",
  "www&period;a.b",
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));

describe("parseMarkdown", () => {
  it("builds the same tree as with all constructs enabled", () => {
    fc.assert(
      fc.property(text, (source) => {
        assert.deepEqual(parseMarkdown(source, options), whole.parse(source));
      }),
      { numRuns: 600 },
    );
  });

  for (const [name, source] of [
    ["an address of mail", "write to me@example.org"],
    ["an address with www", "see www.example.org"],
    ["an address in capitals", "see HTTPS://EXAMPLE.ORG/A"],
    ["an address made of references", "see http&#58;//example.org and a&#64;b.org"],
    ["a table of one column without a bar", "a\n:-\nb"],
    ["a table", "|a|b|\n|-|-|\n|1|2|"],
    ["struck text", "~~a~~"],
  ] as const) {
    it(`parses ${name}`, () => {
      const plain = remark().parse(source);
      const tree = parseMarkdown(source, options);
      assert.deepEqual(tree, whole.parse(source));
      assert.notDeepEqual(tree, plain, "the text holds nothing of GFM");
    });
  }

  it("leaves footnotes and bracketed addresses as text where they are disabled", () => {
    const tree = parseMarkdown("a[^b] <https://a.b>\n\n[^b]: c", {
      extra: false,
      autoLinks: false,
    });
    const found = JSON.stringify(tree);
    assert.ok(!found.includes("footnote"), found);
    assert.ok(!found.includes('"type":"html"'), found);
  });
});
