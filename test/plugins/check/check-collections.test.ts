import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const page = (matter: string): string => `---\ntitle: T\n${matter}\n---\n`;

const QUERIES: readonly (readonly [query: string, problem: RegExp | null])[] = [
  ["{ items: '@self.children', order: { by: date, dir: desc }, limit: 3, offset: 0 }", null],
  ["{ items: { '@taxonomy.tag': x }, order: { by: rating }, pagination: { size: 5 } }", null],
  [
    "{ items: '@page.children:/', order: { by: frontmatter.rating, dir: asc }, pagination: true }",
    null,
  ],
  ["{ items: '@self.childern' }", /^error ERR_CHECK_COLLECTION collection: .*@self\.childern/],
  ["{ limit: 3 }", /^error ERR_CHECK_COLLECTION collection: `items` is missing/],
  [
    "{ items: '@self.children', order: { by: titel } }",
    /^warning .* collection\.order\.by: no page has "titel"; did you mean "title"\?$/,
  ],
  ["{ items: '@self.children', order: { by: date, dir: down } }", /collection\.order\.dir: "down"/],
  [
    "{ items: '@self.children', limit: -1 }",
    /^warning .* collection\.limit: -1 is not a whole number/,
  ],
  ["{ items: '@self.children', offset: -2 }", /collection\.offset: -2/],
  ["{ items: '@self.children', pagination: { size: 0 } }", /collection\.pagination\.size: 0/],
];

describe("collections of front matter that content:check reports", () => {
  let site: TestSite;
  before(async () => {
    const pages = QUERIES.map(([query], at) => [
      `content/page-${at}.md`,
      page(`collection: ${query}`),
    ]);
    const several = "{ news: { items: '@nothing' }, all: { items: '@self.children' } }";
    site = await bootSite({
      files: {
        "content/01.home/default.md": page("rating: 3"),
        ...Object.fromEntries(pages),
        "content/several.md": page(`collections: ${several}`),
      },
      plugins: ["content", "check"],
    });
  });
  after(() => site.close());

  async function problemsOf(path: string): Promise<string[]> {
    const found = await site.site.use("check").problems();
    return found
      .filter(({ sourcePath }) => sourcePath === path)
      .map(({ severity, code, message }) => `${severity} ${code} ${message}`);
  }

  for (const [at, [query, expected]] of QUERIES.entries()) {
    it(`${expected === null ? "do not include" : "include the problem of"} ${query}`, async () => {
      const found = await problemsOf(`page-${at}.md`);
      assert.equal(found.length, expected === null ? 0 : 1, found.join("; "));
      if (expected !== null) assert.match(found[0] ?? "", expected);
    });
  }

  it("include every one of `collections`", async () => {
    const found = await problemsOf("several.md");
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", /collections\.news: /);
  });
});

describe("a tree that content:check cannot serve at /", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function codes(files: Record<string, string>): Promise<string[]> {
    site = await bootSite({ files, plugins: ["content", "check"] });
    return (await site.site.use("check").problems()).map(({ code }) => code);
  }

  it("has no home page", async () => {
    assert.deepEqual(await codes({ "content/about/default.md": "# About" }), ["ERR_CHECK_HOME"]);
  });

  it("has no content folder", async () => {
    const config = { "system.yaml": "content: { dir: pages }\n" };
    const files = { ...config, "content/index.md": "# Home" };
    assert.deepEqual(await codes(files), ["ERR_CONTENT_READ"]);
  });

  for (const name of ["index.md", "Index.md", "INDEX.MD", "index.MD"]) {
    it(`does not include one where ${name} has the route / and below it is the page of its folder`, async () => {
      const files = { [`content/${name}`]: "# Home", [`content/guide/${name}`]: "# Guide" };
      assert.deepEqual(await codes(files), []);
      const { entries } = site.site.use("content").generation();
      assert.deepEqual(
        entries.map(({ route, template, title }) => [route, template, title]),
        [
          ["/", "default", "Home"],
          ["/guide", "default", "Guide"],
        ],
      );
      const media = await site.site.use("content").media("guide");
      assert.deepEqual(media, []);
    });
  }
});
