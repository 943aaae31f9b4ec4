import assert from "node:assert/strict";
import fc from "fast-check";
import { bootSite } from "../../support/sites/boot-site.js";

/** Front matter that is invalid YAML, ambiguous YAML, or hostile YAML. */
const malformed: readonly string[] = [
  "title: [a, b",
  "title: {a: b",
  "title: 'open",
  'title: "open',
  'title: "\\q"',
  "title: a: b: c",
  "\ttitle: tab",
  "title: a\n\tkey: tab",
  "- a\n- b",
  "plain text",
  "42",
  "null",
  "? ",
  "? [a]\n: b",
  "? {a: b}\n: c",
  ": a",
  "a:\n b\n  c: d\n e: f",
  "a: |x\n  text",
  "a: >9\n text",
  "a: &x\nb: *y",
  "a: *x",
  "a: &x [*x]",
  "&a a: &a b\n*a : c",
  "a: !!binary ///",
  "a: !!python/object:os.system x",
  "a: !<tag:x> y",
  "a: !!set {x, y}",
  "a: !!timestamp never",
  "%YAML 9.9",
  "%TAG ! tag:x,2000:",
  "a: b\n...\nc: d",
  "a: b\na: c",
  "<<: {a: b}",
  "<<: [*x]",
  "title: @reserved",
  "title: `reserved",
  "title: %directive",
  "title: a #comment\n  continued",
  "title:\n- a\n b",
  "title: \u0007\u001b[2J",
  "title: \ud800",
  "title: \u2028\u2029\ufeff",
  "date: {}",
  "date: 2024-13-45",
  "published: maybe",
  "taxonomy: x",
  "taxonomy: {tag: {a: {b: c}}}",
  "roles: {all: 1}",
  "aliases: {a: b}",
  "routes: [1, null, {}]",
  "slug: ../../etc",
  "slug: ''",
  "template: ''",
  "collection: 1",
  "order: .nan",
  "order: .inf",
  "order: 1e999",
  "order: 0x7fffffffffffffff",
  "title: !!str",
  "[".repeat(5_000),
  "a: ".repeat(2_000),
  "- ".repeat(2_000),
  "x".repeat(70_000),
];

describe("malformed pages", () => {
  it("stop neither the start nor other pages, and are served or reported", async () => {
    const random = fc.sample(
      fc.stringMatching(/^([a-z]{1,3}|: |\n {0,3}|- |[[\]{}&*!|>'"%@`#?,~]|\t){1,30}$/),
      { numRuns: 300, seed: 7 },
    );
    const texts = [...malformed, ...random];
    const files = texts.map((text, at): [string, string] => [
      `content/p${at}/default.md`,
      `---\n${text}\n---\nBody ${at}.\n`,
    ]);
    const site = await bootSite({
      files: { "content/good/default.md": "# Good\n", ...Object.fromEntries(files) },
      plugins: ["pages", "render", "health"],
      settings: { system: { server: { rate_limit: false } } },
    });
    assert.equal((await site.fetch("/health/ready")).status, 200);
    assert.equal((await site.fetch("/good")).status, 200);
    const content = site.site.use("content");
    const { bySource, problems } = content.generation();
    const reported = new Set(problems.map(({ sourcePath }) => sourcePath));
    for (const [at, text] of texts.entries()) {
      const path = `p${at}/default.md`;
      assert.ok(
        bySource.has(path) || reported.has(path),
        `lost without a word: ${JSON.stringify(text.slice(0, 60))}`,
      );
      const { status } = await site.fetch(`/p${at}`);
      assert.ok(status < 500, `${status} for ${JSON.stringify(text.slice(0, 60))}`);
    }
    const list = await site.fetch("/api/pages?limit=200&order=date:desc");
    assert.equal(list.status, 200);
    await site.close();
  });
});
