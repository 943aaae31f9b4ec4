import assert from "node:assert/strict";
import { parseMarkdownBody } from "../../../../plugins/markdown/render/pipeline.js";
import { plainOptions, renderMarkdown } from "../../../support/content/render-markdown.js";

const bare = { extra: false, autoUrlLinks: false };

/** CommonMark 0.31: what a line of each rule gives. */
const commonMark: readonly (readonly [rule: string, source: string, html: string])[] = [
  ["tabs", "- a\n\n\tb", "<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>"],
  ["escapes", "\\*a\\* \\\\ \\a", "<p>*a* \\ \\a</p>"],
  ["escapes in code", "`\\*`", "<p><code>\\*</code></p>"],
  ["entities", "&auml; &#228; &#xE4; &nope;", "<p>ä ä ä &#x26;nope;</p>"],
  ["NUL", "a\u0000b", "<p>a\ufffdb</p>"],
  ["precedence", "- `a\n- b`", "<ul>\n<li>`a</li>\n<li>b`</li>\n</ul>"],
  ["thematic break", "***\n- - -\n_ _ _", "<hr>\n<hr>\n<hr>"],
  ["ATX headings", "# a\n###### b ##\n####### c", "<h1>a</h1>\n<h6>b</h6>\n<p>####### c</p>"],
  ["heading without space", "#a", "<p>#a</p>"],
  ["empty heading", "##", "<h2></h2>"],
  ["setext headings", "a\n=\n\nb\n--", "<h1>a</h1>\n<h2>b</h2>"],
  [
    "indented code",
    "    a\n\n      b",
    '<pre role="group" aria-label="a" tabindex="0"><code>a\n\n  b\n</code></pre>',
  ],
  [
    "fenced code",
    "~~~\na\n```\n~~~",
    '<pre role="group" aria-label="a" tabindex="0"><code>a\n```\n</code></pre>',
  ],
  [
    "unclosed fence",
    "```\na",
    '<pre role="group" aria-label="a" tabindex="0"><code>a\n</code></pre>',
  ],
  ["HTML block", "<div>\n*a*\n\n*b*\n</div>", "<div>\n*a*\n<p><em>b</em></p>\n</div>"],
  ["link definition", "[a]: /u 'T'\n\n[a]", '<p><a href="/u" title="T">a</a></p>'],
  ["first definition", "[a]\n\n[a]: /1\n[a]: /2", '<p><a href="/1">a</a></p>'],
  ["labels fold case", "[ẞ]\n\n[SS]: /u", '<p><a href="/u">ẞ</a></p>'],
  ["paragraph", "a\n  b\n\nc", "<p>a\nb</p>\n<p>c</p>"],
  ["blank lines", "\n\na\n\n\n", "<p>a</p>"],
  ["quote", "> a\nb", "<blockquote>\n<p>a\nb</p>\n</blockquote>"],
  ["nested quote", "> > a", "<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>"],
  ["list", "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
  ["loose list", "- a\n\n- b", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>"],
  ["ordered list", "3) a\n4) b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ["other marker, other list", "- a\n+ b", "<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>"],
  ["number in a paragraph", "a\n2. b", "<p>a\n2. b</p>"],
  ["list in list", "- a\n  - b", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"],
  ["code span", "`` a`b ``", "<p><code>a`b</code></p>"],
  ["code span strips one space", "`  a  `", "<p><code> a </code></p>"],
  ["unclosed code span", "``a`", "<p>``a`</p>"],
  ["emphasis", "*a* _b_", "<p><em>a</em> <em>b</em></p>"],
  ["strong", "**a** __b__", "<p><strong>a</strong> <strong>b</strong></p>"],
  ["no emphasis before space", "a * b*", "<p>a * b*</p>"],
  ["no emphasis in words", "a_b_c", "<p>a_b_c</p>"],
  ["emphasis in words", "a*b*c", "<p>a<em>b</em>c</p>"],
  ["both", "***a***", "<p><em><strong>a</strong></em></p>"],
  ["rule of three", "*a**b*", "<p><em>a**b</em></p>"],
  ["emphasis and punctuation", '**"a"**b', '<p>**"a"**b</p>'],
  ["link", '[a](/u "T")', '<p><a href="/u" title="T">a</a></p>'],
  ["link in angles", "[a](<b c>)", '<p><a href="b%20c">a</a></p>'],
  ["balanced parentheses", "[a](b(c))", '<p><a href="b(c)">a</a></p>'],
  ["no link with a space", "[a](b c)", "<p>[a](b c)</p>"],
  ["no link in link", "[a [b](c)](d)", '<p>[a <a href="c">b</a>](d)</p>'],
  ["link over code", "[a`](b)`", "<p>[a<code>](b)</code></p>"],
  ["full reference", "[a][B]\n\n[b]: /u", '<p><a href="/u">a</a></p>'],
  ["collapsed reference", "[a][]\n\n[a]: /u", '<p><a href="/u">a</a></p>'],
  [
    "autolink",
    "<http://a.b?c=d&e>",
    '<p><a href="http://a.b?c=d&#x26;e" rel="noopener">http://a.b?c=d&#x26;e</a></p>',
  ],
  ["mail autolink", "<a@b.example>", '<p><a href="mailto:a@b.example">a@b.example</a></p>'],
  ["no autolink", "x < y <m:a b>", "<p>x &#x3C; y &#x3C;m:a b></p>"],
  ["hard break by spaces", "a  \nb", "<p>a<br>\nb</p>"],
  ["hard break by backslash", "a\\\nb", "<p>a<br>\nb</p>"],
  ["soft break", "a\nb", "<p>a\nb</p>"],
  ["carriage returns", "a\r\n\r\n# b\rc", "<p>a</p>\n<h1>b</h1>\n<p>c</p>"],
  ["inline HTML", "a <b>c</b>", "<p>a <b>c</b></p>"],
];

/** GitHub Flavored Markdown. */
const gfm: readonly (readonly [rule: string, source: string, html: string])[] = [
  [
    "table",
    "| a | b |\n|:-:|--:|\n| c |",
    '<div class="table-scroll" role="group" aria-label="a, b" tabindex="0"><table>\n<thead>\n<tr>\n<th align="center">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">c</td>\n<td align="right"></td>\n</tr>\n</tbody>\n</table></div>',
  ],
  [
    "pipe in a cell",
    "|a|\n|-|\n|`\\|`|",
    '<div class="table-scroll" role="group" aria-label="a" tabindex="0"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>|</code></td>\n</tr>\n</tbody>\n</table></div>',
  ],
  ["no table without delimiter", "| a |\n| b |", "<p>| a |\n| b |</p>"],
  [
    "task list",
    "- [ ] a\n- [x] b",
    '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" disabled aria-label="a"> a</li>\n<li class="task-list-item"><input type="checkbox" checked disabled aria-label="b"> b</li>\n</ul>',
  ],
  ["strikethrough", "~~a~~ ~b~ ~~~c~~~", "<p><del>a</del> <del>b</del> ~~~c~~~</p>"],
];

describe("the Markdown pipeline", () => {
  for (const [rule, source, html] of commonMark) {
    it(`CommonMark: ${rule}`, () => {
      assert.equal(renderMarkdown(source, bare), html);
    });
  }

  for (const [rule, source, html] of gfm) {
    it(`GFM: ${rule}`, () => {
      assert.equal(renderMarkdown(source, bare), html);
    });
  }

  it("only changes spaces when it protects orphans", () => {
    for (const [, source] of [...commonMark, ...gfm]) {
      const html = renderMarkdown(source, { orphans: true });
      assert.equal(html.replace(/\s/g, " "), renderMarkdown(source).replace(/\s/g, " "), source);
    }
  });

  it("links bare addresses only when auto_url_links is on", () => {
    const source =
      "see https://a.example/x, www.b.example and c@d.example or [https://e.example](/e)";
    const on = renderMarkdown(source);
    assert.match(on, /href="https:\/\/a.example\/x"/);
    assert.match(on, /href="http:\/\/www.b.example"/);
    assert.match(on, /href="mailto:c@d.example"/);
    const off = renderMarkdown(source, { autoUrlLinks: false });
    assert.equal(
      off,
      '<p>see https://a.example/x, www.b.example and c@d.example or <a href="/e">https://e.example</a></p>',
    );
  });

  it("links addresses in angle brackets when auto_links is on", () => {
    assert.match(renderMarkdown("<https://a.example>", bare), /href/);
    assert.doesNotMatch(
      renderMarkdown("<https://a.example>", { ...bare, autoLinks: false }),
      /href/,
    );
  });

  it("links footnotes in both directions when extra is on", () => {
    const html = renderMarkdown("a[^n]\n\n[^n]: note");
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    assert.equal(targets.length, 2);
    for (const target of targets) assert.ok(ids.has(target), target);
    assert.doesNotMatch(html, /user-content-user-content/);
    assert.match(html, /aria-describedby="user-content-footnote-label"/);
  });

  it("renders definition lists when extra is on", () => {
    assert.match(
      renderMarkdown("Term\n: What it means"),
      /<dl>\s*<dt>Term<\/dt>\s*<dd>What it means/,
    );
  });

  it("ignores footnotes, definition lists and heading ids when extra is off", () => {
    const html = renderMarkdown("# A\n\na[^n]\n\nTerm\n: Text", { extra: false });
    assert.equal(html, "<h1>A</h1>\n<p>a[^n]</p>\n<p>Term\n: Text</p>");
  });

  it("gives each heading a unique id and lists them", () => {
    const { html, headings } = parseMarkdownBody(
      "# A *b*\n\n## C\n\n## C\n\n## Ä ß\n\n### D {#own}",
      plainOptions,
    ).finish(new Map());
    assert.deepEqual(headings, [
      { level: 1, id: "a-b", text: "A b" },
      { level: 2, id: "c", text: "C" },
      { level: 2, id: "c-1", text: "C" },
      { level: 2, id: "ä-ß", text: "Ä ß" },
      { level: 3, id: "own", text: "D" },
    ]);
    assert.match(
      html,
      /<h2 id="c">C<a class="heading-anchor" aria-labelledby="c" href="#c"><\/a><\/h2>/,
    );
    assert.match(html, /<h1 id="a-b">A <em>b<\/em><\/h1>/);
  });

  it("points links to ids written by authors", () => {
    assert.match(renderMarkdown('<a id="here"></a> [x](#here)'), /href="#user-content-here"/);
    assert.match(renderMarkdown("## here\n\n[x](#here)"), /href="#here"/);
  });

  it("does not change raw HTML when trusted", () => {
    const html = renderMarkdown('<script>a()</script><p onclick="b()">c</p>', { trusted: true });
    assert.match(html, /<script>a\(\)<\/script><p onclick="b\(\)">c<\/p>/);
  });

  // CommonMark 0.31.2, examples 24, 34, 144 and 146.
  for (const [fence, name, text] of [
    ["``` foo\\+bar\nfoo\n```", "foo+bar", "foo\n"],
    ["``` f&ouml;&ouml;\nfoo\n```", "föö", "foo\n"],
    ["````;\n````", ";", ""],
    ["~~~ aa ``` ~~~\nfoo\n~~~", "aa", "foo\n"],
  ]) {
    it(`keeps only the class of the unknown code language ${name}`, () => {
      const html = renderMarkdown(String(fence));
      assert.ok(html.includes(`<code class="language-${name}">${text}</code>`), html);
    });
  }

  it("keeps classes for languages and mathematics", () => {
    assert.match(
      renderMarkdown('<code class="language-math math-inline">x</code>'),
      /class="language-math math-inline"/,
    );
  });
});
