import assert from "node:assert/strict";
import fc from "fast-check";
import type { RouteMatch, Viewer } from "../../../../plugins/content/contract.js";
import { indexOf, viewOf } from "../../../support/content/content-tree.js";

const sources = {
  "01.home/default.md": "# Home",
  "02.blog/blog.md":
    "---\ntitle: Blog\ncollection: {items: '@self.children', pagination: {size: 2}}\n---\n",
  "02.blog/01.open/post.md":
    "---\ntitle: Open\ndate: 2024-01-01\ntaxonomy: {tag: [x, y], category: news}\n---\n",
  "02.blog/02.draft/post.md":
    "---\ntitle: Draft\nstatus: draft\ntaxonomy: {tag: canary-draft}\n---\n",
  "02.blog/03.member/post.md":
    "---\ntitle: Member\ndate: 2024-05-01\nroles: member\ntaxonomy: {tag: [x, canary-gated]}\n---\n",
  "02.blog/04.later/post.md": "---\ntitle: Later\npublish_date: 2030-01-01\n---\n",
  "02.blog/05.over/post.md": "---\ntitle: Over\nunpublish_date: 2020-01-01\n---\n",
  "02.blog/06.hidden/post.md": "---\ntitle: Hidden\npublished: false\n---\n",
  "02.blog/07.archived/post.md": "---\ntitle: Archived\nstatus: archived\n---\n",
  "02.blog/_hero/default.md": "# Hero",
  "03.any/default.md": "---\ntitle: Any\nroles: any\n---\n",
  "unlisted/default.md": "---\ntitle: Unlisted\nroutable: false\n---\n",
};
const now = Date.UTC(2025, 0, 1);
const index = indexOf(sources);
const member: Viewer = { roles: ["member"], seesUnpublished: false };
const stranger: Viewer = { roles: ["other"], seesUnpublished: false };
const editor: Viewer = { roles: [], seesUnpublished: true };

function titles(viewer?: Viewer): string[] {
  const view = viewOf(index, { now, ...(viewer && { viewer }) });
  return view
    .list({ offset: 0, limit: 100, order: { by: "title", dir: "asc" } })
    .items.map(({ title }) => title);
}
async function everySurface(viewer?: Viewer): Promise<string> {
  const view = viewOf(index, { now, ...(viewer && { viewer }) });
  const items = (list: readonly { title: string }[]): string[] => list.map(({ title }) => title);
  const collections = await Promise.all(
    [
      "@page.descendants:/",
      "@page.children:/blog",
      "@taxonomy.tag:x",
      "@taxonomy.tag:canary-draft",
    ].map((source) => view.collection({ items: source }, null)),
  );
  return JSON.stringify([
    items(view.list({ offset: 0, limit: 100 }).items),
    items(view.list({ offset: 0, limit: 100, published: false }).items),
    items(view.list({ offset: 0, limit: 100, template: "post" }).items),
    items(view.children("/blog")),
    view.nav(),
    view.navTree(),
    view.taxonomies(),
    items(view.taxonomyPages("tag", "canary-draft")),
    collections.map((collection) => [items(collection.items), collection.total]),
  ]);
}

describe("ContentView: what is visible", () => {
  it("hides drafts, scheduled and gated pages from visitors on every surface", async () => {
    const text = await everySurface();
    for (const canary of [
      "canary",
      "Draft",
      "Member",
      "Later",
      "Over",
      "Hidden",
      "Archived",
      "Any",
      "Unlisted",
    ]) {
      assert.equal(text.includes(canary), false, canary);
    }
    assert.deepEqual(titles(), ["Blog", "Home", "Open"]);
  });

  it("counts match the lists", () => {
    const view = viewOf(index, { now });
    assert.equal(view.list({ offset: 0, limit: 1 }).total, 3);
    assert.deepEqual(view.taxonomies(), { category: { news: 1 }, tag: { x: 1, y: 1 } });
    const terms = viewOf(
      indexOf({ "a.md": "---\ntaxonomy: {tag: [b, a, c]}\n---\n" }),
    ).taxonomies();
    assert.deepEqual(Object.keys(terms["tag"] ?? {}), ["a", "b", "c"]);
  });

  it("shows gated pages to authorised viewers, and marks the response as personal", () => {
    assert.deepEqual(titles(member), ["Any", "Blog", "Home", "Member", "Open"]);
    assert.deepEqual(titles(stranger), ["Any", "Blog", "Home", "Open"]);
    assert.deepEqual(viewOf(index, { now, viewer: member }).taxonomies()["tag"], {
      "canary-gated": 1,
      x: 2,
      y: 1,
    });
    const view = viewOf(index, { now, viewer: member });
    assert.equal(view.personal, false);
    view.nav();
    assert.equal(view.personal, true);
    const anonymous = viewOf(index, { now });
    anonymous.nav();
    assert.equal(anonymous.personal, false);
  });

  it("shows unpublished pages only to editors, in lists and as single pages", () => {
    const view = viewOf(index, { now, viewer: editor });
    const drafts = view
      .list({ offset: 0, limit: 10, published: false })
      .items.map(({ title }) => title)
      .sort();
    assert.deepEqual(drafts, ["Archived", "Draft", "Hidden", "Later", "Over"]);
    assert.equal(view.page("/blog/draft")?.title, "Draft");
    assert.equal(viewOf(index, { now }).page("/blog/draft"), undefined);
  });

  it("resolves an unpublished page like a missing one", () => {
    const view = viewOf(index, { now });
    assert.deepEqual(view.resolve("/blog/draft"), view.resolve("/blog/nothing"));
    assert.deepEqual(view.resolve("/blog/draft/"), { kind: "none" });
  });

  it("distinguishes gated from absent pages, and login from role", () => {
    const need = (match: RouteMatch): string => (match.kind === "gated" ? match.need : match.kind);
    assert.equal(need(viewOf(index, { now }).resolve("/blog/member")), "login");
    assert.equal(need(viewOf(index, { now, viewer: stranger }).resolve("/blog/member")), "role");
    assert.equal(need(viewOf(index, { now, viewer: member }).resolve("/blog/member")), "page");
    assert.equal(need(viewOf(index, { now, viewer: stranger }).resolve("/any")), "page");
  });

  it("shows and hides scheduled pages by the clock, and sets when a response expires", () => {
    const before = viewOf(index, { now });
    assert.equal(before.page("/blog/later"), undefined);
    assert.equal(before.expiresAt, Date.UTC(2030, 0, 1));
    const after = viewOf(index, { now: Date.UTC(2030, 0, 1) });
    assert.equal(after.page("/blog/later")?.title, "Later");
    assert.equal(after.list({ offset: 0, limit: 100 }).total, 4);
    assert.equal(after.expiresAt, null);
    assert.equal(viewOf(index, { now: Date.UTC(2019, 0, 1) }).page("/blog/over")?.title, "Over");
  });

  it("records what was read", async () => {
    const view = viewOf(index, { now });
    view.resolve("/blog/nothing");
    view.children("/blog");
    await view.collection({ items: { "@self.children": true } }, index.at("/blog", "en") ?? null);
    assert.deepEqual([...view.reads].sort(), ["list:/blog", "route:/blog/nothing"]);
    view.nav();
    view.taxonomies();
    view.list({ offset: 0, limit: 1 });
    for (const tag of ["nav", "taxonomy", "list"]) assert.ok(view.reads.has(tag), tag);
  });
});

describe("ContentView.list", () => {
  it("matches filtering and sorting everything, for any query", () => {
    const queries = fc.record({
      template: fc.option(fc.constantFrom("post", "blog", "none"), { nil: undefined }),
      taxonomy: fc.option(
        fc.constantFrom<Record<string, string>[]>(
          { tag: "x" },
          { tag: "x", category: "news" },
          { none: "x" },
        ),
        {
          nil: undefined,
        },
      ),
      order: fc.record({
        by: fc.constantFrom("date" as const, "title" as const, "order" as const, "route" as const),
        dir: fc.constantFrom("asc" as const, "desc" as const),
      }),
      viewer: fc.constantFrom(member, stranger, { roles: null, seesUnpublished: false }),
    });
    fc.assert(
      fc.property(queries, ({ template, taxonomy, order, viewer }) => {
        const view = viewOf(index, { now, viewer });
        const { items } = view.list({
          offset: 0,
          limit: 100,
          order,
          ...(template && { template }),
          ...(taxonomy && { taxonomy }),
        });
        const expected = index.entries.filter(
          (entry) =>
            entry.routable &&
            !entry.isModule &&
            view.canSee(entry) &&
            (template === undefined || entry.template === template) &&
            Object.entries(taxonomy ?? {}).every(([name, value]) =>
              entry.taxonomy[name]?.includes(value),
            ),
        );
        assert.deepEqual(new Set(items), new Set(expected));
      }),
    );
  });
});

describe("ContentView.collection", () => {
  const tree = indexOf({
    "01.home/default.md": "---\nrelated: [c, /blog/a, {slug: b}, nothing]\n---\n",
    "02.blog/blog.md": "",
    "02.blog/01.a/post.md":
      "---\ntitle: A\ndate: 2024-01-01\ntaxonomy: {tag: [x, y], category: one}\ncustom: {rating: 3}\ntags: [1, 2]\n---\n",
    "02.blog/02.b/post.md":
      "---\ntitle: B\ndate: 2024-03-01\ntaxonomy: {tag: x, category: two}\ncustom: {rating: 1}\n---\n",
    "02.blog/03.c/item.md": "---\ntitle: C\ndate: 2024-02-01\ntaxonomy: {tag: y}\n---\n",
    "02.blog/03.c/deep/post.md": "---\ntitle: Deep\n---\n",
    "02.blog/_intro/default.md": "# Intro",
    "03.other/default.md": "# Other",
  });
  const titlesOf = async (query: object, self = "/blog"): Promise<string[]> => {
    const { items } = await viewOf(tree).collection(
      { items: {}, ...query },
      tree.at(self, "en") ?? null,
    );
    return items.map(({ title }) => title);
  };
  const cases: [string, object, string, string[]][] = [
    ["children", { items: { "@self.children": true } }, "/blog", ["A", "B", "C"]],
    ["children as text", { items: "@self.children" }, "/blog", ["A", "B", "C"]],
    ["a source switched off", { items: { "@self.children": false } }, "/blog", []],
    ["siblings", { items: { "@self.siblings": true } }, "/blog/b", ["A", "C"]],
    ["siblings at the top", { items: { "@self.siblings": true } }, "/blog", ["Other"]],
    ["modules", { items: { "@self.modules": true } }, "/blog", ["Intro"]],
    ["descendants", { items: { "@self.descendants": true } }, "/blog", ["A", "B", "C", "Deep"]],
    ["children of a page", { items: { "@page.children": "/blog/c" } }, "/", ["Deep"]],
    [
      "descendants of home",
      { items: { "@page.descendants": "/" } },
      "/",
      ["blog", "A", "B", "C", "Deep", "Other"],
    ],
    ["a page that does not exist", { items: "@page.children:/nope" }, "/", []],
    ["children of a page without slashes", { items: "@page.children:blog/c/" }, "/", ["Deep"]],
    ["children without a page", { items: "@self.children" }, "/nowhere", ["blog", "Other"]],
    [
      "several sources of one page",
      { items: { "@self.children": true, "@self.descendants": true } },
      "/blog",
      ["A", "B", "C", "Deep"],
    ],
    ["a front matter field that is missing", { items: { "@frontmatter": "nothing" } }, "/", []],
    ["a taxonomy, newest first", { items: { "@taxonomy.tag": "x" } }, "/", ["B", "A"]],
    [
      "OR inside a taxonomy",
      { items: { "@taxonomy.tag": ["x", "y"] }, order: { by: "title" } },
      "/",
      ["A", "B", "C"],
    ],
    [
      "AND over taxonomies",
      { items: { "@taxonomy": { tag: ["x", "y"], category: "one" } } },
      "/",
      ["A"],
    ],
    [
      "AND over two sources",
      { items: { "@taxonomy.tag": "x", "@taxonomy.category": "two" } },
      "/",
      ["B"],
    ],
    [
      "children with a term",
      { items: { "@self.children": true, "@taxonomy.tag": "y" } },
      "/blog",
      ["A", "C"],
    ],
    [
      "a front matter field, in its order",
      { items: { "@frontmatter": "related" } },
      "/",
      ["C", "A", "B"],
    ],
    [
      "a filter by template",
      { items: "@self.children", filter: { template: "item" } },
      "/blog",
      ["C"],
    ],
    [
      "a filter by several templates",
      { items: "@self.children", filter: { template: ["item", "post"] } },
      "/blog",
      ["A", "B", "C"],
    ],
    [
      "a filter by taxonomy",
      { items: "@self.children", filter: { taxonomy: { tag: "y" } } },
      "/blog",
      ["A", "C"],
    ],
    [
      "a filter by a custom field",
      { items: "@self.children", filter: { "custom.rating": 3 } },
      "/blog",
      ["A"],
    ],
    [
      "order by date, newest first",
      { items: "@self.children", order: { by: "date" } },
      "/blog",
      ["B", "C", "A"],
    ],
    [
      "order by date, oldest first",
      { items: "@self.children", order: { by: "date", dir: "asc" } },
      "/blog",
      ["A", "C", "B"],
    ],
    [
      "order by title, descending",
      { items: "@self.children", order: { by: "title", dir: "desc" } },
      "/blog",
      ["C", "B", "A"],
    ],
    [
      "order by a custom field, without it last",
      { items: "@self.children", order: { by: "custom.rating" } },
      "/blog",
      ["B", "A", "C"],
    ],
    ["limit and offset", { items: "@self.children", offset: 1, limit: 1 }, "/blog", ["B"]],
  ];
  for (const [what, query, self, expected] of cases) {
    it(`resolves ${what}`, async () => assert.deepEqual(await titlesOf(query, self), expected));
  }

  for (const [filter, expected] of [
    [{ template: "none" }, []],
    [{ published: false }, []],
    [{ visible: true }, ["A", "B", "C"]],
    [{ "custom.rating": "3" }, ["A"]],
    [{ "frontmatter.custom.rating": 1 }, ["B"]],
    [{ tags: 2 }, ["A"]],
    [{ missing: "x" }, []],
    [{ "constructor.name": "Object" }, []],
    [{ taxonomy: { tag: "x" }, template: "post" }, ["A", "B"]],
    [{ taxonomy: { tag: ["y", "z"], category: "one" } }, ["A"]],
    [{ taxonomy: { tag: "none" } }, []],
    [{}, ["A", "B", "C"]],
  ] as const) {
    it(`filters by ${JSON.stringify(filter)}`, async () =>
      assert.deepEqual(await titlesOf({ items: "@self.children", filter }), expected));
  }

  for (const [order, expected] of [
    [{ by: "date" }, "BCA"],
    [{ by: "route", dir: "desc" }, "CBA"],
    [{ by: "custom.rating", dir: "desc" }, "ABC"],
    [{ by: "missing", dir: "desc" }, "ABC"],
    [{ by: "default" }, "ABC"],
    [{}, "ABC"],
  ] as const) {
    it(`orders by ${JSON.stringify(order)}, pages without the value last`, async () =>
      assert.equal((await titlesOf({ items: "@self.children", order })).join(""), expected));
  }

  it("records what was read of each source", async () => {
    for (const [items, self, tags] of [
      ["@self.children", "/blog/a", ["list:/blog/a"]],
      ["@self.siblings", "/blog/a", ["list:/blog"]],
      ["@page.children:other/", "/", ["list:/other"]],
      ["@taxonomy.tag:x", "/", ["list", "taxonomy"]],
      ["@self.descendants", "/blog", ["list"]],
      ["@self.children", "/nowhere", ["list:/"]],
    ] as const) {
      const view = viewOf(tree);
      await view.collection({ items }, tree.at(self, "en") ?? null);
      assert.deepEqual(
        [...view.reads].filter((tag) => /^(?:list|taxonomy)/.test(tag)),
        tags,
        items,
      );
    }
  });

  it("counts before slicing, and pages", async () => {
    const view = viewOf(tree);
    const self = tree.at("/blog", "en") ?? null;
    const window = await view.collection({ items: "@self.children", limit: 2 }, self);
    assert.deepEqual(
      [window.total, window.page, window.pages, window.hasNext, window.hasPrev],
      [3, 1, 2, true, false],
    );
    const second = await view.collection(
      { items: "@self.children", pagination: { size: 2 } },
      self,
      2,
    );
    assert.deepEqual(
      second.items.map(({ title }) => title),
      ["C"],
    );
    assert.deepEqual(
      [second.total, second.page, second.pages, second.hasNext, second.hasPrev],
      [3, 2, 2, false, true],
    );
  });

  it("rejects an unknown source", async () => {
    for (const items of ["@nothing", "__proto__", "constructor"]) {
      await assert.rejects(viewOf(tree).collection({ items }, null), {
        code: "ERR_COLLECTION_SOURCE",
        status: 400,
      });
    }
  });
});
