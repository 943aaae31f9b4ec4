import assert from "node:assert/strict";
import { styleClasses } from "../../../../plugins/markdown/syntax/math-styles.js";
import { forReaders } from "../../../../plugins/markdown/service.js";
import { dangersIn } from "../../../support/oracles/html-oracle.js";
import { renderSyntax } from "../../../support/content/render-markdown.js";

const text = async (source: string) => (await renderSyntax(source)).replace(/^<p>|<\/p>$/g, "");

describe("syntax within a line", () => {
  it("marks text, but not comparisons", async () => {
    assert.equal(await text("==a **b**=="), "<mark>a <strong>b</strong></mark>");
    for (const source of ["a==b==c", "a == b == c", "x = = y"]) {
      assert.equal(await text(source), source);
    }
  });

  it("shows sub- and superscripts and leaves other tildes and carets", async () => {
    assert.equal(await text("H~2~O and x^2^"), "H<sub>2</sub>O and x<sup>2</sup>");
    assert.equal(await text("~a~ ~~b~~"), "<del>a</del> <del>b</del>");
    for (const source of ["~5 and ~6", "2^10 and 2^20", "a ^b^ c"]) {
      assert.equal(await text(source), source);
    }
  });

  it("shows emoji by name and leaves other names", async () => {
    assert.equal(await text(":tada: :no_such_name: 10:30:20"), "🎉 :no_such_name: 10:30:20");
    assert.equal(await text("`:tada:`"), "<code>:tada:</code>");
  });

  it("explains abbreviations wherever they occur as a word", async () => {
    const html = await renderSyntax('HTML, HTMLX and `HTML`\n\n*[HTML]: Hyper "Text"');
    assert.equal(
      html,
      '<p><abbr title="Hyper &#x22;Text&#x22;">HTML</abbr>, HTMLX and <code>HTML</code></p>',
    );
  });

  it("makes the title of an image on its own a caption", async () => {
    assert.match(
      await renderSyntax('![a](b.png "c")'),
      /<figure><img src="b\.png" alt="a"[^>]*><figcaption>c<\/figcaption><\/figure>/,
    );
    assert.match(await renderSyntax('![a](b.png "c") d'), /title="c"/);
  });

  it("lists headings in the place of [[toc]]", async () => {
    const html = await renderSyntax("[[toc]]\n\n## A\n\n### B\n\n## C");
    assert.match(
      html,
      /<nav class="toc" aria-label="Contents"><ul><li><a href="#a">A<\/a><ul><li><a href="#b">B<\/a><\/li><\/ul><\/li><li><a href="#c">C<\/a><\/li><\/ul><\/nav>/,
    );
  });

  it("links to pages and leaves links of CommonMark alone", async () => {
    const facts = new Map([["\0[[1 Page", { url: "/page" }]]);
    const html = await renderSyntax("[[Page]] [[Page|shown]] [[None]] [[a]](/b)", { facts });
    assert.equal(
      html,
      '<p><a href="/page">Page</a> <a href="/page">shown</a> [[None]] <a href="/b">[a]</a></p>',
    );
    assert.match(await renderSyntax("[[a]]\n\n[a]: /b"), /\[<a href="\/b">a<\/a>\]/);
  });
});

describe("math", () => {
  it("renders TeX without inline styles, and leaves amounts of money", async () => {
    const html = await renderSyntax("$x^2$ costs $5 or $10\n\n$$\n\\sqrt{\\frac{1}{2}}\n$$");
    assert.match(html, /<span class="math"><span class="katex">[^]*costs \$5 or \$10/);
    assert.match(html, /class="math-display"[^]*<svg/);
    assert.doesNotMatch(html, /style=/);
  });

  it("shows malformed TeX as text and takes no markup from it", async () => {
    assert.match(
      await renderSyntax("$\\bad{$"),
      /<code class="math-error" title="[^"]*">\\bad\{<\/code>/,
    );
    const hostile = [
      "$\\href{javascript:alert(1)}{a}$",
      "$\\htmlClass{x}{a}\\htmlStyle{color:red}{b}$",
      "$\\text{<img src=x onerror=alert(1)>}$",
      "$\\includegraphics{http://a.example/x.png}$",
      "$\\def\\a{\\a\\a}\\a$",
    ];
    for (const source of hostile) {
      const html = forReaders(await renderSyntax(source));
      assert.deepEqual(
        dangersIn(html.replace(/<\/?(?:math|m\w+|semantics|annotation)\b[^>]*>/g, "")),
        [],
        source,
      );
    }
  });

  it("expresses lengths as the sum of their digits", () => {
    assert.deepEqual(styleClasses("height:0.6944em;vertical-align:-1.05em"), [
      "kh",
      "kh-c6",
      "kh-d9",
      "kh-e4",
      "kv",
      "kv-n",
      "kv-b1",
      "kv-d5",
    ]);
    assert.deepEqual(styleClasses("background:url(x);height:1px;color:red"), ["kcc-red"]);
  });

  it("leaves only MathML for readers without the style sheet", async () => {
    const html = forReaders(
      await renderSyntax("## A\n\n$x$ b\n\n::: tabs\n::: tab T\nx\n:::\n:::"),
    );
    assert.match(html, /<math[^]*<\/math>/);
    assert.doesNotMatch(html, /katex-html|heading-anchor|<input/);
    assert.match(html, /b<\/p>/);
  });
});

describe("ids of headings", () => {
  it("are never empty, and different from each other", async () => {
    const html = await renderSyntax("## ???\n\n## !!!\n\n##\n\n## A {#own}");
    const ids = [...html.matchAll(/<h2(?: id="([^"]*)")?/g)].map(([, id]) => id);
    assert.deepEqual(ids, ["_1", "_2", undefined, "own"]);
  });
});
