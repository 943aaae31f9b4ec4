import assert from "node:assert/strict";
import { assertShallowExpressions } from "../../../../plugins/markdown/formats/mdx.js";
import { assertShallow, parseShallow } from "../../../../plugins/markdown/parse/nesting.js";
import { cleanHtml } from "../../../../plugins/markdown/render/pipeline.js";
import { renderMarkdown } from "../../../support/content/render-markdown.js";

const nested = (open: string, depth: number, close = ""): string =>
  `${open.repeat(depth)}a${close.repeat(depth)}`;

/** Bodies whose trees have at least the given depth. */
const deep: Readonly<Record<string, (depth: number) => string>> = {
  quotes: (depth) => nested(">", depth),
  lists: (depth) => nested("1. ", depth),
  "lists of quotes": (depth) => nested("> - ", depth),
  emphasis: (depth) => nested("_a ", depth, " a_"),
  footnotes: (depth) => `b[^a]\n\n${nested("[^a]: ", depth)}`,
  elements: (depth) => nested("<div>", depth),
  "elements in a phrase": (depth) => `a ${nested("<span>", depth)}`,
  "formatting that is opened again": (depth) => `${nested("<font>", depth)}\n\n<p>a`,
  tables: (depth) => nested("<table><tr><td>", depth),
  templates: (depth) => nested("<template>", depth),
  drawings: (depth) => `<svg>${nested("<g>", depth)}`,
};

describe("nesting", () => {
  for (const [name, bodyOf] of Object.entries(deep)) {
    it(`rejects a body of deeply nested ${name} before anything recurses over it`, () => {
      assert.throws(() => renderMarkdown(bodyOf(300)), {
        name: "RangeError",
        message: "the body is nested deeper than 200 levels",
      });
      assert.notEqual(renderMarkdown(bodyOf(30)), "");
    });
  }

  it("rejects deep HTML from a plugin", () => {
    assert.throws(() => cleanHtml(nested("<div>", 300), { html: "", headings: [] }), RangeError);
  });

  it("accepts any number of sibling elements, closed or not", () => {
    assert.match(renderMarkdown("<li>a\n".repeat(300)), /a/);
    assert.match(renderMarkdown("<b>a</b><br>\n".repeat(300)), /<b>a<\/b>/);
  });

  it("counts levels, not nodes", () => {
    const quote = { type: "blockquote", children: [{ type: "text" }] };
    assertShallow({ type: "root", children: Array.from({ length: 1000 }, () => quote) });
    let tree = quote;
    for (let depth = 0; depth <= 200; depth += 1) tree = { type: "blockquote", children: [tree] };
    assert.throws(() => assertShallow(tree), RangeError);
  });

  it("restores the parser, also after an error", () => {
    assert.throws(
      () =>
        parseShallow(() => {
          throw new TypeError("broken");
        }),
      TypeError,
    );
    assert.match(renderMarkdown("<b>a</b>"), /<b>a<\/b>/);
  });
});

describe("nesting of expressions in MDX", () => {
  for (const [open, close] of [
    ["<b>{", "}</b>"],
    ["<b a={", "}/>"],
    ["{`$", "`}"],
    ["{[", "]}"],
  ] as const) {
    it(`is rejected when it is deep: ${open}`, () => {
      const nested = (depth: number): string => `a ${open.repeat(depth)}1${close.repeat(depth)}`;
      assert.throws(() => assertShallowExpressions(nested(201)), {
        name: "RangeError",
        message: "the expressions are nested deeper than 200 levels",
      });
      assertShallowExpressions(nested(50));
    });
  }

  it("is rejected within one expression", () => {
    assert.throws(() => assertShallowExpressions(`{${"[".repeat(201)}`), RangeError);
    assert.throws(() => assertShallowExpressions(`{f${"(".repeat(201)}`), RangeError);
  });

  it("is not counted in text, nor across expressions side by side", () => {
    assertShallowExpressions(":( ".repeat(1000));
    assertShallowExpressions("{f(1)} } {[1]} ) ".repeat(1000));
  });
});
