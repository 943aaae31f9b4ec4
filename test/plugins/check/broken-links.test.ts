import assert from "node:assert/strict";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootSite } from "../../support/sites/boot-site.js";

const target = "# Target\n\n<a id='by-hand'></a>\n\n## A heading\n\n[own](#by-hand) [none](#lost)";

describe("links that content:check follows", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function problems(files: Record<string, string>): Promise<string[]> {
    site = await bootSite({
      files: { "content/01.home/default.md": "# Home", ...files },
      plugins: ["content", "check", "markdown"],
    });
    const found = await site.site.use("check").problems();
    return found.map(({ sourcePath, line, severity, code, message }) =>
      [sourcePath, line, severity, code, message].join(" "),
    );
  }

  it("may contain spaces, non-ASCII characters and characters of URLs", async () => {
    const links =
      "[a](<../02.str äße/default.md>) [b](/str%20äße) [c](/c%23) [d](../03.c%23/default.md)";
    const pages = { "content/02.str äße/default.md": "# S", "content/03.c#/default.md": "# C" };
    assert.deepEqual(await problems({ ...pages, "content/04.x/default.md": links }), []);
  });

  it("are broken when the target file has no address", async () => {
    const links = "[m](../03._part/default.md) [m](_flat.md)";
    const found = await problems({
      "content/02.x/default.md": links,
      "content/02.x/_flat.md": "# F",
      "content/03._part/default.md": "# P",
    });
    assert.equal(found.length, 2);
    for (const line of found) assert.match(line, /^02\.x\/default\.md 1 error ERR_CHECK_LINK/);
  });

  it("match anchors of headings or authors in the page", async () => {
    const links =
      "[a](../target.md#by-hand) [b](/target#a-heading) [c](/target#a-headin) [d](/target#top) [e](/target#)";
    const found = await problems({
      "content/target.md": target,
      "content/02.x/default.md": links,
    });
    assert.deepEqual(found, [
      '02.x/default.md 1 warning ERR_CHECK_ANCHOR "/target#a-headin" is not an anchor of target.md; did you mean "#a-heading"?',
      'target.md 7 warning ERR_CHECK_ANCHOR "#lost" is not an anchor of target.md',
    ]);
  });

  it("may spell files and anchors as other generators of sites do", async () => {
    const links = [
      "[a](../guide/Features.html#build-target) [b](/GUIDE/features) [c](#_200-ok) [d](/news/hello/)",
      "[e](../other) [f](/guide/missing.html) [g](/guide/features#nothing)",
      "## `200` OK",
    ];
    const found = await problems({
      "content/guide/features.md": "# F\n\n## build.target\n\n[near](../features2.md)",
      "content/guide/features2.md": "# Two",
      "content/news/2024-05-01-hello.md": "# Hello",
      "content/x/page.md": links.join("\n\n"),
      "content/x/other.md": "# O",
    });
    assert.deepEqual(
      found.map((line) => line.split(" ").slice(0, 5).join(" ")),
      [
        'x/page.md 3 warning ERR_CHECK_ANCHOR "/guide/features#nothing"',
        'x/page.md 3 error ERR_CHECK_LINK "/guide/missing.html"',
      ],
    );
  });

  it("are reported when they are wiki links without a page", async () => {
    const found = await problems({
      "content/02.x/default.md": "---\ntitle: X\n---\n[[Tea]] [[Teas]] `[[Code]]`\n",
      "content/03.tea/default.md": "# Tea",
    });
    assert.deepEqual(found, [
      '02.x/default.md 4 warning ERR_MARKDOWN_WIKI_LINK no page is called "Teas"; the link is shown as text',
    ]);
  });

  it("lead to every file that is not reported as unused", async () => {
    const found = await problems({
      "content/02.a/default.md":
        "---\nimage: 'a \"b\".png'\ngallery: [{ file: c.png }]\n---\n![](own.png)",
      "content/03.b/default.md": "---\nimage: lost.png\n---\n![](/content-media/02.a/other.png)",
      "content/04.c/default.mdx": "x",
      ...Object.fromEntries(
        ["02.a/own", "02.a/other", "02.a/lost", '02.a/a "b"', "02.a/c", "04.c/x"].map((name) => [
          `content/${name}.png`,
          "x",
        ]),
      ),
    });
    assert.deepEqual(
      found.map((line) =>
        line
          .split(" ")
          .filter((word) => /png$|^warning|^ERR/.test(word))
          .slice(0, 3),
      ),
      [["02.a/lost.png", "warning", "ERR_CHECK_ORPHAN"]],
    );
  });

  it("are found in a definition that continues on the next line", async () => {
    const found = await problems({ "content/02.x/default.md": "[a]\n\n[a]:\n  /none\n" });
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", /^02\.x\/default\.md 4 error ERR_CHECK_LINK/);
  });
});

describe("content:check of many pages", () => {
  let site: TestSite;
  afterEach(() => site.close());

  const text = [
    "# Calls",
    "",
    "<!-- a comment -->",
    "## With `code` [and](/b) a link",
    "## Again",
    "## Again",
    "## Own {#mine}",
    "",
    "    # indented code",
    "",
    "- # in a list",
    "",
    "```sh",
    "# a comment",
    "[[-Name] <String>] {{none}}",
    "```",
  ].join("\n");

  it("finds only anchors without rendering that the HTML has, and none beside raw HTML", async () => {
    site = await bootSite({
      files: {
        "content/a.md": text,
        "content/b.md": `${text}\n\n<div>\n## no heading\n</div>\n`,
        "content/c.mdx": text.replace(/<!--.*-->|.*[{<].*/g, ""),
      },
    });
    const markdown = site.site.use("markdown");
    const anchorsOf = async (path: string): Promise<string[]> => {
      const page = await site.site.use("content").source(path);
      assert.ok(page !== null);
      const { html } = await markdown.render(page);
      const certain = [...markdown.certainAnchors(page)];
      for (const id of certain) assert.ok(html.includes(` id="${id}"`), id);
      return certain;
    };
    assert.deepEqual(await anchorsOf("a.md"), [
      "calls",
      "with-code-and-a-link",
      "again",
      "again-1",
      "mine",
    ]);
    assert.deepEqual(await anchorsOf("b.md"), []);
    assert.deepEqual(await anchorsOf("c.mdx"), []);
  });

  const after = "\n\n## Here\n\ntext\n";
  const cases: Record<string, [html: string, isCertain: boolean]> = {
    "closed elements": ['<div class="a">\n<a id="x"></a>\n\ntext\n\n</div>', true],
    "a table that is not closed": ["<table>\n<tr>", true],
    "an element in a list": ["- <details>\n  <summary>S</summary>\n\n  text", true],
    "an address in angle brackets": ["<p>\n\n<https://example.org/a>", true],
    "a heading in raw HTML": ["<div>\n# Hidden", false],
    "code in raw HTML": ["<div>\n```\n<script>\n```\n</div>", false],
    "code in raw HTML of a list": ["- <div>\n  ```\n  <textarea>\n  ```", false],
    "a heading as raw HTML": ["<h2>Here</h2>", false],
    "a script": ["<div></div>\n\n<script>", false],
    "a comment that is not closed": ["<div></div>\n\ntext <!-- no", false],
    "a tag that is not closed": ['<div title="a', false],
    "an attribute that is not closed": ['<div title="a>', false],
    "a form control": ["<select>", false],
  };
  for (const [name, [html, isCertain]] of Object.entries(cases)) {
    it(`${isCertain ? "finds" : "leaves to rendering"} headings after ${name}`, async () => {
      site = await bootSite({ files: { "content/a.md": `# A\n\n${html}${after}` } });
      const markdown = site.site.use("markdown");
      const page = await site.site.use("content").source("a.md");
      assert.ok(page !== null);
      const certain = markdown.certainAnchors(page);
      assert.equal(certain.has("here"), isCertain);
      const { html: shown } = await markdown.render(page);
      for (const id of certain) assert.ok(shown.includes(` id="${id}"`), shown);
    });
  }

  it("renders for ids without the colours, formulas and attributes of images that visitors see", async () => {
    const asked: string[] = [];
    site = await bootSite({
      files: {
        "site.yaml": "title: T\nmarkdown: { math: true }\n",
        "content/a/default.md": `# A\n\n<a id="x"></a>\n\n![P](p.png) $x^2$\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n\n## B\n`,
        "content/a/p.png": "",
        "content/b.md": "[x](a/default.md#x) [b](a/default.md#b) [c](a/default.md#c)",
      },
      extraPlugins: [
        {
          name: "attributes",
          version: "1.0.0",
          requires: ["markdown"],
          setup: ({ extensions }) =>
            extensions.add("imageAttributes", async ({ name }) => {
              asked.push(name);
              return { "data-name": name };
            }),
        },
      ],
    });
    const problems = await site.site.use("check").problems();
    assert.deepEqual(asked, []);
    assert.deepEqual(
      problems.map(({ code }) => code).filter((code) => code === "ERR_CHECK_ANCHOR"),
      ["ERR_CHECK_ANCHOR"],
    );
    const markdown = site.site.use("markdown");
    const page = await site.site.use("content").source("a/default.md");
    assert.ok(page !== null);
    const { html, headings } = await markdown.render(page, {}, "structure");
    assert.match(html, /id="b"/);
    assert.doesNotMatch(html, /katex|<span class="tok|data-name/);
    // Visitors get what they had before.
    const shown = await markdown.render(page);
    assert.match(shown.html, /katex/);
    assert.match(shown.html, /data-name="p.png"/);
    assert.match(shown.html, /<code[^>]*>.*<span/s);
    assert.deepEqual(headings, shown.headings);
  });

  it("renders pages with shortcodes or wiki links outside of code only", async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: T\nmarkdown: { wiki_links: true }\n",
        "content/code.md": text,
        "content/wiki.md": "# W\n\nSee [[Calls]].",
      },
    });
    const needs = async (path: string): Promise<boolean> => {
      const page = await site.site.use("content").source(path);
      return page !== null && site.site.use("markdown").needsCheck(page);
    };
    assert.deepEqual([await needs("code.md"), await needs("wiki.md")], [false, true]);
  });

  it("counts files that pages include, directly and in included parts, as used", async () => {
    site = await bootSite({
      files: {
        "system.yaml": "content: { includes: [mkdocs] }\n",
        "content/a/default.md": '# A\n\n::: include code.ts\n\n--8<-- "_part.md"\n',
        "content/a/_part.md": "::: include deep.ts\n",
        "content/a/code.ts": "a",
        "content/a/deep.ts": "b",
        "content/a/lost.ts": "c",
      },
    });
    const problems = await site.site.use("check").problems();
    assert.deepEqual(
      problems.filter(({ code }) => code === "ERR_CHECK_ORPHAN").map((one) => one.sourcePath),
      ["a/lost.ts"],
    );
  });

  it("reports its progress", async () => {
    site = await bootSite({
      files: { "content/a.md": "[b](b.md)", "content/b.md": "[a](a.md)", "content/c.md": "# C" },
    });
    const seen: [number, number][] = [];
    await site.site.use("check").problems((done, total) => void seen.push([done, total]));
    assert.deepEqual(
      seen,
      [1, 2, 3, 4, 5].map((done) => [done, 5]),
    );
  });
});
