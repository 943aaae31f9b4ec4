import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const sections = [
  "  - { type: hero, title: Come in, text: We are open. }",
  "  - { type: price, title: Prices, amount: 12, body: 'From **today**.' }",
  "  - { type: faq, title: Questions, items: [{ question: Is there coffee?, answer: Always brewing. }] }",
  "  - nothing",
].join("\n");

describe("blocks of a page", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      plugins: ["render", "markdown", "content", "pages", "search", "cache"],
      settings: { system: { typography: { orphan_protection: false } } },
      env: { SITE_ENV: "production" },
      files: {
        "site.yaml": "title: Site\ntheme: { name: own }\n",
        "themes/own/theme.yaml": "name: own\nversion: 1.0.0\nparent: default\n",
        "themes/own/components/blocks/price.tsx":
          "export default ({ module }) => <p class='price'>{module.data.amount} <span dangerouslySetInnerHTML={{ __html: module.html }} /></p>;\n",
        "blueprints/landing.yaml": "title: Landing\nfields:\n  sections: { type: blocks }\n",
        "blueprints/blocks/hero.yaml":
          "fields: { title: { type: text }, text: { type: textarea } }\n",
        "blueprints/blocks/price.yaml":
          "fields: { title: { type: text }, amount: { type: number }, body: { type: markdown } }\n",
        "blueprints/blocks/faq.yaml":
          "fields: { title: { type: text }, items: { type: structure, fields: { question: { type: text }, answer: { type: textarea } } } }\n",
        "content/01.home/landing.md": `---\ntitle: Home\nsections:\n${sections}\n---\n`,
        "content/02.many/landing.md": `---\ntitle: Many\nsections:\n${"  - { type: hero }\n".repeat(2000)}---\n`,
      },
    });
  });
  after(() => site.close());

  it("are drawn by components/blocks, else by the module component of that name, else by text", async () => {
    const page = await (await site.fetch("/")).text();
    assert.match(page, /<section class="module hero"[^]*<h1 class="hero-title">Come in<\/h1>/);
    assert.match(
      page,
      /<p class="price">12 <span><p>From <strong>today<\/strong>\.<\/p><\/span><\/p>/,
    );
    assert.match(
      page,
      /<section class="module wrap column"><h2 class="module-title">Questions<\/h2>/,
    );
  });

  it("are searched by their texts, nested ones included", async () => {
    for (const word of ["open", "today", "brewing", "coffee"]) {
      const answer = await site.fetch(`/api/search?q=${word}`);
      const { items } = (await answer.json()) as { items: { route: string }[] };
      assert.deepEqual(
        items.map(({ route }) => route),
        ["/"],
        word,
      );
    }
  });

  it("are limited in number", async () => {
    const page = await site.fetch("/many");
    assert.equal(page.status, 200);
    assert.equal((await page.text()).match(/<section class="module hero/g)?.length, 500);
  });
});
