import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const page = (name: string, frontmatter: string): [string, string] => [
  `content/02.blog/${name}/default.md`,
  `---\ntitle: ${name}\n${frontmatter}\n---\nText.\n`,
];

describe("GET /api/pages/{route}/related", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: Object.fromEntries([
        ["site.yaml", "title: T\n"],
        ["content/01.home/default.md", "# Home\n"],
        ["content/02.blog/default.md", "# Blog\n"],
        page("start", "taxonomy: { tag: [a, b, c], category: x }"),
        page("one", "date: 2026-05-01\ntaxonomy: { tag: a }"),
        page("two-old", "date: 2026-01-01\ntaxonomy: { tag: [a, b] }"),
        page("two-new", "date: 2026-02-01\ntaxonomy: { tag: a, category: x }"),
        page("two-noon", "date: 2026-02-01T12:00\ntaxonomy: { tag: [b, c, z] }"),
        page("none", "date: 2026-06-01\ntaxonomy: { tag: z }"),
        page("gated", "roles: member\ntaxonomy: { tag: [a, b, c], category: x }"),
        page("draft", "published: false\ntaxonomy: { tag: [a, b, c] }"),
      ]),
      plugins: ["pages"],
    });
  });
  after(() => site.close());
  const related = async (path: string) => {
    const answer = await site.fetch(`/api/pages/blog/${path}`);
    const body = (await answer.json()) as {
      items: { title: string }[];
      total: number;
      error?: string;
    };
    return { status: answer.status, body };
  };

  it("lists the visible pages that share most values, the newest first among equals", async () => {
    const { body } = await related("start/related");
    assert.deepEqual(
      body.items.map(({ title }) => title),
      ["two-noon", "two-new", "two-old", "one"],
    );
    assert.equal(body.total, 4);
  });

  it("lists at most limit pages, five by default", async () => {
    const { body } = await related("start/related?limit=1");
    assert.deepEqual([body.items.length, body.total], [1, 4]);
    assert.equal((await related("start/related?limit=0")).status, 400);
    assert.equal((await related("start/related?limit=1&limit=2")).status, 400);
  });

  it("is empty for a page without taxonomy values that others have", async () => {
    assert.deepEqual((await site.fetch("/api/pages/blog/related")).status, 200);
    assert.deepEqual(
      (await related("none/related")).body.items.map(({ title }) => title),
      ["two-noon"],
    );
  });

  it("responds 404 to a missing page, 401 to a gated one", async () => {
    assert.equal((await related("missing/related")).status, 404);
    assert.equal((await related("gated/related")).status, 401);
  });
});
