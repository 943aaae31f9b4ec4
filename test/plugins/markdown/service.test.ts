import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { HttpError, type HookData } from "#kernel";
import { BodyRenderer } from "../../../plugins/markdown/render/body-renderer.js";
import type { MarkdownService } from "../../../plugins/markdown/contract.js";
import { FormatRegistry, createMarkdownService } from "../../../plugins/markdown/service.js";
import { MdFormat, type MdFormatOptions } from "../../../plugins/markdown/formats/md.js";
import { ProblemList } from "../../../plugins/markdown/links/problems.js";
import { ReferenceResolver } from "../../../plugins/markdown/links/resolve-reference.js";
import { LimitedRenderer } from "../../../plugins/markdown/render/render-limit.js";
import { RenderCache, RenderedFiles } from "../../../plugins/markdown/render/render-cache.js";
import { dangersIn } from "../../support/oracles/html-oracle.js";
import { useFolder } from "../../support/folder.js";
import { fakeHooks } from "../../support/fake-hooks.js";
import { contentTree, mediaItem, pageEntry, pageOf } from "../../support/content/markdown-pages.js";
import { neededSwitches } from "../../../plugins/markdown/syntax/switches.js";
import { allSyntax, plainOptions } from "../../support/content/render-markdown.js";
import { noShortcodes } from "../../support/content/no-shortcodes.js";
import { testCaches } from "../../support/test-caches.js";

type Handlers = {
  before?: (data: HookData<"onMarkdownProcess">) => HookData<"onMarkdownProcess">;
  after?: (data: HookData<"onMarkdownProcessed">) => HookData<"onMarkdownProcessed">;
};

function hooksOf({ before, after }: Handlers): MdFormatOptions["hooks"] {
  const handlers: Readonly<Record<string, unknown>> = {
    onMarkdownProcess: before,
    onMarkdownProcessed: after,
  };
  const heard = Object.keys(handlers).filter((name) => handlers[name] !== undefined);
  return fakeHooks((name, data) => {
    const handler = handlers[name];
    return typeof handler === "function" ? Reflect.apply(handler, undefined, [data]) : data;
  }, heard);
}

const noWikiLinks = { problems: noShortcodes().problems };
const entry = pageEntry("01.a/default.md", { title: "A page" });
const item = mediaItem("01.a", "a.png");

describe("the markdown service", () => {
  const folder = useFolder();
  let limited: LimitedRenderer;
  beforeEach(() => {
    limited = new LimitedRenderer({ threads: 1 });
  });
  afterEach(() => limited.close());

  function serviceOf(
    handlers: Handlers = {},
    siteAllowsTrust = false,
    cache: RenderCache | null = null,
  ): MarkdownService & { readonly formats: string[] } {
    const content = contentTree([entry], { "01.a": [item] });
    const sources = {
      content,
      languages: ["en"],
      isTrusted: () => false,
      imageAttributes: async () => ({}),
    };
    const references = new ReferenceResolver({ ...sources, cache: testCaches() });
    const bodies = new BodyRenderer({
      limited,
      cache,
      caches: testCaches(),
      facts: (page, written) => references.facts(page, written),
      onCacheError: assert.fail,
    });
    const problems = new ProblemList();
    const shortcodes = noShortcodes();
    const md = new MdFormat({
      includes: [],
      shortcodes,
      epoch: () => 0,
      syntaxOf: (source) => neededSwitches(source, allSyntax),
      bodies,
      hooks: hooksOf(handlers),
      options: (page) => ({
        ...plainOptions,
        trusted: siteAllowsTrust && page?.entry.frontmatter["trusted_html"] === true,
      }),
      reads: (page, written) => references.reads(page, written),
      onOutcome: ({ entry: { sourcePath } }, failure) =>
        failure === null
          ? problems.clear(sourcePath)
          : void problems.report({ sourcePath, code: failure.code, message: failure.message }, ""),
    });
    const service = createMarkdownService({
      includes: [],
      wiki: noWikiLinks,
      formats: new FormatRegistry(),
      md,
      bodies,
      references,
      content,
      problems,
      shortcodes,
      defaultLanguage: "en",
      usesMath: false,
      usesWikiLinks: false,
      keepsHeadings: () => true,
    });
    service.register(md);
    return { ...service, formats: content.formats };
  }

  it("renders a page with its media", async () => {
    const { html, headings } = await serviceOf().render(
      pageOf(entry, "## Hi\n\n![](a.png)", [item]),
    );
    assert.match(html, /src="\/content-media\/01.a\/a.png"/);
    assert.deepEqual(headings, [{ level: 2, id: "hi", text: "Hi" }]);
  });

  it("renders a subset of the Markdown of visitors, within the limit of pages", async () => {
    const service = serviceOf();
    assert.deepEqual(await service.renderVisitorText("# *a* <b>b</b> [c](https://c.example)"), {
      html: '<em>a</em> b <a rel="nofollow ugc noopener" href="https://c.example">c</a>',
      obstacle: null,
    });
    const { html, obstacle } = await service.renderVisitorText(`${">".repeat(200_000)}<b>`);
    assert.equal(obstacle, "text");
    assert.match(html, /^<p>(&gt;)+&lt;b&gt;<\/p>$/);
  });

  it("renders a text that belongs to no file once, also one that fails", async () => {
    let renders = 0;
    class CountingRenderer extends LimitedRenderer {
      override render(...given: Parameters<LimitedRenderer["render"]>) {
        renders += 1;
        return super.render(...given);
      }
    }
    await limited.close();
    limited = new CountingRenderer({ threads: 1 });
    const files = new RenderedFiles({ folder: folder.path, isExport: false });
    const service = serviceOf({}, false, new RenderCache(files, testCaches()));
    for (const text of ["*a* [b](#c)", `${">".repeat(200_000)}<b>`]) {
      renders = 0;
      const first = await service.renderText(text);
      assert.equal(await service.renderText(text), first);
      assert.equal(renders, 1);
    }
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("returns text and excerpts", () => {
    const page = pageOf(entry, "# Hi\n\nsome *text*\n\n```\ncode\n```");
    assert.equal(serviceOf().text(page), "Hi\nsome text");
    assert.equal(serviceOf().excerpt(page, 7), "Hi some…");
    assert.equal(serviceOf().excerpt(pageOf(entry, "```\ncode\n```")), "A page");
  });

  it("registers its formats with the content tree, and renders those of plugins", async () => {
    const service = serviceOf();
    service.register({
      extension: "txt",
      render: async ({ page, resolve }) => ({
        html: `${page.body} ${resolve("a.png")}`,
        headings: [],
      }),
      text: (page) => page.body,
    });
    assert.deepEqual(service.formats, ["md", "txt"]);
    const page = pageOf(pageEntry("01.a/default.txt"), "body", [item]);
    assert.equal((await service.render(page)).html, `body ${item.url}`);
    service.register({
      extension: "txt",
      render: async () => ({ html: "later", headings: [] }),
      text: (given) => given.body,
    });
    assert.equal((await service.render(page)).html, "later");
  });

  it("rejects pages of unregistered formats, and formats with an invalid name", async () => {
    for (const extension of ["org", "constructor"])
      await assert.rejects(serviceOf().render(pageOf(pageEntry(`a.${extension}`), "x")), {
        code: "ERR_MARKDOWN_FORMAT_UNKNOWN",
      });
    const service = serviceOf();
    const register = (extension: string): void =>
      service.register({
        extension,
        render: async () => ({ html: "", headings: [] }),
        text: () => "",
      });
    for (const extension of ["", ".md", "MD", "a.b", "../x", "x".repeat(17), "md\n"])
      assert.throws(() => register(extension), { code: "ERR_MARKDOWN_FORMAT_NAME" });
    for (const extension of ["mp3", "a", "x".repeat(16)]) register(extension);
  });

  it("passes the source and the HTML through the hooks", async () => {
    const service = serviceOf({
      before: ({ raw, page }) => ({ raw: raw.replace("a", "b"), page }),
      after: ({ html, page }) => ({ html: html.replace("b", "<em>c</em>"), page }),
    });
    assert.equal((await service.render(pageOf(entry, "a"))).html, "<p><em>c</em></p>");
    assert.equal(await service.renderText("a"), "<p><em>c</em></p>");
  });

  it("sanitises HTML of a handler, and preserves ids and highlighting", async () => {
    const evil = '<img src=x onerror=alert(1)><b id="x">y</b><script>z()</script>';
    const service = serviceOf({ after: ({ html, page }) => ({ html: html + evil, page }) });
    const { html, headings } = await service.render(
      pageOf(entry, "## Hi\n\na[^1]\n\n```js\nlet a;\n```\n\n[^1]: b"),
    );
    assert.deepEqual(dangersIn(html), []);
    assert.match(html, /<b id="user-content-x">y<\/b>$/);
    assert.match(html, /<h2 id="hi">Hi<a class="heading-anchor" aria-labelledby="hi" href="#hi">/);
    assert.match(html, /href="#user-content-fn-1" id="user-content-fnref-1"/);
    assert.match(html, /class="tk-k"/);
    assert.equal(headings[0]?.id, "hi");
  });

  it("does not change what a handler declares as trusted", async () => {
    const service = serviceOf({
      after: ({ html, page }) => ({ html: `${html}<script>z()</script>`, page, trusted: true }),
    });
    assert.match((await service.render(pageOf(entry, "a"))).html, /<script>z\(\)<\/script>$/);
  });

  it("honours trusted_html only where the site allows it, and never for loose Markdown", async () => {
    const trusting = pageEntry("01.a/default.md", { frontmatter: { trusted_html: true } });
    const source = "<script>a()</script>";
    assert.equal((await serviceOf().render(pageOf(trusting, source))).html, "");
    assert.match((await serviceOf({}, true).render(pageOf(trusting, source))).html, /<script>/);
    assert.equal((await serviceOf({}, true).render(pageOf(entry, source))).html, "");
    assert.equal(await serviceOf({}, true).renderText(source, trusting), "");
  });

  it("renders loose Markdown in the context of a page's folder", async () => {
    assert.match(
      await serviceOf().renderText("![](a.png)", entry),
      /src="\/content-media\/01.a\/a.png"/,
    );
    assert.match(await serviceOf().renderText("![](a.png)"), /src="a.png"/);
  });

  it("rejects loose Markdown of more than 512 KB with 413", async () => {
    const isTooLarge = (error: unknown): boolean =>
      error instanceof HttpError && error.status === 413;
    await assert.rejects(serviceOf().renderText("ü".repeat(256 * 1024 + 1)), isTooLarge);
    assert.equal(await serviceOf().renderText(`<!--${"a".repeat(512 * 1024 - 7)}-->`), "");
  });

  it("lists pages that could not be rendered, until they can", async () => {
    const service = serviceOf();
    const { html } = await service.render(pageOf(entry, ">".repeat(200_000)));
    assert.match(html, /^<pre class="markdown-source">/);
    assert.deepEqual(
      service.problems().map(({ sourcePath, code }) => [sourcePath, code]),
      [["01.a/default.md", "ERR_MARKDOWN_TIMEOUT"]],
    );
    await service.render(pageOf(entry, "fine"));
    assert.deepEqual(service.problems(), []);
  });
});

describe("the problems of pages", () => {
  it("are new with another message or text, or again after they were solved", () => {
    const problems = new ProblemList();
    const report = (message: string, hash: string) =>
      problems.report({ sourcePath: "a.md", code: "ERR_X", message }, hash);
    assert.deepEqual(
      [report("slow", "1"), report("slow", "1"), report("slow", "2"), report("broken", "2")],
      [true, false, true, true],
    );
    problems.clear("a.md");
    assert.equal(report("broken", "2"), true);
  });
});
