import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

type Files = Readonly<Record<string, string | Buffer>>;
interface Case {
  source: string;
  files: Files;
  /** File below `content/`, and what its text matches. */
  texts: Readonly<Record<string, readonly RegExp[]>>;
  /** Old address to new address. */
  redirects?: Readonly<Record<string, string>>;
  reported?: readonly RegExp[];
}

const CASES: readonly Case[] = [
  {
    source: "hugo",
    files: {
      "hugo.toml": 'baseURL = "https://old.example/"\n',
      "content/_index.md": "---\ntitle: Start\n---\nHome\n",
      "content/posts/one/index.md":
        '+++\ntitle = "One"\ndate = 2020-05-01T08:30:00Z\ntags = ["sea"]\naliases = ["/first"]\ndraft = false\n+++\n![A](a.png) [two]({{< relref "two.md" >}}) ![I](/img/i.png)\n\n{{< youtube aqz-KE-bpKQ >}}\n\n{{< chart x=1 >}} and `{{< code >}}`\n',
      "content/posts/one/a.png": PNG,
      "content/posts/two.md": '{\n"title": "Two",\n"draft": true\n}\nText\n',
      "static/img/i.png": PNG,
    },
    texts: {
      "01.home/default.md": [/title: Start/],
      "posts/one/post.md": [
        /date: 2020-05-01T08:30Z/,
        /tag:\n {4}- sea/,
        /!\[A\]\(a\.png\) \[two\]\(\/posts\/two\) !\[I\]\(\/content-media\/media\/static\/img\/i\.png\)/,
        /^https:\/\/www\.youtube\.com\/watch\?v=aqz-KE-bpKQ$/m,
        /^and `\{\{< code >\}\}` <!-- \{\{< chart x=1 >\}\} -->$/m,
      ],
      "posts/two/post.md": [/status: draft/],
    },
    redirects: { "/first": "/posts/one", "/img/i.png": "/content-media/media/static/img/i.png" },
    reported: [/shortcode \{\{< chart >\}\} stays as a comment/],
  },
  {
    source: "jekyll",
    files: {
      "_config.yml": "url: https://old.example\npermalink: pretty\n",
      "_posts/2020-05-01-one.md":
        "---\ntitle: One\ntags: sea sky\ncategories: [news]\n---\n[two]({% post_url 2020-05-02-two %}) ![a]({{ site.baseurl }}/assets/a.png)\n\n{% highlight js %}\nlet a;\n{% endhighlight %}\n",
      "_posts/2020-05-02-two.md": "---\ntitle: Two\n---\n{{ page.title }}\n",
      "_drafts/three.md": "---\ntitle: Three\n---\n",
      "about.md": "---\ntitle: About\npermalink: /about-us/\n---\nText\n",
      "assets/a.png": PNG,
    },
    texts: {
      "90.blog/one/post.md": [
        /date: 2020-05-01/,
        /tag:\n {4}- sea\n {4}- sky/,
        /\[two\]\(\/blog\/two\) !\[a\]\(\/content-media\/media\/assets\/a\.png\)/,
        /```js\nlet a;\n```/,
      ],
      "90.blog/two/post.md": [/^<!-- \{\{ page\.title \}\} -->$/m],
      "90.blog/three/post.md": [/status: draft/],
      "about-us/default.md": [/title: About/],
    },
    redirects: { "/news/2020/05/01/one": "/blog/one", "/2020/05/02/two": "/blog/two" },
    reported: [/output \{\{ page\.title \}\} stays as a comment/],
  },
  {
    source: "eleventy",
    files: {
      "content/index.md": "---\ntitle: Start\n---\n",
      "content/blog/2020-05-01-one.md":
        "---\ntitle: One\ntags: [posts, sea]\n---\n[about](/about/)\n",
      "content/about.md":
        "---\ntitle: About\neleventyNavigation: { key: About us, order: 3 }\n---\n",
    },
    texts: {
      "90.blog/one/post.md": [/date: 2020-05-01/, /\[about\]\(\/about\)/],
      "03.about/default.md": [/nav_title: About us/],
    },
  },
  {
    source: "docusaurus",
    files: {
      "docusaurus.config.js": 'module.exports = { url: "https://old.example", baseUrl: "/" };\n',
      "docs/intro.md":
        "---\nsidebar_position: 1\nslug: /\n---\n# Intro\n\n:::note Title\nText\n:::\n\n[next](./guide/02-start.mdx)\n",
      "docs/guide/_category_.json": '{ "label": "The guide", "position": 2 }',
      "docs/guide/02-start.mdx":
        "import Tabs from '@theme/Tabs';\n\n# Start\n\n<Tabs>\n\nInside\n\n</Tabs>\n",
      "blog/2020-05-01-one.md":
        "---\ntitle: One\nauthors: ines\n---\nText\n<!-- truncate -->\nMore\n",
      "static/img/i.png": PNG,
    },
    texts: {
      "01.docs/docs.md": [
        /title: Intro/,
        /::: note Title\nText\n:::/,
        /\[next\]\(\/docs\/guide\/start\)/,
      ],
      "01.docs/02.guide/docs.md": [/title: The guide/],
      "01.docs/02.guide/02.start/docs.md": [/title: Start/, /---\n\nInside\n$/],
      "90.blog/one/post.md": [/author: ines/, /Text\n\nMore/],
    },
    redirects: { "/docs/intro": "/docs", "/blog/2020/05/01/one": "/blog/one" },
    reported: [/component <Tabs>/, /imports and exports/],
  },
  {
    source: "docusaurus",
    files: {
      "README.md": "# Not a page\n",
      "packages/docs/x.md": "# Not a page\n",
      "website/docusaurus.config.js": 'module.exports = { url: "https://old.example" };\n',
      "website/static/img/i.png": PNG,
      "docs/Guide.md": "---\nid: guide\ntitle: Guide\n---\n![I](/img/i.png)\n",
    },
    texts: {
      "docs/guide/docs.md": [/!\[I\]\(\/content-media\/media\/website\/static\/img\/i\.png\)/],
    },
    redirects: { "/img/i.png": "/content-media/media/website/static/img/i.png" },
    reported: [/"pages":\{"created":2,/],
  },
  {
    source: "docusaurus",
    files: {
      "docusaurus.config.js": 'module.exports = { url: "https://old.example" };\n',
      "versions.json": '["2.0", "1.0"]',
      "docs/a.md": "# A next\n",
      "versioned_docs/version-2.0/a.md": "# A two\n",
      "versioned_docs/version-1.0/a.md": "# A one\n",
      "versioned_docs/version-0.9/a.md": "# A old\n",
      "sidebars.js": "module.exports = { docs: ['a'] };\n",
      "versioned_sidebars/version-1.0-sidebars.json":
        '{ "docs": [{ "type": "doc", "id": "a", "label": "Old" }] }',
    },
    texts: {
      "docs/a/docs.md": [/title: A two/],
      "docs/1-0/a/docs.md": [/title: A one/],
      "docs/next/a/docs.md": [/title: A next/],
      "../sidebar.yaml": [/- page: \/docs\/next\/a\n- title: Old\n {2}page: \/docs\/1-0\/a/],
    },
    redirects: { "/docs/1.0/a": "/docs/1-0/a" },
    reported: [
      /versions: \{ \\"2\.0\\": \/docs, \\"1\.0\\": \/docs\/1-0, \\"next\\": \/docs\/next \}/,
      /versions\.json does not name/,
    ],
  },
  {
    source: "mkdocs",
    files: {
      "mkdocs.yml":
        "site_name: S\nnav:\n  - index.md\n  - Guide:\n      - First steps: guide/first.md\nmarkdown_extensions:\n  - x: !!python/name:y\n",
      "docs/index.md": "# Home\n\n[first](guide/first.md#part)\n",
      "docs/guide/first.md":
        '# First\n\n!!! warning "Mind"\n    Text\n\n    ```py\n    a = 1\n    ```\n\nAfter\n',
    },
    texts: {
      "01.home/docs.md": [/\[first\]\(\/guide\/first#part\)/],
      "guide/02.first/docs.md": [
        /nav_title: First steps/,
        /^:{3} warning Mind\nText\n\n```py\na = 1\n```\n:{3}\n\n+After/m,
      ],
    },
    redirects: { "/guide/first.html": "/guide/first" },
  },
  {
    source: "obsidian",
    files: {
      "Home.md":
        "[[My Note|the note]] [[Missing]] ![[pic.png|200]] `[[code]]`\n\n![P](pic.png)\n\n| a |\n| --- |\n| [[My Note\\|cell]] |\n",
      "Notes/My Note.md":
        "---\naliases: [Alias]\ntags: [sea]\npermalink: short/note\n---\n> [!info] Look\n> here\n\n[[home#Top]] %%hidden%%\n",
      "files/pic.png": PNG,
    },
    texts: {
      "01.home/default.md": [
        /\[the note\]\(\/notes\/my-note\) Missing !\[\]\(\/content-media\/media\/files\/pic\.png\) `\[\[code\]\]`/,
        /^!\[P\]\(\/content-media\/media\/files\/pic\.png\)$/m,
        /^\| \[cell\]\(\/notes\/my-note\) \|$/m,
      ],
      "notes/my-note/default.md": [
        /> \[!NOTE\]\n> \*\*Look\*\*\n> here/,
        /\[home › Top\]\(\/#top\) *\n/,
      ],
    },
    redirects: { "/short/note": "/notes/my-note" },
    reported: [/link to \\"missing\\" leads to nothing/, /"unresolved":1/],
  },
  {
    source: "notion",
    files: {
      "Wiki 0123456789abcdef0123456789abcdef.md":
        "# Wiki\n\n[Page](Wiki%200123456789abcdef0123456789abcdef/A%20page%20abcdef0123456789abcdef0123456789.md)\n",
      "Wiki 0123456789abcdef0123456789abcdef/A page abcdef0123456789abcdef0123456789.md":
        "# A page\n\nTags: sea, sky\nOwner: Ines\n\nText\n",
    },
    texts: {
      "01.home/default.md": [/\[Page\]\(\/a-page\)/],
      "a-page/default.md": [/title: A page/, /- sky/, /Owner: Ines/, /---\n\nText\n$/],
    },
  },
  {
    source: "grav",
    files: {
      "user/pages/01.home/default.md": "---\ntitle: Home\n---\n[blog](../02.blog/blog.md)\n",
      "user/pages/02.blog/blog.md": "---\ntitle: Blog\ncontent: { items: '@self.children' }\n---\n",
      "user/pages/02.blog/one/item.md":
        "---\ntitle: One\ntaxonomy: { tag: [sea] }\n---\n{% if x %}\n",
    },
    texts: {
      "01.home/default.md": [/\[blog\]\(\/blog\)/],
      "02.blog/blog.md": [/title: Blog/],
      "02.blog/one/item.md": [/- sea/],
    },
    reported: [/tag \{% if %\} stays as a comment/],
  },
  {
    source: "kirby",
    files: {
      "content/site.txt": "Title: Site",
      "content/home/home.txt":
        "Title: Home\n\n----\n\nText: Hello (link: team text: our team) (image: a.jpg alt: A)",
      "content/1_team/default.txt": "Title: Team\n----\nText: We (link: https:// text: nowhere)",
      "content/2_notes/20200501_one/note.txt":
        "Title: One\n----\nTags: sea, sky\n----\nCover:\n\n- 'file://Ab12'\n----\nText: Text",
      "content/2_notes/20200501_one/b.png": PNG,
      "content/2_notes/20200501_one/b.png.txt": "Alt: B\n----\nUuid: Ab12",
      "content/_drafts/two/default.txt": "Title: Two\n----\nText: x",
    },
    texts: {
      "01.home/default.md": [/Hello \[our team\]\(\/team\)/],
      "01.team/default.md": [/title: Team/],
      "notes/one/post.md": [/date: 2020-05-01/, /- sky/, /image: .*b\.png$/m],
      "two/default.md": [/status: draft/],
    },
  },
  {
    source: "dune",
    files: {
      "content/01.home/default.md": "---\ntitle: Home\n---\nText\n",
      "content/01.home/_hero/hero.md": "---\ntitle: Hero\n---\n",
      "content/01.home/default.de.md": "---\ntitle: Start\n---\n",
    },
    texts: {
      "01.home/default.md": [/title: Home/],
      "01.home/_hero/hero.md": [/title: Hero/],
      "01.home/default.de.md": [/title: Start/],
    },
  },
  {
    source: "hugo",
    files: {
      "hugo.toml": 'baseURL = "https://old.example/project/"\n',
      "content/docs/one.md":
        '---\ntitle: One\n---\n[up](../two) [ref]({{< ref "/docs/two.md#part" >}}) [own](/project/docs/two/) [deep](../sub/deep/#a)\n',
      "content/docs/two.md": "---\ntitle: Two\n---\nText\n",
      "content/docs/sub/deep.md":
        "---\ntitle: Deep\n---\n[up](../../two/) ![P](../../one/pic.png)\n",
      "static/docs/one/pic.png": PNG,
    },
    texts: {
      "docs/one/default.md": [
        /^\[up\]\(\/docs\/two\) \[ref\]\(\/docs\/two#part\) \[own\]\(\/docs\/two\) \[deep\]\(\/docs\/sub\/deep#a\)$/m,
      ],
      "docs/sub/deep/default.md": [
        /^\[up\]\(\/docs\/two\) !\[P\]\(\/content-media\/media\/static\/docs\/one\/pic\.png\)$/m,
      ],
    },
    reported: [/"unresolved":0/],
  },
  {
    source: "jekyll",
    files: {
      "_config.yml": "url: https://old.example\nbaseurl: /project\n",
      "guide/one.md":
        "---\npermalink: /guide/one/\n---\n[up](../two.html) [own](/project/guide/two.html)\n",
      "guide/two.md": "---\ntitle: Two\n---\n[same](one/)\n",
    },
    texts: {
      "guide/one/default.md": [/\[up\]\(\/guide\/two\) \[own\]\(\/guide\/two\)/],
      "guide/two/default.md": [/\[same\]\(\/guide\/one\)/],
    },
    reported: [/"unresolved":0/],
  },
  {
    source: "grav",
    files: {
      "user/pages/01.home/default.md":
        "---\ntitle: Home\n---\n![P](pic.png) ![Q](/docs/one/pic2.png)\n",
      "user/pages/01.home/default.de.md": "---\ntitle: Start\n---\n",
      "user/pages/01.home/pic.png": PNG,
      "user/pages/01.home/pic.png.meta.yaml": "alt: A boat\nfocal_point: [20, 30]\n",
      "user/pages/02.docs/01.one/docs.md": "---\ntitle: One\n---\n[up](../two)\n",
      "user/pages/02.docs/01.one/pic2.png": PNG,
      "user/pages/02.docs/02.two/docs.md": "---\ntitle: Two\n---\n",
    },
    texts: {
      "01.home/default.md": [
        /^!\[P\]\(pic\.png\) !\[Q\]\(\/content-media\/02\.docs\/01\.one\/pic2\.png\)$/m,
      ],
      "01.home/pic.png.meta.yaml": [/alt: A boat/, /focal_point:\n {2}- 20\n {2}- 30/],
      "02.docs/01.one/docs.md": [/\[up\]\(\/docs\/two\)/],
    },
    reported: [/"unresolved":0/],
  },
  {
    source: "dune",
    files: {
      "content/01.home/item.md": "---\ntitle: Home\n---\n![P](pic.png)\n",
      "content/01.home/pic.png": PNG,
      "content/01.home/pic.png.meta.yaml": "alt: A boat\n",
      "content/01.home/_hero/hero.md": "---\nimage: sea.png\n---\n",
      "content/01.home/_hero/sea.png": PNG,
    },
    texts: {
      "01.home/item.md": [/!\[P\]\(pic\.png\)/],
      "01.home/pic.png.meta.yaml": [/alt: A boat/],
      "01.home/_hero/hero.md": [/image: sea\.png/],
      "01.home/_hero/sea.png": [/PNG/],
    },
  },
  {
    source: "kirby",
    files: {
      "content/1_team/default.txt": "Title: Team\n----\nText: (image: a.png)",
      "content/1_team/a.png": PNG,
      "content/1_team/a.png.txt": "Alt: The team\n----\nFocus: 20% 30%\n----\nUuid: Ab12",
    },
    texts: {
      "01.team/default.md": [/!\[\]\(a\.png\)/],
      "01.team/a.png.meta.yaml": [/alt: The team/, /focal_point:\n {2}- 20/],
    },
  },
  {
    source: "mkdocs",
    files: {
      "mkdocs.yml":
        "site_url: https://old.example/p/\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [parts]\n",
      "docs/index.md":
        '# Home\n\n=== "Linux"\n\n    Use `apt`.\n\n    ```sh\n    apt install\n    ```\n\n=== "macOS"\n\n    Use brew.\n\n/// note | Look\n\nA **note**.\n\n//// details | More\n    open: true\n\nHidden.\n\n////\n\n///\n\nPress ++ctrl+c++ :material-clock:\n\n--8<-- "part.md"\n\n{* ../../src/x.py hl[1:2] *}\n\n--8<-- "missing.md"\n',
      "docs/code.md":
        '# Code\n\n```svelte hl_lines="1 3"\n{#if user}\n<p>Hello</p>\n{/if}\n```\n\n```markdown\n[Go](#){ .md-button }\n--8<-- "notes.md"\n=== "Tab"\n\n    Text\n```\n\n[Go](../){ .md-button } and `{ .x }`\n',
      "parts/part.md": "From a part.\n",
      "src/x.py": "a = 1\nb = 2\n",
    },
    texts: {
      "01.home/docs.md": [
        /^:::: tabs\n::: tab Linux\nUse `apt`\.\n\n```sh\napt install\n```\n:::\n::: tab macOS\nUse brew\.\n:::\n::::$/m,
        /^:::: note Look\nA \*\*note\*\*\.\n\n::: details More \{open\}\nHidden\.\n:::\n+::::$/m,
        /^Press <kbd>Ctrl<\/kbd>\+<kbd>C<\/kbd>/m,
        /^From a part\.$/m,
        /^```py \{1-2\}\na = 1\nb = 2\n```$/m,
      ],
      "code/docs.md": [
        /^```svelte \{1,3\}\n\{#if user\}\n<p>Hello<\/p>\n\{\/if\}\n```$/m,
        /^```markdown\n\[Go\]\(#\)\{ \.md-button \}\n--8<-- "notes\.md"\n=== "Tab"\n\n {4}Text\n```$/m,
        /^\[Go\]\(\/\) and `\{ \.x \}`$/m,
      ],
    },
    reported: [/the included file \\"missing\.md\\" was not found/, /the icon :material-clock:/],
  },
  {
    source: "jekyll",
    files: {
      "_config.yml":
        "url: https://old.example\nrepository: https://code.example/x\ndefaults:\n  - scope: { path: '', type: posts }\n    values: { author: Ann Example }\n",
      "_posts/2020-05-01-one.md":
        "---\ntitle: One\n---\n[issue]({{ site.repository }}/issues/1)\n\n{% highlight c++ %}\nint a;\n```\nb\n```\n{% endhighlight %}\n\n[about](/about.html)\n",
      "about.html": "---\ntitle: About\n---\n<p>We build <b>boats</b>.</p>\n",
      "list.html":
        "---\ntitle: List\n---\n{% for post in site.posts %}{{ post.title }}{% endfor %}\n",
      "plain.html": "<html></html>",
    },
    texts: {
      "90.blog/one/post.md": [
        /author: Ann Example/,
        /^\[issue\]\(https:\/\/code\.example\/x\/issues\/1\)$/m,
        /^````c\+\+\nint a;\n```\nb\n```\n````$/m,
        /^\[about\]\(\/about\)$/m,
      ],
      "about/default.md": [/^We build \*\*boats\*\*\.$/m],
    },
    reported: [
      /"file":"list\.html","reason":"a page that a template makes: \{% for %\}"/,
      /"file":"plain\.html","reason":"an HTML file without front matter/,
      /"unresolved":0/,
    ],
  },
  {
    source: "jekyll",
    files: {
      "_config.yml": "title: S\n",
      "one.md":
        '---\ntitle: One\n---\n# Head\n{: .no_toc }\n\n1. TOC\n{:toc}\n\n## Part\n{: #the-part .x }\n\n<details open markdown="block">\n  <summary markdown=\'span\'>More</summary>\n  - TOC\n  {: .y toc}\n</details>\n\n<div class="box" markdown="1">\n[Go](two.html){: .btn }\n<div>\n  <div markdown=1>\n    **deep** `{: .x }`\n  </div>\n</div>\n</div>\n```html\n<div markdown="1">\n{: .kept }\n</div>\n```\n\n<div>\nraw\n</div>\nAn *open* <span markdown="1">**line**</span>.\n',
      "two.md": '---\ntitle: Two\n---\n<p markdown="1">**Bold**</p>\n',
      "CHANGELOG.md": "---\ntitle: Changes\n---\n[readme](README.md)\n",
      "README.md": "# Read me\n",
      "index.md": "---\ntitle: Start\n---\n",
    },
    texts: {
      "one/default.md": [
        /^# Head\n\n\[\[toc\]\]\n\n## Part \{#the-part\}$/m,
        /^<details open>\n\n<summary>More<\/summary>\n\[\[toc\]\]\n\n<\/details>$/m,
        /^<div class="box">\n\n\[Go\]\(\/two\)\n<div>\n {2}<div>\n\n {2}\*\*deep\*\* `\{: \.x \}`\n\n {2}<\/div>\n\n<\/div>\n\n<\/div>\n\n```html\n<div markdown="1">\n\{: \.kept \}\n<\/div>\n```$/m,
        /^<div>\nraw\n<\/div>\n\nAn \*open\* <span>\*\*line\*\*<\/span>\.$/m,
      ],
      "two/default.md": [/^\*\*Bold\*\*$/m],
      "CHANGELOG/default.md": [/title: Changes/],
    },
    reported: [/"file":"README\.md","reason":"a Markdown file without front matter/],
  },
  {
    source: "hugo",
    files: {
      "hugo.toml": 'baseURL = "https://old.example/"\n',
      "content/docs/_index.md": "---\ntitle: Docs\ncascade:\n  version: v3\n---\n",
      "content/docs/api/one.md":
        '---\ntitle: One\n---\nSee [two](/docs/{{< param version >}}).\n\n1. Step\n\n    {{% alert color="warning" %}}\n\n    **Mind** `x`.\n\n    {{% /alert %}}\n\n{{< tabpane lang="sh" >}}\n{{< tab header="Linux" >}}\napt # x\n{{< /tab >}}\n{{< tab header="macOS" text=true >}}\nUse *brew*.\n{{< /tab >}}\n{{< /tabpane >}}\n\n{{< tabs "x" >}}\n{{% tab "Go" %}}\n```go\na\n```\n{{% /tab %}}\n{{< /tabs >}}\n\n{{< details summary="More *here*" open=true >}}\nHidden {{< boxed >}}**text**{{< /boxed >}}.\n{{< /details >}}\n\n{{< inlineCode lang="bash" >}}\n# a\n<b>\n{{< /inlineCode >}}\n\n{{% blocks/lead %}}\n    Deep\n{{% /blocks/lead %}}\n\n{{< /alone >}} {{< single x=1 >}}\n',
      "content/docs/v3.md":
        "---\ntitle: V3\n---\n## Part {#part .x}\n\n## Other {.display-6}\n\nText\n{.lead}\n",
    },
    texts: {
      "docs/api/one/default.md": [
        /^See \[two\]\(\/docs\/v3\)\.$/m,
        /^ {4}::: warning\n {4}\*\*Mind\*\* `x`\.\n {4}:::$/m,
        /^:::: tabs\n::: tab Linux\n```sh\napt # x\n```\n:::\n::: tab macOS\nUse \*brew\*\.\n:::\n::::$/m,
        /^:::: tabs\n::: tab Go\n```go\na\n```\n:::\n::::$/m,
        /^::: details More \*here\* \{open\}\nHidden \*\*text\*\*\.\n:::$/m,
        /^```bash\n# a\n<b>\n```$/m,
        /^Deep$/m,
        /^<!-- \{\{< \/alone >\}\} --> <!-- \{\{< single x=1 >\}\} -->$/m,
      ],
      "docs/v3/default.md": [/^## Part \{#part\}\n\n## Other\n\nText\n*$/m],
    },
    reported: [
      /shortcode \{\{< boxed >\}\} was left out, its content stays/,
      /shortcode \{\{< single >\}\} stays as a comment/,
    ],
  },
  {
    source: "jekyll",
    files: {
      "_config.yml":
        "title: S\ncollections:\n  docs: { output: true, permalink: '/:collection/:path/' }\n  posts: { permalink: '/news/:year/:month/:day/:title/' }\n",
      "_data/ruby.yml": "min: 2.7\n",
      "_data/team/lead.json": '{ "name": "Ann" }',
      "_docs/care/one.md":
        "---\ntitle: One\n---\n[two](../two/) [rel]({{ 'docs/care/two/' | relative_url }}) [post]({% post_url 2020-05-01-old %}) {{ site.data.ruby.min }} {{ site.data.team.lead.name }}\n\n{% comment %}\nNo *one*.\n{% endcomment %}\n\n> {: .new }\n> Quoted\n\nCode:\n\n    {{ site.title }} {: .x }\n\n- Item\n\n    {{ site.title }}\n\n{{ a.b }} **bold** [x]({{ a.c }}/y)\n",
      "_docs/care/two.md": "---\ntitle: Two\n---\n[news](/news/2020/05/01/old/)\n",
      "_posts/2020-05-01-old.markdown": "---\ntitle: Old\ncategory: release\n---\n",
    },
    texts: {
      "docs/care/one/default.md": [
        /^\[two\]\(\/docs\/care\/two\) \[rel\]\(\/docs\/care\/two\) \[post\]\(\/blog\/old\) 2\.7 Ann\n\n\n> *\n> Quoted$/m,
        /^ {4}\{\{ site\.title \}\} \{: \.x \}$/m,
        /^- Item\n\n {4}S$/m,
        /^\*\*bold\*\* x <!-- \{\{ a\.c \}\}\/y --> <!-- \{\{ a\.b \}\} -->$/m,
      ],
      "docs/care/two/default.md": [/\[news\]\(\/blog\/old\)/],
    },
  },
  {
    source: "mkdocs",
    files: {
      "mkdocs.yml":
        "site_name: S\nplugins: [search, macros]\nextra: { version: '2.1' }\nmarkdown_extensions: []\n",
      "docs/index.md":
        '# Home\n\n## The part { #part .x }\n\n!!! note "on the "quoted" word"\n    Text\n\n::: pkg.Name\n    options:\n      members: no\n\n### ::: pkg.other\n\n??? info "API"\n    ::: pkg.inner\n        options:\n            a: b\n\n    Text\n\n- :material-clock:{ .lg .middle } **Clock** {{ version }}\n\n{% for x in y %}\nText\n{% endfor %}\n\n<div class="grid" markdown>\n\n- One\n</div>\nAfter *it*\n',
    },
    texts: {
      "01.home/docs.md": [
        /^## The part \{#part\}$/m,
        /^::: note on the "quoted" word$/m,
        /^<!-- ::: pkg\.Name -->\n\n### pkg\.other$/m,
        /^::: details API\n<!-- ::: pkg\.inner -->\n\nText\n:::$/m,
        /^- {1,2}\*\*Clock\*\* 2\.1$/m,
        /^<!-- \{% for x in y %\} -->\nText\n<!-- \{% endfor %\} -->$/m,
        /^<div class="grid">\n\n- One\n\n<\/div>\n\nAfter \*it\*$/m,
      ],
    },
    reported: [/the reference of pkg\.Name comes from program code/],
  },
  {
    source: "docusaurus",
    files: {
      "docusaurus.config.ts":
        "export default { url: 'https://old.example', plugins: [['content-docs', { id: 'design', path: 'design', routeBasePath: '/design', x: { y: 1 } }]], presets: [['classic', { docs: { path: 'docs', editUrl: { a: 1 } } }]] };\n",
      "versions.json": '["1.0"]',
      "docs/deep/one.mdx":
        '---\ntitle: One\n---\n:::warning[Mind [this](https://x.example)]\nText\n:::\n\n<div className="box" style={{ color: "red" }}>\n\n<img src={require("./a.png").default} width={200} alt="A" />\n\n</div>\n\n[two](two.md) [design](/design/plan) [next](/docs/next/deep/one) [upper](/docs/TWO)\n',
      "docs/deep/a.png": PNG,
      "docs/two.md": "# Two\n",
      "design/plan.md": "# Plan\n",
    },
    texts: {
      "docs/deep/one/docs.md": [
        /^::: ?warning Mind \[this\]\(https:\/\/x\.example\)$/m,
        /^<div class="box">$/m,
        /<img src="[^"{}]*a\.png" width="200" alt="A" \/>/,
        /^\[two\]\(\/docs\/two\) \[design\]\(\/design\/plan\) \[next\]\(\/docs\/deep\/one\) \[upper\]\(\/docs\/two\)$/m,
      ],
      "design/plan/docs.md": [/title: Plan/],
    },
  },
  {
    source: "eleventy",
    files: {
      "src/docs/one.md":
        "---\ntitle: One\n---\n[home](/) [two](/docs/two.md#part) [two](two.md)\n\n{% image x %} and more\n",
      "src/docs/two.md": "---\ntitle: Two\n---\n",
    },
    texts: {
      "docs/one/default.md": [
        /^\[home\]\(\/\) \[two\]\(\/docs\/two#part\) \[two\]\(\/docs\/two\)$/m,
        /^and more <!-- \{% image x %\} -->$/m,
      ],
    },
    reported: [/"unresolved":0/],
  },
  {
    source: "grav",
    files: {
      "user/pages/01.one/docs.md":
        '---\ntitle: One\n---\n! Yellow `x`\n! still\n\n!!! Blue\n\n!!!! Green\n\n![P](pic.png)\n\n[prism classes="language-twig line-numbers"]\n{% if a %}\n[div]\n! no\n[/prism]\n\n[ui-tabs position="top-left"]\n[ui-tab title="A & B"]\nOne\n[/ui-tab]\n[ui-tab title="C"]\n```\nx\n```\n[/ui-tab]\n[/ui-tabs]\n\n[div class="box"]\n**In**\n[/div]\n\nPlain [left] and [link](http://x.example).\n',
      "user/pages/01.one/pic.png": PNG,
    },
    texts: {
      "01.one/docs.md": [
        /^::: warning\nYellow `x`\nstill\n:::\n\n::: info\nBlue\n:::\n\n::: tip\nGreen\n:::\n\n!\[P\]\(pic\.png\)$/m,
        /^```twig\n\{% if a %\}\n\[div\]\n! no\n```$/m,
        /^:::: tabs\n::: tab A & B\nOne\n:::\n::: tab C\n```\nx\n```\n:::\n::::$/m,
        /^\n\*\*In\*\*\n$/m,
        /^Plain \[left\] and \[link\]\(http:\/\/x\.example\)\.$/m,
      ],
    },
    reported: [/shortcode \[div\] was left out, its content stays/],
  },
  {
    source: "eleventy",
    files: {
      "src/index.md": "---\ntitle: Start\n---\n[one](/blog/one/)\n",
      "src/about.njk": "---\ntitle: About\n---\n{{ title }}\n",
      "src/posts/posts.json":
        '{ "author": "Ann Example", "permalink": "/blog/{{ page.fileSlug }}/" }',
      "src/posts/one.md": "---\ntitle: One\n---\nText\n",
      "src/posts/table.json": '{ "kept": true }',
    },
    texts: {
      "01.home/default.md": [/\[one\]\(\/blog\/one\)/],
      "90.blog/one/post.md": [/author: Ann Example/],
      "about/default.md": [/title: About\n---\n\nAbout\n$/],
      "media/src/posts/table.json": [/kept/],
    },
  },
  {
    source: "docusaurus",
    files: {
      "docusaurus.config.js":
        'export default { url: "https://old.example", baseUrl: "/project/" };\n',
      "docs/intro.md":
        '---\nslug: /\n---\n<Tabs>\n  <TabItem value="npm" label="npm">\n\n    Use **npm**.\n\n    ```sh\n    npm i\n    ```\n\n  </TabItem>\n  <TabItem value="yarn">\n\n    Use **Yarn**.\n\n  </TabItem>\n</Tabs>\n\n<Box>\n\n    Boxed.\n\n</Box>\n\n<Video id="x" />\n\n[two](@site/docs/two.md) [own](/project/docs/two)\n',
      "docs/two.md": "# Two\n",
    },
    texts: {
      "docs/docs.md": [
        /^:::: tabs\n::: tab npm\nUse \*\*npm\*\*\.\n\n```sh\nnpm i\n```\n:::\n::: tab yarn\nUse \*\*Yarn\*\*\.\n:::\n::::$/m,
        /^Boxed\.$/m,
        /^\[two\]\(\/docs\/two\) \[own\]\(\/docs\/two\)$/m,
      ],
    },
    reported: [
      /component <Box> was left out, its content stays/,
      /component <Video \/> was left out"/,
    ],
  },
  {
    source: "hugo",
    files: {
      "hugo.toml": 'baseURL = "https://old.example/"\n[params]\ntag = "v1"\n',
      "content/one.md":
        "---\ntitle: One\n---\n[Raft][raft] and [tree][tree] of {{< param title >}}.\n\n{{% alert %}}\nRun `x` and:\n\n```sh\ny\n```\n{{% /alert %}}\n\n[tree]: https://code.example/{{< param tag >}}/x\n[other]: https://code.example/{{< other tag >}}/x\n[raft]: https://raft.example/\n",
    },
    texts: {
      "one/default.md": [
        /and \[tree\]\[tree\] of One\./,
        /^::: note\nRun `x` and:\n\n```sh\ny\n```\n:::$/m,
        /^\[tree\]: https:\/\/code\.example\/v1\/x\n\[other\]: https:\/\/code\.example\/\{\{<%20other%20tag%20>\}\}\/x\n/m,
      ],
    },
    reported: [/shortcode \{\{< other >\}\} stays as text/],
  },
  {
    source: "eleventy",
    files: {
      "src/_data/config.js":
        'export default { shop: "https://shop.example", now: new Date(), deep: { name: "Deep" } };\n',
      "src/_data/site.json": '{ "name": "Old site" }',
      "src/_includes/tabs.njk": "{% if codeContent %}{{ codeContent | safe }}{% endif %}",
      "src/one.md":
        '---\ntitle: One\nexternal: https://e.example\n---\n[shop]({{ config.shop }}) {{ config.deep.name }} {{ site.name }} [e]({{ external }})\n\n{%- set codeBlock %}{% raw %}\n---\ntitle: {{ x }}\n---\n{% endraw %}{%- endset %}\n{{ codeBlock | highlight("markdown") | safe }}\n\n{% set codeContent %}\nexport default 1;\n{% endset %}\n{% include "tabs.njk" %}\n\n{% set name = "Ann" %}By {{ name }}.{# a remark #}\n\n{% set inList %}let b;{% endset %}\n\n- Item\n\n  {{ inList | highlight("js") }}\n\n{% for one in all %}\n- [{{ one.title }}]({{ one.url }})\n{% endfor %}\n\n<a class="x" href="{{ now.url }}">go</a> [y]({{ now.url }}z) ![I]({{ now.pic }}) <img alt="J" src="{{ now.pic }}"> {{ "2.0" | version }}\n\n{% highlight "js" %}\nlet a;\n{% endhighlight %}\n',
    },
    texts: {
      "one/default.md": [
        /^\[shop\]\(https:\/\/shop\.example\) Deep Old site \[e\]\(https:\/\/e\.example\)$/m,
        /^```markdown\n---\ntitle: \{\{ x \}\}\n---\n```$/m,
        /^```\nexport default 1;\n```\n\n\n<!-- \{% include "tabs\.njk" %\} -->$/m,
        /^By Ann\. (?:<!-- [^\n]* -->)?$/m,
        /^- Item\n\n {2}```js\n {2}let b;\n {2}```$/m,
        /^<!-- \{% for one in all %\} - \[\{\{ one\.title \}\}\]\(\{\{ one\.url \}\}\) \{% endfor %\} -->$/m,
        /^<a class="x">go<\/a> y <!-- \{\{ now\.url \}\}z --> <!-- \{\{ now\.pic \}\} --> <!-- \{\{ now\.pic \}\} --> 2\.0$/m,
        /^```js\nlet a;\n```$/m,
      ],
    },
    reported: [
      /"unresolved":0/,
      /the list of \{% for one in all %\} is not shown/,
      /an address or attribute with \{\{ now\.url \}\} was left out/,
      /the filter \\"version\\" of templates is not applied/,
    ],
  },
  {
    source: "obsidian",
    files: {
      "Home.md":
        "[[Gone|the label]] [[Gone#Part]] [[#^block|here]]\n\n![[all.base]]\n\n![[Gone note]]\n",
      "all.base": "views: []\n",
    },
    texts: {
      "01.home/default.md": [
        /^the label Gone › Part here\n\n<!-- !\[\[all\.base\]\] -->\n\n<!-- !\[\[Gone note\]\] -->$/m,
      ],
    },
    reported: [
      /the view \\"all\.base\\" is computed and stays as a comment/,
      /link to \\"gone note\\" leads to nothing/,
    ],
  },
  {
    source: "docusaurus",
    files: {
      "docusaurus.config.js": 'export default { url: "https://old.example" };\n',
      "src/pages/index.tsx": "export default function Home() {}\n",
      "src/pages/tools/repl.js": "export default function Repl() {}\n",
      "src/pages/tools/_part.js": "export const part = 1;\n",
      "src/components/x.tsx": "export const x = 1;\n",
      "docs/a.md": "# A\n\n[repl](/tools/repl) [part](/tools/_part)\n",
    },
    texts: { "docs/a/docs.md": [/\[repl\]\(\/tools\/repl\)/] },
    reported: [
      /"file":"src\/pages\/tools\/repl\.js","reason":"a page that a component makes \(\.js\)"/,
      /link to \\"\/tools\/repl\\" had a target that was not imported/,
      /link to \\"\/tools\/_part\\" leads to nothing/,
    ],
  },
  {
    source: "jekyll",
    files: {
      "list.html":
        "---\npermalink: /showcase/\n---\n{% for x in site.pages %}{{ x.url }}{% endfor %}\n",
      "a.md": "---\ntitle: A\n---\n[list](/showcase/)\n",
    },
    texts: { "a/default.md": [/\[list\]\(\/showcase\/\)/] },
    reported: [/link to \\"\/showcase\/\\" had a target that was not imported/],
  },
  {
    source: "hugo",
    files: {
      "content/one.md":
        '---\ntitle: One\n---\nA <a {{% button lg %}} class="x" href="{{% at "/two" %}}">two</a>, [three]({{< at 3 >}}/x) and ![I]({{< pic >}}).\n',
    },
    texts: {
      "one/default.md": [
        /^A <a {1,2}class="x">two<\/a>, three <!-- \{\{< at 3 >\}\}\/x --> and <!-- \{\{< pic >\}\} -->\.$/m,
      ],
    },
    reported: [/an address or attribute with \{\{% at \\"\/two\\" %\}\} was left out/],
  },
  {
    source: "obsidian",
    files: { "Tea.md": "# Green tea\n\nText\n", "Home.md": "[[Tea#Green tea]]\n" },
    texts: { "tea/default.md": [/title: Tea/, /^# Green tea$/m] },
  },
  {
    source: "grav",
    files: {
      "user/pages/01.home/default.md":
        "---\ntitle: Home\ndate: 17:34 06/30/2024\npublish_date: '30-06-2024 7:05'\n---\n",
    },
    texts: {
      "01.home/default.md": [/^date: 2024-06-30 17:34$/m, /^publish_date: 2024-06-30 07:05$/m],
    },
  },
];

describe("site import of folders", () => {
  for (const { source, files, texts, redirects = {}, reported = [] } of CASES) {
    it(`imports ${source}, and changes nothing in a second run`, async () => {
      const below = Object.entries(files).map(([path, text]) => [`from/${path}`, text] as const);
      const site = await bootEmpty(Object.fromEntries(below));
      try {
        const { code, json } = await runImport(site, [source, "from"], { json: true });
        const report = JSON.stringify(json);
        assert.equal(code, 0);
        for (const [path, patterns] of Object.entries(texts)) {
          const text = await contentOf(site, path);
          for (const pattern of patterns) assert.match(text, pattern);
        }
        for (const [from, to] of Object.entries(redirects)) {
          assert.equal((await site.fetch(from)).headers.get("location"), to);
        }
        for (const pattern of reported) assert.match(report, pattern);
        const again = JSON.stringify(
          (await runImport(site, [source, "from"], { json: true })).json,
        );
        assert.match(again, /"pages":\{"created":0,"unchanged":\d+,"skipped":0,"failed":0\}/);
      } finally {
        await site.close();
      }
    });
  }

  it("follows no links, and leaves out what it cannot read", async () => {
    const site = await bootEmpty({
      "from/docs/a.md": "---\ntitle: [\n---\n",
      "from/docs/b.md": Buffer.from([0x23, 0x20, 0xff, 0xfe]),
      "from/docs/c.md": "# Fine\n",
      "secret.md": "# Secret\n",
    });
    try {
      await symlink(join(site.root, "secret.md"), join(site.root, "from/docs/d.md"));
      await symlink(join(site.root, "from"), join(site.root, "from/docs/loop"));
      const { code, json } = await runImport(site, ["mkdocs", "from"], { json: true });
      const report = JSON.stringify(json);
      assert.equal(code, 0);
      assert.match(report, /"file":"docs\/a\.md","line":\d,"reason":"invalid YAML/);
      assert.match(report, /"file":"docs\/b\.md","reason":"it is not UTF-8 text"/);
      assert.match(report, /"file":"docs\/d\.md","reason":"symbolic links are not followed"/);
      assert.match(report, /"file":"docs\/loop","reason":"symbolic links are not followed"/);
      assert.match(await contentOf(site, "c/docs.md"), /title: Fine/);
    } finally {
      await site.close();
    }
  });

  it("imports CSV and JSON as records, once", async () => {
    const site = await bootEmpty({
      "flex-objects/boat.yaml":
        "title: Boats\nfields:\n  name: { type: text, required: true }\n  length: { type: number }\n",
      "boats.csv": 'id,name,length\n1,"Aurora, the first",12\n2,,5\n',
      "boats.json": '[{ "id": 9, "name": "Borealis", "length": 7 }, 3]',
      "broken.csv": "name,length\nA,1,2\n",
    });
    try {
      const csv = await runImport(site, ["csv", "boats.csv"], { json: true, type: "boat" });
      assert.match(JSON.stringify(csv.json), /"records":\{"created":1,"unchanged":0,"skipped":1/);
      assert.match(JSON.stringify(csv.json), /"file":"boats\.csv","line":3/);
      await runImport(site, ["json", "boats.json"], { type: "boat" });
      const again = await runImport(site, ["csv", "boats.csv"], { json: true, type: "boat" });
      assert.match(JSON.stringify(again.json), /"records":\{"created":0,"unchanged":1/);
      const list = await site.site.context("check").use("flex").all("boat");
      assert.deepEqual(list.map(({ name }) => name).sort(), ["Aurora, the first", "Borealis"]);
      assert.equal((await runImport(site, ["csv", "broken.csv"], { type: "boat" })).code, 1);
      assert.equal((await runImport(site, ["csv", "boats.csv"], { type: "bota" })).code, 2);
    } finally {
      await site.close();
    }
  });
});
