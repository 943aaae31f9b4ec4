import assert from "node:assert/strict";
import type { SiteContext } from "#kernel";
import type { PageEntry } from "../../../plugins/content/contract.js";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { dangersIn } from "../../support/oracles/html-oracle.js";

const files = {
  "site.yaml": "title: T\n",
  "system.yaml": "languages:\n  supported: [en, de]\n",
  "content/01.home/default.md":
    "---\ntitle: Home\n---\n# Hi\n\n![](a.png) [other](../02.other/default.md) <script>x()</script>",
  "content/01.home/a.png": Buffer.from("89504e470d0a1a0a", "hex"),
  "content/01.home/a.png.meta.yaml": "alt: A picture\n",
  "content/02.other/default.md":
    "---\ntitle: Other\ntrusted_html: true\n---\n<script>x()</script>\n\n[home](../01.home/default.md)",
  "content/03.mdx/default.mdx": "---\ntitle: M\n---\n# {1 + 1}\n",
  "content/05.slow/default.md": `---\ntitle: Slow\n---\n${">".repeat(200_000)}`,
  "content/04.tsx/default.tsx":
    'import { useState } from "preact/hooks";\nexport const frontmatter = { title: "X" };\nexport default function X() { const [n] = useState(3); return <p>n {n}</p>; }\n',
};

describe("the markdown plugin", () => {
  const log = new RecordedLog();
  let site: TestSite;
  let context: SiteContext;
  before(async () => {
    const plugins = ["content", "markdown", "render"];
    site = await bootSite({ files, plugins, log: log.logger });
    context = site.site.context("markdown");
  });
  after(() => site.close());

  async function render(sourcePath: string): Promise<string> {
    const page = await context.use("content").source(sourcePath);
    assert.ok(page, sourcePath);
    return (await context.use("markdown").render(page)).html;
  }

  it("renders pages with their media and links to other content files", async () => {
    const html = await render("01.home/default.md");
    assert.match(html, /<h1 id="hi">Hi<\/h1>/);
    assert.match(html, /<img src="\/content-media\/01.home\/a.png" alt="A picture"/);
    assert.match(html, /<a href="\/other">/);
    assert.deepEqual(dangersIn(html), []);
  });

  it("sanitises pages that request trust when the site does not allow it", async () => {
    assert.doesNotMatch(await render("02.other/default.md"), /script/);
  });

  it("renders mdx and tsx pages", async () => {
    assert.match(await render("03.mdx/default.mdx"), /<h1 id="2">2<\/h1>/);
    assert.equal(await render("04.tsx/default.tsx"), "<p>n 3</p>");
  });

  it("registers its formats with the content tree", () => {
    const formats = context
      .use("content")
      .generation()
      .entries.map((entry: PageEntry) => entry.format);
    assert.deepEqual([...new Set(formats)].sort(), ["md", "mdx", "tsx"]);
  });

  it("logs a slow body once, for any number of requests", async () => {
    for (const _ of [1, 2, 3])
      assert.match(await (await site.fetch("/slow")).text(), /class="markdown-source"/);
    const codes = log.of("markdown.failed").map(({ fields }) => fields["code"]);
    assert.deepEqual(codes, ["ERR_MARKDOWN_TIMEOUT"]);
  });
});
