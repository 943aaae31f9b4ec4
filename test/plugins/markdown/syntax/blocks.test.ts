import assert from "node:assert/strict";
import {
  noSyntax,
  renderMarkdown,
  renderSyntax,
} from "../../../support/content/render-markdown.js";

describe("alerts and containers", () => {
  it("shows a quote with a marker of its own line as an alert, as GitHub does", async () => {
    const html = await renderSyntax("> [!NOTE]\n> Useful **text**.");
    assert.match(
      html,
      /<div class="callout callout-note" role="note">\s*<p class="callout-title">Note<\/p>/,
    );
    assert.match(html, /<p>Useful <strong>text<\/strong>\.<\/p>/);
    assert.match(await renderSyntax("> [!WARNING]\n> - a"), /callout-warning[^]*<ul>/);
    for (const source of ["> [!NOTE] text", "> [!OTHER]\n> a", "> a\n> [!NOTE]", "> [!tip]"]) {
      assert.doesNotMatch(await renderSyntax(source), /callout/, source);
    }
  });

  it("names alerts in the language of the page", async () => {
    const html = await renderSyntax("> [!TIP]\n> a", { options: { lang: "de" } });
    assert.match(html, />Tipp</);
  });

  it("reads both forms of containers, with titles and nested ones", async () => {
    const html = await renderSyntax(
      ":::note\nA\n:::\n\n:::: tip My *title*\n::: danger\nB\n:::\n::::\n\n:::warning[W]\nC\n:::",
    );
    assert.match(html, /callout-note[^]*>Note<[^]*<p>A<\/p>/);
    assert.match(html, /callout-tip[^]*>My <em>title<\/em><[^]*callout-danger/);
    assert.match(html, /callout-title">W</);
  });

  it("shows details closed, or open on request", async () => {
    assert.match(
      await renderSyntax("::: details More\nA\n:::"),
      /<details class="callout callout-details"><summary class="callout-title">More<\/summary>/,
    );
    assert.match(await renderSyntax("::: details More {open}\nA\n:::"), /<details[^>]* open>/);
  });

  it("shows the pictures of a gallery each by itself, with captions and links", async () => {
    const html = await renderSyntax(
      '::: gallery\n![A](/a.png)\n![B](/b.png "Second") [![C](/c.png)](/c)\n\nWords.\n:::',
    );
    assert.match(html, /^<div class="gallery">\s*<p><img[^>]*alt="A"[^>]*><\/p>\s*<figure>/);
    assert.match(html, /<figcaption>Second<\/figcaption>\s*<\/figure>\s*<p><a href="\/c"><img/);
    assert.match(html, /<p>Words\.<\/p>\s*<\/div>$/);
  });

  it("shows the links of buttons as buttons, the first one as the main one", async () => {
    const html = await renderSyntax("::: buttons\n[Go](/go)\n[More *here*](/more)\n:::");
    assert.match(html, /<div class="buttons">\s*<p><a [^>]*class="button primary"[^>]*>Go<\/a>/);
    assert.match(html, /<a [^>]*class="button"[^>]*>More <em>here<\/em><\/a><\/p>\s*<\/div>$/);
    assert.doesNotMatch(await renderSyntax("[Go](/go)"), /button/);
  });

  it("keeps lines of code and unknown containers as written", async () => {
    const source =
      "::: tip\n\n```\n::: tip Keep me\n```\n:::\n\n    ::: note Keep\n\n::: other Name\nx\n:::";
    const html = await renderSyntax(source);
    assert.match(html, />::: tip Keep me\n</);
    assert.match(html, />::: note Keep\n</);
    assert.match(html, /::: other Name/);
  });

  it("leaves colons in text alone", async () => {
    const source = "at 10:30, a:b and ::c";
    assert.equal(
      await renderSyntax(`::: tip\nx\n:::\n\n${source}`).then(lastLine),
      `<p>${source}</p>`,
    );
  });

  it("makes tabs of a code group, which work without scripts", async () => {
    const html = await renderSyntax(
      "::: code-group\n```sh [npm]\nnpm i\n```\n```sh [yarn]\nyarn\n```\n:::",
    );
    const radios = [
      ...html.matchAll(/<input type="radio" name="(tabs-[\da-f]{8})"( checked)?>(\w+)/g),
    ];
    assert.deepEqual(
      radios.map(([, , checked, label]) => [label, Boolean(checked)]),
      [
        ["npm", true],
        ["yarn", false],
      ],
    );
    assert.equal(new Set(radios.map(([, name]) => name)).size, 1);
  });

  it("changes nothing while it is off", async () => {
    const source =
      '> [!NOTE]\n> a\n\n::: tip T\nb\n:::\n\n```ts {1} title="a"\nlet a;\n```\n\n:tada: ==m== H~2~O x^2^ $x$ [[toc]] [[Page]]\n\n*[HTML]: x\n\n![a](b.png "c")\n\na[^1]\n\n[^1]: n';
    assert.equal(await renderSyntax(source, { switches: noSyntax }), renderMarkdown(source));
  });
});

function lastLine(html: string): string {
  return html.split("\n").at(-1) ?? "";
}
