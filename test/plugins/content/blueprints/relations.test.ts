import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const FILES = {
  "blueprints/author.yaml": "template: default\n",
  "blueprints/post.yaml": `
fields:
  author: { type: page, of: [author], from: /authors, label: Author }
  related: { type: pages, of: [post] }
  photo: { type: media }
  product: { type: record, of: product }
  steps:
    type: structure
    fields: { by: { type: page } }
`,
  "flex-objects/product.yaml": "fields: { name: { type: text } }\n",
  "flex-objects/product/chair.yaml": "name: Chair\n",
  "content/01.authors/02.ines/author.md": "# Ines\n",
  "content/01.authors/02.ines/face.png": "x",
  "content/02.blog/01.first/post.md":
    "---\nauthor: authors/ines\nphoto: cover.png\nproduct: chair\n---\n# First\n",
  "content/02.blog/01.first/cover.png": "x",
  "content/02.blog/02.second/post.md": `---
# a comment
related: [blog/first, blog/second]
photo: authors/ines/face.png
steps:
  - by: /01.authors/ines/
---
See [Ines](/authors/ines).
`,
};

describe("relations of pages", () => {
  let site: TestSite;
  const content = () => site.site.context("test").use("content");
  const entry = (path: string) => content().generation().bySource.get(path) ?? assert.fail(path);
  const first = () => entry("02.blog/01.first/post.md");
  const second = () => entry("02.blog/02.second/post.md");
  const ines = () => entry("01.authors/02.ines/author.md");
  const text = (path: string) => readFile(join(site.root, "content", path), "utf8");
  const save = async (frontmatter: string) => {
    const file = { op: "write", path: "02.blog/x/post.md" } as const;
    const content_ = `---\n${frontmatter}\n---\n`;
    const [result] = await content().apply([{ ...file, content: content_ }], { dryRun: true });
    return result?.validationErrors ?? [];
  };
  before(async () => {
    const plugins = ["content", "flex", "check", "markdown"];
    site = await bootSite({ plugins, files: FILES });
  });
  after(() => site.close());

  it("lead to pages by their folder without numbers, in both directions", async () => {
    const { relations, blueprints } = content();
    assert.deepEqual(
      relations.of(second()).map(({ field, target, entry: page }) => [field, target, page?.route]),
      [
        ["related.0", "page", "/blog/first"],
        ["related.1", "page", "/blog/second"],
        ["photo", "media", undefined],
        ["steps.0.by", "page", "/authors/ines"],
      ],
    );
    assert.deepEqual(
      relations.referencedBy(ines()).map(({ field, entry: page }) => [page.route, field]),
      [
        ["/blog/first", "author"],
        ["/blog/second", "steps.0.by"],
      ],
    );
    for (const page of [first(), second(), ines()])
      assert.deepEqual(await blueprints.violations(page), []);
  });

  for (const [frontmatter, field, message] of [
    [
      "author: authors/missing",
      "author",
      /^Author names the page "authors\/missing", which does not/,
    ],
    ["author: blog/first", "author", /^Author names a page of type post, not author\.$/],
    ["author: ../../secret", "author", /invalid format/],
    ["author: [a]", "author", /must be a text/],
    ["related: [blog/first, constructor]", "related.1", /does not exist/],
    ["photo: none.png", "photo", /does not exist/],
    ["photo: ../first/cover.png", "photo", /invalid format/],
    ["photo: .env.png", "photo", /does not exist/],
    ["product: table", "product", /^product names the record "table"/],
    ["product: ../product/chair", "product", /invalid format/],
    ["steps: [{ by: nowhere }]", "steps.0.by", /does not exist/],
  ] as const) {
    it(`are a violation when they lead nowhere: ${frontmatter}`, async () => {
      const errors = await save(frontmatter);
      assert.ok(errors.length > 0);
      assert.equal(errors[0]?.field, field);
      assert.match(errors[0].message, message);
    });
  }

  it("are named before a page is deleted", async () => {
    const check = site.site.context("test").use("check");
    const found = await check.references("01.authors/02.ines/author.md");
    assert.deepEqual(
      found.filter(({ field }) => field !== undefined),
      [
        { from: first().sourcePath, text: "authors/ines", line: 2, field: "author" },
        { from: second().sourcePath, text: "authors/ines/face.png", line: 4, field: "photo" },
        { from: second().sourcePath, text: "/01.authors/ines/", line: 5, field: "steps.0.by" },
      ],
    );
  });

  it("are found again after each change", async () => {
    const path = "02.blog/03.third/post.md";
    const named = "---\ntitle: Third\nauthor: authors/ines\n---\n";
    const counts: number[] = [];
    for (const change of [
      { op: "write", path, content: named },
      { op: "frontmatter", path, patch: { author: null } },
      { op: "frontmatter", path, patch: { author: "authors/ines" } },
      { op: "delete", path },
    ] as const) {
      await content().apply([change]);
      counts.push(content().relations.referencedBy(ines()).length);
    }
    assert.deepEqual(counts, [3, 2, 3, 2]);
  });

  it("follow pages that move, and survive a new number", async () => {
    const check = site.site.context("test").use("check");
    const renumbered = { path: "01.authors/02.ines", to: "01.authors/09.ines" };
    assert.deepEqual((await check.move([renumbered])).rewritten, []);
    const moved = { path: "01.authors/09.ines", to: "01.authors/01.inez" };
    const { rewritten } = await check.move([moved]);
    assert.deepEqual([...rewritten].sort(), [first().sourcePath, second().sourcePath]);
    assert.match(await text("02.blog/01.first/post.md"), /^author: authors\/inez$/m);
    const other = await text("02.blog/02.second/post.md");
    assert.match(other, /# a comment/);
    assert.match(other, /by: authors\/inez/);
    assert.match(other, /photo: authors\/inez\/face\.png/);
    assert.match(other, /\[Ines\]\(\/authors\/inez\)/);
    await check.move([{ path: "02.blog/01.first", to: "02.blog/01.start" }]);
    assert.match(await text("02.blog/02.second/post.md"), /- blog\/start|\[ ?blog\/start/);
    assert.deepEqual(await content().blueprints.violations(second()), []);
  });
});
