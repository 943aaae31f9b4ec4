import assert from "node:assert/strict";
import fc from "fast-check";
import type { RouteMatch, Viewer } from "../../../../plugins/content/contract.js";
import { RedirectTable } from "../../../../plugins/content/view/redirects.js";
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
  });

  it("shows gated pages to authorised viewers, and marks the response as personal", () => {
    assert.deepEqual(titles(member), ["Any", "Blog", "Home", "Member", "Open"]);
    assert.deepEqual(titles(stranger), ["Any", "Blog", "Home", "Open"]);
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
  it("filters by template and taxonomy, and orders by date, title, order and route", () => {
    const view = viewOf(index, { now, viewer: member });
    const list = (query: object): string[] =>
      view.list({ offset: 0, limit: 100, ...query }).items.map(({ title }) => title);
    assert.deepEqual(list({ template: "post" }), ["Member", "Open"]);
    assert.deepEqual(list({ taxonomy: { tag: "x", category: "news" } }), ["Open"]);
    assert.deepEqual(list({ taxonomy: { tag: "__proto__" } }), []);
    assert.deepEqual(list({ taxonomy: { constructor: "x" } }), []);
    assert.deepEqual(list({ order: { by: "date", dir: "asc" } }).slice(0, 2), ["Open", "Member"]);
    assert.deepEqual(list({ order: { by: "route", dir: "desc" } }).slice(0, 2), ["Open", "Member"]);
    assert.deepEqual(list({ offset: 100 }), []);
  });

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

describe("ContentView.resolve", () => {
  const routed = indexOf(
    {
      "01.home/default.md": "",
      "01.home/default.de.md": "",
      "02.about/default.md": "---\nroutes: {aliases: [/who, us/]}\n---\n",
      "02.about/default.de.md": "---\nslug: ueber\n---\n",
      "03.only-english/default.md": "",
      "moved/default.md": "---\nredirect: /about\n---\n",
      "away/default.md": "---\nredirect: https://example.org/x\n---\n",
      "bad/default.md": "---\nredirect: 'javascript:alert(1)'\n---\n",
      "list/default.md": "---\ncollection: {items: '@self.children', pagination: true}\n---\n",
      "ü b/default.md": "",
    },
    { languages: ["en", "de"] },
  );
  const rules = {
    languages: ["en", "de"],
    redirects: new RedirectTable({ "/old": "/about", "/splat/*": "/:splat" }),
    routes: new Map([["/alias", "/about"]]),
  };
  const resolve = (path: string): string => {
    const match = viewOf(routed, { rules }).resolve(path);
    if (match.kind === "redirect") return `${match.status} ${match.to}`;
    return match.kind === "page"
      ? `${match.entry.sourcePath} ${match.lang} ${match.pageNumber}`
      : match.kind;
  };
  for (const [path, expected] of [
    ["/", "01.home/default.md en 1"],
    ["/de", "01.home/default.de.md de 1"],
    ["/de/", "301 /de"],
    ["/en", "301 /"],
    ["/en/about", "301 /about"],
    ["/home", "301 /"],
    ["/about", "02.about/default.md en 1"],
    ["/about/", "301 /about"],
    ["/About", "none"],
    ["/de/ueber", "02.about/default.de.md de 1"],
    ["/de/about", "301 /de/ueber"],
    ["/de/only-english", "03.only-english/default.md de 1"],
    ["/who", "02.about/default.md en 1"],
    ["/us", "02.about/default.md en 1"],
    ["/alias", "02.about/default.md en 1"],
    ["/alias/", "301 /alias"],
    ["/old", "301 /about"],
    ["/old/", "301 /about"],
    ["/moved", "301 /about"],
    ["/away", "301 https://example.org/x"],
    ["/bad", "bad/default.md en 1"],
    ["/list/page:2", "list/default.md en 2"],
    ["/list/page:1", "301 /list"],
    ["/list/page:2/", "301 /list/page:2"],
    ["/list/page:0", "none"],
    ["/about/page:2", "none"],
    ["/ü b/", "301 /%C3%BC%20b"],
    ["/u\u0308 b", "ü b/default.md en 1"],
    ["//about", "none"],
    ["/about//", "none"],
    ["/__proto__", "none"],
    [`/${"a/".repeat(1000)}`, "none"],
    [`/${"a".repeat(5000)}`, "none"],
    ["", "none"],
  ] as const) {
    it(`${JSON.stringify(path.slice(0, 30))} is ${expected}`, () =>
      assert.equal(resolve(path), expected));
  }

  it("reaches a page with at most one redirect, from every spelling", () => {
    for (const includeDefaultInUrl of [false, true]) {
      const all = indexOf(
        {
          "01.home/default.md": "",
          "01.home/default.de.md": "",
          "02.a/default.md": "",
          "02.a/default.de.md": "---\nslug: b\n---\n",
        },
        { languages: ["en", "de"], includeDefaultInUrl },
      );
      const view = viewOf(all, { rules: { languages: ["en", "de"], includeDefaultInUrl } });
      for (const prefix of ["", "/en", "/de"]) {
        for (const path of ["", "/", "/a", "/a/", "/b", "/b/", "/home", "/home/"]) {
          const first = view.resolve(prefix + path || "/");
          if (first.kind !== "redirect") continue;
          assert.equal(
            view.resolve(decodeURI(first.to)).kind,
            "page",
            `${prefix}${path} → ${first.to}`,
          );
        }
      }
    }
  });

  it("never redirects to another host by a path of slashes", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("/", "\\", "evil.com", "about", "splat", "de", ".", "..", ":", "@"),
        ),
        (parts) => {
          const match = viewOf(routed, { rules }).resolve(`/${parts.join("")}`);
          if (match.kind === "redirect")
            assert.match(match.to, /^\/(?![/\\])|^https:\/\/example\.org/);
        },
      ),
    );
  });

  it("redirects with 302 when configured", () => {
    const view = viewOf(routed, { rules: { ...rules, redirectStatus: 302 } });
    assert.deepEqual(view.resolve("/old"), { kind: "redirect", to: "/about", status: 302 });
  });
});

describe("ContentView.nav", () => {
  it("is flat in tree order, or nested", () => {
    const view = viewOf(
      indexOf({
        "01.home/default.md": "",
        "02.docs/default.md": "---\nnav_title: Docs\n---\n",
        "02.docs/02.b/default.md": "",
        "02.docs/01.a/default.md": "",
        "hidden/default.md": "",
        "hidden/01.shown/default.md": "",
      }),
    );
    assert.deepEqual(
      view.nav().map(({ route, depth }) => [route, depth]),
      [
        ["/", 0],
        ["/docs", 0],
        ["/docs/a", 1],
        ["/docs/b", 1],
        ["/hidden/shown", 1],
      ],
    );
    const shape = (items: readonly { route: string; children?: readonly object[] }[]): unknown[] =>
      items.map(({ route, children }) => [route, (children ?? []).length]);
    assert.deepEqual(shape(view.navTree()), [
      ["/", 0],
      ["/docs", 2],
      ["/hidden/shown", 0],
    ]);
    assert.equal(view.nav()[1]?.title, "Docs");
  });
});

describe("ContentView.collection", () => {
  const tree = indexOf({
    "01.home/default.md": "---\nrelated: [c, /blog/a, {slug: b}, nothing]\n---\n",
    "02.blog/blog.md": "",
    "02.blog/01.a/post.md":
      "---\ntitle: A\ndate: 2024-01-01\ntaxonomy: {tag: [x, y], category: one}\ncustom: {rating: 3}\n---\n",
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
