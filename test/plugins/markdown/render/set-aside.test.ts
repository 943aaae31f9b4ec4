import assert from "node:assert/strict";
import { cleanHtml } from "../../../../plugins/markdown/render/pipeline.js";
import { dangersIn } from "../../../support/oracles/html-oracle.js";
import { renderSyntax } from "../../../support/content/render-markdown.js";

const source = [
  "## Title",
  "Text $x^2$ here.",
  "$$\n\\frac{a}{b}\n$$",
  "::: code-group\n```sh [npm]\nnpm i\n```\n```sh [yarn]\nyarn add\n```\n:::",
  "[[toc]]",
].join("\n\n");
/** What `dangersIn` does not know: contents, tabs. */
const GENERATED = /^<(?:nav|label)>$|^input\[(?:type=radio|name=tabs-[\da-f]+)\]$/;
const frame = '<iframe src="https://video.example/1"></iframe>';

describe("sanitising HTML that a plugin has changed", () => {
  const clean = async (
    change: (html: string) => string,
  ): Promise<[before: string, after: string]> => {
    const html = (await renderSyntax(source)) + frame;
    const headings = [{ level: 2, id: "title", text: "Title" }];
    return [html, cleanHtml(change(html), { html, headings }).html];
  };
  const inner = (html: string): string => /<math[^]*<\/math>/.exec(html)?.[0] ?? "";

  it("keeps what the plugin left as it was: formulas, tabs, contents, trusted frames", async () => {
    const [before, after] = await clean((html) => `${html}<p onclick="x()">added</p>`);
    assert.equal(after, `${before}<p>added</p>`);
  });

  it("keeps them within elements that were changed", async () => {
    const [before, after] = await clean((html) =>
      html.replace("<p>Text", '<p class="lead" onclick="x()">Text'),
    );
    assert.equal(after, before.replace("<p>Text", '<p class="lead">Text'));
    assert.notEqual(inner(after), "");
  });

  it("sanitises a changed formula, frame or attribute", async () => {
    const [, after] = await clean((html) =>
      html
        .replaceAll("<math ", "<math><script>x()</script></math><math onload=x() ")
        .replace("video.example", "evil.example")
        .replace("Title</h2>", 'Title<img src=x onerror="x()"></h2>'),
    );
    const others = dangersIn(after).filter((danger) => !GENERATED.test(danger));
    assert.deepEqual(others, []);
    assert.doesNotMatch(after, /evil\.example|onload|onerror|script/);
  });

  it("does not put an element into an attribute", async () => {
    const [before, after] = await clean((html) => {
      const formula = inner(html).replaceAll('"', "&quot;").replaceAll("<", "&lt;");
      return `${html}<p title="${formula}">t</p>`;
    });
    assert.ok(after.startsWith(before));
    assert.deepEqual(dangersIn(after.slice(before.length)), []);
  });
});
