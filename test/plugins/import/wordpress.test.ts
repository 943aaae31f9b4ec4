import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";
import { wxr, wxrItem } from "../../support/content/wxr.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("site import wordpress", () => {
  const image = (id: number, name: string): string =>
    wxrItem({
      id,
      type: "attachment",
      title: name,
      more: `<wp:post_parent>31</wp:post_parent><wp:attachment_url>https://old.example/wp-content/uploads/2020/05/${name}.png</wp:attachment_url>`,
    });
  const hidden = (id: number, title: string, status = title.toLowerCase()): string =>
    wxrItem({ id, title, more: `<wp:status>${status}</wp:status>` });
  const ITEMS = [
    wxrItem({
      id: 1,
      title: "Hello &amp; welcome",
      content: "First line\nsecond.\n\n<h2>Part</h2>A [sic] <b>bold</b> {{ word }}.",
      more: `<category domain="category" nicename="news"><![CDATA[News]]></category>
          <category domain="post_tag" nicename="sea"><![CDATA[Sea]]></category>
          <excerpt:encoded><![CDATA[<p>Short.</p>]]></excerpt:encoded><wp:is_sticky>1</wp:is_sticky>`,
    }),
    wxrItem({ id: 2, type: "page", title: "About", link: "https://old.example/about/" }),
    wxrItem({
      id: 3,
      type: "page",
      title: "Team",
      link: "https://old.example/about/team/",
      more: "<wp:post_parent>2</wp:post_parent>",
    }),
    hidden(21, "Draft"),
    hidden(22, "Private"),
    wxrItem({ id: 23, title: "Secret", more: "<wp:post_password>x</wp:post_password>" }),
    hidden(24, "Trashed", "trash"),
    hidden(25, "Pending"),
    wxrItem({
      id: 31,
      title: "Codes",
      content: `[caption id="a" width="300"]<img src="https://old.example/wp-content/uploads/2020/05/sea-300x200.png" alt="Sea"> The sea[/caption]

[gallery ids="32,33"]

[embed]https://www.youtube.com/watch?v=aqz-KE-bpKQ[/embed]

[code language="js"]let a = 1 < 2;[/code]

[contact-form to="me@old.example"]`,
    }),
    image(32, "sea"),
    image(33, "sky"),
    wxrItem({
      id: 41,
      content: "<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->",
      more: "<wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>",
    }),
  ];
  let site: TestSite;
  let report: string;
  before(async () => {
    site = await bootEmpty({ "export.xml": wxr(...ITEMS) });
    const options = { media: false, json: true };
    const { code, json } = await runImport(site, ["wordpress", "export.xml"], options);
    assert.equal(code, 0);
    report = JSON.stringify(json);
  });
  after(() => site.close());

  it("imports posts and pages as folders, with front matter and Markdown", async () => {
    const post = await contentOf(site, "90.blog/hello-amp-welcome/post.md");
    const [, matter = "", body = ""] = post.split(/^---\n/m);
    assert.deepEqual(parse(matter), {
      title: "Hello & welcome",
      date: "2020-05-01 08:30",
      author: "Ines B.",
      taxonomy: { category: ["News"], tag: ["Sea"] },
      summary: "Short.",
      custom: { sticky: true },
    });
    assert.equal(body, "\nFirst line\\\nsecond.\n\n## Part\n\nA \\[sic] **bold** \\{{ word }}.\n");
    assert.equal((await site.fetch("/about/team")).status, 200);
    assert.match(
      await (await site.fetch("/blog/hello-amp-welcome")).text(),
      /<strong>bold<\/strong> \{\{\s+word/,
    );
  });

  it("never publishes what was not public", async () => {
    for (const slug of ["draft", "private", "secret", "trashed", "pending"]) {
      assert.equal((await site.fetch(`/blog/${slug}`)).status, 404, slug);
    }
  });

  it("expands captions, galleries, embeds and code, and reports other shortcodes", async () => {
    const text = await contentOf(site, "90.blog/codes/post.md");
    assert.match(
      text,
      /!\[Sea\]\(https:\/\/old.example\/wp-content\/uploads\/2020\/05\/sea.png "The sea"\)/,
    );
    assert.match(text, /!\[\]\(\S*sky\.png\)/);
    assert.match(text, /^https:\/\/www\.youtube\.com\/watch\?v=aqz-KE-bpKQ$/m);
    assert.match(text, /```js\nlet a = 1 < 2;\n```/);
    assert.match(text, /\\\[contact-form/);
    assert.match(report, /shortcode \[contact-form\] stays as text/);
  });

  it("drops the comments of the block editor and reports those of readers", async () => {
    assert.match(await contentOf(site, "90.blog/post-41/post.md"), /---\n\nText\n$/);
    assert.match(report, /post \\"Post 41\\": 1 comments/);
  });
});

describe("one import of wordpress after another", () => {
  let site: TestSite;
  afterEach(() => site.close());

  const boot = async (...items: string[]): Promise<void> => {
    site = await bootEmpty({ "export.xml": wxr(...items) });
  };
  const run = (options: Record<string, unknown> = { media: false }) =>
    runImport(site, ["wordpress", "export.xml"], options);

  it("redirects old addresses and rewrites links between pages", async () => {
    await boot(
      wxrItem({
        id: 1,
        title: "One",
        content: `<p><a href="https://old.example/2020/05/two/#part">two</a> <a href="/?p=2">by number</a>
          <a href="http://www.old.example/gone/">gone</a> <a href="https://other.example/x">out</a></p>`,
      }),
      wxrItem({ id: 2, title: "Two" }),
    );
    const { json } = await run({ media: false, json: true });
    const text = await contentOf(site, "90.blog/one/post.md");
    assert.match(text, /\[two\]\(\/blog\/two#part\) \[by number\]\(\/blog\/two\)/);
    assert.match(text, /\(http:\/\/www\.old\.example\/gone\/\)/);
    assert.deepEqual(linksOf(json), { rewritten: 2, unresolved: 1 });
    const answer = await site.fetch("/2020/05/two/");
    assert.deepEqual([answer.status, answer.headers.get("location")], [301, "/blog/two"]);
  });

  it("redirects addresses by number of public items, and only those", async () => {
    const at = (query: string): string => `https://old.example/?${query}`;
    const file = "https://old.example/wp-content/uploads/2020/05/sea.png";
    await boot(
      wxrItem({ id: 12, title: "One", link: at("p=12") }),
      wxrItem({ id: 13, title: "Two", type: "page", link: at("page_id=13") }),
      wxrItem({ id: 14, title: "Boat", type: "boat", link: at("post_type=boat&amp;p=14") }),
      wxrItem({
        id: 15,
        title: "Secret plan",
        link: at("p=15"),
        more: "<wp:status>draft</wp:status>",
      }),
      wxrItem({
        id: 16,
        type: "attachment",
        title: "Sea",
        link: at("attachment_id=16"),
        more: `<wp:attachment_url>${file}</wp:attachment_url>`,
      }),
    );
    const { code, json } = await run({ media: false, json: true });
    assert.equal(code, 0);
    assert.deepEqual(linksOf(json), { rewritten: 0, unresolved: 0 });
    const leads = async (query: string): Promise<string | null> =>
      (await site.fetch(`/?${query}`)).headers.get("location");
    assert.equal(await leads("p=12"), "/blog/one");
    assert.equal(await leads("utm_source=x&p=12"), "/blog/one?utm_source=x");
    assert.equal(await leads("page_id=13"), "/two");
    assert.equal(await leads("post_type=boat&p=14"), "/boat/boat");
    assert.equal(await leads("p=15"), null);
  });

  it("changes nothing in a second run, and nothing that was edited", async () => {
    await boot(wxrItem({ id: 1 }), wxrItem({ id: 2 }));
    await run();
    const second = await run({ media: false, json: true });
    assert.match(
      JSON.stringify(second.json),
      /"pages":\{"created":0,"unchanged":4,"skipped":0,"failed":0\}/,
    );
    await site.write("content/90.blog/post-1/post.md", "---\ntitle: Mine\n---\n");
    const third = await run({ media: false, json: true });
    assert.match(JSON.stringify(third.json), /"unchanged":3,"skipped":1/);
    assert.equal(await contentOf(site, "90.blog/post-1/post.md"), "---\ntitle: Mine\n---\n");
  });

  it("writes nothing in a dry run", async () => {
    await boot(wxrItem({ id: 1 }));
    const { code, lines } = await run({ media: false, dryRun: true });
    assert.deepEqual([code, lines[0]], [0, "dry run: nothing was written"]);
    assert.match(lines.join("\n"), /pages: 3 imported/);
    await assert.rejects(contentOf(site, "90.blog/post-1/post.md"));
    assert.equal((await site.fetch("/2020/05/post-1")).status, 404);
  });

  describe("with a host that serves the files", () => {
    let requests: string[];
    let origin: string;
    const server = createServer((req, res) => {
      requests.push(req.url ?? "");
      if (req.url === "/uploads/moved.png")
        res.writeHead(302, { location: "/uploads/a.png" }).end();
      else if (req.url?.endsWith(".png") === true) res.end(PNG);
      else res.writeHead(404).end();
    });
    before(async () => {
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      origin = `http://127.0.0.1:${portOf(server.address())}`;
    });
    after(() => void server.close());
    beforeEach(async () => {
      requests = [];
      await boot(
        wxrItem({
          id: 1,
          content: `<p><img src="${origin}/uploads/a.png"></p>`,
          more: meta("_thumbnail_id", "11"),
        }),
        attachment(11, `${origin}/uploads/a.png`, 1),
        attachment(12, `${origin}/uploads/moved.png`, 0),
        attachment(13, `${origin}/uploads/run.php`, 0),
        attachment(14, `${origin}/uploads/none.jpg`, 0),
      );
    });

    it("downloads them into the folder of their page", async () => {
      const { code, json } = await run({ allowPrivate: true, json: true });
      assert.equal(code, 0);
      const text = await contentOf(site, "90.blog/post-1/post.md");
      assert.match(text, /image: a\.png/);
      assert.match(text, /!\[\]\(a\.png\)/);
      const image = await site.fetch("/content-media/90.blog/post-1/a.png");
      assert.equal(image.headers.get("content-type"), "image/png");
      assert.match(JSON.stringify(json), /run\.php: files of type \\"php\\" are not media/);
      assert.match(JSON.stringify(json), /none\.jpg.*responded 404/);
    });

    it("downloads nothing twice", async () => {
      await run({ allowPrivate: true });
      const first = requests.length;
      await run({ allowPrivate: true });
      assert.deepEqual(requests.slice(first), ["/uploads/none.jpg"]);
    });

    it("calls no private host without --allow-private", async () => {
      const { json } = await run({ json: true });
      assert.deepEqual(requests, []);
      assert.match(JSON.stringify(json), /--allow-private allows private hosts/);
    });
  });
});

describe("site import wordpress: blocks", () => {
  const block = (id: number, title: string, content: string, status = "publish"): string =>
    wxrItem({ id, type: "wp_block", title, content, more: `<wp:status>${status}</wp:status>` });
  const notes = JSON.stringify([
    { id: "a-1", content: "First <em>note</em>" },
    { id: "a-2", content: "Second" },
  ]);
  let site: TestSite;
  let report: string;
  before(async () => {
    site = await bootEmpty({
      "export.xml": wxr(
        wxrItem({
          id: 1,
          title: "One",
          content: `<!-- wp:paragraph --><p>Before</p><!-- /wp:paragraph -->
<!-- wp:block {"ref":9} /-->
<!-- wp:block {"ref":77} /--><!-- wp:block {"ref":12} /--><!-- wp:block {"ref":13} /-->
<!-- wp:latest-posts {"postsToShow":3} /-->
<!-- wp:query {"queryId":1} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --><!-- wp:query-no-results --><p>None found</p><!-- /wp:query-no-results --></div><!-- /wp:query -->
<!-- wp:social-links --><ul><!-- wp:social-link {"url":"https://social.example/ines","service":"mastodon"} /--></ul><!-- /wp:social-links -->`,
        }),
        wxrItem({
          id: 2,
          title: "Two",
          content: `<!-- wp:paragraph --><p>Tea<sup data-fn="a-1" class="fn"><a href="#a-1" id="a-1-link">1</a></sup> and cake<sup data-fn="a-2" class="fn"><a href="#a-2" id="a-2-link">2</a></sup>.</p><!-- /wp:paragraph -->
<!-- wp:footnotes /-->`,
          more: meta("footnotes", notes),
        }),
        wxrItem({
          id: 3,
          title: "Three",
          content:
            'Text[crayon lang="python"]\nx = a * b\n  y = "_z_" # [i]\n[/crayon]\n\n[powershell]Get-Item *_a_*[/powershell]\n\nA [highlight]marked[/highlight] word.',
        }),
        block(9, "Reusable", '<p>Reused</p><!-- wp:block {"ref":10} /-->'),
        block(10, "Inner", '<p>Nested</p><!-- wp:block {"ref":9} /-->'),
        block(11, "Unused", "<p>Unused</p>"),
        block(12, "Draft", "<p>Secret</p>", "draft"),
        wxrItem({ id: 21, type: "wp_template", title: "Template" }),
        wxrItem({ id: 22, type: "wp_navigation", title: "Navigation" }),
        wxrItem({ id: 23, type: "customize_changeset", title: "Changes" }),
        wxrItem({ id: 24, type: "acf-field-group", title: "Fields" }),
        wxrItem({
          id: 25,
          type: "testimonial",
          title: "Praise",
          link: "https://old.example/?post_type=testimonial&amp;p=25",
        }),
        wxrItem({ id: 26, type: "boat", title: "Boat", link: "https://old.example/boat/boat/" }),
        wxrItem({ id: 27, type: "nav_menu_item", title: "Entry" }),
      ),
    });
    const { code, json } = await runImport(site, ["wordpress", "export.xml"], {
      media: false,
      json: true,
    });
    assert.equal(code, 0);
    report = JSON.stringify(json);
  });
  after(() => site.close());

  it("puts in reusable blocks, also nested ones, and reports those that are missing", async () => {
    const text = await contentOf(site, "90.blog/one/post.md");
    assert.match(text, /Before\n\nReused\n\nNested\n/);
    assert.doesNotMatch(text, /Secret|None found/);
    assert.match(report, /reusable block 77 is not in the export/);
    assert.match(report, /reusable block 12 is not public/);
    assert.match(report, /reusable block 9 contains itself/);
    assert.match(report, /wp_block \\"Unused\\": no page contains this reusable block/);
    assert.doesNotMatch(report, /wp_block \\"Reusable/);
  });

  it("reports blocks that are computed, and keeps links to profiles", async () => {
    for (const name of ["latest-posts", "query"])
      assert.match(report, new RegExp(`block wp:${name} was left out`));
    assert.match(
      await contentOf(site, "90.blog/one/post.md"),
      /\[mastodon\]\(https:\/\/social\.example\/ines\)/,
    );
  });

  it("makes footnotes of those of the editor", async () => {
    const text = await contentOf(site, "90.blog/two/post.md");
    assert.match(
      text,
      /Tea\[\^1\] and cake\[\^2\]\.\n\n\[\^1\]: First _note_\n\n\[\^2\]: Second\n$/,
    );
  });

  it("keeps the code in shortcodes as it is", async () => {
    const text = await contentOf(site, "90.blog/three/post.md");
    assert.match(text, /```python\nx = a \* b\n {2}y = "_z_" # \[i\]\n```/);
    assert.match(text, /```powershell\nGet-Item \*_a_\*\n```/);
    assert.match(text, /A \\\[highlight]marked/);
  });

  it("makes no pages of types that are never public", async () => {
    const types = ["wp_block", "wp_template", "wp_navigation", "customize_changeset"];
    for (const type of [...types, "acf-field-group", "testimonial"]) {
      await assert.rejects(readdir(join(site.root, "content", type)), type);
      assert.match(report, new RegExp(type));
    }
    assert.match(report, /entries of menus/);
    assert.match(await contentOf(site, "boat/boat/post.md"), /title: Boat/);
  });
});

function attachment(id: number, url: string, parent: number): string {
  const more = `<wp:post_parent>${parent}</wp:post_parent><wp:attachment_url>${url}</wp:attachment_url>`;
  return wxrItem({ id, type: "attachment", more });
}

function meta(key: string, value: string): string {
  return `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
}

function portOf(address: AddressInfo | string | null): number {
  assert.ok(address !== null && typeof address !== "string");
  return address.port;
}

function linksOf([report]: unknown[]): unknown {
  assert.ok(typeof report === "object" && report !== null && "links" in report);
  return report.links;
}
