import assert from "node:assert/strict";
import { parseMarkdownBody } from "../../../../plugins/markdown/render/pipeline.js";
import { plainOptions, renderMarkdown } from "../../../support/content/render-markdown.js";

/** Markdown, and a part of its HTML. */
const anchors: readonly (readonly [source: string, part: string])[] = [
  ["## Title {#my-id}", '<h2 id="my-id">Title<a '],
  ["## Title {#ü_1.a:b}  ", '<h2 id="ü_1.a:b">Title<a '],
  ["## Title {#1a}", '<h2 id="title-1a">Title {#1a}<a '],
  ["## Title {#a b}", '<h2 id="title-a-b">Title {#a b}<a '],
  ["## Title {#a} more", '<h2 id="title-a-more">Title {#a} more<a '],
  ["## Title {#}", '<h2 id="title-">Title {#}<a '],
  ["text {#id}", "<p>text {#id}</p>"],
  ["## constructor", '<h2 id="user-content-constructor">'],
  ["# x {#hasOwnProperty}", '<h1 id="user-content-hasOwnProperty">'],
  ["# x {#toString}", '<h1 id="user-content-toString">'],
  ['<table><tr><td headers="a">x</td></tr></table>', '<td headers="user-content-a">'],
  ['<p title="a">x</p>', '<p title="a">'],
  ['<p id="x">a</p>\n\n[l](#x)', '<a href="#user-content-x">'],
  ['## x\n\n<p id="x">a</p>\n\n[l](#x)', '<a href="#x">l'],
  ["[l](#x)", '<a href="#x">'],
  ['<p id="ü">a</p>\n\n[l](#%C3%BC)', '<a href="#user-content-%C3%BC">'],
  ['<p id="x">a</p>\n\n[l](#%ZZ)', '<a href="#%ZZ">'],
  ['<p id="x">a</p>\n\n[l](/other#x)', '<a href="/other#x">'],
  ['<a name="x"></a>[l](#x)', '<a href="#user-content-x">'],
];

describe("anchors", () => {
  for (const [source, part] of anchors) {
    it(`of ${JSON.stringify(source)} include ${part}`, () => {
      const html = renderMarkdown(source);
      assert.ok(html.includes(part), html);
    });
  }

  it("are listed for headings in order, on one line, without the heading of footnotes", () => {
    const source =
      "# The\n*first*\n===\n\nThe\n*second*\n---\n\n> ### Below\n\na[^n]\n\n[^n]: note";
    const { headings } = parseMarkdownBody(source, plainOptions).finish(new Map());
    assert.deepEqual(
      headings.map(({ level, text }) => [level, text]),
      [
        [1, "The"],
        [1, "first"],
        [2, "The second"],
        [3, "Below"],
      ],
    );
  });
});
