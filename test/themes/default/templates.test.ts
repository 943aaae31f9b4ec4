import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { picture } from "../../support/content/pictures.js";

const post = (title: string, date: string, more = ""): string =>
  `---\ntitle: ${title}\ndate: ${date}\n${more}---\nWords.\n`;

const item = ["---", "title: Work", "image: a.png", "---", "Words.", ""].join("\n");

describe("the templates of the packaged theme", () => {
  let site: TestSite;
  before(async () => {
    const wide = await picture(1000, 500);
    site = await bootSite({
      files: {
        "site.yaml":
          "title: Test\ndescription: Of the site\ntaxonomies: [tag]\nmetadata: { description: Of all, author: Ann }\n",
        "static/favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'><title>own</title></svg>",
        "content/01.home/landing.md":
          "---\ntitle: Home\nhero: { image: a.png }\ncollection: { items: { '@page.children': /blog }, limit: 1 }\n---\n## Content\n\n## Latest\n",
        "content/01.home/a.png": wide,
        "content/02.blog/blog.md": "---\ntitle: Blog\n---\n",
        "content/02.blog/one/post.md": post("One", "2026-01-01", "taxonomy: { tag: ['R&D'] }\n"),
        "content/02.blog/two/post.md": post("Two", "2026-02-01", "image: a.png\n"),
        "content/02.blog/two/a.png": wide,
        "content/02.blog/three/post.md": post("Three", "2026-03-01"),
        "content/03.docs/docs.md":
          "---\ntitle: Docs\ncollection: { items: '@self.children', pagination: { size: 1 } }\n---\n### Content\n",
        "content/03.docs/01.a/docs.md":
          "---\ntitle: Page A\nmetadata: { description: Its own }\n---\nFirst words of A.",
        "content/03.docs/02.b/docs.md": "---\ntitle: Page B\n---\nFirst words of B.",
        "content/04.work/item.md": item,
        "content/tool.md": "![Logo](a.png)\n\n# Tool\n\nWords.\n\n# More\n",
        "flex-objects/film.yaml":
          "title: Films\nfields: { name: { type: text }, kind: { type: select, options: { s: Short film } } }\n",
        "flex-objects/film/one.yaml": "name: One\nkind: s\n",
        "content/other.md": "---\ntitle: Other\n---\nWords.\n\n# More\n",
        ...Object.fromEntries(
          ["a", "b", "c"].flatMap((name): [string, string | Buffer][] => [
            [`content/04.work/${name}.png`, wide],
            [`content/04.work/${name}.png.meta.yaml`, `alt: Picture ${name}\n`],
          ]),
        ),
      },
    });
  });
  after(() => site.close());
  const read = async (path: string): Promise<string> => {
    const answer = await site.fetch(path);
    assert.equal(answer.status, 200, path);
    return answer.text();
  };

  it("say of a record's choice what people read, not what is stored", async () => {
    for (const path of ["/flex/film", "/flex/film/one"])
      assert.match(await read(path), /<dd>Short film<\/dd>/, path);
  });

  it("name the main part of a page as no heading can be named", async () => {
    for (const path of ["/", "/docs"]) {
      const html = await read(path);
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.deepEqual(ids, [...new Set(ids)], path);
      const [, target] = /class="skip" href="#([^"]+)"/.exec(html) ?? [];
      assert.match(html, new RegExp(`<main id="${target}"`));
    }
  });

  it("link to no second page of a list that a limit cuts off", async () => {
    const html = await read("/");
    assert.doesNotMatch(html, /page:2/);
    assert.equal((await site.fetch("/page:2")).status, 404);
  });

  it("show the collection of a page of documentation, with its pages", async () => {
    const html = await read("/docs");
    assert.match(html, /First words of A/);
    assert.match(html, /<a rel="next" href="\/docs\/page:2">/);
    assert.match(await read("/docs/page:2"), /First words of B/);
  });

  it("describe a page once: by its metadata, else its first words, else as the site", async () => {
    for (const [path, own] of [
      ["/docs/a", "Its own"],
      ["/docs/b", "First words of B."],
      ["/blog", null],
    ] as const) {
      const html = await read(path);
      const described = (key: string): (string | undefined)[] =>
        [...html.matchAll(new RegExp(`<meta ${key} content="([^"]*)"`, "g"))].map(
          ([, text]) => text,
        );
      assert.deepEqual(described('name="description"'), [own ?? "Of all"], path);
      assert.deepEqual(described('property="og:description"'), own === null ? [] : [own], path);
      assert.deepEqual(described('name="author"'), ["Ann"], path);
    }
  });

  it("give a page its title once, also where its body has it below a picture", async () => {
    const titles = async (path: string): Promise<(string | undefined)[]> =>
      [...(await read(path)).matchAll(/<h1[^>]*>([^<]*)/g)].map(([, text]) => text);
    assert.deepEqual(await titles("/tool"), ["Tool", "More"]);
    assert.deepEqual(await titles("/other"), ["Other", "More"]);
  });

  it("name the site's own icon", async () => {
    const [, url = ""] = /<link rel="icon" href="([^"]+\.svg)"/.exec(await read("/")) ?? [];
    assert.match(await read(url), /own/);
  });

  it("give the pictures of a page their words, their size and smaller variants", async () => {
    const images = [...(await read("/work")).matchAll(/<img [^>]*>/g)].map(([tag]) => tag);
    assert.deepEqual(
      images.map((tag) => /alt="([^"]*)"/.exec(tag)?.[1]),
      ["Picture a", "Picture b", "Picture c"],
    );
    for (const tag of images) assert.match(tag, /width="1000"/);
    for (const tag of images) assert.match(tag, /srcset="[^"]*a?\.png\?width=\d+ \d+w/);
  });

  it("give the pictures of lists, covers and the first screen their size and smaller variants", async () => {
    for (const path of ["/", "/blog", "/blog/two"]) {
      assert.match(
        await read(path),
        /<img [^>]*a\.png\?width=[^>]*height="500"|<img [^>]*height="500"[^>]*a\.png\?width=/,
        path,
      );
    }
  });

  it("link an article to those before and after it", async () => {
    const two = await read("/blog/two");
    assert.match(two, /rel="prev" href="\/blog\/one"/);
    assert.match(two, /rel="next" href="\/blog\/three"/);
    assert.doesNotMatch(await read("/blog/three"), /rel="next"/);
  });

  it("lead from a tag to the pages that have it", async () => {
    const [, href = ""] =
      /<ul class="tags"[^>]*><li><a href="([^"]+)"/.exec(await read("/blog/one")) ?? [];
    const query = new URL(href.replaceAll("&amp;", "&"), site.url).searchParams;
    assert.deepEqual(
      [...query],
      [
        ["q", "R&D"],
        ["taxonomy[tag][]", "R&D"],
      ],
    );
    assert.match(await read(href.replaceAll("&amp;", "&")), /href="\/blog\/one"/);
  });

  it("link the feed where there is one", async () => {
    assert.match(await read("/"), /<a href="\/feed\.xml">/);
    assert.equal((await site.fetch("/feed.xml")).status, 200);
  });
});

describe("the footer of a site without a feed", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const files = {
    "content/01.home/default.md": "# Hi\n",
    "content/02.about/default.md": "# About\n",
  };

  it("links none when the feed is switched off", async () => {
    site = await bootSite({ files, settings: { site: { feed: { enabled: false } } } });
    assert.doesNotMatch(await (await site.fetch("/")).text(), /feed\.xml/);
  });

  it("links none without the plugin", async () => {
    site = await bootSite({ files, plugins: ["pages", "render"] });
    assert.doesNotMatch(await (await site.fetch("/")).text(), /feed\.xml/);
  });
});

describe("links in the front matter of a landing page", () => {
  it("get the language of the page once, and keep one that they have", async () => {
    const site = await bootSite({
      files: {
        "site.yaml": "title: Test\n",
        "system.yaml": "languages: { supported: [en, de], default: en }\n",
        "content/01.home/landing.md": "---\ntitle: Home\n---\n",
        "content/01.home/landing.de.md":
          "---\ntitle: Start\nhero: { title: Start, actions: [{ label: A, url: /guide }, { label: B, url: '/de/guide#part' }, { label: C, url: /en/guide }, { label: D, url: /de }] }\n---\n",
        "content/guide.md": "---\ntitle: Guide\n---\n",
      },
    });
    try {
      const page = await (await site.fetch("/de")).text();
      const actions = /<p class="actions">[^]*?<\/p>/.exec(page)?.[0] ?? "";
      assert.deepEqual(actions.match(/(?<=href=")[^"]*/g), [
        "/de/guide",
        "/de/guide#part",
        "/en/guide",
        "/de",
      ]);
    } finally {
      await site.close();
    }
  });
});
