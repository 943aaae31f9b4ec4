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
