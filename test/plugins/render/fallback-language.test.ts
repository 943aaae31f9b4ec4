import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("pages in place of a missing translation", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: T\n",
        "config/system.yaml": "languages:\n  supported: [en, ar]\n  default: en\n",
        "content/01.home/default.md": "---\ntitle: Home\n---\n",
        "content/01.home/default.ar.md": "---\ntitle: الرئيسية\n---\n",
        "content/02.docs/docs.md": "---\ntitle: Docs\n---\n",
        "content/02.docs/docs.ar.md": "---\ntitle: التوثيق\n---\n",
        "content/02.docs/01.first/docs.md": "---\ntitle: First\n---\n\nText.\n",
        "content/02.docs/02.second/docs.md": "---\ntitle: Second\n---\n\nText.\n",
        "content/02.docs/02.second/docs.ar.md": "---\ntitle: الثاني\n---\n\nنص.\n",
      },
      env: { SITE_ENV: "production" },
    });
  });
  after(() => site.close());
  const html = async (path: string): Promise<string> => (await site.fetch(path)).text();

  it("have their own language and direction in a document of another language", async () => {
    const page = await html("/ar/docs/first");
    assert.match(page, /<html lang="ar" dir="rtl"/);
    assert.match(page, /<h1 lang="en" dir="ltr">First<\/h1>/);
    assert.match(page, /<div class="prose" lang="en" dir="ltr">/);
  });

  it("lead to the page in its own language, from the notice and from the header", async () => {
    const page = await html("/ar/docs/first");
    assert.match(page, /<p class="notice" role="note">[^<]*<a href="\/docs\/first" hreflang="en">/);
    const menu = /<nav class="languages"[^]*?<\/nav>/.exec(page)?.[0] ?? "";
    assert.deepEqual(menu.match(/href="[^"]*"/g), ['href="/docs/first"']);
  });

  it("have no link to a language when there is only one", async () => {
    assert.doesNotMatch(await html("/docs/first"), /class="languages"|role="note"/);
  });

  it("are marked in navigation, breadcrumbs and neighbours", async () => {
    const page = await html("/ar/docs/second");
    assert.match(page, /<a href="\/ar\/docs\/first" lang="en" dir="ltr">First<\/a>/);
    assert.match(page, /<span lang="en" dir="ltr">First<\/span>/);
    const own = await html("/ar/docs/first");
    assert.match(
      own,
      /<a href="\/ar\/docs\/first" lang="en" dir="ltr" aria-current="page">First<\/a>/,
    );
    assert.match(page, /<a href="\/ar\/docs\/second" aria-current="page">/);
  });
});
