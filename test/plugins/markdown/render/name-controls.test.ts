import assert from "node:assert/strict";
import { cleanHtml } from "../../../../plugins/markdown/render/pipeline.js";
import { renderMarkdown } from "../../../support/content/render-markdown.js";

const attribute = (html: string, element: string): string[] =>
  [...html.matchAll(new RegExp(`<${element}[^>]* aria-label="([^"]*)"`, "g"))].map(
    ([, label = ""]) => label,
  );

describe("checkboxes of task lists", () => {
  const table: [source: string, labels: string[]][] = [
    ["- [ ] Write *it*\n- [x] `Test` it", ["Write it", "Test it"]],
    ["- [ ] Outer\n  - [x] Inner", ["Outer", "Inner"]],
    ["- [ ] In a\n\n  paragraph", ["In a paragraph"]],
    ["- [ ] <!-- nothing -->", ["[ ]"]],
    ["<input type=checkbox checked>", ["[x]"]],
    ["<input type=checkbox aria-label=own>", ["own"]],
    [`- [ ] ${"long ".repeat(50)}`, [`${"long ".repeat(20).trim()}…`]],
  ];
  for (const [source, labels] of table) {
    it(`are named ${JSON.stringify(labels)} in ${JSON.stringify(source.slice(0, 40))} and stay disabled`, () => {
      const html = renderMarkdown(source);
      assert.deepEqual(attribute(html, "input"), labels);
      assert.equal(html.match(/<input[^>]* disabled/g)?.length, labels.length);
    });
  }
});

describe("code blocks and tables", () => {
  const focusable =
    /^<(?:pre|div class="table-scroll") role="group" aria-label="[^"]+" tabindex="0">/;
  const table: [source: string, element: string, label: string][] = [
    ["```ts\nlet a;\n```", "pre", "ts"],
    ["```\nfirst\nsecond\n```", "pre", "first"],
    ["```\n```", "pre", "code"],
    ["| Key | What |\n|-|-|\n| a | b |", "div", "Key, What"],
    ["<table><caption>Sizes</caption><tr><td>1</td></tr></table>", "div", "Sizes"],
    ["<table></table>", "div", "table-scroll"],
    ['| "a" |\n|-|', "div", "&#x22;a&#x22;"],
  ];
  for (const [source, element, label] of table) {
    it(`are focusable and named ${label}`, () => {
      const html = renderMarkdown(source);
      assert.match(html, focusable);
      assert.deepEqual(attribute(html, element), [label]);
    });
  }

  it("wrap a table in one frame, however tables are nested", () => {
    const html = renderMarkdown(
      "<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>",
    );
    assert.equal(html.match(/table-scroll/g)?.length, 1);
    assert.match(html, /<div class="table-scroll"[^>]*><table><tbody>/);
  });

  it("are not changed again when HTML is sanitised again", () => {
    const html = renderMarkdown("- [ ] a\n\n```ts\nb\n```\n\n|c|\n|-|\n|d|");
    assert.equal(cleanHtml(html, { html: "", headings: [] }).html, html);
  });
});
