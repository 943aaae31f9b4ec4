import assert from "node:assert/strict";
import { searchPages } from "../../../plugins/search/service.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

describe("the search pages of a site", () => {
  const pages = (supported: string[], always = false) =>
    searchPages(
      { supported, default: "en", include_default_in_url: always, rtl_override: [] },
      { prefixOf: (lang) => (lang === "en" && !always ? "" : `/${lang}`) },
    );

  it("are one on a site with one language", () => {
    assert.deepEqual(pages(["en"]), [{ path: "/search", lang: null }]);
  });

  it("are one per language, without a prefix for the default one", () => {
    assert.deepEqual(pages(["de", "en"]), [
      { path: "/search", lang: "en" },
      { path: "/de/search", lang: "de" },
    ]);
    assert.deepEqual(pages(["en", "de"], true).at(1), { path: "/en/search", lang: "en" });
  });
});

describe("the search page in another language", () => {
  const files = {
    "system.yaml": "languages: { supported: [en, de] }\nsearch: { include_flex: [pot] }\n",
    "content/01.home/default.md": "---\ntitle: Home\n---\nWelcome.\n",
    "content/01.home/default.de.md": "---\ntitle: Startseite\n---\nWillkommen.\n",
    "content/02.café/default.md": "---\ntitle: Tea\n---\nA pot of tea (Tee).\n",
    "content/02.café/default.de.md": "---\ntitle: Tee\n---\nEine Kanne Tee.\n",
    "flex-objects/pot.yaml": "title: Pots\nfields:\n  name: { type: text }\n",
    "flex-objects/pot/brown.yaml": "name: Brown betty\n",
  };
  let site: TestSite;
  const boot = async (plugins: string[]): Promise<TestSite> =>
    (site = await bootSite({ files, plugins, env: { SITE_ENV: "production" } }));
  const read = async (path: string): Promise<string> => (await site.fetch(path)).text();
  const links = (html: string): (string | undefined)[] =>
    [...html.matchAll(/<h2><a href="([^"]*)"/g)].map(([, href]) => href);
  afterEach(() => site.close());

  it("finds the pages of its language and links to them", async () => {
    await boot(["search", "render"]);
    const [english, german] = [await read("/search?q=tee"), await read("/de/search?q=tee")];
    assert.deepEqual(links(english), ["/caf%C3%A9"]);
    assert.deepEqual(links(german), ["/de/caf%C3%A9"]);
    for (const href of ["/caf%C3%A9", "/de/caf%C3%A9"]) {
      assert.equal((await site.fetch(href)).status, 200);
    }
  });

  it("finds records, which have no language, in every language", async () => {
    await boot(["search", "flex"]);
    for (const path of ["/search?q=betty", "/de/search?q=betty"]) {
      assert.deepEqual(links(await read(path)), ["/flex/pot/brown"], path);
    }
    const { suggestions } = JSON.parse(await read("/api/search/suggest?q=bet&lang=de"));
    assert.deepEqual(suggestions, ["betty"]);
  });

  it("has one address, without a trailing slash", async () => {
    await boot(["search"]);
    for (const path of ["/search", "/de/search"]) {
      const { status, headers } = await site.fetch(`${path}/?q=tee`);
      assert.deepEqual([status, headers.get("location")], [301, `${path}?q=tee`]);
    }
  });

  it("uses it, and links to the same query in the others", async () => {
    await boot(["search", "render"]);
    const html = await read("/de/search?q=tee");
    assert.match(html, /<html lang="de"/);
    assert.match(html, /<h1>Suche<\/h1>/);
    assert.match(html, /<title>Suche: tee \| Test<\/title>/);
    assert.match(html, /action="\/de\/search"/);
    assert.match(html, /href="\/search\?q=tee"[^>]*lang="en"|lang="en"[^>]*href="\/search\?q=tee"/);
    assert.match(await read("/de"), /<form class="search-wide"[^>]*action="\/de\/search"/);
  });

  it("does the same without a theme", async () => {
    await boot(["search"]);
    const html = await read("/de/search?q=tee");
    assert.deepEqual(links(html), ["/de/caf%C3%A9"]);
    assert.match(html, /<html lang="de".*action="\/de\/search".*data-lang="de"/s);
  });
});
