import assert from "node:assert/strict";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#testing";
import type { SearchItem } from "../../../plugins/search/contract.js";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";

const selected = ["content", "markdown", "search", "pages", "health"];
const system = {
  search: {
    facets: [{ field: "taxonomy.tag" }, { field: "template" }, { field: "subtype" }],
    customFields: ["subtitle"],
  },
};
const files: Record<string, string> = {
  "content/01.home/default.md": "---\ntitle: Home\n---\nWelcome to the orchard.",
  "content/02.apple/default.md":
    "---\ntitle: Apple\ndate: 2024-03-01\ntaxonomy: { tag: [fruit, red] }\nsubtype: guide\n---\nAn apple a day keeps the doctor away.",
  "content/03.pear/post.md":
    "---\ntitle: Pear\ndate: 2023-03-01\ntemplate: post\ntaxonomy: { tag: fruit }\nsubtitle: Williams Crème\n---\nA pear is no apple.",
  "content/04.hostile/default.md": `---\ntitle: '<img src=x onerror=fetch("/pwn")>'\n---\nimg &lt;script&gt; \\<img src=x onerror=1> "quoted" apple`,
  "content/05.draft/default.md":
    "---\ntitle: Draft canary\npublished: false\n---\ncanarydraft apple",
  "content/06.members/default.md":
    "---\ntitle: Members canary\nroles: member\ntaxonomy: { tag: canarytag }\n---\ncanarymember",
  "content/07.later/default.md":
    "---\ntitle: Later\npublish_date: 2030-01-01T00:00:00Z\n---\ncanarylater",
};
const MALFORMED = [
  "q=a&q=b",
  "q[]=a",
  ..."0 -1 x 1.5 0x10 1e3 NaN".split(" ").map((limit) => `limit=${limit}`),
  `limit=${"9".repeat(400)}`,
  "limit=1&limit=2",
  "offset=-1",
  "offset=1000001",
  "sort=title",
  "sort=__proto__",
  "from=2024-02-30",
  "from=2024-13-01",
  "from[]=2024-01-01",
  "to=yesterday",
  "to=2024-1-1",
  "facet=x",
  ..."password constructor toString constructor.name"
    .split(" ")
    .map((field) => `facet[${field}]=x`),
  "published=maybe",
  "taxonomy=red",
  "taxonomy[a][b]=c",
  "lang[]=en",
];
/** Parameters that the page ignores. */
const IGNORED = ["limit=x", "offset=-1", "sort=up", "facet=x", "type[]=a"];

interface Answer {
  query: string;
  total: number;
  items: SearchItem[];
  facets: Record<string, Record<string, number>>;
  filters: unknown;
  hasMore: boolean;
  offset: number;
  error?: string;
}

describe("search over HTTP", () => {
  /** The site of tests that only read. */
  let shared: TestSite;
  let site: TestSite;
  const open = (options: BootOptions = {}): Promise<TestSite> =>
    bootSite({
      plugins: selected,
      files,
      settings: { system },
      env: { SITE_ENV: "production" },
      ...options,
    });
  const boot = async (options: BootOptions = {}): Promise<TestSite> => (site = await open(options));
  before(async () => void (shared = await open()));
  after(() => shared.close());
  beforeEach(() => void (site = shared));
  afterEach(async () => {
    if (site !== shared) await site.close();
  });
  const get = async (path: string): Promise<{ status: number; body: Answer; headers: Headers }> => {
    const response = await site.fetch(path);
    return {
      status: response.status,
      body: (await response.json()) as Answer,
      headers: response.headers,
    };
  };
  const routes = async (query: string): Promise<string[]> =>
    (await get(`/api/search?${query}`)).body.items.map((item) => item.route);

  describe("GET /api/search", () => {
    it("responds with query, total, items, filters, facets, hasMore and offset", async () => {
      const { status, body } = await get("/api/search?q=apple");
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), [
        "query",
        "total",
        "items",
        "filters",
        "facets",
        "hasMore",
        "offset",
      ]);
      assert.deepEqual([body.query, body.total, body.hasMore, body.offset], ["apple", 3, false, 0]);
      assert.deepEqual(body.items[0], {
        route: "/apple",
        title: "Apple",
        template: "default",
        date: "2024-03-01",
        taxonomy: { tag: ["fruit", "red"] },
        score: 9,
        excerpt: "An <mark>apple</mark> a day keeps the doctor away.",
        highlights: ["apple"],
      });
      assert.equal(body.items.at(-1)?.date, "", "the page is undated");
      assert.deepEqual(body.facets["taxonomy.tag"], { fruit: 2, red: 1 });
    });
    it("responds with an empty list without q and filters", async () => {
      for (const query of ["", "q=", "q=%20", "q=a"])
        assert.equal((await get(`/api/search?${query}`)).body.total, 0);
    });
    it("lists by filters only, newest first", async () => {
      assert.deepEqual(await routes("taxonomy[tag][]=fruit"), ["/apple", "/pear"]);
      assert.deepEqual(await routes("taxonomy[tag][]=red&taxonomy[tag][]=none"), ["/apple"]);
      assert.deepEqual(await routes("template=post"), ["/pear"]);
      assert.deepEqual(await routes("from=2024-02-29"), ["/apple"]);
      assert.deepEqual(await routes("to=2023-12-31"), ["/pear"]);
      assert.deepEqual(await routes("facet[taxonomy.tag]=red"), ["/apple"]);
      assert.deepEqual(await routes("q=apple&type=guide"), ["/apple"]);
      assert.deepEqual(await routes("q=apple&published=false"), []);
      assert.deepEqual(await routes("q=williams+creme"), ["/pear"]);
    });
    it("pages by limit and offset and reports whether there are more", async () => {
      const { body } = await get("/api/search?q=apple&limit=1&offset=1");
      assert.deepEqual([body.items.length, body.total, body.hasMore, body.offset], [1, 3, true, 1]);
      assert.equal((await get("/api/search?q=apple&limit=9999")).status, 200);
    });
    it("responds 400 that names the parameter for a malformed query", async () => {
      for (const query of MALFORMED) {
        const { status, body } = await get(`/api/search?${query}`);
        assert.equal(status, 400, query);
        assert.match(body.error ?? "", new RegExp(`^"?${/^\w+/.exec(query)?.[0] ?? ""}`), query);
      }
    });
    it("responds 400 for sort=date and type without a facet subtype, naming the key", async () => {
      await boot({ settings: {} });
      for (const query of ["sort=date", "type=guide"]) {
        const { status, body } = await get(`/api/search?q=apple&${query}`);
        assert.equal(status, 400);
        assert.match(body.error ?? "", /search\.facets/);
      }
      assert.equal((await get("/api/search?q=apple&type=all")).status, 200);
    });
    const hostile = [
      "(a+)+$",
      "[",
      "\\",
      "%00",
      "a".repeat(2000),
      Array.from({ length: 800 }, (_, at) => `w${at}`).join("+"),
      encodeURIComponent("ﷺ".repeat(100)),
      "%ED%A0%80",
      "__proto__",
      "constructor",
      "%3Cscript%3E",
      "x&facet[__proto__][x]=1",
      "x&taxonomy[__proto__][]=x",
    ];
    it("responds 200 to hostile queries", async () => {
      for (const query of hostile)
        assert.equal((await get(`/api/search?q=${query}`)).status, 200, query.slice(0, 40));
    });
    it("escapes titles' markup in excerpts and highlights", async () => {
      const { body } = await get("/api/search?q=img+quoted");
      for (const { excerpt, highlights } of body.items) {
        assert.doesNotMatch(excerpt.replaceAll(/<\/?mark>/g, ""), /[<>"]/);
        assert.doesNotMatch((highlights ?? []).join(""), /[<>"]/);
      }
    });
    it("finds no draft, scheduled or gated page, not by query, filter, facet, count or suggestion", async () => {
      await boot({ clock: { now: () => Date.UTC(2026, 0, 1) } });
      for (const path of [
        "/api/search?q=canary",
        "/api/search?template=default&limit=500",
        "/api/search/suggest?q=can",
        "/search?q=canary",
        "/search",
      ]) {
        const text = await (await site.fetch(path)).text();
        assert.doesNotMatch(
          text.replaceAll(/q=canary|"canary"|>canary<|Search: canary/g, ""),
          /canary(?!")/i,
          path,
        );
        assert.doesNotMatch(text, /\/(draft|members|later)\b/, path);
      }
      assert.equal((await get("/api/search?q=canary")).body.total, 0);
      assert.equal((await get("/api/search?taxonomy[tag][]=canarytag")).body.total, 0);
    });
    it("finds gated pages for permitted visitors, in a private response", async () => {
      await boot({ extraPlugins: [visitor(["member"])] });
      assert.deepEqual(await routes("q=canarymember"), ["/members"]);
      const { body } = (await get("/api/search/suggest?q=canarym")) as unknown as {
        body: { suggestions: string[] };
      };
      assert.deepEqual(body.suggestions, ["canarymember"]);
    });
    it("shows and hides a page by its schedule without a restart", async () => {
      let now = Date.UTC(2026, 0, 1);
      await boot({ clock: { now: () => now } });
      assert.deepEqual(await routes("q=canarylater"), []);
      now = Date.UTC(2030, 0, 2);
      assert.deepEqual(await routes("q=canarylater"), ["/later"]);
    });
    it("explains scores only to users with access to all pages", async () => {
      await boot({ extraPlugins: [visitor([], true)] });
      const [item] = (await get("/api/search?q=apple&explain=1")).body.items;
      assert.equal(item?.explanation?.score, item?.score);
      await site.close();
      site = shared;
      assert.equal(
        (await get("/api/search?q=apple&explain=1")).body.items[0]?.explanation,
        undefined,
      );
    });
    it("shows a new page, and removes a deleted one", async () => {
      await boot();
      const content = site.site.use("content");
      await content.apply([
        {
          op: "write",
          path: "08.quince/default.md",
          content: "---\ntitle: Quince\n---\nmembrillo",
        },
        { op: "delete", path: "02.apple/default.md" },
      ]);
      assert.deepEqual(await routes("q=membrillo"), ["/quince"]);
      assert.equal((await routes("q=doctor")).length, 0);
    });
    it("shows one of two new pages that have the same address", async () => {
      await boot();
      const write = (name: string) => ({
        ...({ op: "write", path: `${name}/default.md` } as const),
        content: `---\ntitle: Quince\n---\nmembrillo ${name}`,
      });
      await site.site.use("content").apply([write("08.quince"), write("09.quince")]);
      assert.deepEqual(await routes("q=membrillo"), ["/quince"]);
    });
    it("removes old addresses, unpublished and gated pages as soon as they change", async () => {
      await boot();
      const write = (matter: string) =>
        site.site
          .use("content")
          .apply([
            { op: "write", path: "02.apple/default.md", content: `---\n${matter}\n---\ndoctor` },
          ]);
      await write("title: Apple\nslug: malus");
      assert.deepEqual(await routes("q=doctor"), ["/malus"]);
      await write("title: Apple\nroles: member");
      assert.deepEqual(await routes("q=doctor"), []);
      await write("title: Apple\nslug: malus");
      await write("title: Apple\nslug: other\npublished: false");
      assert.deepEqual(await routes("q=doctor"), []);
    });
    it("contains the records of plugins, and rejects records without a route", async () => {
      const log = new RecordedLog();
      const records = definePlugin({
        name: "listing",
        version: "1.0.0",
        hooks: {
          onSearchRecordsCollect: ({ data }) =>
            void data.records.push(
              {
                route: "/pdf/a#page=2",
                title: "Manual",
                body: "kumquat",
                fields: { subtype: "pdf" },
                type: "manuals",
              },
              { route: "/pdf/a#page=2", title: "Second", body: "kumquat" },
              { route: "r", title: "R", body: "kumquat" },
              JSON.parse(`{"title":"no route"}`),
            ),
        },
      });
      await boot({ extraPlugins: [records], log: log.logger });
      const { body } = await get("/api/search?q=kumquat&type=pdf");
      assert.deepEqual(
        body.items.map(({ route, type, template }) => [route, type, template]),
        [["/pdf/a#page=2", "manuals", "page"]],
      );
      const { by, problem, fix } = log.of("search.record_rejected")[0]?.fields ?? {};
      assert.deepEqual(
        [by, problem, fix],
        [
          "listing",
          'route: expected a path such as /events/1, received "r"',
          "correct what the handlers of onSearchRecordsCollect add",
        ],
      );
    });
  });

  describe("GET /api/search/suggest", () => {
    const suggest = async (query: string): Promise<unknown> =>
      ((await get(`/api/search/suggest?${query}`)) as { body: unknown }).body;
    it("returns titles, then terms", async () => {
      assert.deepEqual(await suggest("q=app"), { suggestions: ["Apple"] });
      assert.deepEqual(await suggest("q=wil"), { suggestions: ["williams"] });
    });
    it("returns an empty list for a one-letter prefix", async () => {
      for (const query of ["q=a", "q=", "", "q=%20a%20", "q=%00", "q=(", "q=__proto__"])
        assert.deepEqual(await suggest(query), { suggestions: [] });
    });
  });

  describe("GET /search", () => {
    it("serves a page that works without JavaScript, with the query and its results", async () => {
      const html = await (await site.fetch("/search?q=apple")).text();
      assert.match(html, /<title>Search: apple \| Test<\/title>/);
      assert.match(html, /<a href="\/apple">Apple<\/a>/);
      assert.match(html, /role="status"[^>]*>3 results</);
    });
    it("ignores malformed parameters", async () => {
      const read = async (query: string): Promise<string> =>
        (await (await site.fetch(`/search?q=apple&${query}`)).text()).replaceAll(
          /nonce="[^"]*"/g,
          "",
        );
      const plain = await read("");
      for (const query of IGNORED) assert.equal(await read(query), plain, query);
    });
    it("adds no element or attribute for any hostile parameter", async () => {
      await boot({ files: { "content/01.home/default.md": "Welcome" } });
      const shape = async (query: string): Promise<string> =>
        elementsOf(parse(await (await site.fetch(`/search?${query}`)).text())).join();
      const plain = await shape("q=zzzz");
      for (const payload of [
        `"><script>alert(1)</script>`,
        `' onfocus=alert(1) x='`,
        `</title><img src=x>`,
        `</script><svg onload=1>`,
        `\u2028"`,
        "<!--",
        `javascript:alert(1)`,
      ]) {
        const value = encodeURIComponent(`zzzz${payload}`);
        assert.equal(await shape(`q=${value}`), plain, payload);
        for (const name of ["type", "sort", "facet[subtype]", "limit", "offset"]) {
          assert.equal(
            await shape(`q=zzzz&${name}=${encodeURIComponent(payload)}`),
            plain,
            `${name} ${payload}`,
          );
        }
      }
    });
    it("reflects the query in a page without secrets", async () => {
      await boot({ extraPlugins: [visitor(["member"])] });
      const html = await (
        await site.fetch("/search?q=apple", { headers: { cookie: "site_session=secretvalue" } })
      ).text();
      assert.doesNotMatch(html, /secretvalue|csrf|token/i);
    });
  });

  describe("analytics", () => {
    it("appends one line per search, for any query", async () => {
      await boot({ clock: { now: () => 123 } });
      await get(`/api/search?q=${encodeURIComponent('Apple\n{"q":"x"}')}`);
      await site.site.use("search").analytics();
      const lines = (await readFile(join(site.root, ".dune/admin/search-analytics.jsonl"), "utf8"))
        .trim()
        .split("\n");
      assert.equal(lines.length, 1);
      const { t, q, n, lang } = JSON.parse(lines[0] ?? "") as Record<string, unknown>;
      assert.deepEqual([t, n, lang], [123, 3, "en"]);
      assert.doesNotMatch(String(q), /\n/);
    });
    it("allows searches when the log cannot be written", async () => {
      await boot({ files: { ...files, ".dune/admin": "a file where the folder should be" } }).catch(
        () => boot(),
      );
      await chmod(join(site.root, ".dune"), 0o555).catch(() => undefined);
      assert.equal((await get("/api/search?q=apple")).status, 200);
      await chmod(join(site.root, ".dune"), 0o755).catch(() => undefined);
    });
  });
});

function visitor(roles: string[], seesUnpublished = false) {
  return definePlugin({
    name: "visitor",
    version: "1.0.0",
    setup: (site) =>
      site.http.use("identity", (req, _res, next) => {
        req.ctx.state.viewer = { roles, seesUnpublished };
        next();
      }),
  });
}

function elementsOf(node: DefaultTreeAdapterTypes.Node): string[] {
  const own =
    "attrs" in node
      ? [`${node.tagName}[${node.attrs.map((attribute) => attribute.name).join(" ")}]`]
      : [];
  return "childNodes" in node ? [...own, ...node.childNodes.flatMap(elementsOf)] : own;
}

describe("GET /search with filters", () => {
  it("lists the pages of a taxonomy value and of a configured facet, as in the theme's links", async () => {
    const post = (tag: string): string =>
      `---\ntitle: About ${tag}\ntaxonomy: {tag: ${tag}}\n---\nWord.\n`;
    const site = await bootSite({
      files: {
        "content/a/default.md": post("red"),
        "content/b/default.md": post("blue"),
        "system.yaml": "search: {facets: [{field: taxonomy.tag}]}\n",
      },
      plugins: ["search", "render"],
    });
    const links = async (query: string): Promise<string[]> => {
      const html = await (await site.fetch(`/search?${query}`)).text();
      return ["/a", "/b"].filter((route) => html.includes(`href="${route}"`));
    };
    const found = [
      await links("q=word&taxonomy[tag][]=red"),
      await links("q=word&facet[taxonomy.tag]=blue"),
      await links("q=word&facet[other]=x"),
      await links("q=word&taxonomy=x&facet[__proto__][a]=1"),
    ];
    await site.close();
    assert.deepEqual(found, [["/a"], ["/b"], ["/a", "/b"], ["/a", "/b"]]);
  });
});
