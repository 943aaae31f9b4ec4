import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const files = {
  "site.yaml": "title: T\n",
  "secret.txt": "outside",
  "content/01.home/default.md": "---\ntitle: Home\n---\nHome\n",
  "content/guide/index.md":
    '---\ntitle: Guide\n---\n::: include parts/_note.md\n\n::: include ./code.ts lines="2-3"\n:::\n\n::: include /guide/parts/q.md region="x"\n\n```md\n::: include parts/_note.md\n```\n',
  "content/guide/parts/_note.md":
    "---\na: b\n---\nSee [q](q.md) and **this**.\n\n::: include _deep.md\n",
  "content/guide/parts/_deep.md": "Deep\n",
  "content/guide/parts/q.md":
    "---\ntitle: Q\n---\nOne\n\n<!-- #region x -->\nTwo\n<!-- #endregion x -->\n",
  "content/guide/code.ts": "a;\nlet b = 1;\nc;\n",
  "content/draft.md": "---\ntitle: Draft\nstatus: draft\n---\nUnpublished\n",
  "content/members/index.md": "---\ntitle: Members\nroles: [member]\n---\nInside\n",
  "content/members/_part.md": "Part for members\n",
  "content/members/other.md": "---\ntitle: Other\nroles: [member]\n---\n::: include _part.md\n",
  "content/wrong.md":
    "---\ntitle: Wrong\n---\n::: include gone.md\n\n::: include ../../secret.txt\n\n::: include link.txt\n\n::: include draft.md\n\n::: include members/_part.md\n\n::: include wrong.md\n\n::: include _drafts/x.md\n",
  "content/_drafts/x.md": "---\ntitle: X\n---\nHidden\n",
};

describe("includes", () => {
  let site: TestSite;
  let context: SiteContext;
  before(async () => {
    site = await bootSite({ files, plugins: ["content", "markdown", "render"] });
    context = site.site.context("markdown");
    await symlink(join(site.root, "secret.txt"), join(site.root, "content/link.txt"));
  });
  after(() => site.close());

  async function html(sourcePath: string): Promise<string> {
    const page = await context.use("content").source(sourcePath);
    assert.ok(page, sourcePath);
    // The last word of a paragraph stays with the one before it.
    return (await context.use("markdown").render(page)).html.replaceAll("\u00a0", " ");
  }

  it("show Markdown in place, with links from its own place, and its own includes", async () => {
    const text = await html("guide/index.md");
    assert.match(
      text,
      /<p>See <a href="\/guide\/parts\/q">q<\/a> and <strong>this<\/strong>\.<\/p>\s*<p>Deep<\/p>/,
    );
    assert.match(text, /<p>Two<\/p>/);
    assert.doesNotMatch(text, /<p>One/);
    const problems = context.use("markdown").problems();
    assert.deepEqual(
      problems.filter(({ sourcePath }) => sourcePath.startsWith("guide")),
      [],
    );
  });

  it("show other files as code, and no example in code", async () => {
    const text = await html("guide/index.md");
    assert.match(text, /<code class="[^"]*language-ts[^"]*">/);
    assert.match(text.replaceAll(/<[^>]*>/g, ""), /let b = 1;\s*c;/);
    assert.match(text.replaceAll(/<[^>]*>/g, ""), /::: include parts\/_note\.md/);
  });

  it("render the page again when the file changes", async () => {
    const read = async () => (await site.fetch("/guide")).text();
    assert.match(await read(), /<p>Deep<\/p>/);
    await writeFile(join(site.root, "content/guide/parts/_deep.md"), "Deeper\n");
    await context.use("content").refresh(["guide/parts/_deep.md"]);
    assert.match(await read(), /<p>Deeper<\/p>/);
  });

  it("show nothing that visitors may not see, and report each with its line", async () => {
    const text = await html("wrong.md");
    assert.doesNotMatch(text, /outside|Unpublished|Part for members|Hidden/);
    const problems = context.use("markdown").problems();
    const lines = problems
      .filter(({ sourcePath }) => sourcePath === "wrong.md")
      .map(({ line, message }) => `${line} ${message}`)
      .sort();
    assert.equal(lines.length, 7, lines.join("\n"));
    assert.match(lines.join("\n"), /^4 .*there is no file "gone\.md"/m);
    assert.match(lines.join("\n"), /^10 .*not/m);
    assert.match(lines.join("\n"), /^12 .*members\/index\.md is not public/m);
    assert.match(lines.join("\n"), /^14 .*include each other: wrong\.md → wrong\.md/m);
  });

  it("show a part for members to members", async () => {
    assert.match(await html("members/other.md"), /Part for members/);
  });
});

describe("includes in the words of other systems", () => {
  let site: TestSite;
  afterEach(() => site.close());

  const own: Record<string, string> = {
    mkdocs:
      '--8<-- "parts/_a.md"\n\n--8<-- \'parts/code.py:2:3\'\n\n```py\n--8<-- "parts/code.py:fn"\n```\n',
    mdbook:
      "{{#include parts/_a.md}}\n\n```python\n{{#include parts/code.py:2:3}}\n```\n\n```py\n{{#rustdoc_include parts/code.py:fn}}\n```\n",
    vitepress: "<!--@include: ./parts/_a.md-->\n\n<!-- @include: @/parts/b.md#second{1,2} -->\n",
    obsidian: "![[b#Second]]\n\n![[B]]\n\n![[picture.png]]\n",
  };
  const parts = {
    "content/parts/_a.md": "## In the part\n\nPart **A**\n",
    "content/parts/b.md": "# B\n\n## First\n\nOne\n\n## Second\n\nTwo\n",
    "content/parts/code.py": "# one\nb = 2\nc = 3\n# --8<-- [start:fn]\nd = 4\n# --8<-- [end:fn]\n",
  };

  async function rendered(system: string, isOn: boolean) {
    const includes = isOn ? `content: { includes: [${system}] }\n` : "";
    site = await bootSite({
      files: { "system.yaml": includes, "content/index.md": own[system] ?? "", ...parts },
      plugins: ["content", "markdown", "render"],
    });
    const context = site.site.context("markdown");
    const page = await context.use("content").source("index.md");
    assert.ok(page);
    const { html, headings } = await context.use("markdown").render(page);
    const text = html.replaceAll(/<[^>]*>/g, "").replaceAll("\u00a0", " ");
    return { html, text, ids: headings.map(({ id }) => id), context };
  }

  for (const system of ["mkdocs", "mdbook", "vitepress"]) {
    it(`of ${system} show the file, and list its headings`, async () => {
      const { html, ids, context } = await rendered(system, true);
      assert.match(html, /Part.<strong>A<\/strong>|Part <strong>A<\/strong>/);
      assert.ok(ids.includes("in-the-part"), ids.join());
      assert.deepEqual(context.use("markdown").problems(), []);
    });
  }

  for (const system of ["mkdocs", "mdbook"]) {
    it(`of ${system} show lines and regions as code, also where a sample is nothing else`, async () => {
      const { html, text } = await rendered(system, true);
      assert.match(text, /b = 2\s+c = 3/);
      assert.match(text, /d = 4/);
      assert.doesNotMatch(text, /# one|8<|#include/);
      assert.equal(html.match(/<pre/g)?.length, 2);
      assert.match(html, /language-py/);
    });
  }

  it("of vitepress show a section", async () => {
    const { text } = await rendered("vitepress", true);
    assert.match(text, /Second\s+Two/);
    assert.doesNotMatch(text, /One/);
  });

  it("of obsidian show notes of any folder and their sections, and leave files alone", async () => {
    const { text, html } = await rendered("obsidian", true);
    assert.match(text, /Two[\s\S]*One[\s\S]*Two/);
    assert.match(html, /picture\.png/);
  });

  it("stay as they are without the setting", async () => {
    const { text } = await rendered("mkdocs", false);
    assert.match(text, /8&#x3C;|8<|8&lt;/);
    assert.doesNotMatch(text, /Part A/);
  });

  it("are named in `content.includes` by the names of the systems only", async () => {
    await assert.rejects(
      bootSite({
        files: { "system.yaml": "content: { includes: [hugo] }\n" },
        plugins: ["markdown", "content"],
      }),
      /includes/,
    );
    site = await bootSite({ files: {}, plugins: ["content"] });
  });
});
