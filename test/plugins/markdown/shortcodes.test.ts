import assert from "node:assert/strict";
import { definePlugin, escapeHtml } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const settings = {
  system: { typography: { orphan_protection: false }, server: { rate_limit: false as const } },
};

/** Shortcodes of a plugin; `state` is what they depend on. */
function shortcodes(state: { rate: string; now: number }) {
  return definePlugin({
    name: "own-shortcodes",
    version: "1.0.0",
    requires: ["markdown"],
    setup(site) {
      const markdown = site.use("markdown");
      markdown.addShortcode("badge", {
        params: {
          text: { type: "text", required: true },
          size: { type: "number", default: 1, validate: { max: 9 } },
          strong: { type: "toggle" },
        },
        render: ({ text, size, strong }) =>
          `<em class="badge s${String(size)}">${escapeHtml(String(text))}${strong === true ? "!" : ""}</em>`,
      });
      markdown.addShortcode("box", {
        params: {},
        render: () =>
          '<div onclick="x()"><p>Box</p></div><script>alert(1)</script><a href="javascript:x">y</a>',
      });
      markdown.addShortcode("frame", {
        params: {},
        render: () => ({ html: '<iframe src="https://example.org/"></iframe>', trusted: true }),
      });
      markdown.addShortcode("broken", { params: {}, render: () => assert.fail("no luck") });
      markdown.addShortcode("rate", {
        params: {},
        render: (_, { tags, expireAt, page }) => {
          tags.add("rates");
          expireAt(state.now + 60_000);
          return `<b>${page.title} ${state.rate}</b>`;
        },
      });
    },
  });
}

describe("shortcodes", () => {
  let site: TestSite;
  const state = { rate: "1.0", now: Date.parse("2026-11-20T12:00:00Z") };
  before(async () => {
    site = await bootSite({
      plugins: ["markdown", "content", "pages", "render", "cache", "check", "search", "security"],
      settings,
      extraPlugins: [shortcodes(state)],
      clock: { now: () => state.now },
      files: {
        "content/home/default.md": "---\ntitle: Home\n---\n",
        "content/rate/default.md": "---\ntitle: Rate\n---\nNow {{ rate }}.\n",
      },
    });
  });
  after(() => site.close());
  let count = 0;
  const htmlOf = async (body: string): Promise<string> => {
    count += 1;
    const path = `page-${count}/default.md`;
    const content = `---\ntitle: Page\n---\n${body}\n`;
    const [result] = await site.site.use("content").apply([{ op: "write", path, content }]);
    assert.equal(result?.status, "created");
    const answer = await site.fetch(`/api/pages/page-${count}`);
    return ((await answer.json()) as { html: string }).html;
  };
  const problems = () =>
    site.site
      .use("markdown")
      .problems()
      .filter(({ sourcePath }) => sourcePath.startsWith(`page-${count}/`));

  it("render inline, with values by key, without key, quoted and as flags", async () => {
    const html = '<em class="badge s2">a "b" &#x3C;c>!</em>';
    for (const text of [
      '{{ badge text="a \\"b\\" <c>" size=2 strong }}',
      `{{badge 'a "b" <c>' strong size="2"}}`,
    ])
      assert.equal(await htmlOf(`A ${text}.`), `<p>A ${html}.</p>`);
    assert.equal(
      await htmlOf('{{ badge "*no* _Markdown_ https://a.example }}" }}'),
      '<p><em class="badge s1">*no* _Markdown_ https://a.example }}</em></p>',
    );
  });

  it("that are blocks and alone on a line are not wrapped in a paragraph", async () => {
    assert.match(await htmlOf("{{ box }}"), /^<div><p>Box<\/p><\/div><a>y<\/a>$/);
    assert.equal(
      await htmlOf("> {{ frame }}"),
      '<blockquote>\n<iframe src="https://example.org/"></iframe>\n</blockquote>',
    );
  });

  it("are sanitised unless trusted, and no author can forge their place", async () => {
    assert.doesNotMatch(await htmlOf("{{ box }}"), /onclick|script|javascript/);
    assert.doesNotMatch(
      await htmlOf(
        '{{ frame }}\n\n<span class="shortcode-0">x</span>\n\n<iframe src="/x"></iframe>',
      ),
      /src="\/x"/,
    );
  });

  it("are text in code, escaped, of an unknown name, or unclosed", async () => {
    for (const text of [
      "`{{ badge x }}`",
      "    {{ badge x }}",
      "```\n{{ badge x }}\n```",
      "\\{{ badge x }}",
      "{{ other }}",
      "{{ badge",
      "{ { badge } }",
      '{{ badge "x }}',
    ])
      assert.doesNotMatch(await htmlOf(text), /class="badge/, text);
    assert.equal(await htmlOf("\\{{ badge x }}"), "<p>{{ badge x }}</p>");
    assert.deepEqual(problems(), []);
  });

  it("with wrong values are shown as text and reported with file, line, key, value and fix", async () => {
    const cases: [string, object][] = [
      ["{{ badge size=2 }}", { key: "text", value: "nothing" }],
      ['{{ badge x="1" text=a }}', { key: "x", value: "1" }],
      ['{{ badge tex="1" }}', { key: "tex", fix: "did you mean text?" }],
      ["{{ badge text=a size=many }}", { key: "size", value: '"many"' }],
      ["{{ badge text=a size=10 }}", { key: "size", value: '"10"' }],
      ["{{ badge text=a == }}", { value: "==" }],
      ['{{ badge "a" "1" "true" "more" }}', { value: "more" }],
      ["{{ badge constructor=1 }}", { key: "constructor" }],
      ["{{ badge __proto__=1 }}", { value: "__proto__=1" }],
    ];
    for (const [text, expected] of cases) {
      const html = await htmlOf(`One.\n\n${text}`);
      assert.match(html, /\{\{ badge/, text);
      const [first, ...others] = problems();
      assert.deepEqual(others, []);
      const problem = first ?? assert.fail(text);
      const { key, value, fix } = problem;
      const found: Record<string, unknown> = { key, value, fix };
      for (const [name, wanted] of Object.entries(expected))
        assert.equal(found[name], wanted, text);
      assert.deepEqual([problem.line, problem.code], [6, "ERR_MARKDOWN_SHORTCODE"]);
      assert.ok((fix ?? "").length > 0 || "value" in expected);
    }
  });

  it("that fail are shown as text, and the rest of the page is not affected", async () => {
    const html = await htmlOf("Before {{ broken }} after {{ badge text=a }}.");
    assert.match(html, /Before \{\{ broken \}\} after <em class="badge s1">a<\/em>/);
    assert.match(problems()[0]?.message ?? "", /shortcode broken failed: no luck/);
  });

  it("are rendered again when a tag is invalidated, and when they expire", async () => {
    const rate = async (path: string): Promise<string> =>
      /<b>(.*?)<\/b>/.exec(await (await site.fetch(path)).text())?.[1] ?? "";
    const both = async () => [
      await rate("/rate"),
      await rate("/rate"),
      await rate("/api/pages/rate"),
    ];
    assert.deepEqual(await both(), Array(3).fill("Rate 1.0"));
    state.rate = "1.1";
    assert.deepEqual(await both(), Array(3).fill("Rate 1.0"));
    site.site.context("markdown").cache.invalidate(["rates"]);
    assert.deepEqual(await both(), Array(3).fill("Rate 1.1"));
    state.rate = "1.2";
    state.now += 61_000;
    assert.deepEqual(await both(), Array(3).fill("Rate 1.2"));
  });

  it("are not part of excerpts, and their words are not found", async () => {
    await htmlOf('Visible {{ badge text="hidden" }} words.');
    const page = await site.site.use("content").source(`page-${count}/default.md`);
    assert.equal(site.site.use("markdown").excerpt(page ?? assert.fail()), "Visible words.");
  });

  it("stay cheap in hostile bodies", async () => {
    for (const text of [
      "{{ badge ".repeat(20_000),
      `{{ badge ${'"'.repeat(20_001)} }}`,
      "{{ badge text=a ".repeat(9_000) + "}}",
      "{{".repeat(50_000),
    ])
      assert.equal(typeof (await htmlOf(text)), "string");
  });
});

describe("addShortcode", () => {
  it("rejects invalid names, taken names and invalid parameters", async () => {
    for (const [name, params] of [
      ["Bad Name", {}],
      ["a", { x: { type: "nothing" } }],
    ] as const) {
      const plugin = definePlugin({
        name: "wrong",
        version: "1.0.0",
        requires: ["markdown"],
        setup: (site) => site.use("markdown").addShortcode(name, { params, render: () => "" }),
      });
      const booting = bootSite({ plugins: ["markdown", "content"], extraPlugins: [plugin] });
      await assert.rejects(booting, /shortcode: /);
    }
  });
});
