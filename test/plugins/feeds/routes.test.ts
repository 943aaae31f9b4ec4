import assert from "node:assert/strict";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { blogFiles } from "../../support/content/blog-files.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const HOSTILE = `---\ntitle: "a & b <c> ]]> \\u0007 \\uD83D"\ndate: 2026-10-01\ntaxonomy: {tag: "x & <y>"}\n---\nBody ]]> with <b>html</b> & [a link](/blog) ![picture](cover.jpg).\n`;
const parse = (xml: string) => {
  assert.equal(XMLValidator.validate(xml), true, xml.slice(0, 300));
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(xml);
};
const list = (value: unknown): Record<string, unknown>[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]) as Record<string, unknown>[];

describe("feeds", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        ...blogFiles,
        "content/02.blog/09.hostile/post.md": HOSTILE,
        "content/06.blogroll/post.md": "---\ntitle: Roll\ndate: 2026-09-30\n---\n",
      },
      plugins: ["feeds", "pages", "render", "cache", "security"],
      env: { SITE_ENV: "production" },
      settings: { site: { feed: { content: "full", items: 4 } } },
      clock: { now: () => Date.parse("2026-11-20T12:00:00Z") },
    });
  });
  after(() => site.close());
  const text = async (path: string, type: RegExp): Promise<string> => {
    const answer = await site.fetch(path);
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("content-type") ?? "", type);
    return answer.text();
  };

  it("responds with RSS of the newest dated pages, with absolute links and RFC 822 dates", async () => {
    const { rss } = parse(await text("/feed.xml", /^application\/rss\+xml; charset=utf-8$/));
    assert.equal(rss.channel.title, "Journal");
    const items = list(rss.channel.item);
    assert.equal(items.length, 4);
    assert.deepEqual(
      items.slice(1).map(({ link }) => link),
      ["roll", "/post-5", "/post-4"].map((end) => `https://journal.example/blog${end}`),
    );
    assert.match(String(items[2]?.["pubDate"]), /^\w{3}, 10 May 2026 00:00:00 GMT$/);
  });

  it("responds to browsers with XML that they show with the style sheet", async () => {
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (const path of ["/feed.xml", "/atom.xml", "/feed.xml"]) {
      const shown = await site.fetch(path, { headers: { accept } });
      assert.equal(shown.headers.get("content-type"), "application/xml; charset=utf-8");
      assert.match(shown.headers.get("vary") ?? "", /Accept(?!-)/);
      assert.match(
        await shown.text(),
        /<\?xml-stylesheet type="text\/css" href="\/_site\/feed\.css"\?>/,
      );
      const read = await site.fetch(path, { headers: { accept: "*/*" } });
      assert.match(read.headers.get("content-type") ?? "", /^application\/(?:rss|atom)\+xml/);
    }
  });

  it("responds with Atom with an id, the newest date as updated, and a link to itself", async () => {
    const { feed } = parse(await text("/atom.xml", /^application\/atom\+xml/));
    assert.equal(feed.updated, "2026-10-01T00:00:00.000Z");
    assert.ok(
      list(feed.link).some(
        ({ rel, href }) => rel === "self" && href === "https://journal.example/atom.xml",
      ),
    );
    assert.equal(list(feed.entry).length, 4);
  });

  it("responds with a JSON feed", async () => {
    const feed = JSON.parse(await text("/feed.json", /^application\/feed\+json/)) as {
      version: string;
      items: { url: string; content_html: string }[];
    };
    assert.match(feed.version, /jsonfeed\.org/);
    assert.match(feed.items[0]?.content_html ?? "", /href="https:\/\/journal\.example\/blog"/);
  });

  it("is well-formed for any titles and bodies", async () => {
    for (const path of ["/feed.xml", "/atom.xml", "/sitemap.xml", "/blog/feed.xml"]) {
      parse(await text(path, /xml/));
    }
    const { rss } = parse(await text("/feed.xml", /rss/));
    assert.match(String(list(rss.channel.item)[0]?.["title"]), /^a & b <c>/);
  });

  it("shows no draft, scheduled or gated page in any feed or the sitemap", async () => {
    for (const path of ["/feed.xml", "/atom.xml", "/feed.json", "/sitemap.xml"]) {
      assert.doesNotMatch(await text(path, /./), /Canary|draft|later|members/i, path);
    }
  });

  it("serves feeds of a section and a taxonomy value, and responds 404 for unknown ones", async () => {
    const { rss } = parse(await text("/blog/feed.xml", /rss/));
    assert.equal(rss.channel.title, "Blog – Journal");
    const titles = list(rss.channel.item).map(({ title }) => title);
    assert.deepEqual(titles.slice(1), ["Post 5", "Post 4", "Post 3"]);
    const tagged = parse(await text("/taxonomy/tag/odd-0/feed.xml", /rss/));
    assert.equal(list(tagged.rss.channel.item).length, 2);
    for (const path of [
      "/none/feed.xml",
      "/members/feed.xml",
      "/blog/draft/feed.xml",
      "/taxonomy/tag/secretgate/feed.xml",
      "/taxonomy/tag/secretdraft/feed.xml",
      "/taxonomy/tag/feed.xml",
      "/taxonomy/constructor/name/feed.xml",
      "/taxonomy/__proto__/x/feed.xml",
    ]) {
      assert.equal((await site.fetch(path)).status, 404, path);
    }
  });

  it("is never stale: a new post is in the feed immediately", async () => {
    await text("/feed.xml", /rss/);
    const content = "---\ntitle: Brand new\ndate: 2026-11-01\n---\nx\n";
    await site.site
      .use("content")
      .apply([{ op: "write", path: "02.blog/10.new/post.md", content }]);
    assert.match(await text("/feed.xml", /rss/), /Brand new/);
    assert.match(await text("/sitemap.xml", /xml/), /blog\/new/);
  });

  it("is never stale: the sitemap has the day of a text's last change", async () => {
    const content = site.site.use("content");
    const text = "---\ntitle: Old\n---\nold";
    const file = join(site.root, "content/02.blog/11.old/post.md");
    const lastmod = async (): Promise<unknown> => {
      const { urlset } = parse(await (await site.fetch("/sitemap.xml")).text());
      return list(urlset.url).find(({ loc }) => String(loc).endsWith("/blog/old"))?.["lastmod"];
    };
    await content.apply([{ op: "write", path: "02.blog/11.old/post.md", content: text }]);
    await writeFile(file, `${text}er`);
    await utimes(file, new Date("2020-01-02"), new Date("2020-01-02"));
    await content.rebuild();
    assert.equal(await lastmod(), "2020-01-02");
    await content.apply([{ op: "write", path: "02.blog/11.old/post.md", content: `${text}est` }]);
    assert.notEqual(await lastmod(), "2020-01-02");
  });

  it("links to the feeds in every page's head", async () => {
    assert.match(
      await text("/", /html/),
      /<link rel="alternate" type="application\/rss\+xml"[^>]*href="\/feed\.xml"/,
    );
  });

  it("uses site.url, whatever the Host header", async () => {
    const answer = await site.fetch("/sitemap.xml", {
      headers: { "X-Forwarded-Host": "evil.example" },
    });
    assert.doesNotMatch(await answer.text(), /evil\.example/);
  });

  it("allows everything in robots.txt and names the sitemap", async () => {
    const robots = await text("/robots.txt", /^text\/plain/);
    assert.match(robots, /^User-agent: \*\nAllow: \/\n/);
    assert.match(robots, /Sitemap: https:\/\/journal\.example\/sitemap\.xml/);
  });
});

describe("feeds of a site in two languages", () => {
  const post = (title: string): string =>
    `---\ntitle: ${title}\ndate: 2026-05-01\ntaxonomy: {tag: tea}\n---\nText.\n`;
  const files = {
    "system.yaml": "languages: {supported: [en, de]}\n",
    "content/01.home/default.md": "Home\n",
    "content/02.blog/default.md": "# Blog\n",
    "content/02.blog/default.de.md": "# Tagebuch\n",
    "content/02.blog/a/post.md": post("Tea"),
    "content/02.blog/a/post.de.md": post("Tee"),
    "content/02.blog/b/post.md": post("Only here"),
  };
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files, plugins: ["feeds", "render"] });
  });
  after(() => site.close());
  const read = async (path: string): Promise<string> => (await site.fetch(path)).text();
  const titles = async (path: string): Promise<unknown[]> => {
    const { rss } = parse(await read(path));
    return list(rss.channel.item).map(({ title }) => title);
  };

  it("contain the pages of one language, for the site, a section and a taxonomy value", async () => {
    for (const place of ["", "/blog", "/taxonomy/tag/tea"]) {
      assert.deepEqual(await titles(`${place}/feed.xml`), ["Tea", "Only here"], place);
      assert.deepEqual(await titles(`/de${place}/feed.xml`), ["Tee"], place);
    }
  });

  it("declare their language", async () => {
    const { rss } = parse(await read("/de/blog/feed.xml"));
    assert.equal(rss.channel.language, "de");
    assert.match(String(rss.channel.title), /^Tagebuch – /);
    assert.match(await read("/de/feed.json"), /"language": "de"/);
    assert.match(await read("/feed.json"), /"language": "en"/);
  });

  it("are linked from the pages of their language", async () => {
    assert.match(await read("/de/blog"), /href="\/de\/feed\.xml"/);
    assert.match(await read("/blog"), /href="\/feed\.xml"/);
    assert.doesNotMatch(await read("/de/blog"), /href="\/feed\.xml"/);
  });

  it("have one URL: the default language has no prefix", async () => {
    assert.equal((await site.fetch("/en/feed.xml")).status, 404);
    assert.equal((await site.fetch("/fr/feed.xml")).status, 404);
  });
});

describe("a site without feeds", () => {
  it("responds 404 for them, but serves the sitemap", async () => {
    const site = await bootSite({
      files: blogFiles,
      plugins: ["feeds"],
      settings: { site: { feed: { enabled: false } } },
    });
    assert.equal((await site.fetch("/feed.xml")).status, 404);
    assert.equal((await site.fetch("/sitemap.xml")).status, 200);
    await site.close();
  });
});
