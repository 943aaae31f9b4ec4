import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const files = {
  "content/01.home/default.md": "# Home",
  "flex-objects/product.yaml":
    "title: Products\nfields:\n  name: { type: text, required: true }\n  notes: { type: textarea }\n",
  "flex-objects/product/a.yaml": "_createdAt: 2\nname: Lamp\nnotes: warm brightness\n",
  "flex-objects/product/b.yaml": "_createdAt: 1\nname: Table\n",
};

describe("flex in collections", () => {
  let site: TestSite;
  before(async () => (site = await bootSite({ plugins: ["content", "flex"], files })));
  after(() => site.close());

  it("lists the records of `@flex: type`, with their fields and a read tag", async () => {
    const view = site.site.use("content").view();
    const { items, total } = await view.collection({ items: { "@flex": "product" } }, null);
    assert.equal(total, 2);
    const lamp = items.find(({ title }) => title === "Lamp");
    assert.deepEqual(
      [lamp?.route, lamp?.frontmatter["notes"]],
      ["/flex/product/a", "warm brightness"],
    );
    assert.ok(view.reads.has("flex:product"));
  });

  it("lists nothing for an unknown type, whatever its name", async () => {
    for (const type of ["none", "constructor", "__proto__", 7, ["product"], null]) {
      const { total } = await site.site
        .use("content")
        .view()
        .collection({ items: { "@flex": type } }, null);
      assert.equal(total, 0);
    }
  });
});

describe("flex and its hooks", () => {
  it("fires onFlexChange with the current record", async () => {
    const seen: unknown[] = [];
    const listener = definePlugin({
      name: "listener",
      version: "1.0.0",
      hooks: {
        onFlexChange: ({ data }) =>
          void seen.push([data.op, data.type, data.id, data.record?.["name"]]),
      },
    });
    const site = await bootSite({ plugins: ["content", "flex"], files, extraPlugins: [listener] });
    try {
      await site.site.use("flex").apply([
        { op: "update", type: "product", id: "a", data: { name: "Lantern" } },
        { op: "delete", type: "product", id: "b" },
      ]);
      await site.site.context("flex").hooks.settled();
      assert.deepEqual(seen, [
        ["update", "product", "a", "Lantern"],
        ["delete", "product", "b", undefined],
      ]);
    } finally {
      await site.close();
    }
  });
});

describe("flex in search", () => {
  interface Answer {
    total: number;
    items: { route: string; template: string; type?: string }[];
  }
  async function search(site: TestSite, q: string): Promise<Answer> {
    const response = await site.fetch(`/api/search?q=${q}`);
    assert.equal(response.status, 200);
    return (await response.json()) as Answer;
  }

  it("finds records of the types that search.include_flex names, live", async () => {
    const settings = { system: { search: { include_flex: ["product", "none"] } } };
    const site = await bootSite({
      plugins: ["content", "markdown", "search", "flex"],
      files,
      settings,
    });
    try {
      const { items } = await search(site, "brightness");
      assert.deepEqual(
        items.map(({ route, template, type }) => [route, template, type]),
        [["/flex/product/a", "flex", "product"]],
      );
      await site.site
        .use("flex")
        .apply([{ op: "create", type: "product", data: { name: "Zeppelin" } }]);
      await until(async () => (await search(site, "zeppelin")).total === 1);
    } finally {
      await site.close();
    }
  });

  it("finds no record of other types", async () => {
    const site = await bootSite({ plugins: ["content", "markdown", "search", "flex"], files });
    try {
      assert.equal((await search(site, "brightness")).total, 0);
    } finally {
      await site.close();
    }
  });
});
