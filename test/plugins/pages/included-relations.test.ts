import assert from "node:assert/strict";
import { z } from "zod";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const post = (frontmatter: string): string => `---\n${frontmatter}\n---\nText.\n`;
const FILES = {
  "site.yaml": "title: T\n",
  "blueprints/author.yaml": "template: default\n",
  "blueprints/post.yaml": `
fields:
  author: { type: page, of: [author] }
  others: { type: pages, of: [post] }
  _note: { type: page }
`,
  "content/01.authors/ines/author.md": "# Ines\n",
  "content/02.blog/first/post.md": post("title: First\nauthor: authors/ines"),
  "content/02.blog/hidden/post.md": post("title: Hidden\npublished: false\nauthor: authors/ines"),
  "content/02.blog/members/post.md": post("title: Members\nroles: member\nauthor: authors/ines"),
  "content/02.blog/second/post.md": post(
    "title: Second\nothers: [blog/first, blog/hidden, blog/members]\n_note: authors/ines",
  ),
};
const relation = z.object({
  field: z.string(),
  type: z.string().optional(),
  key: z.string().optional(),
  item: z.object({ route: z.string(), title: z.string() }).nullable(),
});
const shape = z.object({
  relations: z.array(relation).optional(),
  referencedBy: z.array(relation).optional(),
});

describe("include=relations,referencedBy", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files: FILES, plugins: ["pages"] });
  });
  after(() => site.close());
  const included = async (path: string, names: string) => {
    const response = await site.fetch(`/api/pages/${path}?include=${names}`);
    assert.equal(response.status, 200);
    return shape.parse(await response.json());
  };
  const titles = (found: z.infer<typeof relation>[] = []): unknown[] =>
    found.map(({ field, item }) => [field, item?.title ?? null]);

  it("shows what a page names, without the pages that the visitor cannot see", async () => {
    const { relations } = await included("blog/second", "relations");
    assert.deepEqual(titles(relations), [
      ["others.0", "First"],
      ["others.1", null],
      ["others.2", null],
    ]);
    assert.deepEqual(relations?.[0], {
      field: "others.0",
      type: "page",
      key: "blog/first",
      item: { route: "/blog/first", title: "First" },
    });
  });

  it("shows the visible pages that name a page, and nothing of private keys", async () => {
    const { referencedBy } = await included("authors/ines", "referencedBy");
    assert.deepEqual(titles(referencedBy), [["author", "First"]]);
  });

  it("adds both to the items of lists", async () => {
    const response = await site.fetch(
      "/api/pages?template=author&fields=title&include=referencedBy,relations",
    );
    const { items } = z
      .object({ items: z.array(z.object({ title: z.string() }).extend(shape.shape)) })
      .parse(await response.json());
    assert.deepEqual(titles(items[0]?.referencedBy), [["author", "First"]]);
  });

  it("follows changes of the other pages", async () => {
    const before = await included("authors/ines", "relations,referencedBy");
    assert.equal(before.referencedBy?.length, 1);
    await site.site
      .context("test")
      .use("content")
      .apply([
        {
          op: "write",
          path: "02.blog/third/post.md",
          content: post("title: Third\nauthor: authors/ines"),
        },
      ]);
    const after = await included("authors/ines", "relations,referencedBy");
    assert.deepEqual(titles(after.referencedBy), [
      ["author", "First"],
      ["author", "Third"],
    ]);
  });
});
