import assert from "node:assert/strict";
import { z } from "zod";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { assertValid } from "../support/oracles/valid-xml.js";

/** JSON Feed 1.1 (jsonfeed.org), as far as the site writes it. */
const jsonFeed = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  home_page_url: z.url(),
  feed_url: z.url(),
  description: z.string().optional(),
  language: z.string().optional(),
  authors: z
    .array(z.strictObject({ name: z.string().min(1), url: z.url().optional() }))
    .min(1)
    .optional(),
  items: z.array(
    z.strictObject({
      id: z.string().min(1),
      url: z.url(),
      title: z.string().min(1),
      content_html: z.string(),
      summary: z.string().optional(),
      date_published: z.iso.datetime(),
      date_modified: z.iso.datetime(),
      tags: z.array(z.string()).optional(),
    }),
  ),
});

const titles = [
  "plain",
  "a & b",
  "1 < 2 > 0",
  "<script>alert(1)</script>",
  "end of ]]> CDATA",
  "&amp; &lt;b&gt; &#60;",
  "quotes \" and '",
  "control \\u0007 \\u000b",
  "half \\uD83D a pair",
  "not a character \\uFFFE",
  "日本語 العربية 🎉",
];

const posts = Object.fromEntries(
  titles.map((title, at) => [
    `content/02.blog/${at + 10}.post-${at}/post.md`,
    `---\ntitle: ${JSON.stringify(title).replaceAll("\\\\u", "\\u")}\ndate: 2026-01-${at + 10}\n` +
      `taxonomy: { tag: [${JSON.stringify(title).replaceAll("\\\\u", "\\u")}] }\n---\n${title} & <b>more</b>\n`,
  ]),
);

for (const [content, author] of [
  ["summary", undefined],
  ["full", { name: "Ada & <Co>", email: "ada@journal.example" }],
] as const) {
  describe(`feeds and their schemas (${content})`, () => {
    let site: TestSite;
    before(async () => {
      site = await bootSite({
        files: {
          "site.yaml": 'title: "Notes & <Queries>"\nurl: https://journal.example\n',
          "content/01.home/default.md": "# Home\n",
          "content/01.home/default.de.md": "# Start\n",
          "content/02.blog/blog.md": "---\ntitle: 'Blog & <more>'\nimage: 'a & b.png'\n---\n",
          ...posts,
        },
        plugins: ["feeds", "pages", "render"],
        settings: {
          site: { feed: { content, items: 50 }, ...(author && { author }) },
          system: { languages: { supported: ["en", "de"], default: "en" } },
        },
      });
    });
    after(() => site.close());

    const text = async (path: string): Promise<string> => {
      const res = await site.fetch(path);
      assert.equal(res.status, 200, path);
      return res.text();
    };

    for (const base of ["", "/blog", "/taxonomy/tag/plain"]) {
      it(`are valid: RSS of ${base || "/"}`, async () => {
        await assertValid(await text(`${base}/feed.xml`), "rss");
      });
      it(`are valid: Atom of ${base || "/"}`, async () => {
        await assertValid(await text(`${base}/atom.xml`), "atom");
      });
      it(`are valid: JSON of ${base || "/"}`, async () => {
        const feed = jsonFeed.parse(JSON.parse(await text(`${base}/feed.json`)));
        assert.ok(feed.items.length > 0);
      });
    }

    it("are valid: the sitemap with translations and images", async () => {
      const xml = await text("/sitemap.xml");
      await assertValid(xml, "sitemap");
      assert.match(xml, /hreflang="x-default"/);
      assert.match(
        xml,
        /<image:loc>https:\/\/journal\.example\/content-media\/02\.blog\/a%20%26%20b\.png</,
      );
    });

    it("show a title as written: text as text, HTML escaped", async () => {
      const feed = jsonFeed.parse(JSON.parse(await text("/feed.json")));
      assert.ok(feed.items.some(({ title }) => title === "<script>alert(1)</script>"));
      assert.ok(feed.items.every(({ content_html: html }) => !html.includes("<script>")));
      const atom = await text("/atom.xml");
      assert.match(atom, /<title type="html"><!\[CDATA\[&(?:lt|#60);script&(?:gt|#62);alert/);
      assert.match(atom, / term="1 &lt; 2 > 0"/);
      assert.match(atom, / term="end of \]\]> CDATA"/);
      assert.ok(feed.items.some(({ title }) => title === "end of ]]> CDATA"));
    });
  });
}
