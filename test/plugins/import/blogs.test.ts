import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { contentOf, runImport } from "../../support/sites/import-site.js";
import { wxr, wxrItem } from "../../support/content/wxr.js";

type Files = Readonly<Record<string, string>>;

/** A site after an import, started again as its configuration is now. */
async function imported(
  source: "ghost" | "wordpress" | "jekyll" | "hugo" | "docusaurus" | "mkdocs" | "grav",
  files: Files,
  config: Files = {},
): Promise<TestSite> {
  const site = await bootSite({ files: { "content/.keep": "", ...config, ...below(files) } });
  const path = source === "wordpress" ? "src/export.xml" : "src";
  const { code } = await runImport(site, [source, path], { media: false, json: true });
  assert.equal(code, 0);
  return site;
}

function below(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text]));
}

async function yamlOf(site: TestSite, file: string): Promise<unknown> {
  return parse(await readFile(join(site.root, file), "utf8"));
}

const category = (name: string, slug: string): string =>
  `<category domain="category" nicename="${slug}"><![CDATA[${name}]]></category>`;
const WORDPRESS = wxr(
  "<description>About tea &amp; cake</description><language>de-DE</language>",
  "<wp:category><wp:category_nicename>deep</wp:category_nicename><wp:category_parent>sea</wp:category_parent></wp:category>",
  wxrItem({
    id: 1,
    title: "One",
    content:
      '<p><a href="/category/the-sea/">sea</a> <a href="https://old.example/tag/tea/">tea</a> <a href="/author/ines/">Ines</a> <a href="/feed/">feed</a> <a href="/tag/none/">none</a></p>',
    more: `${category("The Sea", "the-sea")}${category("Deep", "deep")}
      <category domain="post_tag" nicename="tea"><![CDATA[Green Tea]]></category>
      <category domain="author" nicename="cap-ines"><![CDATA[ines]]></category>
      <category domain="author" nicename="cap-kim"><![CDATA[kim]]></category>`,
  }),
  wxrItem({
    id: 2,
    type: "guest-author",
    title: "Kim K.",
    more: "<wp:postmeta><wp:meta_key>cap-user_login</wp:meta_key><wp:meta_value>kim</wp:meta_value></wp:postmeta><wp:postmeta><wp:meta_key>cap-description</wp:meta_key><wp:meta_value>Bakes.</wp:meta_value></wp:postmeta>",
  }),
);

describe("site import of blogs", () => {
  describe("wordpress", () => {
    let site: TestSite;
    before(async () => {
      site = await imported(
        "wordpress",
        { "export.xml": WORDPRESS },
        { "site.yaml": "title: Mine\nurl: https://new.example\ntheme: { preset: blog }\n" },
      );
    });
    after(() => site.close());

    it("keeps all authors, with a page for those of whom more is known", async () => {
      assert.match(
        await contentOf(site, "90.blog/one/post.md"),
        /author:\n {2}- Ines B\.\n {2}- Kim K\./,
      );
      assert.match(
        await contentOf(site, "authors/kim-k/author.md"),
        /title: Kim K\.\nsummary: Bakes\./,
      );
      const html = await (await site.fetch("/blog/one")).text();
      assert.match(html, /href="\/author\/ines-b"/);
      assert.match(html, /href="\/authors\/kim-k"/);
    });

    it("redirects the old addresses of terms, authors and feeds, and changes links to them", async () => {
      const leads = async (path: string) => (await site.fetch(path)).headers.get("location");
      assert.equal(decodeURI((await leads("/category/the-sea/")) ?? ""), "/category/The Sea");
      assert.equal(decodeURI((await leads("/category/sea/deep/")) ?? ""), "/category/Deep");
      assert.equal(decodeURI((await leads("/tag/tea/")) ?? ""), "/tag/Green Tea");
      assert.equal(await leads("/author/ines/"), "/author/ines-b");
      assert.equal(await leads("/author/kim/"), "/authors/kim-k");
      assert.equal(await leads("/feed/"), "/feed.xml");
      assert.equal(await leads("/rss"), "/feed.xml");
      assert.equal((await site.fetch("/tag/Green%20Tea")).status, 200);
      const text = await contentOf(site, "90.blog/one/post.md");
      assert.match(text, /\[sea\]\(<?\/category\/The(?:%20| )Sea>?\)/);
      assert.match(text, /\[tea\]\(<?\/tag\/Green(?:%20| )Tea>?\)/);
      assert.match(text, /\[Ines\]\(\/author\/ines-b\) \[feed\]\(\/feed\.xml\)/);
      assert.match(text, /\[none\]\(\/tag\/none\/\)/);
    });

    it("brings title, tagline and language where they are not set", async () => {
      assert.deepEqual(await yamlOf(site, "site.yaml").then(withoutRedirects), {
        url: "https://new.example",
        title: "Mine",
        description: "About tea & cake",
        theme: { preset: "blog" },
      });
      assert.deepEqual(await yamlOf(site, "system.yaml"), {
        languages: { supported: ["de-DE"], default: "de-DE" },
      });
    });

    it("begins with the posts", async () => {
      assert.match(await contentOf(site, "01.home/blog.md"), /^---\ntitle: Old\nnav_title: Home\n/);
      const html = await (await site.fetch("/")).text();
      assert.doesNotMatch(html, /class="hero/);
      assert.match(html, /href="\/blog\/one"/);
    });
  });

  it("sets nothing that is set, and no lists on a site without them", async () => {
    const config = {
      "site.yaml": "title: Mine\ndescription: Own\ntheme: { preset: site, listings: false }\n",
      "system.yaml": "languages: { supported: [en], default: en }\n",
    };
    const site = await imported("wordpress", { "export.xml": WORDPRESS }, config);
    try {
      assert.deepEqual(
        await yamlOf(site, "site.yaml").then(withoutRedirects),
        parse(config["site.yaml"]),
      );
      assert.deepEqual(await yamlOf(site, "system.yaml"), parse(config["system.yaml"]));
      assert.equal((await site.fetch("/tag/tea/")).status, 404);
      assert.match(
        await contentOf(site, "90.blog/one/post.md"),
        /\[tea\]\(https:\/\/old\.example\/tag\/tea\/\)/,
      );
    } finally {
      await site.close();
    }
  });

  it("reads title, authors, terms and feeds of Ghost", async () => {
    const data = {
      posts: [
        {
          id: "p",
          title: "One",
          slug: "one",
          status: "published",
          visibility: "public",
          published_at: "2024-01-02T03:04:00.000Z",
          html: "<p><a href='__GHOST_URL__/tag/the-sea/'>sea</a></p>",
        },
      ],
      tags: [{ id: "t", name: "The Sea", slug: "the-sea" }],
      posts_tags: [{ post_id: "p", tag_id: "t" }],
      users: [
        { id: "a", name: "Ines B.", slug: "ines", bio: "Writes." },
        { id: "b", name: "Kim", slug: "kim" },
      ],
      posts_authors: [
        { post_id: "p", author_id: "b", sort_order: 1 },
        { post_id: "p", author_id: "a", sort_order: 0 },
      ],
      settings: [
        { key: "title", value: "Journal" },
        { key: "description", value: "On boats" },
      ],
    };
    const site = await imported(
      "ghost",
      { "export.json": JSON.stringify({ db: [{ data }] }) },
      { "site.yaml": "title: Mine\ntheme: { preset: blog }\n" },
    );
    try {
      const text = await contentOf(site, "90.blog/one/post.md");
      assert.match(text, /author:\n {2}- Ines B\.\n {2}- Kim\n/);
      assert.match(text, /\[sea\]\(<?\/tag\/The(?:%20| )Sea>?\)/);
      assert.match(await contentOf(site, "authors/ines-b/author.md"), /summary: Writes\./);
      for (const [from, to] of Object.entries({
        "/tag/the-sea": "/tag/The Sea",
        "/rss": "/feed.xml",
        "/author/ines": "/authors/ines-b",
      }))
        assert.equal(decodeURI((await site.fetch(from)).headers.get("location") ?? ""), to);
      const { title, description } = withoutRedirects(await yamlOf(site, "site.yaml"));
      assert.deepEqual([title, description], ["Mine", "On boats"]);
    } finally {
      await site.close();
    }
  });

  const SOURCES: readonly (readonly [Parameters<typeof imported>[0], Files, string, Files])[] = [
    [
      "jekyll",
      {
        "_config.yml": "title: Journal\ndescription: On boats\n",
        "_data/authors.yml":
          "ines: { name: Ines B., bio: Writes., avatar: /a.png }\nkim: { name: Kim }\n",
        "_posts/2024-01-01-one.md":
          "---\ntitle: One\nauthors: [ines, kim]\ntags: [Green-Tea]\n---\n[t](/tags/green-tea/)\n",
      },
      "90.blog/one/post.md",
      { "/tags/green-tea": "/tag/Green-Tea", "/rss.xml": "/feed.xml" },
    ],
    [
      "hugo",
      {
        "hugo.toml": 'title = "Journal"\n[params]\ndescription = "On boats"\n',
        "data/authors/ines.yaml": "name: Ines B.\nbio: Writes.\n",
        "content/posts/one.md":
          "---\ntitle: One\ndate: 2024-01-01\nauthors: [ines, Kim]\ntags: [Green-Tea]\n---\n[t](/tags/green-tea/)\n",
      },
      "posts/one/post.md",
      { "/tags/green-tea": "/tag/Green-Tea", "/index.xml": "/feed.xml" },
    ],
    [
      "docusaurus",
      {
        "docusaurus.config.js":
          "module.exports = { title: 'Journal', tagline: 'On boats', url: 'https://old.example', baseUrl: '/' };\n",
        "blog/authors.yml":
          "ines:\n  name: Ines B.\n  title: Writes.\n  image_url: https://img.example/i.png\n",
        "blog/2024-01-01-one.md":
          "---\ntitle: One\nauthors: [ines, { name: Kim }]\ntags: [Green-Tea]\n---\n[t](/blog/tags/green-tea)\n",
      },
      "90.blog/one/post.md",
      { "/blog/tags/green-tea": "/tag/Green-Tea", "/blog/rss.xml": "/feed.xml" },
    ],
    [
      "mkdocs",
      {
        "mkdocs.yml": "site_name: Journal\nsite_description: On boats\n",
        "docs/blog/.authors.yml":
          "authors:\n  ines:\n    name: Ines B.\n    description: Writes.\n",
        "docs/blog/posts/one.md":
          "---\ntitle: One\ndate: 2024-01-01\nauthors: [ines, Kim]\ncategories: [Green-Tea]\n---\n[t](/blog/category/green-tea/)\n",
      },
      "90.blog/posts/one/docs.md",
      { "/blog/category/green-tea": "/category/Green-Tea", "/feed_rss_created.xml": "/feed.xml" },
    ],
  ];
  for (const [source, files, file, redirects] of SOURCES) {
    it(`reads authors, terms, feeds and the title of ${source}`, async () => {
      const site = await imported(source, files, {
        "site.yaml": "title: Mine\ntheme: { preset: blog }\n",
      });
      try {
        const text = await contentOf(site, file);
        assert.match(text, /author:\n {2}- Ines B\.\n {2}- Kim\n/);
        assert.match(text, /\[t\]\(\/(?:tag|category)\/Green-Tea\)/);
        assert.match(
          await contentOf(site, "authors/ines-b/author.md"),
          /title: Ines B\.\nsummary: Writes\./,
        );
        for (const [from, to] of Object.entries(redirects))
          assert.equal((await site.fetch(from)).headers.get("location"), to, from);
        assert.equal(withoutRedirects(await yamlOf(site, "site.yaml"))["description"], "On boats");
      } finally {
        await site.close();
      }
    });
  }
});

function withoutRedirects(values: unknown): Record<string, unknown> {
  assert.ok(typeof values === "object" && values !== null);
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== "redirects"));
}
