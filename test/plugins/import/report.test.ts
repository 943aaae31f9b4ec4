import assert from "node:assert/strict";
import { z } from "zod";
import { findLeftovers } from "../../../plugins/import/text/leftovers.js";
import { bootEmpty, runImport } from "../../support/sites/import-site.js";

const groups = z.array(
  z.object({
    kind: z.string(),
    count: z.number(),
    places: z.array(z.object({ file: z.string(), line: z.number().optional() })),
  }),
);
const notes = z.array(z.object({ file: z.string(), reason: z.string() }));
const reports = z.tuple([
  z.object({ groups, leftovers: groups, lostLinks: notes, deadLinks: notes, notImported: notes }),
]);

/** The report of an import of these files, as `--json` prints it, and the lines that it prints without. */
async function reportOf(source: string, files: Readonly<Record<string, string>>) {
  const site = await bootEmpty(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text])),
  );
  try {
    const { json } = await runImport(site, [source, "src"], { json: true, dryRun: true });
    const { lines } = await runImport(site, [source, "src"], { dryRun: true });
    return { ...reports.parse(json)[0], lines: lines.join("\n") };
  } finally {
    await site.close();
  }
}

const PROSE = `# A page about braces

Braces {like these}, brackets [like these] and [sic], colons: they are marks. At 10:30:45 we met; ratio 3:4:5.
A set {a, b, c}, f(x) = {x | x > 0}, an interval [0, 1) and a footnote[^1]. C++ and D++ are languages; i++ adds one.
See (page 3)! She said: "no"! Wow!!! Really??? (tel: +41 1 234) or (email: ines@example.org), see (link: below).
He wrote <ines@example.org> and <https://example.org/a::b>. std::vector<int> and List<String> are types. a <b> c </b>.
:tada: and :+1: are emoji, a :) smile too. Prices: $5 and $6, 100%, 50%% is a slip. a == b, a ^ b, x^2^, H~2~O, ==marked==.

> [!NOTE]
> A note with a colon: here.

::: tip Title
Text
:::

:::: tabs
::: tab One
Text
:::
::::

## Heading {#own-id}

[[toc]]

- [ ] a task
- [x] done

| a | b |
|:--|:-:|
| 1 | 2 |

<details>
<summary>More</summary>
</details>

<BR> <IMG src="x.png"> <kbd>Ctrl</kbd> [a link](https://example.org "title") ![image](a.png)

$$
\\frac{{a}}{{b}} \\{% x %\\}
$$

\`{{ code }}\` and \`{% code %}\`

\`\`\`
{{< code >}} <Tabs> :::x
\`\`\`

import things from the shop. export of goods.

[^1]: A note.
`;

const LEFT: readonly (readonly [text: string, kind: RegExp, source?: string])[] = [
  ["{% if a %}", /^template tag/],
  ["{{ page.title }}", /^template output/],
  ["\\{{ page.title }}", /^template output/],
  ["{{< chart >}}", /^shortcode of Hugo/],
  ["{{% chart %}}", /^shortcode of Hugo/],
  ["{# remark #}", /^template comment/],
  ["<% tp.date %>", /^template tag <%/],
  ["(link: /a text: b)", /^tag of Kirby/, "kirby"],
  ["<Tabs>", /^component <Name>/],
  ["</TabItem>", /^component <Name>/],
  ["<el-button>", /^custom element/],
  ['<div className="a">', /^JSX attribute className/],
  ["<div style={{ color: 'red' }}>", /^JSX attribute className/],
  ["<img src={x} />", /^JSX attribute src/],
  ["{props.name}", /^JSX value/],
  ['import Tabs from "@theme/Tabs";', /^import of MDX/],
  ["export const x = 1;", /^export of MDX/],
  ["/// note | Title", /^block \/\/\//],
  ['!!! note "Title"', /^notice !!!/],
  ['??? note "Title"', /^details/],
  ["!! a notice", /^notice ! of Grav/, "grav"],
  ["?> a notice", /^notice \?>/],
  ['=== "Linux"', /^tab ===/],
  ["{: .note }", /^attribute list \{: \}/],
  ["Text {.lead}", /^attribute list \{\.class\}/],
  ["## Part {#part .big}", /^attribute list \{#id \.class\}/],
  [":material-clock:", /^icon/],
  [":octicons-x-16: text", /^icon/],
  ["++ctrl+alt+del++", /^keys/],
  ["Press this (1)!", /^annotation/],
  ['--8<-- "a.md"', /^snippet --8<--/],
  ["{{#include a.rs}}", /^include \{\{#include/],
  ["<!--@include: ./a.md-->", /^include <!--@include/],
  ["[a](a.md ':include')", /^include :include/],
  ["![[note]]", /^embed/],
  ["[[note]]", /^wiki link/],
  ["@[toc]", /^table of contents/],
  ["::: spoiler", /^container/],
  ["::u-page-hero{a=1}", /^component ::name/],
  ['[contact-form to="a"]', /^shortcode \[name\]/],
  ["\\[button]x\\[/button]", /^shortcode \[name\]/],
  ["> [!faq]- Title", /^alert of another name/],
  ["^^inserted^^", /^inserted text/],
  ["{++added++} and {--gone--}", /^edit mark/],
  ["<<< @/a.ts", /^snippet <<</],
  ["{* ../a.py *}", /^include \{\* \*\}/],
  [".. note::", /^directive of reStructuredText/],
  ["%%a remark%%", /^comment %%/],
];

describe("the report of site import: leftovers", () => {
  it("finds nothing in ordinary prose, and nothing that this project shows", () => {
    assert.deepEqual(findLeftovers(PROSE, "hugo"), []);
    assert.deepEqual(findLeftovers(PROSE, "wordpress"), []);
  });

  for (const [text, kind, source = "jekyll"] of LEFT) {
    it(`finds ${text}`, () => {
      const found = findLeftovers(`Words.\n\n${text}\n\nWords.\n`, source);
      assert.ok(
        found.some((one) => kind.test(one.kind) && one.line === 3),
        JSON.stringify(found),
      );
      assert.deepEqual(findLeftovers(`\`\`\`\n${text}\n\`\`\`\n`, source), []);
    });
  }

  it("counts each kind, with the file and line of the first places", async () => {
    const { leftovers, lines } = await reportOf("obsidian", {
      "a.md": "---\ntitle: A\n---\nWords.\n\n{% custom %}\n",
      "b.md": "---\ntitle: B\n---\n{% custom %} and {% custom %}\n",
    });
    assert.deepEqual(leftovers, [
      {
        kind: "template tag {% %}",
        count: 3,
        places: [
          { file: "content/a/default.md", line: 7 },
          { file: "content/b/default.md", line: 5 },
          { file: "content/b/default.md", line: 5 },
        ],
      },
    ]);
    assert.match(lines, /3 × template tag \{% %\}: content\/a\/default\.md:7, /);
  });
});

describe("the report of site import: what stays behind", () => {
  it("counts files, settings and keys without a counterpart by kind", async () => {
    const { groups: all, notImported } = await reportOf("jekyll", {
      "_config.yml":
        "title: Old\nplugins: [jekyll-feed]\ntheme: minima\nminima: { skin: dark }\npaginate: 5\n",
      "_layouts/default.html": "x",
      "_layouts/post.html": "x",
      "_data/menu.yml": "x: 1\n",
      "assets/site.css": "x",
      "assets/site.js": "x",
      "a.md": "---\ntitle: A\nmood: good\nlayout: gallery\n---\nText\n",
      "b.md": "---\ntitle: B\nmood: bad\nlayout: default\n---\nText\n",
    });
    const countOf = (kind: RegExp) => all.find((one) => kind.test(one.kind))?.count;
    assert.equal(countOf(/^templates and components beside the content/), 2);
    for (const kind of [/^data files/, /^styles/, /^scripts/]) assert.equal(countOf(kind), 1);
    assert.equal(countOf(/^key "mood" is kept in custom/), 2);
    assert.equal(countOf(/^layout "gallery"/), 1);
    assert.equal(countOf(/^layout "default"/), undefined);
    for (const key of ["plugins", "theme", "minima", "paginate"])
      assert.equal(countOf(new RegExp(`^setting "${key}" has no counterpart`)), 1, key);
    assert.equal(countOf(/^setting "title"/), undefined);
    assert.equal(countOf(/configuration beside/), undefined);
    assert.ok(notImported.some(({ reason }) => reason.includes('setting "plugins"')));
  });

  it("lists the settings of a script", async () => {
    const { groups: all } = await reportOf("docusaurus", {
      "docusaurus.config.js":
        "// @ts-check\nconst config = {\n  title: 'Old',\n  url: 'https://old.example',\n  plugins: [['x', { id: 'y' }]],\n  themeConfig: {\n    navbar: { title: 'x', items: [] },\n    footer: { style: 'dark' },\n  },\n};\nmodule.exports = config;\n",
      "docs/a.md": "# A\n",
    });
    const kinds = all.map(({ kind }) => kind).filter((kind) => kind.startsWith("setting"));
    assert.deepEqual(kinds, [
      'setting "plugins" has no counterpart',
      'setting "themeConfig.navbar" has no counterpart',
      'setting "themeConfig.footer" has no counterpart',
    ]);
  });
});

describe("the report of site import: links", () => {
  it("tells links that lost their target from those that had none", async () => {
    const { lostLinks, deadLinks, notImported } = await reportOf("eleventy", {
      "src/index.md":
        "[about](/about/) [gone](/gone/) [feed](feed.njk) [ok](/b/) [doc](/x.sketch)\n",
      "src/about.njk": "<h1>About</h1>{% for one in all %}x{% endfor %}",
      "src/feed.njk": "{{ collections.all }}",
      "src/b.md": "# B\n",
      "src/x.sketch": "x",
    });
    assert.deepEqual(
      lostLinks.map(({ reason }) => /^link to "([^"]+)" had a target/.exec(reason)?.[1]),
      ["/about/", "feed.njk"],
    );
    assert.deepEqual(deadLinks, [
      { file: "src/index.md", reason: 'link to "/gone/" leads to nothing that was imported' },
    ]);
    assert.doesNotMatch(JSON.stringify(notImported), /link to/);
  });

  it("knows the addresses of the own site below a path, and those of other sites beside it", async () => {
    for (const [source, config] of [
      ["jekyll", { "_config.yml": "url: https://x.github.io\nbaseurl: project\n" }],
      [
        "docusaurus",
        {
          "docusaurus.config.js":
            "module.exports = { url: 'https://x.github.io', baseUrl: '/project/' };\n",
        },
      ],
    ] as const) {
      const folder = source === "docusaurus" ? "docs/" : "";
      const guide = source === "docusaurus" ? "docs/guide" : "guide";
      const { deadLinks, lostLinks } = await reportOf(source, {
        ...config,
        [`${folder}guide.md`]: "# Guide\n",
        [`${folder}start.md`]: `# Start\n[a](https://x.github.io/project/${guide}/) [b](/project/${guide}) [c](https://x.github.io/other/) [d](https://x.github.io/project/gone/)\n`,
      });
      assert.deepEqual(lostLinks, [], source);
      assert.deepEqual(
        deadLinks.map(({ reason }) => reason),
        ['link to "https://x.github.io/project/gone/" leads to nothing that was imported'],
        source,
      );
    }
  });
});
