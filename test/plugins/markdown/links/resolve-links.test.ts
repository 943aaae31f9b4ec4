import assert from "node:assert/strict";
import { parseMarkdownBody } from "../../../../plugins/markdown/render/pipeline.js";
import { plainOptions, renderMarkdown } from "../../../support/content/render-markdown.js";

const facts = new Map([
  [
    "a.png",
    {
      url: "/m/a.png",
      alt: 'Alt "x"',
      title: "Cap",
      attributes: { width: "3", srcset: "/m/a.png?w=320 320w", alt: "no" },
    },
  ],
  ["b.md", { url: "/b" }],
]);
const render = (source: string): string => renderMarkdown(source, {}, facts);

describe("links and images of a body", () => {
  it("refer to relative and root-relative targets, once each", () => {
    const source =
      '![](a.png) ![](a.png) [x](b.md) [y](/c) [z](#d) [w](https://e.example) <video src="f.mp4" poster="g.png"></video>';
    assert.deepEqual(parseMarkdownBody(source, plainOptions).references, [
      "a.png",
      "b.md",
      "/c",
      "f.mp4",
      "g.png",
    ]);
  });

  it("get the URLs of their references, in Markdown and in HTML", () => {
    assert.match(render("[x](b.md)"), /href="\/b"/);
    assert.match(render("[x]\n\n[x]: b.md"), /href="\/b"/);
    assert.match(render('<a href="b.md">x</a>'), /href="\/b"/);
    assert.match(
      render('<picture><source srcset="a.png 2x, c.png"><img src="a.png"></picture>'),
      /srcset="\/m\/a.png 2x, c.png"/,
    );
    assert.match(
      render('<video poster="a.png"><source src="a.png"></video>'),
      /poster="\/m\/a.png"><source src="\/m\/a.png"/,
    );
  });

  it("are unchanged when nothing is known about them", () => {
    assert.match(render("[x](nowhere.md)"), /href="nowhere.md"/);
    assert.match(render("[x](__proto__)"), /href="__proto__"/);
  });

  it("load lazily, and take missing alt and title from the sidecar", () => {
    const html = render("![](a.png)");
    assert.match(html, /alt="Alt &#x22;x&#x22;"/);
    for (const part of [
      'title="Cap"',
      'loading="lazy"',
      'decoding="async"',
      'width="3"',
      'srcset="/m/a.png?w=320 320w"',
    ]) {
      assert.ok(html.includes(part), part);
    }
    assert.match(render('![own](a.png "mine")'), /alt="own" title="mine"/);
    assert.match(
      render('<img src="a.png" width="9" loading="eager">'),
      /width="9" loading="eager"/,
    );
  });

  it("keep the text of titles and alt in their attributes", () => {
    assert.match(render('![x" onload="y](a.png \'"onload=z\')'), /alt="x&#x22; onload=&#x22;y"/);
  });

  for (const [attributes, size] of [
    ["", 'width="1200" height="800"'],
    ['width="200"', 'width="200" height="133"'],
    ['height="100"', 'height="100" width="150"'],
    ['width="300px"', 'width="300px" height="200"'],
    ['width="600" height=""', 'width="600" height="400"'],
    ['width="10" height="10"', 'width="10" height="10"'],
    ['width="50%"', 'width="50%"'],
    ['height="auto"', 'height="auto"'],
    ['width="1"', 'width="1" height="1"'],
  ] as const) {
    it(`keep the ratio of their file with ${attributes || "no size"}`, () => {
      const wide = { url: "/m/wide.png", attributes: { width: "1200", height: "800" } };
      const html = renderMarkdown(
        `<img src="wide.png" ${attributes}>`,
        {},
        new Map([["wide.png", wide]]),
      );
      assert.deepEqual(html.match(/(?:width|height)="[^"]*"/g)?.sort(), size.split(" ").sort());
    });
  }

  it("take all attributes of their file", () => {
    const attributes = { class: "c", fetchpriority: "high", srcset: "a 1x" };
    const html = renderMarkdown("![](a.png)", {}, new Map([["a.png", { url: "/a", attributes }]]));
    for (const part of ['class="c"', 'fetchpriority="high"', 'srcset="a 1x"'])
      assert.ok(html.includes(part), html);
    assert.match(
      render('<img src="a.png" decoding="sync" title="T">'),
      /decoding="sync" title="T"/,
    );
  });
});
