import assert from "node:assert/strict";
import { h } from "preact";
import { BodyRenderer } from "../../../../plugins/markdown/render/body-renderer.js";
import type { MarkdownProblem, Rendered } from "../../../../plugins/markdown/contract.js";
import { MdxFormat } from "../../../../plugins/markdown/formats/mdx.js";
import { LimitedRenderer } from "../../../../plugins/markdown/render/render-limit.js";
import { pageEntry, pageOf } from "../../../support/content/markdown-pages.js";
import { plainOptions } from "../../../support/content/render-markdown.js";
import { testCaches } from "../../../support/test-caches.js";

describe("the mdx format", () => {
  let limited: LimitedRenderer;
  let problem: MarkdownProblem | null;
  beforeEach(() => {
    limited = new LimitedRenderer({ threads: 1 });
    problem = null;
  });
  afterEach(() => limited.close());

  function format(showsErrors = true): MdxFormat {
    const bodies = new BodyRenderer({
      limited,
      cache: null,
      caches: testCaches(),
      facts: async () => new Map([["a.png", { url: "/m/a.png" }]]),
      onCacheError: assert.fail,
    });
    return new MdxFormat({
      bodies,
      highlights: true,
      contentFolder: "/srv/site/content",
      components: async () => ({
        Box: ({ children }: { children: unknown }) =>
          h("aside", null, h("img", { src: "a.png" }), String(children)),
        Broken: () => {
          throw new Error("no such file /srv/site/content/x");
        },
      }),
      options: () => plainOptions,
      onOutcome: (_page, outcome) => void (problem = outcome),
      showsErrors,
      cache: testCaches(),
    });
  }
  const page = (body: string) => pageOf(pageEntry("01.a/default.mdx"), body);
  const render = (body: string, props = {}): Promise<Rendered> =>
    format().render({ page: page(body), resolve: () => null, props });

  it("renders Markdown with expressions, props and components of the theme", async () => {
    const { html, headings } = await render(
      "## Hi {props.name}\n\n{1 + 1}\n\n<Box>in</Box>\n\n| a |\n|---|\n| b |",
      { name: "Ann" },
    );
    assert.match(html, /<h2 id="hi-ann">Hi Ann/);
    assert.match(html, /2/);
    assert.match(html, /<aside><img src="\/m\/a.png"[^>]*>in<\/aside>/);
    assert.match(html, /<td>b<\/td>/);
    assert.deepEqual(headings, [{ level: 2, id: "hi-ann", text: "Hi Ann" }]);
    assert.equal(problem, null);
  });

  it("shows where in the file a page does not compile", async () => {
    const { html } = await render("fine\n\n<Box>\n\nnot closed");
    assert.match(html, /role="alert"/);
    assert.match(html, /01\.a\/default\.mdx:\d+:\d+/);
    assert.equal(problem?.code, "ERR_MARKDOWN_COMPONENT");
    assert.equal(problem?.line, 6);
    assert.doesNotMatch(html, /3:1/);
    const hostile = await render("{(() => { throw new Error('<script>\"&'); })()}");
    assert.ok(hostile.html.includes("&#60;script&#62;&#34;&#38;"), hostile.html);
    assert.deepEqual(hostile.headings, []);
  });

  it("rejects nesting so deep that the compiler would crash the process", async () => {
    for (const [body, message] of [
      [`${"<b>".repeat(201)}x${"</b>".repeat(201)}`, "the body is nested deeper than 200 levels"],
      [`${"<b>{".repeat(1000)}`, "the expressions are nested deeper than 200 levels"],
    ] as const) {
      await render(body);
      assert.equal(problem?.message, message);
    }
  });

  it("counts lines from the top of the file, including front matter", async () => {
    await render("a {");
    assert.equal(problem?.line, 4);
    // A body that a plugin has changed is not part of the file.
    await format().render({ page: { ...page("x"), body: "a {" }, resolve: () => null });
    assert.equal(problem?.line, 1);
  });

  it("shows a component's error in development only, without local paths", async () => {
    const dev = await render("<Broken />");
    assert.match(dev.html, /no such file x/);
    const live = await format(false).render({ page: page("<Broken />"), resolve: () => null });
    assert.doesNotMatch(live.html, /no such file/);
    assert.equal(problem?.message, "no such file x");
  });

  it("names a component that does not exist", async () => {
    await render("<Missing />");
    assert.match(problem?.message ?? "", /Missing/);
  });

  it("shows the text of a page whose imports are missing, without its components, and names them", async () => {
    const { html } = await render(
      "import Tabs from '@theme/Tabs';\nimport { join } from 'node:path';\nimport Pic from './pic.svg';\n\n# Title\n\n<Tabs>\n\nInside **bold** {join('a', 'b')}\n\n</Tabs>\n\n<Pic /> {Pic} <Box>in</Box>",
    );
    assert.match(html, /<h1[^>]*>Title/);
    assert.match(html, /<p>Inside <strong>bold<\/strong> a\/b<\/p>/);
    assert.match(html, /<aside>.*in<\/aside>/);
    assert.doesNotMatch(html, /role="alert"/);
    assert.equal(problem?.code, "ERR_MARKDOWN_COMPONENT");
    assert.match(problem?.message ?? "", /cannot import "@theme\/Tabs", "\.\/pic\.svg"/);
    assert.equal(problem?.line, 4);
  });

  it("returns the text without code", () => {
    assert.equal(
      format().text(page("import x from './x.js'\n\n# Hi {x}\n\n<Box>in</Box>")),
      "Hi\nin",
    );
  });
});
