import assert from "node:assert/strict";
import { toPageEntry, type TreePosition } from "../../../../plugins/content/index/page-entry.js";
import { recordsOf } from "../../../support/content/content-tree.js";

const place: TreePosition = {
  folder: "02.blog",
  route: "/blog",
  url: "/blog",
  lang: "en",
  format: "md",
  template: "blog",
  order: 2,
  depth: 0,
  parent: null,
  isModule: false,
  routable: true,
  inDrafts: false,
  isFolderPage: true,
};

function resultOf(text: string, changed: Partial<TreePosition> = {}) {
  const record = recordsOf({ "02.blog/blog.md": text }).get("02.blog/blog.md");
  assert.ok(record);
  return toPageEntry(record, { ...place, ...changed }, { timezone: "UTC" });
}
function entryOf(frontmatter: string, changed: Partial<TreePosition> = {}) {
  const result = resultOf(`---\n${frontmatter}\n---\n`, changed);
  assert.ok("entry" in result);
  return result.entry;
}

describe("toPageEntry", () => {
  it("derives missing front matter fields from the page's place", () => {
    const { title, navTitle, template, order, visible, routable, published, status } = entryOf("");
    assert.deepEqual(
      { title, navTitle, template, order, visible, routable, published, status },
      {
        title: "blog",
        navTitle: "blog",
        template: "blog",
        order: 2,
        visible: true,
        routable: true,
        published: true,
        status: "published",
      },
    );
  });

  it("takes the title from front matter, heading or segment, in this order", () => {
    const titleOf = (text: string, changed = {}) => {
      const result = resultOf(text, changed);
      return "entry" in result ? result.entry.title : null;
    };
    assert.equal(titleOf("---\ntitle: T\n---\n# H"), "T");
    assert.equal(titleOf("# H"), "H");
    const marked = "```\n# no\n```\n## The *first* `one` [link](x) ##\n# H";
    assert.equal(titleOf(marked), "The first one link");
    assert.equal(titleOf("text"), "blog");
    assert.equal(titleOf("text", { route: "/" }), "blog");
  });

  for (const [frontmatter, changed, fields] of [
    ["order: 7", {}, { order: 7 }],
    ["", { order: null }, { order: 0, visible: false }],
    ["visible: true", { order: null }, { visible: true }],
    ["visible: maybe", {}, { visible: false }],
    ["routable: false", {}, { routable: false }],
    ["routable: maybe", {}, { routable: false }],
    ["routable: true", { routable: false }, { routable: false }],
    ["published: false", {}, { published: false, status: "draft" }],
    ["published: maybe", {}, { published: false, status: "draft" }],
    ["status: hidden", {}, { status: "draft" }],
    ["title: 2024", {}, { title: "2024" }],
    ["published: true", { inDrafts: true }, { published: false }],
    ["publish_date: never", {}, { published: false, publishAt: null }],
    ["unpublish_date: never", {}, { published: false, unpublishAt: null }],
    ["publish_date: 2024-01-01", {}, { publishAt: Date.UTC(2024, 0, 1), published: true }],
    ["template: item", {}, { template: "item" }],
    ["template: ../x", {}, { template: "blog" }],
    ["nav_title: N\ntitle: T", {}, { title: "T", navTitle: "N" }],
    ["roles: member", {}, { roles: { all: ["member"], any: [] } }],
  ] as const) {
    it(`reads ${JSON.stringify(frontmatter)} at ${JSON.stringify(changed)}`, () => {
      const entry = entryOf(frontmatter, changed);
      assert.deepEqual({ ...entry, ...fields }, entry);
    });
  }

  it("rejects a page with invalid roles", () => {
    const result = resultOf("---\nroles: {anny: [a]}\n---\n");
    assert.ok("issue" in result);
    assert.equal(result.issue.code, "ERR_CONTENT_ROLES");
  });

  it("warns about ignored fields, including those it does not use", () => {
    const result = resultOf("---\nslug: a/b\nredirect: 'javascript:x'\norder: first\n---\n");
    assert.ok("warnings" in result);
    const keys = result.warnings.map(({ message }) => /: (\w+) is/.exec(message)?.[1]);
    assert.deepEqual(keys.sort(), ["order", "redirect", "slug"]);
  });
});
