import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const files = {
  "site.yaml":
    "title: Tea\ndescription: All about tea\nurl: https://tea.example/base\nredirects: { /old: /green }\n",
  "system.yaml": "languages: { supported: [en, de], default: en }\n",
  "content/01.home/default.md": "---\ntitle: Tea house\n---\n\nWelcome.\n",
  "content/01.home/default.de.md": "---\ntitle: Teehaus\n---\n\nWillkommen.\n",
  "content/02.green/default.md":
    "---\ntitle: Green [tea]\nsummary: How to brew it.\n---\n\nUse **80 °C**.\n",
  "content/02.green/01.sencha/default.md": "# Sencha\n\nFrom Japan.\n",
  "content/02.green/_intro/text.md": "---\ntitle: Intro\n---\n\nAn introduction.\n",
  "content/03.secret/default.md": "---\ntitle: Secret\nroles: any\n---\n\nFor members.\n",
  "content/04.draft/default.md": "---\ntitle: Draft\npublished: false\n---\n\nNot yet.\n",
  "content/05.code/default.tsx": "export default () => <p>Hi</p>;\n",
  "content/06.page/readme.md.md": "---\nslug: readme.md\n---\n\nA page with a dot.\n",
};
const auth = "auth: { mode: dune, providers: {} }\n";
const markdown = { headers: { accept: "text/markdown" } };

describe("pages as Markdown", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files, env: { SITE_AUTH_SECRET: "x".repeat(40) } });
  });
  after(() => site.close());

  const text = async (path: string, init?: RequestInit): Promise<string> =>
    (await site.fetch(path, init)).text();

  it("respond with the source without front matter at the address with `.md`", async () => {
    const response = await site.fetch("/green/sencha.md");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.match(response.headers.get("vary") ?? "", /\bAccept\b/);
    assert.match(response.headers.get("etag") ?? "", /^"/);
    assert.equal(
      response.headers.get("link"),
      '<https://tea.example/base/green/sencha>; rel="canonical"',
    );
    assert.equal(await response.text(), "# Sencha\n\nFrom Japan.\n");
  });

  it("respond with 304 to a matching ETag, and to HEAD without a body", async () => {
    const etag = (await site.fetch("/green/sencha.md")).headers.get("etag") ?? "";
    const again = await site.fetch("/green/sencha.md", { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
    const head = await site.fetch("/green/sencha.md", { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
  });

  it("contain the modules of a page", async () => {
    assert.equal(await text("/green.md"), "Use **80 °C**.\n\nAn introduction.\n");
  });

  it("have the home page at /index.md, in each language", async () => {
    assert.equal(await text("/index.md"), "\nWelcome.\n");
    assert.equal(await text("/de/index.md"), "\nWillkommen.\n");
  });

  it("are selected by `Accept`, before and after the page was cached", async () => {
    for (let round = 0; round < 2; round += 1) {
      const page = await site.fetch("/green", { headers: { accept: "text/html,*/*;q=0.8" } });
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(page.headers.get("vary") ?? "", /\bAccept\b(?!-)/);
      const source = await site.fetch("/green", markdown);
      assert.match(source.headers.get("content-type") ?? "", /^text\/markdown/);
      assert.match(await source.text(), /^Use/);
    }
  });

  for (const accept of ["*/*", "text/*", "text/html, text/markdown;q=0.5", "text/markdown;q=0"]) {
    it(`are not selected by \`Accept: ${accept}\``, async () => {
      const response = await site.fetch("/green", { headers: { accept } });
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    });
  }

  it("are named in the head of the page", async () => {
    const link = '<link rel="alternate" type="text/markdown" href="/base/green/sencha.md">';
    assert.ok((await text("/green/sencha")).includes(link));
  });

  it("follow redirects to the Markdown of the target", async () => {
    const response = await site.fetch("/old.md");
    assert.equal(response.status, 301);
    assert.equal(response.headers.get("location"), "/base/green.md");
  });

  for (const path of [
    "/draft.md",
    "/nowhere.md",
    "/code.md",
    "/.md",
    "/green/_intro.md",
    "/%2e%2e/x.md",
  ]) {
    it(`respond with 404 to ${path}`, async () => {
      assert.equal((await site.fetch(path)).status, 404);
    });
  }

  it("change with the file", async () => {
    await site.write("content/07.news/default.md", "One.\n");
    await until(async () => (await text("/news.md")) === "One.\n");
    await site.write("content/07.news/default.md", "Two.\n");
    await until(async () => (await text("/news", markdown)) === "Two.\n");
  });

  it("do not replace a page whose address ends with `.md`", async () => {
    const response = await site.fetch("/readme.md");
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
  });
});

describe("gated pages as Markdown", () => {
  it("are a 401 without a session, and never cached", async () => {
    const site = await bootSite({
      files: { ...files, "site.yaml": files["site.yaml"] + auth },
      env: { SITE_AUTH_SECRET: "x".repeat(40) },
    });
    for (const [path, init] of [["/secret.md"], ["/secret", markdown]] as const) {
      const response = await site.fetch(path, init);
      assert.equal(response.status, 401);
      assert.doesNotMatch(await response.text(), /members/);
    }
    await site.close();
  });
});

describe("llms.txt", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files });
  });
  after(() => site.close());

  it("lists the public pages by section, with the address of their Markdown", async () => {
    const response = await site.fetch("/llms.txt");
    assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(
      await response.text(),
      [
        "# Tea",
        "",
        "> All about tea",
        "",
        "- [Tea house](https://tea.example/base/index.md)",
        "- [code](https://tea.example/base/code)",
        "- [readme.md](https://tea.example/base/readme.md.md)",
        "",
        "## Green [tea]",
        "",
        "- [Green \\[tea\\]](https://tea.example/base/green.md): How to brew it.",
        "- [Sencha](https://tea.example/base/green/sencha.md)",
        "",
      ].join("\n"),
    );
  });

  it("has the pages of a language below its prefix", async () => {
    const text = await (await site.fetch("/de/llms.txt")).text();
    assert.match(text, /\[Teehaus\]\(https:\/\/tea\.example\/base\/de\/index\.md\)/);
    assert.doesNotMatch(text, /Sencha/);
  });

  it("is complete as llms-full.txt", async () => {
    const text = await (await site.fetch("/llms-full.txt")).text();
    assert.match(
      text,
      /\n\n# Green \[tea\]\n\nSource: https:\/\/tea\.example\/base\/green\n\nUse \*\*80/,
    );
    assert.match(text, /\n\n# Sencha\n\nSource: [^\n]+\n\nFrom Japan\.\n/);
    assert.doesNotMatch(text, /members|Not yet/);
  });
});

describe("a site without `llms`", () => {
  it("has none of these addresses", async () => {
    const site = await bootSite({ files, settings: { site: { llms: { enabled: false } } } });
    for (const path of ["/green.md", "/llms.txt", "/llms-full.txt"])
      assert.equal((await site.fetch(path)).status, 404);
    const page = await site.fetch("/green", markdown);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    await site.close();
  });
});
