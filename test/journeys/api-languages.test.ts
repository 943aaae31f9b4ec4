import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const page = (title: string, more = ""): string =>
  `---\ntitle: ${title}\ndate: 2026-01-01\ntaxonomy: { tag: tea }\n${more}---\nAbout tea.\n`;

/** `only` is not translated, `both` is; `news` has a German route of its own. The home page is English. */
const files = {
  "site.yaml": "title: T\nurl: http://127.0.0.1:9\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n",
  "content/02.news/default.md": page("News"),
  "content/02.news/default.de.md": page("Neues", "slug: neues\n"),
  "content/02.news/01.both/default.md": page("Both", "order: 1\n"),
  "content/02.news/01.both/default.de.md": page("Beide"),
  "content/02.news/02.only/default.md": page("Only"),
  "content/03.größe/default.md": page("Size"),
};
const languages = "languages: { supported: [en, de, fr], default: en";

interface Item {
  route: string;
  title: string;
  lang?: string;
  fallback?: true;
}
/** Titles; fallback pages with their language. */
const shown = ({ items }: { items: readonly Item[] }): string[] =>
  items
    .map(({ title, lang, fallback }) => (fallback === true ? `${title} (${lang})` : title))
    .toSorted();

describe("the language of API responses", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: { ...files, "system.yaml": `${languages} }\n` },
      plugins: ["pages", "search", "feeds", "render"],
      settings: { system: { server: { rate_limit: false } } },
    });
  });
  after(() => site.close());
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await site.fetch(path);
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    return (await answer.json()) as T;
  };
  const list = async (path: string): Promise<string[]> => shown(await ask(path));

  const WRITTEN = ["Beide", "Neues"];
  const ALL = ["Beide", "Home (en)", "Neues", "Only (en)", "Size (en)"];
  const TAGGED = ["Beide", "Neues", "Only (en)", "Size (en)"];
  const WALKED = [
    ["/api/nav?lang=de", ALL, WRITTEN],
    ["/api/pages/de/neues/children?", ["Beide", "Only (en)"], ["Beide"]],
    ["/api/pages/neues/children?lang=de", ["Beide", "Only (en)"], ["Beide"]],
  ] as const;
  for (const [path, withFallback, without] of WALKED) {
    it(`falls back for browsing: ${path}`, async () => {
      assert.deepEqual(await list(path), withFallback);
      assert.deepEqual(await list(`${path}&fallback=1`), withFallback);
      assert.deepEqual(await list(`${path}&fallback=0`), without);
    });
  }

  const FILTERED = [
    ["/api/pages?lang=de", ALL, WRITTEN],
    ["/api/pages?taxonomy.tag=tea&lang=de", TAGGED, WRITTEN],
    ["/api/collections?lang=de", ["Neues", "Size (en)"], ["Neues"]],
    ["/api/collections?source=@page.children:/neues&lang=de", ["Beide", "Only (en)"], ["Beide"]],
    ["/api/collections?source=@page.children:/news&lang=de", ["Beide", "Only (en)"], ["Beide"]],
    ["/api/collections?source=@page.children:/de/neues", ["Beide", "Only (en)"], ["Beide"]],
    ["/api/collections?source=@page.descendants:/&lang=de", TAGGED, WRITTEN],
    ["/api/collections?source=@taxonomy.tag:tea&lang=de", TAGGED, WRITTEN],
    ["/api/taxonomy/tag/tea?lang=de", TAGGED, WRITTEN],
    ["/api/search?q=tea&lang=de", TAGGED, WRITTEN],
  ] as const;
  for (const [path, withFallback, without] of FILTERED) {
    it(`filters by the language of pages: ${path}`, async () => {
      assert.deepEqual(await list(path), without);
      assert.deepEqual(await list(`${path}&fallback=0`), without);
      assert.deepEqual(await list(`${path}&fallback=1`), withFallback);
    });
  }

  it("counts taxonomy values by the same rule", async () => {
    const counts = async (query: string) => {
      const { values } = await ask<{ values: { tea: number } }>(`/api/taxonomy/tag?${query}`);
      const { tag } = await ask<{ tag: unknown }>(`/api/taxonomy?${query}`);
      assert.deepEqual(tag, values);
      return values.tea;
    };
    assert.equal(await counts("lang=de"), 2);
    assert.equal(await counts("lang=de&fallback=1"), 4);
    assert.equal(await counts("lang=en&fallback=1"), 4);
  });

  it("suggests words of the language, and with fallback=1 of fallback pages", async () => {
    const suggested = async (query: string) =>
      (await ask<{ suggestions: string[] }>(`/api/search/suggest?${query}`)).suggestions;
    assert.deepEqual(await suggested("q=on&lang=de"), []);
    assert.deepEqual(await suggested("q=on&lang=de&fallback=1"), ["Only"]);
    assert.deepEqual(await suggested("q=bot&lang=de&fallback=1"), [], "Both is translated");
  });

  const EVERYWHERE = [
    "/api/pages",
    "/api/pages/",
    "/api/pages/news",
    "/api/pages/news/children",
    "/api/pages/news/media",
    "/api/collections",
    "/api/taxonomy",
    "/api/taxonomy/tag",
    "/api/taxonomy/tag/tea",
    "/api/nav",
    "/api/search",
    "/api/search/suggest",
    "/feed.xml",
    "/sitemap.xml",
  ];
  for (const path of EVERYWHERE) {
    it(`${path} responds 400 to an unknown language, naming the known ones`, async () => {
      for (const lang of ["xx", "DE", "", "__proto__"]) {
        const answer = await site.fetch(`${path}?lang=${lang}`);
        assert.equal(answer.status, 400, `${path} ${lang}`);
        assert.match(await answer.text(), /lang: .*en, de, fr/);
      }
      const answer = await site.fetch(`${path}?lang=de&fallback=maybe`);
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /fallback: .*0 or 1/);
    });
  }

  it("links fallback pages in the language of the list", async () => {
    for (const path of [
      "/api/nav?lang=de",
      "/api/pages?lang=de&fallback=1",
      "/api/search?q=tea&lang=de&fallback=1",
    ]) {
      const { items } = await ask<{ items: Item[] }>(path);
      for (const item of items) {
        assert.match(item.route, /^\/de(\/|$)/);
        const found = await ask<Item>(`/api/pages${item.route}`);
        assert.deepEqual(
          [found.route, found.title, found.lang, found.fallback],
          [item.route, item.title, item.lang, item.fallback],
        );
        assert.equal((await site.fetch(item.route)).status, 200);
      }
    }
  });

  it("serves a single page by prefix or parameter, and none without fallback", async () => {
    const titles = [
      ["/api/pages/news?lang=de", "Neues"],
      ["/api/pages/de/news", "Neues"],
      ["/api/pages/de/neues?lang=en", "News"],
      ["/api/pages/neues?lang=de", "Neues"],
      ["/api/pages/news/only?lang=de", "Only"],
      ["/api/pages/news/only?lang=en&fallback=0", "Only"],
    ] as const;
    for (const [path, title] of titles) assert.equal((await ask<Item>(path)).title, title, path);
    const absent = [
      "/api/pages/news/only?lang=de&fallback=0",
      "/api/pages/de/news/only?fallback=0",
    ];
    for (const path of absent) assert.equal((await site.fetch(path)).status, 404, path);
  });

  it("takes a route of the API as source", async () => {
    const all = await ask<{ items: Item[] }>("/api/pages?limit=200&lang=de&fallback=1");
    for (const { route } of all.items) {
      for (const source of [route, encodeURIComponent(route)]) {
        const answer = await site.fetch(`/api/collections?source=@page.children:${source}`);
        assert.equal(answer.status, 200, source);
      }
    }
    assert.equal((await site.fetch("/api/collections?source=@page.children:/de/none")).status, 404);
  });

  it("shows a fallback page in the layout of the reader's language, with links in that language", async () => {
    const html = await (await site.fetch("/de/news/only")).text();
    assert.match(html, /<html lang="de"/);
    assert.match(html, /rel="canonical" href="http:\/\/127.0.0.1:9\/news\/only"/);
  });
});

describe("include_default_in_url", () => {
  it("does not affect the pages of the API, with or without prefix", async () => {
    const system = `${languages}, include_default_in_url: true }\n`;
    const site = await bootSite({ files: { ...files, "system.yaml": system }, plugins: ["pages"] });
    for (const [path, route] of [
      ["/api/pages/", "/en"],
      ["/api/pages/en", "/en"],
      ["/api/pages/news", "/en/news"],
      ["/api/pages/en/news", "/en/news"],
      ["/api/pages/de/neues", "/de/neues"],
    ] as const) {
      const answer = await site.fetch(path);
      assert.equal(answer.status, 200, path);
      assert.equal(((await answer.json()) as Item).route, route);
    }
    await site.close();
  });
});
