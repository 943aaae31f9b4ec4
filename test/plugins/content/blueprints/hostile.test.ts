import assert from "node:assert/strict";
import { bootAdmin, adminPlugins, type AdminSite } from "../../../support/sites/admin-site.js";

/** A block within a block, and so on. */
const nested = (depth: number): unknown =>
  depth === 0 ? { type: "t", text: "x" } : { type: "box", items: [nested(depth - 1)] };
const page = (values: Record<string, unknown>, text = "# A page\n"): string =>
  `---\n${Object.entries(values)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
    .join("")}---\n${text}`;

const blocks = (text: string) =>
  Array.from({ length: 10_000 }, (_, at) => ({ type: "t", text: `${text}${at}` }));
/** More than front matter can have. */
const tooLong = page({ title: "Wider", parts: blocks("t".repeat(100)) });
const FILES = {
  "blueprints/odd.yaml": "template: default\n",
  "blueprints/unknown.yaml":
    "fields:\n  a: { type: emial, label: A }\n  b: { type: text, label: B, required: true }\n",
  "blueprints/left.yaml": "extends: right\nfields:\n  a: { type: number, label: A }\n",
  "blueprints/right.yaml": "extends: left\n",
  "blueprints/self.yaml": "extends: self\nfields:\n  a: { type: number, label: A }\n",
  "blueprints/proto.yaml":
    "fields:\n  constructor: { type: text }\n  toString: { type: number, label: T }\n  hasOwnProperty: { type: number, label: H }\n  valueOf: { type: page }\n",
  "blueprints/linked.yaml":
    "fields:\n  next: { type: page, label: Next }\n  all: { type: pages, label: All }\n  product: { type: record, of: product, label: Product }\n",
  "blueprints/parts.yaml": "fields:\n  parts: { type: blocks, label: Parts }\n",
  "blueprints/blocks/t.yaml": "fields:\n  text: { type: text, label: Text }\n",
  "blueprints/blocks/box.yaml": "extends: round\nfields:\n  items: { type: blocks }\n",
  "blueprints/blocks/round.yaml": "extends: box\n",
  "flex-objects/product.yaml":
    "fields:\n  name: { type: text }\n  price: { type: number }\n  next: { type: page, label: Next }\n  same: { type: record, of: product, label: Same }\n",
  "flex-objects/product/chair.yaml": "name: Chair\nnext: nowhere\nsame: chair\n",
  "content/04.odd/odd.md": page({ title: "Odd" }),
  "content/04.odd/unknown/unknown.md": page({ title: "Unknown", a: 1 }),
  "content/04.odd/left/left.md": page({ title: "Left", a: "x" }),
  "content/04.odd/self/self.md": page({ title: "Self", a: "x" }),
  "content/04.odd/proto/proto.md": page({
    title: "Proto",
    constructor: "x",
    toString: "x",
    hasOwnProperty: "y",
    valueOf: "__proto__",
  }),
  "content/04.odd/one/linked.md": page({
    title: "One",
    next: "odd/two",
    all: ["odd/one", "odd/two", "odd/none"],
  }),
  "content/04.odd/two/linked.md": page({ title: "Two", next: "odd/one", product: "none" }),
  "content/04.odd/wide/parts.md": page({ title: "Wide", parts: blocks("t") }),
  "content/04.odd/wider/parts.md": tooLong,
  "content/04.odd/deep/parts.md": page({ title: "Deep", parts: [nested(50)] }),
  "content/04.odd/shapes/parts.md": page({
    title: "Shapes",
    parts: { type: "constructor", items: [[[]]] },
  }),
};
const ROUTES = ["unknown", "left", "self", "proto", "one", "two", "wide", "deep", "shapes"];

describe("a site with hostile page types", () => {
  let site: AdminSite;
  before(async () => {
    site = await bootAdmin({
      plugins: [...adminPlugins, "render"],
      files: FILES,
      settings: { system: { server: { rate_limit: false as const } } },
    });
  });
  after(() => site.close());

  for (const name of ROUTES) {
    it(`serves the page ${name}, as HTML and in the API`, async () => {
      const query = "include=relations,referencedBy,modules,summary,image";
      for (const path of [`/odd/${name}`, `/api/pages/odd/${name}?${query}`])
        assert.equal((await site.fetch(path)).status, 200, path);
    });
  }

  it("lists all pages, and finds their texts", async () => {
    const { items } = await (await site.fetch("/api/pages?limit=100&include=relations")).json();
    const routes = items.map(({ route }: { route: string }) => route);
    for (const name of ROUTES) assert.ok(routes.includes(`/odd/${name}`), name);
    for (const word of ["wide", "deep"]) {
      const { total } = await (await site.fetch(`/api/search?q=${word}`)).json();
      assert.equal(total, 1, word);
    }
  });

  it("reports each mistake with file, key and fix", async () => {
    const { blueprints } = site.site.use("content");
    const found = blueprints.problems.map(
      ({ sourcePath, key }) => `${sourcePath.slice(11)} ${key}`,
    );
    assert.deepEqual(found.sort(), [
      "blocks/box.yaml extends",
      "blocks/round.yaml extends",
      "left.yaml extends",
      "proto.yaml constructor",
      "right.yaml extends",
      "self.yaml extends",
      "unknown.yaml fields.a.type",
    ]);
    for (const { message, fix } of blueprints.problems) assert.ok(message && fix);
  });

  it("warns of what does not fit, at most a hundred times per page", async () => {
    const problems = await site.site.use("check").problems();
    const of = (name: string) =>
      problems.filter(
        ({ sourcePath, code }) => sourcePath.includes(`/${name}/`) && !code.startsWith("ERR_CHECK"),
      );
    const keys = (name: string) => of(name).map(({ key }) => key);
    assert.deepEqual(keys("unknown"), ["b"]);
    assert.deepEqual(keys("left"), ["a"]);
    assert.deepEqual(keys("self"), ["a"]);
    assert.deepEqual(keys("proto").sort(), ["hasOwnProperty", "toString", "valueOf"]);
    assert.deepEqual(keys("one"), ["all.2"]);
    assert.deepEqual(keys("two"), ["product"]);
    assert.deepEqual(keys("wide"), []);
    assert.match(of("deep")[0]?.message ?? "", /nested deeper than 10 levels/);
    assert.deepEqual(keys("shapes"), ["parts.0.type"]);
    assert.deepEqual(keys("product").sort(), ["next"]);
    const errors = problems.filter(
      ({ severity, code }) => severity === "error" && !code.startsWith("ERR_CHECK"),
    );
    assert.deepEqual(
      errors.map(({ sourcePath, code }) => [sourcePath, code]),
      [["04.odd/wider/parts.md", "ERR_CONTENT_FRONT_MATTER_SIZE"]],
    );
    assert.match(
      errors[0]?.message ?? "",
      /has 1\d{6} bytes, at most 1048576 are read; move .* records/,
    );
  });

  it("responds 422 to such pages that are saved, and writes nothing", async () => {
    const admin = await site.as("admin");
    for (const name of ["unknown", "left", "proto", "one", "deep", "shapes"]) {
      const [path = ""] = Object.keys(FILES).filter((file) => file.includes(`odd/${name}/`));
      const address = `/admin/api/pages/${path.slice("content/".length)}`;
      const { validationErrors } = await admin.json(422, "PUT", address, { body: "Other." });
      assert.ok(validationErrors.length > 0, name);
    }
    const wide = "/admin/api/pages/04.odd/wide/parts.md";
    await admin.json(200, "PUT", wide, { body: "Other." });
    const long = { content: tooLong, path: "04.odd/new/parts.md" };
    for (const [method, address, sent] of [
      ["PUT", wide, { content: tooLong }],
      ["PUT", wide, { frontmatter: { parts: blocks("t".repeat(100)) } }],
      ["POST", "/admin/api/pages", long],
    ] as const) {
      const { error } = await admin.json(422, method, address, sent);
      assert.match(error, /bytes, at most 1048576/);
    }
    assert.equal((await site.fetch("/odd/wide")).status, 200);
    const record = "/admin/api/flex/product/chair";
    await admin.json(422, "PUT", record, { name: "Stool" });
    await admin.json(200, "PUT", record, { next: "odd/one" });
  });

  const queries = [
    "filter[next][$where]=1",
    "filter[next][gte][gte]=1",
    "filter[__proto__][eq]=1",
    "filter[next][__proto__]=1",
    "filter[next][constructor]=1",
    "filter[][]=1",
    "filter[next][]=1&filter[next][]=2",
    "filter[or]=1",
    "filter[or][__proto__][next]=1",
    "filter[or][99999999999][next]=1",
    "filter=1&filter[next]=1",
    "filter[next]=%00",
    "filter[next]=%ff",
    "filter[next][in]=",
    "filter[toString][gte]=1",
    "filter[hasOwnProperty]=1",
    "order=__proto__",
    "order=toString:desc",
    "fields=constructor",
    "fields=frontmatter",
    "fields=next.__proto__",
    "include=__proto__",
    "include=toString",
    "cursor=%F0%9F%92%A9",
    "cursor=W10",
    "filter%5Bnext%5D%5Beq%5D=1",
    `filter[next]=${"[".repeat(3_000)}`,
    `order=${"next,".repeat(500)}`,
  ];
  for (const list of [
    "/api/pages",
    "/api/collections?source=@page.children:/odd",
    "/api/flex/product",
  ]) {
    it(`responds 200 or 400 to operators of hostile shapes: ${list}`, async () => {
      for (const query of queries) {
        const path = `${list}${list.includes("?") ? "&" : "?"}${query}`;
        const answer = await site.fetch(path);
        const body = await answer.json();
        assert.ok(answer.status === 200 || answer.status === 400, `${path}: ${answer.status}`);
        if (answer.status === 400) assert.ok(body.error.length < 500, path);
      }
    });
  }
});
