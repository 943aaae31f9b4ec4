import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

interface Item {
  route: string;
  title: string;
  published?: boolean;
  datetime?: string;
  summary?: string;
  frontmatter?: Record<string, unknown>;
}
interface List {
  items: Item[];
  meta: { total: number; page: number; nextCursor?: string | null; hasNext?: boolean };
}

/** A visitor with a role, or one who sees unpublished pages, by a header. */
const visitors = definePlugin({
  name: "visitors",
  version: "1.0.0",
  setup(site) {
    site.http.use("identity", (req, _res, next) => {
      const role = req.get("x-role");
      if (role !== undefined)
        req.ctx.state.viewer = { roles: [role], seesUnpublished: role === "editor" };
      next();
    });
  },
});

const product = (name: string, frontmatter: string): [string, string] => [
  `content/02.shop/${name}/default.md`,
  `---\ntitle: ${name}\ntemplate: product\n${frontmatter}\n---\nText of ${name}.\n`,
];
const files = Object.fromEntries([
  ["site.yaml", "title: T\n"],
  ["content/01.home/default.md", "# Home\n"],
  ["content/02.shop/default.md", "# Shop\n"],
  product(
    "anchor",
    "price: 10\nkind: tool\nfeatured: true\ndate: 2026-03-01T14:30\ntaxonomy: { tag: [sea, iron] }",
  ),
  product(
    "buoy",
    "price: 9.5\nkind: toy\ndate: 2026-03-01\nsummary: It floats.\ntaxonomy: { tag: [sea] }\n_secret: s3cret",
  ),
  product(
    "cable",
    "price: 100\nkind: tool\ndate: 2026-03-02\nsize: { length: 5, unit: 'm, long' }",
  ),
  product("drum", "kind: toy"),
  product("gated", "price: 1\nroles: member\ncode: hidden-code\ndate: 2026-03-05"),
  product("draft", "price: 2\npublished: false\ndraftonly: x\ndate: 2026-03-06"),
  product("review", "status: in_review"),
  product("soon", "publish_date: 2099-01-01"),
]);

describe("queries of pages", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files,
      plugins: ["pages", "security", "cache"],
      extraPlugins: [visitors],
      settings: { system: { server: { rate_limit: false } } },
    });
  });
  after(() => site.close());

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await site.fetch(path, { headers });
    const text = await answer.text();
    return { status: answer.status, text, answer };
  };
  const list = async (query: string, headers: Record<string, string> = {}): Promise<List> => {
    const { status, text } = await read(`/api/pages?${query}`, headers);
    assert.equal(status, 200, `${query}: ${text}`);
    return JSON.parse(text) as List;
  };
  const names = ({ items }: List) => items.map(({ route }) => route.split("/").at(-1)).join(" ");
  const error = async (query: string): Promise<string> => {
    const { status, text } = await read(query.startsWith("/") ? query : `/api/pages?${query}`);
    assert.equal(status, 400, `${query}: ${text}`);
    return String((JSON.parse(text) as { error: unknown }).error);
  };

  for (const [query, found] of [
    ["filter[price][gte]=10", "anchor cable"],
    ["filter[price][lt]=10", "buoy"],
    ["filter[price][ne]=10&template=product", "buoy cable drum"],
    ["filter[price][exists]=false&template=product", "drum"],
    ["filter[frontmatter.price][gt]=9.5", "anchor cable"],
    ["filter[kind]=tool", "anchor cable"],
    ["filter[kind]=tool&filter[kind]=toy", "anchor buoy cable drum"],
    ["filter[kind][in]=tool,toy", "anchor buoy cable drum"],
    ["filter[kind][nin]=tool&template=product", "buoy drum"],
    ["filter[title][contains]=U", "buoy drum"],
    ["filter[title][startsWith]=C", "cable"],
    ["filter[featured][eq]=true", "anchor"],
    ["filter[date][gte]=2026-03-01&filter[date][lte]=2026-03-01", "anchor buoy"],
    ["filter[date]=2026-03-01", "anchor buoy"],
    ["filter[date][gt]=2026-03-01T12:00", "anchor cable"],
    ["filter[datetime][exists]=true", "anchor"],
    ["filter[taxonomy.tag][contains]=iron", "anchor"],
    ["taxonomy.tag=sea&filter[price][lt]=10", "buoy"],
    ["filter[size.length]=5", "cable"],
    ["filter[size.unit][in]=m%5C,%20long", "cable"],
    ["filter[or][0][price][lt]=10&filter[or][1][kind]=tool", "anchor buoy cable"],
    ["filter[or][0][price][lt]=10&filter[or][0][kind]=tool&filter[or][1][title]=drum", "drum"],
    ["filter[kind]=tool&filter[or][0][price][gt]=50&filter[or][1][price][lt]=5", "cable"],
    ["filter[published]=false", ""],
  ] as const) {
    it(`selects ${found || "nothing"} by ${query}`, async () => {
      assert.equal(names(await list(`${query}&order=title`)), found);
    });
  }

  for (const [order, found] of [
    ["price:desc", "cable anchor buoy drum"],
    ["price", "buoy anchor cable drum"],
    ["kind:desc,price:desc", "buoy drum cable anchor"],
    ["featured:desc,date:desc", "anchor cable buoy drum"],
    ["date:asc,title", "buoy anchor cable drum"],
    ["datetime,title:desc", "anchor drum cable buoy"],
  ] as const) {
    it(`orders by ${order}, absent values last`, async () => {
      assert.equal(names(await list(`template=product&order=${order}`)), found);
    });
  }

  it("sends just the fields, own ones below frontmatter", async () => {
    const { items } = await list(
      "template=product&order=title&fields=title,price,frontmatter.kind,size.length,datetime",
    );
    assert.deepEqual(items[0], {
      title: "anchor",
      datetime: "2026-03-01T14:30:00.000Z",
      frontmatter: { price: 10, kind: "tool" },
    });
    assert.deepEqual(items[2], {
      title: "cable",
      frontmatter: { price: 100, kind: "tool", size: { length: 5 } },
    });
  });

  it("includes what is asked for, by include or as a field", async () => {
    const { items } = await list("filter[title]=anchor&fields=title&include=summary,image");
    assert.deepEqual(items, [{ title: "anchor", summary: "Text of anchor.", image: null }]);
    const whole = await list("filter[title]=buoy&include=summary");
    assert.equal(whole.items[0]?.summary, "It floats.");
    assert.equal(whole.items[0]?.route, "/shop/buoy");
    const field = await list("filter[title]=anchor&fields=title,image");
    assert.deepEqual(field.items, [{ title: "anchor", image: null }]);
  });

  it("pages by cursor beside page numbers", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let part = 0; part < 10 && cursor !== null; part += 1) {
      const found: List = await list(
        `template=product&order=kind,price:desc&limit=2&cursor=${cursor}`,
      );
      assert.equal(found.meta.total, 4);
      assert.equal(found.meta.page, part + 1);
      seen.push(names(found));
      cursor = found.meta.nextCursor ?? null;
    }
    assert.deepEqual(seen, ["cable anchor", "buoy drum"]);
  });

  it("continues a list ordered by date, with and without a time of day", async () => {
    const first = await list("order=date&limit=3&cursor=");
    const second = await list(`order=date&limit=9&cursor=${first.meta.nextCursor}`);
    assert.equal(`${names(first)} ${names(second)}`, names(await list("order=date")));
  });

  it("leaves plain lists as they are", async () => {
    const plain = await read("/api/pages?template=product&order=title:asc&limit=2&sort=x");
    assert.equal(
      plain.text,
      '{"items":[{"route":"/shop/anchor","title":"anchor","date":"2026-03-01","datetime":"2026-03-01T14:30:00.000Z","template":"product","format":"md","published":true,"taxonomy":{"tag":["sea","iron"]}},{"route":"/shop/buoy","title":"buoy","date":"2026-03-01","template":"product","format":"md","published":true,"taxonomy":{"tag":["sea"]}}],"meta":{"total":4,"page":1,"pages":2,"limit":2}}',
    );
  });

  it("gives queried whole items the keys of plain ones", async () => {
    const plain = await list("template=product&order=title&limit=4");
    const queried = await list("filter[template]=product&order=title&limit=4");
    assert.deepEqual(queried.items, plain.items);
  });

  describe("reveals nothing of pages that the visitor may not see", () => {
    it("by filters, orders or cursors", async () => {
      assert.equal(names(await list("filter[price][lt]=5")), "");
      assert.equal(names(await list("filter[price][lt]=5", { "x-role": "member" })), "gated");
      const { text } = await read("/api/pages?template=product&order=price&limit=1&cursor=");
      assert.ok(!text.includes("gated"));
    });

    it("by names: keys of hidden pages only are unknown", async () => {
      for (const name of ["code", "draftonly", "frontmatter.code"]) {
        assert.match(await error(`filter[${name}]=x`), /unknown name/);
        assert.match(await error(`order=${name},title`), /unknown name/);
        assert.match(await error(`fields=${name}`), /unknown name/);
      }
      assert.ok(!(await error("filter[cod]=x")).includes("code"));
      const member = await list("filter[code]=hidden-code", { "x-role": "member" });
      assert.equal(names(member), "gated");
    });

    it("by private keys, for everybody", async () => {
      for (const name of ["_secret", "frontmatter._secret", "frontmatter"]) {
        const { text } = await read(
          `/api/pages?filter[${name}][startsWith]=s&fields=title,${name}`,
        );
        assert.ok(!text.includes("s3cret"), text);
      }
      assert.match(await error("filter[_secret][startsWith]=s"), /unknown name/);
      assert.match(await error("order=_secret,title"), /unknown name/);
      const whole = await list("filter[title]=buoy&fields=frontmatter");
      assert.equal("_secret" in (whole.items[0]?.frontmatter ?? {}), false);
    });

    it("and unpublished ones only to editors", async () => {
      assert.equal(names(await list("published=false&filter[price][lt]=5")), "");
      const editor = await list("published=false&filter[price][lt]=5", { "x-role": "editor" });
      assert.equal(names(editor), "draft");
      const all = await list("published=false&order=title:asc", { "x-role": "editor" });
      assert.equal(names(all), "draft review soon");
      for (const { published } of all.items) assert.equal(published, false);
      const { answer } = await read("/api/pages?published=false&fields=title", {
        "x-role": "editor",
      });
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
    });
  });

  describe("responds 400", () => {
    for (const [query, message] of [
      ["filter[prise]=1", /^filter\[prise\]: unknown name "prise", did you mean price\?/],
      ["order=prise:asc", /^order: unknown name "prise", did you mean price\?/],
      ["fields=titel", /^fields: unknown name "titel", did you mean title\?/],
      ["include=sumary", /^include: unknown name "sumary", did you mean summary\?/],
      ["filter[price][gte]=1&filter[price][gtt]=1", /unknown operator "gtt", did you mean gt/],
      ["filter[date][gte]=soon", /^filter\[date\]\[gte\]: "soon" is not a date/],
      ["filter[price][exists]=maybe", /"maybe" is not true or false/],
      ["filter[__proto__]=x", /unknown name/],
      ["filter[constructor]=x", /unknown name/],
      ["filter[price.__proto__]=x", /unknown name/],
      ["order=hasOwnProperty,title", /unknown name/],
      ["fields=title,frontmatter.", /unknown name/],
      ["cursor=x", /^cursor: /],
      ["/api/collections?filter[prise]=1", /did you mean price\?/],
      ["/api/collections?order=date:up", /^order: /],
    ] as const) {
      it(`to ${query}`, async () => assert.match(await error(query), message));
    }

    it("to a cursor of another order, and to one with an offset", async () => {
      const { meta } = await list("order=title&limit=1&cursor=");
      assert.match(await error(`order=date&cursor=${meta.nextCursor}`), /another order/);
      assert.match(await error(`order=title&offset=1&cursor=${meta.nextCursor}`), /offset/);
    });

    it("to hundreds of filters, and selects nothing by a huge text", async () => {
      const many = Array.from({ length: 500 }, (_, at) => `filter[p${at}]=1`).join("&");
      assert.match(await error(many), /filter/);
      const { status } = await read(`/api/pages?filter[title]=${"x".repeat(7_000)}`);
      assert.equal(status, 200);
    });
  });

  describe("GET /api/collections", () => {
    const collection = async (query: string): Promise<List> => {
      const { status, text } = await read(`/api/collections?source=@page.children:/shop&${query}`);
      assert.equal(status, 200, text);
      return JSON.parse(text) as List;
    };

    it("has filters, orders, fields and cursors", async () => {
      const first = await collection(
        "filter[price][exists]=true&order=price:asc&limit=2&fields=route,price",
      );
      assert.deepEqual(first.items[0], { route: "/shop/buoy", frontmatter: { price: 9.5 } });
      assert.equal(first.meta.hasNext, true);
      const next = await collection(
        `filter[price][exists]=true&order=price:asc&limit=2&cursor=${first.meta.nextCursor}`,
      );
      assert.equal(names(next), "cable");
      assert.equal(next.meta.hasNext, false);
    });

    it("takes dir for names without a direction", async () => {
      assert.equal(names(await collection("order=kind,price&dir=asc")), "anchor cable buoy drum");
      assert.equal(names(await collection("order=price")), "cable anchor buoy drum");
    });
  });
});

describe("queries of pages with blueprints", () => {
  let site: TestSite;
  before(async () => {
    const page = (name: string, template: string, more: string): [string, string] => [
      `content/02.shop/${name}/${template}.md`,
      `---\ntitle: ${name}\n${more}\n---\nText.\n`,
    ];
    site = await bootSite({
      files: Object.fromEntries([
        ["site.yaml", "title: T\n"],
        ["content/01.home/default.md", "# Home\n"],
        ["content/02.shop/default.md", "# Shop\n"],
        [
          "blueprints/boat.yaml",
          "fields:\n  rank: { type: number }\n  built: { type: date }\n  rare: { type: text }\n  size: { type: number }\n",
        ],
        ["blueprints/crew.yaml", "fields:\n  rank: { type: text }\n  size: { type: range }\n"],
        page("a", "boat", "rank: 10\nbuilt: 2020-01-01\nsize: 3"),
        page("b", "boat", "rank: '9'\nbuilt: 2021-01-01"),
        page("c", "crew", "rank: captain\nsize: 4"),
      ]),
      plugins: ["pages"],
    });
  });
  after(() => site.close());
  const get = async (query: string) => {
    const answer = await site.fetch(`/api/pages?${query}`);
    const { items = [], error } = (await answer.json()) as { items?: Item[]; error?: string };
    return { status: answer.status, error, titles: items.map(({ title }) => title).join(" ") };
  };

  it("need template= for a name with several kinds", async () => {
    for (const query of ["filter[rank][gt]=1", "order=rank,title", "fields=rank"]) {
      const { status, error } = await get(query);
      assert.equal(status, 400, query);
      assert.match(
        String(error),
        /rank has several kinds \(number in boat, text in crew\): add template=/,
      );
    }
    assert.equal((await get("filter[rank][gt]=9.5&template=boat")).titles, "a");
    assert.equal((await get("order=rank:desc,title&template=boat")).titles, "a b");
    assert.equal((await get("filter[rank][startsWith]=CAP&template=crew")).titles, "c");
    assert.equal((await get("filter[size][gte]=3&order=title")).titles, "a c");
  });

  it("compare by the declared kind, and know fields that no page has", async () => {
    assert.equal((await get("filter[built][gt]=2020-01-01")).titles, "b");
    assert.equal((await get("filter[rare][exists]=true")).titles, "");
    assert.equal((await get("filter[built][gt]=soon")).status, 400);
  });
});
