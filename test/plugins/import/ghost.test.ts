import assert from "node:assert/strict";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const text = (value: string, format = 0) => ({ type: "extended-text", text: value, format });
const paragraph = (...children: unknown[]) => ({ type: "paragraph", children });

const LEXICAL = JSON.stringify({
  root: {
    children: [
      { type: "extended-heading", tag: "h2", children: [text("Part")] },
      paragraph(text("Both", 3), text(" and "), {
        type: "link",
        url: "__GHOST_URL__/old/",
        children: [text("a link")],
      }),
      {
        type: "list",
        listType: "number",
        children: [{ type: "listitem", children: [text("one")] }],
      },
      {
        type: "image",
        src: "__GHOST_URL__/content/images/2024/01/a.png",
        alt: "A",
        caption: "Seen",
      },
      { type: "codeblock", code: "a < b", language: "js" },
      { type: "bookmark", url: "https://other.example/", metadata: { title: "Other" } },
      { type: "embed", url: "https://vimeo.com/76979871", html: "" },
      { type: "callout", calloutText: "Mind <b>this</b>", calloutEmoji: "💡" },
      { type: "toggle", heading: "Why?", content: "<p>Because.</p>" },
      { type: "markdown", markdown: "- *item*" },
      { type: "signup", alternativeText: "x" },
    ],
  },
});
const MOBILEDOC = JSON.stringify({
  version: "0.3.1",
  atoms: [["soft-return", "", {}]],
  cards: [
    ["markdown", { markdown: "## Card" }],
    ["unknown-card", {}],
  ],
  markups: [["strong"], ["a", ["href", "__GHOST_URL__/new/"]]],
  sections: [
    [
      1,
      "p",
      [
        [0, [0], 1, "bold"],
        [1, [], 0, 0],
        [0, [1], 1, "link"],
      ],
    ],
    [3, "ul", [[[0, [], 0, "item"]]]],
    [10, 0],
    [10, 1],
  ],
});

const post = (id: string, more: Record<string, unknown>) => ({
  id,
  title: id,
  slug: id,
  status: "published",
  type: "post",
  visibility: "public",
  published_at: "2024-01-02T03:04:00.000Z",
  ...more,
});

const NOTES = post("notes", {
  mobiledoc: JSON.stringify({
    cards: [
      ["markdown", { markdown: "Tea[^1] and[^x]\n\n[^1]: One *note*\n\n[^x]: Two" }],
      ["markdown", { markdown: "Cake[^1]\n\n[^1]: Three" }],
      [
        "html",
        {
          html: '<p>Rye<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup></p><hr class="footnotes-sep"><section class="footnotes"><ol><li id="fn1"><p>Four <a href="#fnref1" class="footnote-backref">↩</a></p></li></ol></section>',
        },
      ],
    ],
    sections: [
      [10, 0],
      [10, 1],
      [10, 2],
    ],
  }),
});

function ghostExport(...more: unknown[]): string {
  const data = {
    posts: [
      post("new", {
        lexical: LEXICAL,
        custom_excerpt: "Short",
        feature_image: "__GHOST_URL__/content/images/2024/01/a.png",
      }),
      post("old", { mobiledoc: MOBILEDOC, page: 0 }),
      post("about", { type: "page", html: "<p>About</p>" }),
      ...more,
      post("paid", { visibility: "paid", html: "<p>x</p>" }),
      post("draft", { status: "draft", html: "<p>x</p>" }),
    ],
    tags: [
      { id: "t1", name: "Sea", slug: "sea" },
      { id: "t2", name: "#hidden", slug: "hash-hidden" },
    ],
    posts_tags: [
      { post_id: "new", tag_id: "t2", sort_order: 1 },
      { post_id: "new", tag_id: "t1", sort_order: 0 },
    ],
    users: [{ id: "u1", name: "Ines B.", slug: "ines" }],
    posts_authors: [{ post_id: "new", author_id: "u1" }],
  };
  return JSON.stringify({ db: [{ meta: { version: "5.0.0" }, data }] });
}

describe("site import ghost: footnotes", () => {
  it("makes footnotes of those of cards, each with its own number", async () => {
    const site = await bootEmpty({ "export.json": ghostExport(NOTES) });
    try {
      await runImport(site, ["ghost", "export.json"], { media: false });
      const text = await contentOf(site, "90.blog/notes/post.md");
      const [, body = ""] = text.split(/^---\n[^]*?---\n/);
      assert.equal(
        body,
        "\nTea[^1] and[^2]\n\nCake[^3]\n\nRye[^4]\n\n[^1]: One _note_\n\n[^2]: Two\n\n[^3]: Three\n\n[^4]: Four\n",
      );
    } finally {
      await site.close();
    }
  });
});

describe("site import ghost: anchors", () => {
  it("keeps those that links of the text lead to", async () => {
    const html =
      '<p>A<sup><a href="#note">3</a></sup> <a href="#part">b</a> <a href="#own">c</a></p><p><em>3.</em> <a name="note"></a>Note <a name="unused"></a></p><h2 id="part">Part</h2><h2 id="own">Other</h2>';
    const site = await bootEmpty({ "export.json": ghostExport(post("anchors", { html })) });
    try {
      await runImport(site, ["ghost", "export.json"], { media: false });
      const text = await contentOf(site, "90.blog/anchors/post.md");
      assert.match(text, /^_3\._ <a id="note"><\/a>Note$/m);
      assert.match(text, /^## Part\n\n## <a id="own"><\/a>Other$/m);
      assert.doesNotMatch(text, /unused/);
    } finally {
      await site.close();
    }
  });
});

describe("site import ghost", () => {
  let site: TestSite;
  before(async () => {
    site = await bootEmpty({
      "ghost/export.json": ghostExport(),
      "ghost/members.csv":
        "email,name,complimentary_plan\nreader@example.com,Reader,true\nnot-an-address,X,false\n",
      "ghost/content/images/2024/01/a.png": PNG,
      "ghost/content/images/size/w600/2024/01/a.png": PNG,
    });
  });
  after(() => site.close());
  let report: string;
  before(async () => {
    const { json, code } = await runImport(site, ["ghost", "ghost"], { json: true });
    assert.equal(code, 0);
    report = JSON.stringify(json);
  });

  it("imports a Lexical post with its cards", async () => {
    assert.equal(
      await contentOf(site, "90.blog/new/post.md"),
      `---
title: new
date: 2024-01-02T03:04Z
author: Ines B.
taxonomy:
  tag:
    - Sea
summary: Short
image: /content-media/media/2024/01/a.png
---

## Part

**_Both_** and [a link](/blog/old)

1. one

![A](/content-media/media/2024/01/a.png "Seen")

\`\`\`js
a < b
\`\`\`

[Other](https://other.example/)

https://vimeo.com/76979871

> [!NOTE]
> 💡 Mind **this**

<details>
<summary>Why?</summary>

Because.

</details>

- _item_
`,
    );
    assert.match(report, /card signup has no counterpart/);
  });

  it("imports a Mobiledoc post with its cards", async () => {
    const markdown = await contentOf(site, "90.blog/old/post.md");
    assert.match(markdown, /\*\*bold\*\*\\\n\[link\]\(\/blog\/new\)\n\n- item\n\n## Card\n/);
    assert.match(report, /card unknown-card has no counterpart/);
  });

  it("keeps posts for paying members closed, and drafts unpublished", async () => {
    assert.match(await contentOf(site, "90.blog/paid/post.md"), /roles:\n {2}- paid/);
    assert.equal((await site.fetch("/blog/draft")).status, 404);
  });

  it("redirects old addresses", async () => {
    const answer = await site.fetch("/new/");
    assert.deepEqual([answer.status, answer.headers.get("location")], [301, "/blog/new"]);
    assert.equal((await site.fetch("/about")).status, 200);
    const image = await site.fetch("/content/images/2024/01/a.png");
    assert.equal(image.headers.get("location"), "/content-media/media/2024/01/a.png");
  });

  it("creates accounts for members", async () => {
    const user = await site.site.context("check").use("users").findByEmail("reader@example.com");
    assert.deepEqual(
      [user?.name, user?.roles, user?.passwordHash],
      ["Reader", ["paid"], undefined],
    );
    assert.match(report, /member \\"not-an-address\\"/);
  });

  it("changes nothing in a second run", async () => {
    const { json } = await runImport(site, ["ghost", "ghost"], { json: true });
    assert.match(
      JSON.stringify(json),
      /"pages":\{"created":0,"unchanged":7,"skipped":0,"failed":0\},"media":\{"created":0,"unchanged":1/,
    );
    assert.match(JSON.stringify(json), /"accounts":\{"created":0,"unchanged":1/);
  });
});
