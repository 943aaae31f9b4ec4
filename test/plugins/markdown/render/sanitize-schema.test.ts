import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanHtml } from "../../../../plugins/markdown/render/pipeline.js";
import { dangersIn } from "../../../support/oracles/html-oracle.js";
import { renderMarkdown } from "../../../support/content/render-markdown.js";

const SCHEMES = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  " javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "java&#x09;script:alert(1)",
  "java&Tab;script:alert(1)",
  "java&NewLine;script:alert(1)",
  "javascript&colon;alert(1)",
  "javascript&#58;alert(1)",
  "javascript&#x3a;alert(1)",
  "&#106;&#97;vascript:alert(1)",
  "&#x6A;avascript:alert(1)",
  "&#0000106avascript:alert(1)",
  "javascript://example.org/%0aalert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD4=",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "blob:https://example.org/1",
  "file:///etc/passwd",
  "view-source:javascript:alert(1)",
  "livescript:alert(1)",
  "mocha:alert(1)",
  "feed:javascript:alert(1)",
  "ws://example.org",
  "intent://example.org",
];

const ADDRESS_PLACES: readonly ((url: string) => string)[] = [
  (url) => `[a](<${url}>)`,
  (url) => `![a](<${url}>)`,
  (url) => `[a][r]\n\n[r]: <${url}>`,
  (url) => `<${url}>`,
  (url) => `text ${url} text`,
  (url) => `<a href="${url}">a</a>`,
  (url) => `<a href='${url}'>a</a>`,
  (url) => `<img src="${url}">`,
  (url) => `<img srcset="${url} 2x, a.png 1x">`,
  (url) => `<video poster="${url}" src="${url}"><source src="${url}"></video>`,
  (url) => `<audio src="${url}"></audio>`,
  (url) => `<blockquote cite="${url}">a</blockquote>`,
  (url) => `<table background="${url}"><td background="${url}">a</table>`,
];

const HANDLERS = [
  "onerror",
  "onload",
  "onclick",
  "onfocus",
  "ontoggle",
  "onpointerenter",
  "OnError",
  "onbegin",
];

const HANDLER_PLACES: readonly ((name: string) => string)[] = [
  (name) => `<img src=x ${name}=alert(1)>`,
  (name) => `<img/src=x/${name}=alert(1)>`,
  (name) => `<img src=x\n${name}\n=\nalert(1)>`,
  (name) => `<details open ${name}=alert(1)>`,
  (name) => `<video><source ${name}="alert(1)"></video>`,
  (name) => `<a href="x" ${name}='alert(1)' tabindex=1 autofocus>a</a>`,
  (name) => `<p "${name}=alert(1)" ${name}=alert(1)>`,
  (name) => `![a](x "${name}=alert(1)")`,
  (name) => `![a](x" ${name}="alert(1))`,
  (name) => `[a](x){.c ${name}=alert(1)}`,
  (name) => `# h {#x ${name}=alert(1)}`,
  (name) => `\`\`\`js" ${name}="alert(1)\nx\n\`\`\``,
  (name) => `| a |\n|--|\n| <img src=x ${name}=alert(1)> |`,
  (name) => `[^1]\n\n[^1]: <img src=x ${name}=alert(1)>`,
];

const RAW: readonly string[] = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//evil.example></sCrIpT>",
  "<script\u0000>alert(1)</script>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<script/x>alert(1)</script\n>",
  "<script>\n\nalert(1)\n\n</script>",
  "<style>@import '//evil.example'</style>",
  "<p style='background:url(javascript:alert(1))'>a</p>",
  "<link rel=stylesheet href=//evil.example>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<base href=//evil.example/>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=javascript:alert(1)></object>",
  "<embed src=javascript:alert(1)>",
  "<applet code=x></applet>",
  "<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>",
  "<form action=javascript:alert(1)><button>x</button></form>",
  "<form id=f></form><button form=f formaction=javascript:alert(1)>x</button>",
  "<input type=image src=x onerror=alert(1)>",
  "<input type=text name=password autofocus onfocus=alert(1)>",
  "<select autofocus onfocus=alert(1)><option>a</select>",
  "<textarea autofocus onfocus=alert(1)></textarea>",
  "<keygen autofocus onfocus=alert(1)>",
  "<isindex type=image src=1 onerror=alert(1)>",
  "<marquee onstart=alert(1)>a</marquee>",
  "<body onload=alert(1)>",
  "<html onmouseover=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg/onload=alert(1)//",
  "<svg><script>alert(1)</script></svg>",
  "<svg><script href=data:,alert(1) />",
  "<svg><a xlink:href=javascript:alert(1)><text x=20 y=20>a</text></a></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<svg><set attributeName=href to=javascript:alert(1) /></svg>",
  "<svg><use href='data:image/svg+xml,<svg id=x></svg>#x'/></svg>",
  "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<svg><title><img src=x onerror=alert(1)></title></svg>",
  "<svg><desc><![CDATA[</desc><img src=x onerror=alert(1)>]]></svg>",
  "<math><mtext><img src=x onerror=alert(1)></mtext></math>",
  "<math href=javascript:alert(1)>a</math>",
  "<math><mi xlink:href='javascript:alert(1)'>a</mi></math>",
  "<math><annotation-xml encoding=text/html><img src=x onerror=alert(1)></annotation-xml></math>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--><img src=x onerror=alert(1)>'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<noembed><img title='</noembed><img src=x onerror=alert(1)>'></noembed>",
  "<xmp><p title='</xmp><img src=x onerror=alert(1)>'></xmp>",
  "<plaintext><img src=x onerror=alert(1)>",
  "<template><img src=x onerror=alert(1)></template>",
  "<template shadowrootmode=open><script>alert(1)</script></template>",
  "<title><img src=x onerror=alert(1)></title>",
  "<textarea><img title='</textarea><img src=x onerror=alert(1)>'></textarea>",
  "<table><style><!--</style><img src=x onerror=alert(1)>--></table>",
  "<a href='x'><table><a href='y' onclick=alert(1)>b</table>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<!--> <script>alert(1)</script> -->",
  "<!--[if IE]><script>alert(1)</script><![endif]-->",
  "<!DOCTYPE html [<!ENTITY x '<script>'>]>",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "<?xml version=1?><img src=x onerror=alert(1)>",
  "<? <img src=x onerror=alert(1)>",
  "</<img src=x onerror=alert(1)>",
  "<//img src=x onerror=alert(1)>",
  "<img src=x onerror=alert(1)//",
  "<img src='x' alt='`' onerror=alert(1)>",
  "<img src=`x` onerror=alert(1)>",
  "<<img src=x onerror=alert(1)>>",
  "<div><div id=__proto__><a name=cookie></a><img name=getElementById>",
  "<a id=constructor>a</a>\n\n## __proto__\n\n## constructor\n\n## hasOwnProperty",
  "# x {#__proto__}",
  "<p is=x-evil contenteditable>a</p>",
  "<x-evil onclick=alert(1)>a</x-evil>",
  "<portal src=javascript:alert(1)></portal>",
  "<dialog open><p>a</dialog>",
  "<slot name=x></slot>",
  "<button popovertarget=x onbeforetoggle=alert(1)>a</button><p popover id=x>b</p>",
  '<a href="javas\u0000cript:alert(1)">a</a>',
  '<a href="&#1;javascript:alert(1)">a</a>',
  "<a href='jav\u00adascript:alert(1)'>a</a>",
  "<a href=//evil.example ping=//evil.example>a</a>",
  "<img src=x usemap=#m><map name=m><area href=javascript:alert(1)></map>",
  "<ol type='1\" onclick=alert(1)'><li>a</ol>",
  "<time datetime='\"><img src=x onerror=alert(1)>'>a</time>",
  "`<img src=x onerror=alert(1)>`",
  "    <img src=x onerror=alert(1)>",
  "&lt;img src=x onerror=alert(1)&gt;",
  "[<img src=x onerror=alert(1)>](x)",
  "[a](x '\"><img src=x onerror=alert(1)>')",
  '!["><img src=x onerror=alert(1)>](x)',
  '<http://a"onclick="alert(1)>',
  'http://a.example/"onmouseover="alert(1)',
  "www.a.example/'onmouseover='alert(1)",
];

const payloads: readonly string[] = [
  ...SCHEMES.flatMap((scheme) => ADDRESS_PLACES.map((place) => place(scheme))),
  ...HANDLERS.flatMap((handler) => HANDLER_PLACES.map((place) => place(handler))),
  ...RAW,
];

describe("sanitising rendered Markdown", () => {
  it("removes all payloads", () => {
    assert.ok(payloads.length > 500);
    for (const payload of payloads) {
      const html = renderMarkdown(payload, { orphans: true });
      assert.deepEqual(dangersIn(html), [], `${JSON.stringify(payload)} gave ${html}`);
    }
  });

  it("has an oracle that detects each kind of danger", () => {
    const dangerous = [
      "<script>1</script>",
      "<img onerror=1>",
      "<a href='java\tscript:1'>",
      "<p style=x>",
      "<!--x-->",
    ];
    for (const html of dangerous) assert.notDeepEqual(dangersIn(html), [], html);
  });

  it("renders HTML that means the same when parsed and sanitised again", () => {
    for (const payload of payloads) {
      const html = renderMarkdown(payload);
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => ({
        level: 2,
        id,
        text: "",
      }));
      assert.equal(
        cleanHtml(html, { html: "", headings: ids }).html,
        html,
        JSON.stringify(payload),
      );
    }
  });

  it("removes every combination of parts of payloads", () => {
    const piece = fc.constantFrom(
      ...payloads,
      "<b>",
      "</b>",
      "<table>",
      "</table>",
      "<p>",
      "<!--",
      "-->",
      "\n\n",
      "`",
      "> ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        assert.deepEqual(dangersIn(renderMarkdown(pieces.join(""))), []);
      }),
      { numRuns: 300 },
    );
  });

  it("preserves http, https, mailto, tel and relative URLs, in any case", () => {
    for (const url of [
      "http://a.example",
      "HTTPS://a.example/x",
      "mailto:a@b.example",
      "tel:+491",
      "x/y.png",
      "#a",
      "?q=a:b",
      "/a:b",
      "//a.example",
    ]) {
      assert.match(renderMarkdown(`<a href="${url}">a</a>`), / href="/, url);
    }
    assert.match(renderMarkdown("[a](HTTP://A.example)"), /href="http:\/\/A.example"/);
  });

  it("rejects data: URLs of images", () => {
    assert.doesNotMatch(renderMarkdown("![a](data:image/png;base64,iVBORw0KGgo=)"), /data:/);
  });

  it("prefixes ids and names of authors, once", () => {
    assert.match(
      renderMarkdown('<a id="cookie" name="x">a</a>'),
      /id="user-content-cookie" name="user-content-x"/,
    );
    assert.match(renderMarkdown('<a id="user-content-x">a</a>'), /id="user-content-x"/);
  });

  it("does not link an autolink with another scheme", () => {
    for (const source of [
      "<javascript:alert(1)>",
      "<data:text/html,x>",
      "javascript://%0aalert(1)",
      "<vbscript:x>",
    ]) {
      assert.doesNotMatch(renderMarkdown(source), /href/, source);
    }
  });

  it("preserves layout HTML of authors", () => {
    const html = renderMarkdown(
      '<details open><summary>More</summary>\n\n**b**\n\n</details>\n\n<kbd class="k" title="t" lang="de">x</kbd>',
    );
    assert.match(
      html,
      /<details open><summary>More<\/summary>\n<p><strong>b<\/strong><\/p>\n<\/details>/,
    );
    assert.match(html, /<kbd class="k" title="t" lang="de">x<\/kbd>/);
  });

  it("removes script and style with their content, and unwraps unknown elements", () => {
    assert.equal(renderMarkdown("a <script>b</script> <blink>c</blink>"), "<p>a  c</p>");
  });

  it("adds noopener to links that leave the site or open a window", () => {
    assert.match(renderMarkdown("[x](https://e.example)"), /rel="noopener"/);
    assert.match(
      renderMarkdown('<a target="_blank" rel="nofollow" href="/x">a</a>'),
      /rel="nofollow noopener noreferrer"/,
    );
    assert.match(
      renderMarkdown('<a target=_blank href="//e.example">a</a>'),
      /rel="noopener noreferrer"/,
    );
    assert.doesNotMatch(renderMarkdown("[x](/x)"), /rel=/);
  });
});
