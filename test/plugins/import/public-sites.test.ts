/** Kinds of losses that public sites had when they were moved in. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite } from "../../support/sites/boot-site.js";
import { contentOf, runImport } from "../../support/sites/import-site.js";

interface Case {
  readonly what: string;
  readonly source: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** File below `content/`, and what its text matches; null for a file that must not be there. */
  readonly texts?: Readonly<Record<string, readonly RegExp[] | null>>;
  /** Old address to new address. */
  readonly redirects?: Readonly<Record<string, string>>;
  readonly reported?: readonly RegExp[];
  readonly unreported?: readonly RegExp[];
  /** What `sidebar.yaml` matches. */
  readonly sidebar?: readonly RegExp[];
  readonly system?: string;
  /** Files that the site has before the import. */
  readonly site?: Readonly<Record<string, string>>;
}

const PLUGINS = "content check outbound media render users flex pages feeds import".split(" ");
/** The beginning of an image in PNG. */
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const POST = "---\ntitle: One\ndate: 2020-05-01\n---\nText\n";

const CASES: readonly Case[] = [
  {
    what: "takes downloads of any type along that a page links to, and no others",
    source: "hugo",
    files: {
      "content/_index.md":
        "---\ntitle: Start\n---\n[a](/certs/root.pem) [b](certs/root.der) [c](/rules.yaml) [d](/demo.html) [e](docs/x.conf)\n",
      "content/docs/_index.md": "---\ntitle: Docs\n---\n[f](x.conf)\n",
      "content/docs/x.conf": "a=1\n",
      "static/certs/root.pem": "-----BEGIN CERTIFICATE-----\n",
      "static/certs/root.der": "\u0000\u0001\u0002binary",
      "static/certs/unused.der": "\u0000\u0001",
      "static/rules.yaml": "a: 1\n",
      "static/demo.html": "<p>Demo</p>\n",
      "static/site.css": "p {}\n",
    },
    texts: {
      "01.home/default.md": [
        /\[a\]\(\/content-media\/media\/static\/certs\/root\.pem\)/,
        /\[b\]\(\/content-media\/media\/static\/certs\/root\.der\)/,
        /\[c\]\(\/content-media\/media\/static\/rules\.yaml\)/,
        /\[d\]\(\/content-media\/media\/static\/demo\.html\)/,
        /\[e\]\(\/content-media\/docs\/x\.conf\)/,
      ],
      "docs/default.md": [/\[f\]\(x\.conf\)/],
      "media/static/certs/root.der": [/binary/],
      "media/static/certs/unused.der": null,
      "media/static/site.css": null,
    },
    redirects: { "/certs/root.pem": "/content-media/media/static/certs/root.pem" },
    reported: [/unused\.der","reason":"files of type \\"der\\" are not media/, /site\.css/],
    unreported: [/root\.pem/, /demo\.html/],
  },
  {
    what: "reads HTML pages of Hugo, and leaves HTML without front matter",
    source: "hugo",
    files: {
      "content/_index.md": "---\ntitle: Start\n---\n[stats](/stats/) [donate](/give)\n",
      "content/stats.html":
        '---\ntitle: Statistics\n---\n<h2>All</h2>\n<p>See <a href="/">home</a>.</p>\n',
      "content/donate.html": "---\ntitle: Donate\nslug: give\n---\n",
      "content/widget.html": "<p>Part</p>\n",
    },
    texts: {
      "01.home/default.md": [/\[stats\]\(\/stats\) \[donate\]\(\/give\)/],
      "stats/default.md": [/title: Statistics/, /^## All$/m, /See \[home\]\(\/\)\./],
    },
    reported: [/widget\.html","reason":"an HTML file without front matter/],
  },
  {
    what: "reads templates of Eleventy that make no page from others, and pages named like their folder",
    source: "eleventy",
    files: {
      "src/index.md":
        "---\ntitle: Start\n---\n[people](/authors/) [about](/about/) [posts](/blog/) [all](/all/)\n",
      "src/authors/authors.njk": "---\ntitle: People\n---\n<h2>People</h2>\n<p>Hello</p>\n",
      "src/start.webc":
        '---js\nconst x = 1;\n---\n<h1>Get started</h1>\n\n<template webc:raw>\n\t## Step *one*\n</template>\n<script>let a;</script>\n<syntax-highlight language="sh">\nnpm init\n</syntax-highlight>\n',
      "src/about.html": "---\ntitle: About\n---\n<p>About us</p>\n",
      "src/blog/blog.md": "---\ntitle: Posts\n---\nAll posts\n",
      "src/blog/one.md": POST,
      "src/all/all.njk": "---\ntitle: All\n---\n{% for one in collections.all %}x{% endfor %}\n",
      "src/news.njk": "---\npermalink: /news/feed.xml\n---\n<feed></feed>\n",
      "eleventy.config.js":
        'export default (c) => c.addPlugin(feed, { outputPath: "/docs/feed.xml" });\n',
    },
    texts: {
      "01.home/default.md": [
        /\[people\]\(\/authors\) \[about\]\(\/about\) \[posts\]\(\/blog\) \[all\]\(\/all\/\)/,
      ],
      "authors/default.md": [/title: People/, /^## People$/m, /^Hello$/m],
      "about/default.md": [/About us/],
      "start/default.md": [/title: Get started\n---\n\n## Step \*one\*\n+```sh\nnpm init\n```\n$/],
    },
    redirects: { "/docs/feed.xml": "/feed.xml", "/news/feed.xml": "/feed.xml" },
    reported: [
      /authors\.njk","reason":"\/authors: a page in a template \(\.njk\), which is not run/,
      /link to \\"\/all\/\\" had a target that was not imported: a page that a template makes \(\.njk\)/,
    ],
  },
  {
    what: "takes a document with the name of its folder for the page of the folder",
    source: "docusaurus",
    files: {
      "docusaurus.config.js": 'module.exports = { url: "https://old.example" };\n',
      "versions.json": '["1.0"]',
      "docs/Guide/guide.md": "# The guide\n\n[a](/docs/Guide#first)\n",
      "docs/Guide/a.md": "# A\n",
      "docs/faq.md": "# Questions\n",
      "docs/faq/one.md": "# One\n",
      "versioned_docs/version-1.0/more/_category_.yml": "label: More of it\nposition: 4\n",
      "versioned_docs/version-1.0/more/b.md": "# B\n",
    },
    texts: {
      "docs/next/Guide/docs.md": [/title: The guide/],
      "docs/next/Guide/guide/docs.md": null,
      "docs/next/faq/docs.md": [/title: Questions/],
      "docs/next/faq-2/docs.md": null,
      "docs/04.more/docs.md": [/title: More of it/],
    },
  },
  {
    what: "leaves out entries of the sidebar whose page stays behind",
    source: "docusaurus",
    files: {
      "docusaurus.config.js": 'module.exports = { url: "https://old.example" };\n',
      "sidebars.js":
        "module.exports = { docs: ['a', { type: 'link', label: 'Errors', href: '/errors' }] };\n",
      "src/pages/errors.js": "export default () => null;\n",
      "docs/a.md": "# A\n",
    },
    sidebar: [/page: \/docs\/a\n$/],
    reported: [
      /the entry \\"Errors\\" led to \\"\/errors\\", which stays behind: a page that a component/,
    ],
  },
  {
    what: "reads redirects and the main language of Grav",
    source: "grav",
    files: {
      "config/system.yaml":
        "languages:\n  supported: [17, 16]\n  default_lang: 17\n  content_fallback:\n    17: ['17', '16', '']\n",
      "config/site.yaml":
        "redirects:\n  '/(\\d+)/old/page': '/docs'\n  '/(\\d+)/hosting/(.*)': '/docs/$2'\n  '/a/(\\w+)/b': '/docs'\nroutes:\n  /alias: /docs\n",
      "pages/01.docs/docs.md": "---\ntitle: Old\n---\nOld\n",
      "pages/01.docs/docs.17.md": "---\ntitle: New\n---\n[a](/old/page) ![b](b.png)\n",
      "pages/01.docs/docs.16.md": "---\ntitle: Older\n---\nOlder\n",
      "pages/01.docs/b.png": "x",
      "pages/02.older/docs.16.md": "---\ntitle: Only older\n---\nText\n",
    },
    texts: {
      "01.docs/docs.md": [/title: New/, /\[a\]\(\/docs\) !\[b\]\(b\.png\)/],
      "01.docs/docs.17.md": null,
      "02.older/docs.md": [/title: Only older/],
      "01.docs/docs.16.md": null,
    },
    redirects: { "/old/page": "/docs", "/hosting/x": "/docs/x", "/alias": "/docs" },
    reported: [
      /redirect from \/a\/\(\\\\w\+\)\/b to \/docs has no counterpart/,
      /docs\.16\.md","reason":"it is in \\"16\\"/,
      /docs\.md","reason":"docs\.17\.md is the page in the main language/,
    ],
  },
  {
    what: "takes folders of languages of Nuxt for languages",
    source: "nuxt",
    system: "languages: { supported: [en, fr], default: en }\n",
    files: {
      "nuxt.config.ts":
        "export default defineNuxtConfig({ i18n: { defaultLocale: 'en', locales: [{ code: 'fr' }, { code: 'en' }] } });\n",
      "content/en/index.md": "---\ntitle: Start\n---\n[a](/guide/a)\n",
      "content/en/1.guide/1.a.md": "---\ntitle: A\n---\nText\n",
      "content/fr/index.md": "---\ntitle: Accueil\n---\n[a](/fr/guide/a)\n",
      "content/fr/1.guide/1.a.md": "---\ntitle: Un\n---\nTexte\n",
    },
    texts: {
      "01.home/docs.md": [/title: Start/, /\[a\]\(\/guide\/a\)/],
      "01.guide/01.a/docs.md": [/title: A/],
      "01.home/docs.fr.md": [/title: Accueil/, /\[a\]\(\/fr\/guide\/a\)/],
      "01.guide/01.a/docs.fr.md": [/title: Un/],
    },
    redirects: { "/en/guide/a": "/guide/a" },
  },
  ...(["vitepress", "starlight"] as const).map((source): Case => {
    const folder = source === "vitepress" ? "docs/" : "src/content/docs/";
    return {
      what: `takes folders side by side for languages that the configuration of ${source} does not name`,
      source,
      system: "languages: { supported: [en, fr], default: en }\n",
      files: {
        [source === "vitepress" ? "docs/.vitepress/config.ts" : "astro.config.mjs"]:
          source === "vitepress"
            ? "export default { title: 'T' };\n"
            : "export default defineConfig({ integrations: [starlight({ title: 'T' })] });\n",
        [`${folder}en/a.md`]: "---\ntitle: A\n---\nText\n",
        [`${folder}fr/a.md`]: "---\ntitle: Un\n---\nTexte\n",
      },
      texts: { "a/docs.md": [/title: A/], "a/docs.fr.md": [/title: Un/] },
      reported: [/en, \S*fr are taken for languages, as no configuration names them/],
    };
  }),
  {
    what: "reads callouts that fold, tags in texts and pages of PDFs of a vault, and leaves its templates",
    source: "obsidian",
    files: {
      "Home.md":
        "# A #heading\n\nSee #sea/deep and (#sky), not #12, `#code` or [a](#b).\n\n```\n#fence\n> [!tip]- Code\n```\n\n```\n```js\n> [!tip]- Also code\n```\n\n> [!note]- More\n> Hidden **text**\n>\n> ```js\n> let a;\n> ```\n\n> [!faq]+\n> Shown\n>> [!tip]- Inner\n>> Deep\n\n> [!warning] Plain\n> Text\n\n![[doc.pdf#page=2]] [[doc.pdf|the PDF]] [[Day]]\n",
      "Old.md": "---\ntags: [sky, '#old']\n---\nText #sky\n",
      "Plans/Day.md": "<% tp.date.now() %>\n",
      ".obsidian/templates.json": '{ "folder": "Plans" }',
      "doc.pdf": "%PDF-1.4\n",
    },
    texts: {
      "01.home/default.md": [
        /tag:\n {4}- sea\/deep\n {4}- sky\n\S/,
        /^::: details More\nHidden \*\*text\*\*\n\n```js\nlet a;\n```\n:::$/m,
        /^:::: details Faq \{open\}\nShown\n::: details Inner\nDeep\n:::\n::::$/m,
        /^```\n#fence\n> \[!tip\]- Code\n```$/m,
        /^```\n```js\n> \[!tip\]- Also code\n```$/m,
        /^> \[!WARNING\]$/m,
        /\[doc\.pdf › page=2\]\(\/content-media\/media\/doc\.pdf#page=2\) \[the PDF\]/,
      ],
      "old/default.md": [/tag:\n {4}- sky\n {4}- old\n---/],
      "plans/day/default.md": null,
    },
    reported: [/Plans\/Day\.md","reason":"a template for new notes/],
  },
  {
    what: "reads blocks, layouts, structures, tags and the logo of Kirby",
    source: "kirby",
    files: {
      "content/site.txt": "Title: My site\n----\nTagline: For all\n----\nLogo: - file://Lo1",
      "content/logo.png": "x",
      "content/logo.png.txt": "Uuid: Lo1",
      "content/home/home.txt": `Title: Home\n----\nText: ${JSON.stringify([
        {
          columns: [
            {
              width: "1/2",
              blocks: [{ type: "heading", content: { level: "h3", text: "A <em>head</em>" } }],
            },
            {
              width: "1/2",
              blocks: [
                {
                  type: "text",
                  content: { text: '<p>See <a href="page://Te1">us</a>.</p><ul><li>One</li></ul>' },
                },
                { type: "text", isHidden: true, content: { text: "<p>Secret</p>" } },
                { type: "code", content: { language: "md", code: "```js\n```" } },
                { type: "quote", content: { text: "Words", citation: "Ann" } },
              ],
            },
          ],
        },
      ])}`,
      "content/1_team/default.txt":
        "Title: Team\n----\nUuid: Te1\n----\nMenu:\n\n-\n  dish: Soup\n  price: 3.50\n-\n  dish: Bread\n  price: 2\n----\nText: (link: page://Te1 text: here) (gist: ann/1a) (twitter: @ann) (audio: a.mp3 text: Listen)",
    },
    texts: {
      "01.home/default.md": [
        /^### A _head_$/m,
        /^See \[us\]\(\/team\)\.\n\n[-*] {1,3}One$/m,
        /^````md\n```js\n```\n````$/m,
        /^> Words\n>[ ]?\n> Ann$/m,
      ],
      "01.team/default.md": [
        /custom:\n {2}menu:\n {4}- dish: Soup\n {6}price: "?3\.50"?\n {4}- dish: Bread/,
        /^\[here\]\(\/team\) \[ann\/1a\]\(https:\/\/gist\.github\.com\/ann\/1a\) \[@ann\]\(https:\/\/twitter\.com\/ann\) \[Listen\]\(a\.mp3\)$/m,
      ],
    },
    reported: [
      /site\.yaml: theme\.custom\.logo/,
      /site\.yaml: description/,
      /a hidden block \(text\) was left out/,
    ],
  },
  {
    what: "reads the site of Kirby in its main language, and reports what has no counterpart",
    source: "kirby",
    files: {
      "site/languages/fr.php": "<?php return ['code' => 'fr', 'default' => true];\n",
      "site/languages/en.php": "<?php return ['code' => 'en'];\n",
      "content/site.en.txt": "Title: English site",
      "content/site.fr.txt": "Title: Site\n----\nTagline: Pour tous\n----\nPhone: 12 34",
      "content/home/home.fr.txt": `Title: Accueil\n----\nText: ${JSON.stringify([
        { type: "text", content: { text: "<p>Un</p><form><input></form>" } },
      ])}`,
    },
    reported: [
      /site\.yaml: description/,
      /site\.fr\.txt","reason":"setting \\"phone\\" has no counterpart/,
      /site\.en\.txt","reason":"a translation of the text of the site/,
      /form has no counterpart in Markdown and was left out/,
    ],
  },
  {
    what: "includes files in blocks of several lines, and leaves names of program code as text",
    source: "mkdocs",
    files: {
      "mkdocs.yml": "site_name: M\n",
      "docs/old.md": "---\ntitle: Old\nstatus: deprecated\n---\nText\n",
      "docs/index.md":
        '# Home\n\n--8<--\ndocs/a.txt\n\n; docs/no.txt\ndocs/b.txt:part\n--8<--\n\n## 9.7.0 <small>May</small> { id="9.7.0" .new }\n\n## Next { id=new }\n\nSee [`File`][pkg.files.File], [pkg.Page][], [own][a.b] and `[x][a.c]`.\n\n::: pkg-click\n    :module: pkg.cli\n\n[a.b]: https://a.example\n',
      "docs/a.txt": "Text of a\n",
      "docs/b.txt": "no\n# --8<-- [start:part]\nPart of b\n# --8<-- [end:part]\nno\n",
    },
    texts: {
      "old/docs.md": [/^title: Old\n---/m],
      "01.home/docs.md": [
        /^Text of a\nPart of b$/m,
        /^## <a id="9\.7\.0"><\/a>9\.7\.0 <small>May<\/small>$/m,
        /^## Next \{#new\}$/m,
        /^See `File`, pkg\.Page, \[own\]\[a\.b\] and `\[x\]\[a\.c\]`\.$/m,
        /^<!-- ::: pkg-click -->$/m,
      ],
    },
    reported: [
      /front matter \\"status\\" has no counterpart/,
      /the link to pkg\.files\.File, a name of program code, was left out/,
    ],
  },
  {
    what: "reads Markdown after an element of a line that begins a line alone",
    source: "jekyll",
    files: {
      "index.md": '---\ntitle: Start\n---\nText\n\n<span class="big">\n[Go](/a)\n</span>\n',
      "a.md": "---\ntitle: A\nauthor: '[Ann](https://ann.example)'\n---\nText\n",
    },
    texts: {
      "01.home/default.md": [/^<span class="big">\[Go\]\(\/a\)\n<\/span>$/m],
      "a/default.md": [/^author: Ann$/m],
    },
  },
  {
    what: "takes pages of Jekyll that only lead to others for redirects",
    source: "jekyll",
    files: {
      "index.md": "---\ntitle: Start\n---\n[new](/old)\n",
      "new.md": "---\ntitle: New\n---\nText\n",
      "old.md": "---\ntitle: Old\nredirect_to: /new\n---\n",
    },
    texts: {
      "01.home/default.md": [/\[new\]\(\/new\)/],
      "old/default.md": null,
    },
    redirects: { "/old": "/new" },
  },
  {
    what: "reads front matter of Zola after blank lines",
    source: "zola",
    files: {
      "config.toml": "",
      "content/_index.md": '\n+++\ntitle = "Start"\n+++  \nText\n',
    },
    texts: { "01.home/default.md": [/title: Start\n---\n\nText\n$/] },
  },
  {
    what: "reads front matter that old parsers of YAML took",
    source: "grav",
    files: {
      "pages/01.home/modular.md":
        "---\ntitle: Home\ncontent:\n\titems: @self.modular\n\tlist:\n\t\t- %a\n---\nText\n",
    },
    texts: { "01.home/modular.md": [/title: Home/, /items: ['"]@self\.modular['"]/] },
  },
  {
    what: "reads the captions that a blog of Ghost has from WordPress",
    source: "ghost",
    files: {
      "export.json": JSON.stringify({
        db: [
          {
            meta: { version: "5.0.0" },
            data: {
              posts: [
                {
                  id: "1",
                  title: "One",
                  slug: "one",
                  status: "published",
                  type: "post",
                  visibility: "public",
                  published_at: "2024-01-02T03:04:00.000Z",
                  html: '<p>[caption id="" width="640" caption="At sea"]<img src="https://other.example/a.jpg">[/caption]</p><p>[gallery]</p><p>[box a="b"]</p>',
                },
              ],
            },
          },
        ],
      }),
    },
    texts: {
      "90.blog/one/post.md": [
        /^!\[\]\(https:\/\/other\.example\/a\.jpg "At sea"\)$/m,
        /^\\?\[gallery\\?\]$/m,
      ],
    },
    reported: [/shortcode \[gallery\] stays as text/, /shortcode \[box\] stays as text/],
  },
  ...(["jekyll", "eleventy"] as const).map((source): Case => ({
    what: `leaves the marks of raw parts of ${source} out of code`,
    source,
    files: {
      "index.md":
        "---\ntitle: Start\n---\n```liquid\n{% raw %}\n{{ page.url }}\n{% endraw %}\n```\n\nSee `{% raw %}{{ x }}{% endraw %}`.\n",
    },
    texts: {
      "01.home/default.md": [/```liquid\n\{\{ page\.url \}\}\n```\n\nSee `\{\{ x \}\}`\./],
    },
  })),
  {
    what: "takes no tag in a span of code for the start of a script",
    source: "vitepress",
    files: {
      ".vitepress/config.ts": "export default { title: 'T' };\n",
      "index.md":
        "# Start\n\nA `<style>` and a `<script>` tag.\n\n## Kept\n\nText of `a`\n\n<style>p {}</style>\n<script setup>\nlet a = `</x>`;\n</script>\n\nEnd\n",
    },
    texts: {
      "01.home/docs.md": [/A `<style>` and a `<script>` tag\.\n\n## Kept\n\nText of `a`\n+End\n$/],
    },
  },
  {
    what: "takes no expression of Vue for an address",
    source: "vitepress",
    files: {
      ".vitepress/config.ts": "export default { title: 'T' };\n",
      "index.md":
        '# Start\n\n<a :href="url(x)" class="b">Go</a> <img alt="A" v-bind:src="y.src">\n\n<video v-if="x" :src="a" :to="b" @play="c">\n',
    },
    texts: {
      "01.home/docs.md": [/^<a class="b">Go<\/a> <img alt="A">$/m, /^<video v-if="x" @play="c">$/m],
    },
    reported: [
      /"unresolved":0\b/,
      /the attribute :href of Vue has no effect/,
      /the attribute v-bind:src of Vue has no effect/,
      /the attribute v-if of Vue has no effect/,
      /the attribute :src of Vue has no effect/,
      /the attribute :to of Vue has no effect/,
      /the attribute @play of Vue has no effect/,
    ],
  },
  {
    what: "keeps ids of attribute lists of MkDocs outside of headings, and leaves references in quotes out",
    source: "mkdocs",
    files: {
      "mkdocs.yml": "site_name: T\n",
      "docs/index.md":
        "# Start\n\n* **`locale`**{ #my-locale }: Text\n* [a](b.md){ .button #go }\n\nLast words.\n{: #last .x }\n\n> #### ::: my.code.Name\n>     options:\n>         x: 1\n\nSee [`my.code.Other`][] and `a`{ .x }.\n",
      "docs/b.md": "# B\n\n[c](index.md#my-locale)\n",
    },
    texts: {
      "01.home/docs.md": [
        /^\* \*\*`locale`\*\*<a id="my-locale"><\/a>: Text$/m,
        /^\* \[a\]\(\/b\)<a id="go"><\/a>$/m,
        /^Last words\.\n<a id="last"><\/a>$/m,
        /^> #### my\.code\.Name\n\nSee `my\.code\.Other` and `a`\.$/m,
      ],
    },
    reported: [
      /the reference of my\.code\.Name comes from program code/,
      /the link to my\.code\.Other, a name of program code/,
    ],
  },
  ...(
    [
      ["jekyll", "index.md", "01.home/default.md", "Text.\n{: #first .lead}\n\nEnd\n"],
      [
        "mkdocs",
        "docs/index.md",
        "01.home/docs.md",
        "Text.\n{ #first .lead }\n\nEnd\n\n> A\n> { .b }\n",
      ],
      [
        "hugo",
        "content/_index.md",
        "01.home/default.md",
        "Text.\n{#first .lead}\n\nEnd\n\n> A\n> {.b}\n",
      ],
      ["nuxt", "content/index.md", "01.home/docs.md", "[Text.]{#first .lead}\n\nEnd\n"],
    ] as const
  ).map(([source, file, page, text]): Case => ({
    what: `keeps ids of attribute lists of ${source} outside of headings`,
    source,
    files: { [file]: `---\ntitle: Start\n---\n${text}` },
    unreported: [/"kind":"attribute list/],
    texts: { [page]: [/^(?:Text\.\n<a id="first"><\/a>|<a id="first"><\/a>Text\.)\n\nEnd$/m] },
  })),
  ...(
    [
      ["mkdocs", "docs/index.md", "docs/b.md"],
      ["vitepress", "index.md", "b.md"],
      ["docsify", "README.md", "b.md"],
    ] as const
  ).map(([source, index, other]): Case => ({
    what: `lets anchors of titles of ${source} lead to their pages`,
    source,
    files: {
      ...(source === "mkdocs" && { "mkdocs.yml": "site_name: T\n" }),
      ...(source === "docsify" && { "index.html": "<script>window.$docsify = {}</script>" }),
      [index]:
        "# Start *here*\n\n[a](#start-here) [b](b.md#own) [c](b.md#more) [d](#more)\n\n## More\n",
      [other]: `# About b {#own}\n\n[e](${index.replace("docs/", "")}#start-here) [f](#own)\n\n## More\n`,
    },
    texts: {
      "01.home/docs.md": [/^\[a\]\(\/\) \[b\]\(\/b\) \[c\]\(\/b#more\) \[d\]\(#more\)$/m],
      "b/docs.md": [/^\[e\]\(\/\) \[f\]\(\/b\)$/m],
    },
  })),
  {
    what: "lets links to a template lead to the page that the site has at its address",
    source: "eleventy",
    site: { "content/01.home/default.md": "---\ntitle: Start\n---\nHello\n" },
    files: {
      "src/index.njk": "---\ntitle: Start\n---\n{% for one in collections.all %}x{% endfor %}\n",
      "src/list.njk": "---\npermalink: /all/\n---\n{% for one in collections.all %}x{% endfor %}\n",
      "src/a.md": "---\ntitle: A\n---\n[a](index.njk) [b](list.njk) [c](/)\n",
    },
    texts: { "a/default.md": [/^\[a\]\(\/\) \[b\]\(list\.njk\) \[c\]\(\/\)$/m] },
    reported: [/"unresolved":1\b/, /link to \\"list\.njk\\" had a target/],
  },
  {
    what: "keeps what Vue computes in pages of docsify as comments",
    source: "docsify",
    files: {
      "index.html": "<script>window.$docsify = {}</script>",
      "README.md":
        "# Start\n\nGood {{ day }}!\n\n<ul>\n  <li v-for=\"i in 3\">Item {{ i }}</li>\n</ul>\n\n<p v-pre>As {{ written }}</p>\n\n1. One\n\n   > [!TIP] **Authors**: Think.\n\n![a](https://x.example/a.png ':size=50')\n![b](https://x.example/b.png ':size=10%')\n\n`{{ code }}`\n",
    },
    texts: {
      "01.home/docs.md": [
        /^Good <!-- \{\{ day \}\} -->!$/m,
        /^ {2}<!-- <li v-for="i in 3">Item \{\{ i \}\}<\/li> -->$/m,
        /^<p>As &#123;&#123; written \}\}<\/p>$/m,
        /^ {3}> \[!TIP\]\n {3}> \*\*Authors\*\*: Think\.$/m,
        /width="50">\n\n!\[b\]\(https:\/\/x\.example\/b\.png\)$/m,
        /^`\{\{ code \}\}`$/m,
      ],
    },
    reported: [
      /output \{\{ day \}\} stays as a comment/,
      /the list of v-for=\\"i in 3\\" is not shown and stays as a comment/,
    ],
    unreported: [/"kind":"template output/],
  },
  {
    what: "reads blocks of MkDocs behind code in code and open code, icons in bold text, and appended definitions",
    source: "mkdocs",
    files: {
      "mkdocs.yml":
        "site_name: T\nmarkdown_extensions:\n  - pymdownx.snippets:\n      auto_append:\n        - includes/links.md\n",
      "includes/links.md": "[other]: https://other.example/\n",
      "docs/index.md":
        '# Start\n\n``` title="A"\n!!! example\n\n    ``` sh\n    a\n    ```\n```\n\n!!! example\n\n    Shown, see [it][other].\n\n=== "One"\n\n    Text\n    ```\n\n=== "Two"\n\n    __:octicons-goal-16: Goal__\n',
    },
    texts: {
      "01.home/docs.md": [
        /^```[^\n]*\n!!! example\n\n {4}``` sh\n {4}a\n {4}```\n```$/m,
        /^::: info\b[^\n]*\nShown, see \[it\]\[other\]\.\n:::$/m,
        /^::: tab One\nText\n```\n```\n:::\n::: tab Two\n__ Goal__\n:::$/m,
        /^\[other\]: https:\/\/other\.example\/$/m,
      ],
    },
    reported: [/the icon :octicons-goal-16: has no counterpart/],
  },
  {
    what: "reads embeds of views of Obsidian and images that are wiki links",
    source: "obsidian",
    files: {
      "Index.md": '---\ncover: "[[pic.jpg]]"\n---\n![[Books.base#All]] and ![[Books.base]]\n',
      "pic.jpg": "x",
      "Books.base": "views: []\n",
    },
    texts: {
      "01.home/default.md": [
        /^image: \/content-media\/media\/pic\.jpg$/m,
        /^<!-- !\[\[Books\.base#All\]\] --> and <!-- !\[\[Books\.base\]\] -->$/m,
      ],
    },
    reported: [/"unresolved":0\b/, /the view \\"Books\.base\\" is computed and stays as a comment/],
  },
  {
    what: "keeps values of preprocessors of mdBook as comments",
    source: "mdbook",
    files: {
      "book.toml": '[book]\ntitle = "T"\n\n[preprocessor.helper]\ncommand = "helper"\n',
      "src/SUMMARY.md": "- [Start](index.md)\n",
      "src/index.md": "# Start\n\nIt is {{ version }}, in code `{{ version }}`.\n",
    },
    texts: {
      "01.home/docs.md": [/^It is <!-- \{\{ version \}\} -->, in code `\{\{ version \}\}`\.$/m],
    },
    reported: [/the value \{\{ version \}\} of a preprocessor stays as a comment/],
    unreported: [/"kind":"template output/],
  },
  {
    what: "reads alerts of Hugo with a title on the line of their mark",
    source: "hugo",
    files: { "content/_index.md": "---\ntitle: Start\n---\n> [!NOTE] A `title`\n> Text\n" },
    texts: { "01.home/default.md": [/^> \[!NOTE\]\n> \*\*A `title`\*\*\n> Text$/m] },
  },
  {
    what: "shows code in custom elements as code",
    source: "eleventy",
    files: {
      "src/a.md":
        "# A\n\n<is-land>\n\t<template>\n\t\t<p>See:</p>\n\t\t<my-editor html>\n```liquid\nFile {{ page.url }}\n\nB\n```\n\t\t</my-editor>\n\t</template>\n</is-land>\n\n## B\n",
    },
    texts: {
      "a/default.md": [
        /<my-editor html>\n\n```liquid\nFile \{\{ page\.url \}\}\n\nB\n```\n<\/my-editor>\n<\/template>\n<\/is-land>\n\n## B$/m,
      ],
    },
  },
  {
    what: "keeps comments for tags of templates out of titles",
    source: "eleventy",
    files: { "src/a.md": '# Dev server {% addedin "2.0.0" %}\n\nText\n' },
    texts: { "a/default.md": [/^title: Dev server$/m, /^---\n\nText\n$/m] },
    reported: [/tag \{% addedin %\} stays as a comment/],
  },
  {
    what: "lets links lead to files that the site makes itself",
    source: "hugo",
    files: {
      "content/_index.md": "---\ntitle: Start\n---\n[a](/sitemap.xml) [b](/gone.xml)\n",
    },
    reported: [/"unresolved":1\b/, /gone\.xml/],
  },
  {
    what: "reads tabs in notices of Hugo",
    source: "hugo",
    files: {
      "content/_index.md":
        '---\ntitle: Start\n---\n- One\n\n  {{% alert title="Look" color="warning" %}}\n  Text\n  {{< tabpane >}}\n  {{< tab header="A" lang="sh" >}}\n  a\n  {{< /tab >}}\n  {{< /tabpane >}}\n  {{% /alert %}}\n\nA {{% note %}}short{{% /note %}} one\n',
    },
    texts: {
      "01.home/default.md": [
        /^ {2}::::: warning Look\n {2}Text\n {2}:::: tabs\n {2}::: tab A\n {2}```sh\n {2}a\n {2}```\n {2}:::\n {2}::::\n {2}:::::$/m,
        /^A short one$/m,
      ],
    },
  },
  {
    what: "finds the page of a name in references of Hugo, in the language of the page",
    source: "hugo",
    system: "languages: { default: en, supported: [en, de] }\n",
    files: {
      "hugo.toml":
        'defaultContentLanguage = "en"\n[languages.en]\ncontentDir = "content/en"\n[languages.de]\ncontentDir = "content/de"\n',
      "content/en/_index.md":
        '---\ntitle: Start\n---\n[a]({{< ref "guide#part" >}}) [b]({{< ref "Setup.md" >}})\n',
      "content/en/docs/guide/_index.md":
        '---\ntitle: Guide\n---\n## Part\n\n[c]({{< relref "setup" >}}) [d]({{< ref "twice" >}}) [e](setup-of)\n',
      "content/en/docs/setup.md": "---\ntitle: Setup\n---\nText\n",
      "content/en/docs/setup-of.md": "---\ntitle: Of\n---\nText\n",
      "content/en/a/twice.md": "---\ntitle: One\n---\nText\n",
      "content/en/b/twice.md": "---\ntitle: Two\n---\nText\n",
      "content/de/docs/guide/_index.md": "---\ntitle: Anleitung\n---\nText\n",
    },
    texts: {
      "01.home/default.md": [/^\[a\]\(\/docs\/guide#part\) \[b\]\(\/docs\/setup\)$/m],
      "docs/guide/default.md": [/^\[c\]\(\/docs\/setup\) \[d\]\(twice\) \[e\]\(setup-of\)$/m],
    },
    reported: [/"unresolved":2\b/],
  },
  {
    what: "fills in parameters of Docsy with their values",
    source: "hugo",
    files: {
      "hugo.yaml":
        "baseURL: https://old.example/\nparams:\n  BADGE: <b class='{2}'>{1}</b>\n  plain: a {1}\n",
      "content/_index.md":
        '---\ntitle: Start\n---\n{{% _param BADGE "very new" info %}} {{< param plain >}} {{% _param BADGE one %}}\n\n[tag][]\n\n[tag]: <{{% _param baseURL %}}docs/>\n',
      "content/docs/_index.md": "---\ntitle: Docs\n---\nText\n",
    },
    texts: {
      "01.home/default.md": [
        /<b class='info'>very new<\/b> a \{1\} <!-- \{\{% _param BADGE one %\}\} -->/,
        /^\[tag\]: <\/docs>$/m,
      ],
    },
  },
  {
    what: "reads headings of VitePress with elements that end in their tag, and ids of any letters",
    source: "vitepress",
    files: {
      "docs/.vitepress/config.ts": "export default {};\n",
      "docs/index.md":
        '# Start\n\n## One <sup class="new" data-text="3.5+" /> {#one-part}\n\n## Two {#two-–-part}\n\n<br/><img src="a.png" />\n',
      "docs/public/a.png": "x",
    },
    texts: {
      "01.home/docs.md": [
        /^## One <sup class="new" data-text="3\.5\+"><\/sup> \{#one-part\}$/m,
        /^## <a id="two-–-part"><\/a>Two$/m,
        /^<br\/><img src="[^"]+" \/>$/m,
      ],
    },
  },
  {
    what: "reads elements of JSX that end in their tag",
    source: "docusaurus",
    files: {
      "docusaurus.config.js": "module.exports = {};\n",
      "docs/a.mdx": '# A\n\n<a id="part" />\n\nText <span className="x" /> and `<b />`\n',
    },
    texts: {
      "docs/a/docs.md": [/^<a id="part"><\/a>$/m, /^Text <span class="x"><\/span> and `<b \/>`$/m],
    },
  },
  {
    what: "lets links to folders and aliases of Grav lead to their pages",
    source: "grav",
    files: {
      "pages/01.home/default.md": "---\ntitle: Start\n---\nText\n",
      "pages/02.docs/01.one/docs.md": "---\ntitle: One\n---\n[two](../02.two/) [down](02.deep)\n",
      "pages/02.docs/01.one/02.deep/docs.md": "---\ntitle: Deep\n---\nText\n",
      "pages/02.docs/02.two/docs.md":
        "---\ntitle: Two\nroutes:\n  aliases:\n    - /docs/second\n---\n[second](../second#part)\n",
    },
    redirects: { "/docs/second": "/docs/two" },
    texts: {
      "02.docs/02.two/docs.md": [/^\[second\]\(\/docs\/two#part\)$/m],
      "02.docs/01.one/docs.md": [/^\[two\]\(\/docs\/two\) \[down\]\(\/docs\/one\/deep\)$/m],
    },
    reported: [/"unresolved":0\b/],
  },
  {
    what: "gives images of another type than their name says the right ending",
    source: "mkdocs",
    files: {
      "mkdocs.yml": "site_name: T\n",
      "docs/index.md": "# Start\n\n![a](img/a.jpg) ![b](img/b.gif)\n",
      "docs/img/a.jpg": PNG,
      "docs/img/b.gif": "GIF89a\u0001\u0000\u0001\u0000",
    },
    texts: {
      "01.home/docs.md": [
        /!\[a\]\(\/content-media\/media\/docs\/img\/a\.png\) !\[b\]\(\/content-media\/media\/docs\/img\/b\.gif\)/,
      ],
      "media/docs/img/a.png": [/PNG/],
      "media/docs/img/a.jpg": null,
    },
    redirects: { "/img/a.jpg": "/content-media/media/docs/img/a.png" },
    unreported: [/not what its extension says/],
  },
  {
    what: "reads redirects of MkDocs, and links to names of program code",
    source: "mkdocs",
    files: {
      "mkdocs.yml":
        "site_name: T\nplugins:\n  - search\n  - mkdocstrings\n  - redirects:\n      redirect_maps:\n        usage/old.md: guide.md#part\n        away.md: https://other.example/x\n",
      "docs/index.md":
        "# Start\n\n[old](/usage/old/) [Enums][enum], [MRO][method resolution order], a[i][j], the [`str`][], [a\nname][typing.Any] and [it][own]\n\n[own]: guide.md\n",
      "docs/guide.md": "# Guide\n\n## Part\n",
    },
    texts: {
      "01.home/docs.md": [
        /^\[old\]\(\/guide#part\) Enums, MRO, a\[i\]\[j\], the `str`, a\nname and \[it\]\[own\]$/m,
        /^\[own\]: \/guide$/m,
      ],
    },
    redirects: { "/usage/old": "/guide#part", "/away": "https://other.example/x" },
    reported: [/the link to enum, a name of program code, was left out, its text stays/],
  },
  ...["jekyll", "mkdocs"].map((source): Case => ({
    what: `takes blocks of HTML of ${source} with blank lines for HTML`,
    source,
    files: {
      "mkdocs.yml": "site_name: T\n",
      [source === "mkdocs" ? "docs/index.md" : "index.md"]:
        '---\ntitle: Start\n---\n<table>\n  <tr>\n    <td>\n\n      First\n\n      <div>\n        <a href="https://other.example/">b</a>\n      </div>\n    </td>\n  </tr>\n</table>\n\n    a code\n\n<div>\n\nText\n\n</div>\n\n<div markdown="1">\n\n    b code\n\n</div>\n',
    },
    texts: {
      [source === "mkdocs" ? "01.home/docs.md" : "01.home/default.md"]: [
        /<td>\n {6}First\n {6}<div>\n/,
        /^<\/table>\n\n {4}a code\n\n<div>\n\nText\n\n<\/div>$/m,
        /^<div>\n\n(?: {4})?b code/m,
      ],
    },
  })),
];

describe("site import of public sites", () => {
  for (const one of CASES) {
    it(one.what, async () => {
      const below = Object.entries(one.files).map(([path, text]) => [`in/${path}`, text] as const);
      const site = await bootSite({
        files: {
          "content/.keep": "",
          ...Object.fromEntries(below),
          ...one.site,
          ...(one.system !== undefined && { "system.yaml": one.system }),
        },
        plugins: PLUGINS,
      });
      try {
        const { json } = await runImport(site, [one.source, "in"], { json: true });
        const report = JSON.stringify(json);
        for (const [path, patterns] of Object.entries(one.texts ?? {})) {
          if (patterns === null) await assert.rejects(contentOf(site, path), { code: "ENOENT" });
          else {
            const text = await contentOf(site, path);
            for (const pattern of patterns) assert.match(text, pattern);
          }
        }
        for (const [from, to] of Object.entries(one.redirects ?? {}))
          assert.equal((await site.fetch(from)).headers.get("location"), to);
        for (const pattern of one.reported ?? []) assert.match(report, pattern);
        for (const pattern of one.unreported ?? []) assert.doesNotMatch(report, pattern);
        if (one.sidebar !== undefined) {
          const text = await readFile(join(site.root, "sidebar.yaml"), "utf8");
          for (const pattern of one.sidebar) assert.match(text, pattern);
        }
      } finally {
        await site.close();
      }
    });
  }
});
