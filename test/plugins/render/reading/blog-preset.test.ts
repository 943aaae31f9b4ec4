import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

const post = (title: string, day: number, more: string): string =>
  `---\ntitle: ${title}\ndate: 2026-01-${String(day).padStart(2, "0")}\n${more}---\nText.\n`;

const files = {
  "site.yaml":
    "title: Journal\ntaxonomies: [tag]\nfeed: { content: full }\ntheme: { preset: blog }\n",
  "system.yaml": "languages: { supported: [en, de], default: en }\n",
  "content/01.home/blog.md":
    "---\ntitle: Journal\ncollection: { items: { '@page.children': /notes } }\n---\n",
  "content/02.notes/blog.md": "---\ntitle: Notes\n---\n",
  "content/02.notes/tea/default.md": post(
    "Tea",
    1,
    "author: Ines Ödegård\nseries: Kitchen\ntaxonomy: { tag: [tea, 'R&D', 'C#?', 'black/green'] }\n",
  ),
  "content/02.notes/tea/default.de.md": post("Tee", 1, "taxonomy: { tag: [Tee] }\n"),
  "content/02.notes/cake/post.md": post(
    "Cake",
    2,
    "author: kim\nseries: Kitchen\nupdated: 2026-02-03\ntaxonomy: { tag: [tea] }\n",
  ),
  "content/02.notes/draft/post.md": post(
    "Draft",
    3,
    "published: false\ntaxonomy: { tag: [tea, secret] }\n",
  ),
  "content/03.authors/kim/author.md": "---\ntitle: Kim\nsummary: Bakes.\n---\n",
  ...Object.fromEntries(
    Array.from({ length: 14 }, (_, at) => [
      `content/02.notes/many-${at}/post.md`,
      post(`Many ${at}`, at + 4, "taxonomy: { tag: [many] }\n"),
    ]),
  ),
};

describe("theme.preset: blog", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files });
  });
  after(() => site.close());
  const read = async (path: string): Promise<string> => {
    const answer = await site.fetch(path);
    assert.equal(answer.status, 200, path);
    return answer.text();
  };
  const status = async (path: string): Promise<number> => (await site.fetch(path)).status;

  it("draws dated pages as articles, with author, series and related articles", async () => {
    const html = await read("/notes/tea");
    assert.match(html, /class="page-post preset-blog"/);
    assert.match(html, /<a href="\/author\/ines-%C3%B6deg%C3%A5rd">Ines Ödegård<\/a>/);
    assert.match(html, /Kitchen<\/strong> <small>Part 1 of 2/);
    assert.match(html, /id=":related".*<a href="\/notes\/cake">Cake<\/a>/s);
    assert.doesNotMatch(html, /Draft/);
    const cake = await read("/notes/cake");
    assert.match(cake, /class="author-name"><a href="\/authors\/kim">Kim<\/a>/);
    assert.match(cake, /Bakes\./);
    assert.match(cake, /Last change:[^]*<time datetime="2026-02-03/);
    assert.doesNotMatch(html, /Last change:/);
  });

  it("lists the pages with a term, in pages, in the language of the address", async () => {
    const html = await read("/tag/many");
    assert.match(html, /<h1>many<\/h1>/);
    assert.match(html, /rel="next" href="\/tag\/many\/page:2"/);
    assert.match(await read("/tag/many/page:2"), /href="\/notes\/many-0"/);
    assert.equal(await status("/tag/many/page:3"), 404);
    assert.match(await read("/tag/R&D"), /href="\/notes\/tea"/);
    for (const path of ["/tag/C%23%3F", "/tag/black/green"]) {
      assert.match(await read(path), /href="\/notes\/tea"/);
      assert.match(await read("/tag"), new RegExp(`<a href="${path}">`));
      assert.match(await read("/notes/tea"), new RegExp(`<a href="${path}">`));
    }
    const [feed = ""] = /\/taxonomy\/[^"]*feed\.xml/.exec(await read("/tag/black/green")) ?? [];
    assert.match(await read(feed), /<item>.*Tea/s);
    assert.match(await read("/de/tag/Tee"), /href="\/de\/notes\/tea"/);
    assert.equal(await status("/tag/Tee"), 404);
  });

  it("lists all terms with their numbers, the articles of an author, and all years", async () => {
    assert.match(
      await read("/tag"),
      /<a href="\/tag\/many"><span>many<\/span> <span class="count">14</,
    );
    assert.match(
      await read("/author/ines-ödegård"),
      /<h1>Ines Ödegård<\/h1>.*href="\/notes\/tea"/s,
    );
    assert.match(await read("/authors/kim"), /href="\/notes\/cake"/);
    assert.match(await read("/archive"), /<h2 id=":year-2026">2026<\/h2>.*href="\/notes\/cake"/s);
  });

  it("shows nothing of unpublished pages, and no list without pages", async () => {
    for (const path of ["/tag/secret", "/tag/none", "/author/none", "/tag/tea/more", "/other/tea"])
      assert.equal(await status(path), 404, path);
    assert.doesNotMatch(await read("/tag/tea"), /Draft/);
    assert.doesNotMatch(await read("/archive"), /Draft/);
  });

  it("changes with its pages", async () => {
    assert.doesNotMatch(await read("/archive"), /Bread/);
    assert.equal(await status("/tag/bread"), 404);
    await site.write(
      "content/02.notes/bread/post.md",
      post("Bread", 30, "taxonomy: { tag: [bread] }\n"),
    );
    await until(async () => (await status("/tag/bread")) === 200);
    assert.match(await read("/archive"), /Bread/);
  });
});

describe("theme.preset: blog with empty lists", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: Journal\ntheme: { preset: blog }\n",
        "content/01.home/blog.md": "---\ntitle: Journal\n---\n",
        "content/02.notes/blog.md": "---\ntitle: Notes\n---\n",
        "content/02.notes/hidden/post.md": post(
          "Hidden",
          1,
          "author: Ines\nunlisted: true\ntaxonomy: { category: [sea], series: [one] }\n",
        ),
        "content/02.notes/tag/post.md": "---\ntitle: Undated\nauthor: Kim\n---\n",
      },
    });
  });
  after(() => site.close());
  const read = async (path: string): Promise<string> => (await site.fetch(path)).text();

  it("links to no list without pages", async () => {
    for (const path of ["/", "/notes"])
      assert.doesNotMatch(await read(path), /href="\/(?:archive|category|tag)\b/, path);
    const hidden = await read("/notes/hidden");
    assert.match(hidden, /<li>sea<\/li><li>one<\/li>/);
    assert.match(hidden, />Ines</);
    assert.doesNotMatch(hidden, /href="\/author/);
    assert.doesNotMatch(await read("/notes/tag"), /href="\/author/);
  });

  it("links to a list as soon as it has pages", async () => {
    await site.write(
      "content/02.notes/shown/post.md",
      post("Shown", 2, "author: [Ines, Kim]\ntaxonomy: { category: [sea] }\n"),
    );
    await until(async () => (await read("/notes")).includes('href="/category"'));
    assert.match(await read("/notes"), /href="\/archive"/);
    assert.doesNotMatch(await read("/notes"), /href="\/tag"/);
    assert.match(await read("/notes/hidden"), /href="\/category\/sea">sea<\/a>/);
    const shown = await read("/notes/shown");
    assert.match(shown, /href="\/author\/ines">Ines<.*href="\/author\/kim">Kim</s);
    assert.match(
      shown,
      /"author":\[\{"@type":"Person","name":"Ines"\},\{"@type":"Person","name":"Kim"\}\]/,
    );
    for (const name of ["ines", "kim"])
      assert.match(await read(`/author/${name}`), /href="\/notes\/shown"/);
  });
});

describe("theme.preset: site", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: { ...files, "site.yaml": "title: Journal\ntaxonomies: [tag]\n" },
    });
  });
  after(() => site.close());

  it("leaves the addresses of lists to pages", async () => {
    assert.equal((await site.fetch("/tag/tea")).status, 404);
    assert.match(await (await site.fetch("/notes/cake")).text(), /href="\/search\?q=tea/);
  });
});
