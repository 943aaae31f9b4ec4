import assert from "node:assert/strict";
import { SitePath } from "#kernel";
import { assertLinear } from "../../support/growth.js";

const place = new SitePath("https://a.example/docs");
const plain = new SitePath("https://a.example");

describe("SitePath", () => {
  for (const [given, inside] of [
    ["/docs", "/"],
    ["/docs/", "/"],
    ["/docs/blog?x=/docs/", "/blog?x=/docs/"],
    ["/docs?x=1", "/?x=1"],
    ["/docsearch", "/docsearch"],
    ["/blog", "/blog"],
    ["/docs/docs/a", "/docs/a"],
  ] as const) {
    it(`takes ${given} as ${inside}`, () => assert.equal(place.inside(given), inside));
  }

  for (const [given, outside] of [
    ["/", "/docs/"],
    ["/blog#a", "/docs/blog#a"],
    ["/docs/a", "/docs/docs/a"],
    ["//b.example/", "//b.example/"],
    ["/\\b.example/", "/\\b.example/"],
    ["https://b.example/", "https://b.example/"],
    ["blog", "blog"],
    ["#a", "#a"],
    ["?a", "?a"],
  ] as const) {
    it(`gives ${given} as ${outside}`, () => assert.equal(place.outside(given), outside));
  }

  for (const [given, html] of [
    ['<a href="/a">/a</a>', '<a href="/docs/a">/a</a>'],
    ["<a href='/a?b=1&amp;c=2'>", '<a href="/docs/a?b=1&amp;c=2">'],
    ["<img src=/a.png>", '<img src="/docs/a.png">'],
    [
      '<img srcset="/a 1x, /b 2x, https://c/d 3x">',
      '<img srcset="/docs/a 1x, /docs/b 2x, https://c/d 3x">',
    ],
    ['<img srcset="\n /a 1x,\n /b 2x">', '<img srcset="\n /docs/a 1x,\n /docs/b 2x">'],
    ['<img srcset="/a 1x,/b 2x">', '<img srcset="/docs/a 1x,/docs/b 2x">'],
    ['<img srcset="/a, /b 2x">', '<img srcset="/docs/a, /docs/b 2x">'],
    ['<img srcset="/a,b.png 1x, c 2x">', '<img srcset="/docs/a,b.png 1x, c 2x">'],
    ['<img srcset="data:image/png;base64,/a 1x">', '<img srcset="data:image/png;base64,/a 1x">'],
    ['<a href=" /a ">', '<a href="/docs/a">'],
    ["<a href=' x '>", "<a href=' x '>"],
    ['<a href="/caf&eacute;?a=1&b=2&amp;c">', '<a href="/docs/caf&eacute;?a=1&amp;b=2&amp;c">'],
    ['<a href="/?a&amp;copy;&#233;&lt;">', '<a href="/docs/?a&amp;copy;&#233;<">'],
    [
      '<form action="/s"><button formaction="/t">',
      '<form action="/docs/s"><button formaction="/docs/t">',
    ],
    [
      '<meta http-equiv="refresh" content="0; url=/a">',
      '<meta http-equiv="refresh" content="0; url=/docs/a">',
    ],
    ['<meta name="x" content="/a">', '<meta name="x" content="/a">'],
    ['<style nonce="n">a{b:url(/c)}</style>', '<style nonce="n">a{b:url(/docs/c)}</style>'],
    ["<p style=\"a:url('/b')\">", "<p style=\"a:url('/docs/b')\">"],
    ['<script nonce="n">fetch("/a")</script>', '<script nonce="n">fetch("/a")</script>'],
    ['<!-- <a href="/a"> -->', '<!-- <a href="/a"> -->'],
    ['<svg><use xlink:href="/a#b"/></svg>', '<svg><use xlink:href="/docs/a#b"/></svg>'],
    ['<a href="a" data-href="/b">', '<a href="a" data-href="/b">'],
  ] as const) {
    it(`rewrites ${given}`, () => {
      assert.equal(place.html(given), html);
      assert.equal(plain.html(given), given);
    });
  }

  it("rewrites a long list of images in linear time", () => {
    for (const part of [",", ",("])
      assertLinear("srcset", part, (list) => void place.html(`<img srcset="/a${list}">`));
  });

  it("rewrites style sheets", () => {
    const given = '@import "/a.css"; @import url(/b.css); a{b:url("/c"),url(d),url(//e/f)}';
    const css =
      '@import "/docs/a.css"; @import url(/docs/b.css); a{b:url("/docs/c"),url(d),url(//e/f)}';
    assert.equal(place.css(given), css);
    assert.equal(String(place.body("text/css", Buffer.from(given))), css);
    assert.equal(place.body("text/plain", given), given);
  });

  for (const [name, given, expected] of [
    ["Location", "/a", "/docs/a"],
    ["location", "https://b.example/a", "https://b.example/a"],
    ["Set-Cookie", "a=b; Path=/; HttpOnly", "a=b; Path=/docs; HttpOnly"],
    ["Set-Cookie", "a=b; path=/auth", "a=b; path=/docs/auth"],
    ["Set-Cookie", "a=b", "a=b"],
    [
      "Link",
      '</a>; rel="next", <https://b/c>; rel="x"',
      '</docs/a>; rel="next", <https://b/c>; rel="x"',
    ],
    ["Content-Type", "/a", "/a"],
  ] as const) {
    it(`rewrites ${name}: ${given}`, () => assert.equal(place.header(name, given), expected));
  }
});
