import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#testing";
import { useSite } from "../../support/sites/use-site.js";

type Row = Record<string, unknown>;

const record = (id: string, at: number, text: string): [string, string] => [
  `flex-objects/boat/${id}.yaml`,
  `_id: ${id}\n_createdAt: ${at}\n_updatedAt: ${at}\n${text}\n`,
];
const shout = definePlugin({
  name: "shout",
  version: "1.0.0",
  after: ["flex"],
  setup(site) {
    site.extensions.add("recordIncludes", {
      loud: { description: "The name in capitals", of: ({ name }) => String(name).toUpperCase() },
      broken: { description: "Fails", of: () => assert.fail("no moon") },
    });
  },
});

describe("queries of records", () => {
  const log = new RecordedLog();
  const site = useSite({
    log: log.logger,
    files: Object.fromEntries([
      ["site.yaml", "title: T\n"],
      ["content/01.home/default.md", "# Home\n"],
      [
        "flex-objects/boat.yaml",
        "title: Boats\nfields:\n  name: { type: text, required: true }\n  price: { type: number }\n  kind: { type: select, options: [sloop, ketch] }\n  tags: { type: list }\n  built: { type: date }\n  sea: { type: toggle }\n",
      ],
      record(
        "b1",
        1,
        "name: Aurora\nprice: 10\nkind: sloop\ntags: [red, new]\nbuilt: 2020-05-01\nsea: true",
      ),
      record(
        "b2",
        2,
        "name: boreas 9\nprice: 9.5\nkind: ketch\ntags: [red]\nbuilt: 2021-05-01\nsea: false",
      ),
      record("b3", 3, "name: Boreas 10\nkind: sloop"),
      record("b4", 4, "name: Hidden\nprice: 1\npublished: false"),
    ]),
    plugins: ["flex", "pages"],
    extraPlugins: [shout],
  });
  const get = async (query: string) => {
    const answer = await site.fetch(`/api/flex/boat?${query}`);
    const body: unknown = await answer.json();
    return { answer, status: answer.status, body };
  };
  const rows = async (query: string): Promise<Row[]> => {
    const { status, body } = await get(query);
    assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
    return body as Row[];
  };
  const ids = async (query: string) => (await rows(query)).map(({ _id }) => _id).join(" ");

  for (const [query, found] of [
    ["filter[price][gte]=9.5", "b2 b1"],
    ["filter[price][lt]=5", ""],
    ["filter[price][exists]=false", "b3"],
    ["filter[tags][contains]=new", "b1"],
    ["filter[name][startsWith]=bo&order=name", "b2 b3"],
    ["filter[built][gt]=2020-12-31", "b2"],
    ["filter[sea][ne]=true", "b3 b2"],
    ["filter[or][0][price][gt]=9.9&filter[or][1][kind]=ketch&order=_id:asc,name", "b1 b2"],
    ["filter[kind]=sloop&filter[price][in]=9.5,10", "b1"],
    ["order=kind:desc,price:asc", "b1 b3 b2"],
  ] as const) {
    it(`selects ${found || "nothing"} by ${query}`, async () =>
      assert.equal(await ids(query), found));
  }

  it("sends just the fields, and includes of plugins", async () => {
    assert.deepEqual(await rows("filter[_id][eq]=b1&fields=name,tags&include=loud"), [
      { name: "Aurora", tags: ["red", "new"], loud: "AURORA" },
    ]);
  });

  it("pages by cursor: X-Next-Cursor and Link", async () => {
    const first = await get("order=name&limit=2&cursor=");
    assert.deepEqual(
      (first.body as Row[]).map(({ _id }) => _id),
      ["b1", "b2"],
    );
    const link = /^<([^>]+)>; rel="next"$/.exec(first.answer.headers.get("link") ?? "")?.[1] ?? "";
    assert.ok(link.includes(`cursor=${first.answer.headers.get("x-next-cursor")}`), link);
    assert.equal(first.answer.headers.get("x-total-count"), "3");
    const next = await site.fetch(link);
    assert.deepEqual(
      ((await next.json()) as Row[]).map(({ _id }) => _id),
      ["b3"],
    );
    assert.equal(next.headers.get("x-next-cursor"), null);
    assert.equal(next.headers.get("link"), null);
  });

  it("leaves out an include that fails, for at most a minute, and logs plugin and name", async () => {
    const { answer, body } = await get("filter[_id][eq]=b1&fields=name&include=broken,loud");
    assert.equal(answer.status, 200);
    assert.deepEqual(body, [{ name: "Aurora", loud: "AURORA" }]);
    const seconds = Number(
      /max-age=(\d+)/.exec(answer.headers.get("cache-control") ?? "")?.[1] ?? 0,
    );
    assert.ok(seconds <= 60, `${seconds} s`);
    const { plugin, list, key } = log.of("extension.failed")[0]?.fields ?? {};
    assert.deepEqual([plugin, list, key], ["shout", "recordIncludes", "broken"]);
  });

  it("leaves plain lists as they are", async () => {
    const { answer, body } = await get("filter[kind]=sloop&order=price:desc&limit=1");
    assert.deepEqual(
      (body as Row[]).map(({ _id }) => _id),
      ["b1"],
    );
    assert.equal(answer.headers.get("x-next-cursor"), null);
  });

  for (const [query, message] of [
    ["filter[prise][gt]=1", /did you mean price\?/],
    ["filter[price][gt]=x", /is not a number/],
    ["fields=nam", /did you mean name\?/],
    ["include=lout", /did you mean loud\?/],
    ["order=name,prise", /did you mean price\?/],
    ["order=prise:asc", /did you mean price\?/],
    ["order=_createdat:asc", /did you mean _createdAt\?/],
    ["filter[constructor][eq]=1", /unknown name/],
    ["fields=published", /unknown name/],
    ["cursor=x", /^cursor: /],
    ["cursor=&limit=0", /^limit: /],
  ] as const) {
    it(`responds 400 to ${query}`, async () => {
      const { status, body } = await get(query);
      assert.equal(status, 400);
      assert.match(String((body as { error: unknown }).error), message);
    });
  }
});
