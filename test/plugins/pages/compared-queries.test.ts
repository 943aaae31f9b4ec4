import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const item = (title: string, rest: string): [string, string] => [
  `content/${title.toLowerCase()}/thing.md`,
  `---\ntitle: ${title}\n${rest}\n---\n`,
];
const FILES = Object.fromEntries([
  [
    "blueprints/thing.yaml",
    "template: default\nfields:\n  size: { type: number }\n  day: { type: date }\n  maker: { type: page }\n  tags: { type: list }\n  note: { type: text }\n",
  ],
  ["content/index.md", "# Home\n"],
  item(
    "Alpha",
    "size: 1\nday: 2025-03-01\ntags: [red, blue]\nmaker: beta\ntaxonomy: { tag: [x, y] }",
  ),
  item("Beta", "size: 2\nday: 2026-03-01\ntags: [red]\nnote: ''\ntaxonomy: { tag: [x] }"),
  item("Gamma", "size: 3\nday: 2026-09-01\nbox: { inner: deep }\nnote: Great lamp and light"),
  item("Delta", "tags: []\nnote: great night"),
]);

/** What the documentation says that Payload's and Directus' filters are here. */
const ROWS: readonly (readonly [row: string, query: string, titles: string])[] = [
  ["equals, _eq", "filter[size][eq]=2", "Beta"],
  ["not_equals, _neq", "filter[size][ne]=2", "Alpha Delta Gamma"],
  ["greater_than, _gt", "filter[size][gt]=2", "Gamma"],
  ["greater_than_equal, _gte", "filter[size][gte]=2", "Beta Gamma"],
  ["less_than, _lt", "filter[size][lt]=2", "Alpha"],
  ["less_than_equal, _lte", "filter[size][lte]=2", "Alpha Beta"],
  ["of texts", "filter[title][gte]=c&filter[title][lt]=f", "Delta"],
  ["in, _in", "filter[size][in]=1,3", "Alpha Gamma"],
  ["not_in, _nin", "filter[size][nin]=1,3", "Beta Delta"],
  ["contains, _icontains", "filter[note][contains]=GREAT", "Delta Gamma"],
  ["_istarts_with", "filter[note][startsWith]=GREAT N", "Delta"],
  ["like: all words", "filter[note][contains]=great&filter[or][0][note][contains]=lamp", "Gamma"],
  ["exists, _nnull, _nempty", "filter[note][exists]=true", "Delta Gamma"],
  ["_null, _empty: texts", "filter[note][exists]=false", "Alpha Beta"],
  ["_empty: lists", "filter[tags][exists]=false", "Delta Gamma"],
  ["one element of a list", "filter[tags][contains]=red", "Alpha Beta"],
  ["all: taxonomy adds to it", "filter[taxonomy.tag][contains]=x&taxonomy.tag=y", "Alpha"],
  ["_between", "filter[size][gte]=2&filter[size][lte]=3", "Beta Gamma"],
  ["_nbetween", "filter[or][0][size][lt]=2&filter[or][1][size][gt]=2", "Alpha Gamma"],
  ["nested names", "filter[box.inner]=deep", "Gamma"],
  [
    "and, _and; or, _or",
    "filter[size][lte]=2&filter[or][0][tags]=blue&filter[or][1][size]=2",
    "Alpha Beta",
  ],
  ["year(date)", "filter[day][gte]=2026-01-01&filter[day][lt]=2027-01-01", "Beta Gamma"],
];
/** Operators that are left out are a 400, not ignored. */
const LEFT_OUT =
  "equals not_equals greater_than like not_like all near within intersects _eq _ncontains _regex _json _some _none _between ends_with".split(
    " ",
  );

describe("filters of Payload and Directus, as the documentation compares them", () => {
  let site: TestSite;
  const read = async (query: string) => {
    const answer = await site.fetch(`/api/pages?${query}`);
    return { status: answer.status, body: await answer.json() };
  };
  before(async () => {
    site = await bootSite({ plugins: ["content", "markdown", "pages"], files: FILES });
  });
  after(() => site.close());

  for (const [row, query, titles] of ROWS) {
    it(`${row}: ${query}`, async () => {
      const { status, body } = await read(`${query}&template=thing&order=title`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.items.map(({ title }: { title: string }) => title).join(" "), titles);
    });
  }

  it("responds 400 to what is left out", async () => {
    for (const operator of LEFT_OUT) {
      const { status, body } = await read(`filter[size][${operator}]=1`);
      assert.equal(status, 400, operator);
      assert.match(body.error, /^filter\[size\]\[/);
    }
    assert.equal((await read("filter[maker.title]=Beta")).body.items?.length ?? 0, 0);
    assert.equal((await read("filter[year(day)]=2026")).status, 400);
  });

  it("has sort, select, depth, limit and page as order, fields, include, limit, offset and cursor", async () => {
    const query =
      "filter[size][exists]=true&order=size:desc,title&fields=title,size&include=relations";
    const { body } = await read(`${query}&limit=2&cursor=`);
    assert.deepEqual(
      body.items.map(({ title, frontmatter }: { title: string; frontmatter: object }) => ({
        title,
        ...frontmatter,
      })),
      [
        { title: "Gamma", size: 3 },
        { title: "Beta", size: 2 },
      ],
    );
    const next = await read(`${query}&limit=2&cursor=${body.meta.nextCursor}`);
    assert.equal(next.body.items[0].relations[0].item.title, "Beta");
    const byOffset = await read(`${query}&limit=2&offset=2`);
    assert.deepEqual(byOffset.body.items, next.body.items);
  });
});
