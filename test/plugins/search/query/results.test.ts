import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { toQuery } from "../../../../plugins/search/testing/engine-suite.js";
import { toItems } from "../../../../plugins/search/query/results.js";
import { Sources } from "../../../../plugins/search/index/sources.js";
import { Texts } from "../../../../plugins/search/index/texts.js";
import { testCaches } from "../../../support/test-caches.js";

const files = {
  "content/00.home/default.md": "# Home",
  "content/01.dated/default.md": "---\ntitle: Dated\ndate: 2024-03-01\n---\nan apple",
  "content/02.undated/default.md": "---\ntitle: Undated\n---\nan <b>apple</b>",
  "content/03.gated/default.md":
    "---\ntitle: Gated\naccess: { login: true }\nroles: [member]\n---\nan apple",
};

describe("the results of a search", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files, plugins: ["search"] });
  });
  after(() => site.close());

  async function show(routes: string[], roles: string[] | null = null) {
    const context = site.site.context("search");
    const sources = new Sources(context, new Texts(context, testCaches()));
    await sources.collect();
    const view = context.use("content").view({ roles, seesUnpublished: false });
    const hits = routes.map((route) => ({ route, score: 1 }));
    const section = context.settings.system.search;
    const { addresses } = context.use("content");
    return toItems({ total: 7, hits }, toQuery("apple"), { sources, view, section, addresses });
  }

  it("have a day, or empty text when undated", async () => {
    const { items } = await show(["/dated", "/undated"]);
    assert.deepEqual(
      items.map(({ date }) => date),
      ["2024-03-01", ""],
    );
  });

  it("exclude, and do not count, hidden and deleted pages", async () => {
    const { items, total } = await show(["/dated", "/gated", "/gone"]);
    assert.deepEqual([items.map(({ route }) => route), total], [["/dated"], 5]);
    assert.equal((await show(["/gated"], ["member"])).items.length, 1);
  });

  it("mark words in escaped text", async () => {
    const [item] = (await show(["/undated"])).items;
    assert.match(item?.excerpt ?? "", /<mark>apple<\/mark>/);
    assert.doesNotMatch(item?.excerpt ?? "", /<(?!\/?mark>)/);
  });
});
