import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { blogFiles } from "../../../support/content/blog-files.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

interface List {
  items: { route: string; title: string; date: string; published: boolean; order?: number }[];
  meta: Record<string, unknown>;
  total: number;
}

describe("the read API", () => {
  let site: TestSite;
  before(async () => {
    const clock = { now: () => Date.parse("2026-11-20T12:00:00Z") };
    const plugins = ["pages", "security", "cache"];
    const settings = { system: { server: { rate_limit: false } } };
    site = await bootSite({ files: blogFiles, plugins, clock, settings });
  });
  after(() => site.close());
  const get = async <T = List>(path: string): Promise<T> => {
    const answer = await site.fetch(path);
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
    return (await answer.json()) as T;
  };
  const routes = ({ items }: List): string[] => items.map(({ route }) => route);
  const PUBLIC = 10;

  describe("GET /api/pages", () => {
    it("lists published pages with the documented fields", async () => {
      const { items, meta } = await get("/api/pages?template=post&order=date:asc&limit=1");
      assert.deepEqual(items, [
        {
          route: "/blog/post-1",
          title: "Post 1",
          date: "2026-01-10",
          template: "post",
          format: "md",
          published: true,
          taxonomy: { tag: ["odd-1", "all"] },
        },
      ]);
      assert.deepEqual(meta, { total: 5, page: 1, pages: 5, limit: 1 });
    });

    it("pages through the list by limit and offset without gaps or duplicates", async () => {
      const seen: string[] = [];
      for (let offset = 0; offset < PUBLIC; offset += 3) {
        const { items, meta } = await get(`/api/pages?limit=3&offset=${offset}`);
        assert.deepEqual(meta, { total: PUBLIC, page: offset / 3 + 1, pages: 4, limit: 3 });
        seen.push(...items.map(({ route }) => route));
      }
      assert.equal(new Set(seen).size, PUBLIC);
    });

    it("orders by date with undated pages last, by title without regard to case, by order", async () => {
      const byDate = await get("/api/pages?order=date:desc");
      assert.equal(byDate.items[0]?.route, "/blog/post-5");
      assert.equal(byDate.items.at(-1)?.date, "");
      assert.equal(
        (await get("/api/pages?order=title:asc")).items[0]?.title,
        "A page named children",
      );
      assert.equal((await get("/api/pages?order=title:asc")).items[1]?.title, "äpfel");
    });

    it("filters by template and by taxonomy", async () => {
      assert.equal((await get("/api/pages?template=blog")).meta["total"], 1);
      assert.deepEqual(routes(await get("/api/pages?taxonomy.tag=odd-0&order=date:asc")), [
        "/blog/post-2",
        "/blog/post-4",
      ]);
      assert.equal((await get("/api/pages?taxonomy.tag=nothing")).meta["total"], 0);
    });

    it("lowers a limit above 200 and reports it", async () => {
      assert.equal((await get("/api/pages?limit=100000")).meta["limit"], 200);
    });

    it("hides unpublished, scheduled and gated pages, even with published=false", async () => {
      const hidden = await get("/api/pages?published=false");
      assert.deepEqual([hidden.items, hidden.meta["total"]], [[], 0]);
      const all = await get("/api/pages?limit=200");
      assert.equal(all.meta["total"], PUBLIC);
      for (const route of ["/blog/draft", "/blog/later", "/members"]) {
        assert.ok(!routes(all).includes(route), route);
      }
    });

    const BAD = [
      ["limit=0", "limit"],
      ["limit=-1", "limit"],
      ["limit=1.5", "limit"],
      ["limit=0x10", "limit"],
      ["limit=NaN", "limit"],
      ["limit=1e3", "limit"],
      ["limit=", "limit"],
      ["limit=%201", "limit"],
      [`limit=${"9".repeat(400)}`, "limit"],
      ["limit[]=2", "limit"],
      ["limit=1&limit=2", "limit"],
      ["offset=-1", "offset"],
      ["offset=2000000", "offset"],
      ["order=__proto__:asc", "order"],
      ["order=frontmatter.x", "order"],
      ["order=date:sideways", "order"],
      ["published=maybe", "published"],
      ["template[]=x", "template"],
      ["taxonomy.tag[]=x", "taxonomy.tag"],
    ] as const;
    for (const [query, name] of BAD) {
      it(`responds 400 naming ${name} to ?${query.slice(0, 40)}`, async () => {
        const answer = await site.fetch(`/api/pages?${query}`);
        assert.equal(answer.status, 400);
        assert.ok(((await answer.json()) as { error: string }).error.startsWith(name));
      });
    }

    it("ignores unknown parameters", async () => {
      assert.equal((await get("/api/pages?utm_source=x&__proto__[a]=1")).meta["total"], PUBLIC);
    });
  });

  describe("GET /api/pages/{route}", () => {
    it("responds with source, HTML, front matter and media of the page", async () => {
      const page = await get<Record<string, unknown>>("/api/pages/blog/post-1");
      assert.equal(page["route"], "/blog/post-1");
      assert.match(String(page["rawContent"]), /^---\ntitle: Post 1\n/);
      assert.match(String(page["html"]), /<p>Body of post.1\.<\/p>/);
      assert.equal((page["frontmatter"] as { title: string }).title, "Post 1");
      assert.deepEqual(page["media"], [
        {
          name: "cover.jpg",
          url: "/content-media/02.blog/01.post-1/cover.jpg",
          type: "image/jpeg",
          size: 20,
        },
      ]);
    });

    it("serves the home page at an empty route, with and without a trailing slash", async () => {
      assert.equal((await get<{ title: string }>("/api/pages/")).title, "Welcome");
      assert.equal((await get<{ title: string }>("/api/pages/blog/")).title, "Blog");
    });

    it("accepts a route with its leading slash, as in lists", async () => {
      for (const path of ["//blog", "/%2Fblog", "//blog/"]) {
        assert.equal((await get<{ title: string }>(`/api/pages${path}`)).title, "Blog", path);
      }
      assert.equal((await get("/api/pages/%2Fblog%2Fchildren")).total, 5);
    });

    it("responds with identical 404s to a draft, a scheduled page and a missing page", async () => {
      const bodies = [];
      for (const route of ["blog/draft", "blog/later", "blog/none"]) {
        const answer = await site.fetch(`/api/pages/${route}`);
        assert.equal(answer.status, 404);
        bodies.push(await answer.text());
      }
      assert.deepEqual(new Set(bodies), new Set(['{"error":"Not found"}']));
    });

    it("responds 401 without a login to a gated page, its children and its media", async () => {
      for (const path of ["members", "members/children", "members/media"]) {
        const answer = await site.fetch(`/api/pages/${path}`);
        assert.equal(answer.status, 401, path);
        assert.doesNotMatch(await answer.text(), /Canary/);
      }
    });

    it("lists visible children with their order, and media with sidecars", async () => {
      const children = await get("/api/pages/blog/children");
      assert.equal(children.total, 5);
      assert.deepEqual(children.items[0], {
        route: "/blog/post-1",
        title: "Post 1",
        date: "2026-01-10",
        template: "post",
        format: "md",
        order: 1,
      });
      const media = await get<{ items: { meta: object }[]; total: number }>(
        "/api/pages/blog/post-1/media",
      );
      assert.deepEqual([media.total, media.items[0]?.meta], [1, { alt: "A cover" }]);
    });

    it("prefers a page whose last segment is children to the sub-resource", async () => {
      assert.equal(
        (await get<{ title: string }>("/api/pages/sub/children")).title,
        "A page named children",
      );
      const { items } = await get("/api/pages/sub/children/children");
      assert.deepEqual(items, []);
    });

    for (const [route, status] of [
      ["children", 200],
      ["blog/media", 200],
      ["none/children", 404],
      ["blog/page:2", 404],
      ["blog/draft/media", 404],
      ["members/related", 401],
    ] as const) {
      it(`responds ${status} to ${route}`, async () => {
        assert.equal((await site.fetch(`/api/pages/${route}`)).status, status);
      });
    }
  });

  describe("GET /api/collections", () => {
    it("lists the top-level pages except home by default, newest first", async () => {
      const { items, meta } = await get("/api/collections");
      assert.deepEqual(
        new Set(items.map(({ route }) => route)),
        new Set(["/blog", "/undated", "/sub"]),
      );
      assert.deepEqual(meta, {
        total: 3,
        page: 1,
        pages: 1,
        limit: 20,
        hasNext: false,
        hasPrev: false,
      });
    });

    it("resolves children, descendants and taxonomy", async () => {
      const children = await get("/api/collections?source=@page.children:/blog&limit=2&offset=2");
      assert.deepEqual(routes(children), ["/blog/post-3", "/blog/post-2"]);
      assert.equal(children.meta["hasNext"], true);
      assert.equal(children.meta["hasPrev"], true);
      assert.equal((await get("/api/collections?source=@page.descendants:/blog")).meta["total"], 5);
      const tagged = await get("/api/collections?source=@taxonomy.tag:odd-1&order=title&dir=asc");
      assert.deepEqual(routes(tagged), ["/blog/post-1", "/blog/post-3", "/blog/post-5"]);
    });

    for (const source of [
      "nonsense",
      "@self.siblings",
      "@taxonomy.unknown:x",
      "@page.children:",
      "@page.children",
      "x@self.children",
      "@taxonomy.tag",
      "",
      "__proto__",
    ]) {
      it(`responds 400 to the source ${source}`, async () => {
        assert.equal((await site.fetch(`/api/collections?source=${source}`)).status, 400);
      });
    }

    it("responds 404 to an unknown page", async () => {
      assert.equal((await site.fetch("/api/collections?source=@page.children:/none")).status, 404);
    });
  });

  describe("GET /api/taxonomy", () => {
    it("counts visible pages only", async () => {
      assert.deepEqual(await get("/api/taxonomy"), {
        category: {},
        tag: { "odd-1": 3, all: 5, "odd-0": 2 },
      });
    });

    it("responds 200 to a configured name without values and 404 to an unknown one", async () => {
      assert.deepEqual(await get("/api/taxonomy/category"), { name: "category", values: {} });
      for (const name of ["colour", "constructor", "__proto__", "toString", "hasOwnProperty"]) {
        assert.equal((await site.fetch(`/api/taxonomy/${name}`)).status, 404, name);
      }
    });

    it("lists the pages of a value, and none for a prototype name", async () => {
      const found = await get<List & { taxonomy: string; value: string }>(
        "/api/taxonomy/tag/odd-0",
      );
      assert.deepEqual([found.taxonomy, found.value, found.total], ["tag", "odd-0", 2]);
      for (const value of ["__proto__", "constructor", "a%2Fb"])
        assert.deepEqual((await get(`/api/taxonomy/tag/${value}`)).items, [], value);
    });
  });

  describe("GET /api/nav", () => {
    it("lists visible public pages flat in tree order, nested with tree=true", async () => {
      const { items } = await get("/api/nav");
      assert.deepEqual(
        items.map(({ route }) => route),
        ["/", "/blog", ...[1, 2, 3, 4, 5].map((at) => `/blog/post-${at}`), "/undated", "/sub"],
      );
      const tree = await get<{ items: { route: string; children?: object[] }[] }>(
        "/api/nav?tree=true",
      );
      assert.equal(tree.items.find(({ route }) => route === "/blog")?.children?.length, 5);
    });
  });

  it("exposes exactly six fields of the site's configuration", async () => {
    assert.deepEqual(await get("/api/config/site"), {
      title: "Journal",
      description: "Notes",
      url: "https://journal.example",
      author: { name: "" },
      metadata: { "theme-color": "blue" },
      taxonomies: ["category", "tag"],
    });
  });

  it("serves the JSON Schema of site.yaml", async () => {
    const schema = await get<{
      $schema: string;
      properties: Record<string, { default?: unknown }>;
    }>("/_site/schema/config");
    assert.match(schema.$schema, /2020-12/);
    assert.deepEqual(schema.properties["taxonomies"]?.default, ["category", "tag"]);
  });

  it("supports strong ETags, 304 and HEAD, and responds 405 to other methods", async () => {
    for (const path of [
      "/api/pages",
      "/api/pages/blog",
      "/api/nav",
      "/api/taxonomy",
      "/api/config/site",
    ]) {
      const etag = (await site.fetch(path)).headers.get("etag") ?? "";
      assert.match(etag, /^"[^"]+"$/, path);
      assert.equal(
        (await site.fetch(path, { headers: { "If-None-Match": etag } })).status,
        304,
        path,
      );
      assert.equal((await site.fetch(path, { method: "HEAD" })).status, 200, path);
      assert.equal((await site.fetch(path, { method: "DELETE" })).status, 405, path);
    }
  });

  it("lets a plugin change a response through onApiResponse", async () => {
    const shout = definePlugin({
      name: "shout",
      version: "1.0.0",
      hooks: {
        onApiResponse: ({ data, setData }) =>
          setData({ ...data, body: { ...(data.body as object), shouted: true } }),
      },
    });
    const other = await bootSite({ files: blogFiles, plugins: ["pages"], extraPlugins: [shout] });
    const body = (await (await other.fetch("/api/pages")).json()) as { shouted: boolean };
    await other.close();
    assert.equal(body.shouted, true);
  });
});

describe("front matter keys that start with _", () => {
  it("are absent from the front matter and the source", async () => {
    const page =
      "---\ntitle: T\n_internal:\n  note: canary\n  list:\n    - canary\n_flat: canary\ndate: 2026-01-01\n---\nBody with _canaries_ may stay.\n";
    const site = await bootSite({ files: { "content/a/default.md": page }, plugins: ["pages"] });
    const body = (await (await site.fetch("/api/pages/a")).json()) as Record<string, unknown>;
    await site.close();
    assert.deepEqual(body["frontmatter"], { title: "T", date: "2026-01-01" });
    assert.equal(
      body["rawContent"],
      "---\ntitle: T\ndate: 2026-01-01\n---\nBody with _canaries_ may stay.\n",
    );
  });
});
