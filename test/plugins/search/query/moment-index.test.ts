import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import type { Moment, Viewer } from "../../../../plugins/content/contract.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

const MANY = 5_100;
const NOW = Date.parse("2027-05-01T12:00:00Z");
const LATER = "2027-06-01T09:00Z";

describe("the index of a moment", () => {
  let site: TestSite;
  let moment: Moment;
  before(async () => {
    const many = Array.from({ length: MANY }, (_, at) => [
      `content/p${at}.md`,
      "# Boat\n\nSails.\n",
    ]);
    site = await bootSite({
      plugins: ["content", "markdown", "search", "pages"],
      clock: { now: () => NOW },
      files: {
        ...Object.fromEntries(many),
        "content/soon.md":
          "---\ntitle: Soon\npublish_date: 2027-05-20T08:00Z\n---\nA sloop, at last.\n",
        "content/gated.md": "---\ntitle: Gated\nroles: [member]\n---\nA sloop for members.\n",
      },
    });
    moment = await momentAt(LATER);
  });
  after(() => site.close());

  const momentAt = (at: string): Promise<Moment> =>
    site.site.use("content").moment({ at, rev: null, opens: null, query: `at=${at}` });
  const stats = () => {
    const found = site.site.context("search").cache.stats()["search-at-moments"];
    assert.ok(found);
    return found;
  };
  const find = (text: string, viewer: Partial<Viewer> = {}) =>
    site.site.use("search").search(
      {
        text,
        filters: { taxonomy: {}, facets: {} },
        sort: "relevance",
        lang: null,
        limit: 10,
        offset: 0,
      },
      { roles: null, seesUnpublished: false, moment, ...viewer },
    );
  const routes = async (...wanted: Parameters<typeof find>): Promise<string[]> =>
    (await find(...wanted)).items.map(({ route }) => route);

  /** False for a 503: the index is being built, and a client tries again. */
  const isBuilt = (): Promise<boolean> =>
    find("sails").then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof HttpError && error.status === 503, String(error));
        return false;
      },
    );

  it("finds pages of a site with more than 5,000 pages", async () => {
    await until(isBuilt);
    assert.equal((await find("sails")).total, MANY);
    assert.deepEqual(await routes("sloop"), ["/soon"]);
  });

  it("is built once for all queries and moments with the same pages", async () => {
    await find("boat");
    const before = stats();
    await find("sloop");
    await find("sails", { moment: await momentAt("2027-07-01") });
    assert.deepEqual([stats().entries, stats().misses], [before.entries, before.misses]);
    assert.equal(stats().hits, before.hits + 2);
  });

  it("contains only what its viewers see", async () => {
    assert.deepEqual(await routes("sloop", { roles: ["member"] }), ["/gated", "/soon"]);
    assert.deepEqual(await routes("sloop"), ["/soon"]);
    assert.deepEqual(await routes("sloop", { moment: await momentAt("2027-05-02") }), []);
  });

  it("follows edits", async () => {
    await site.write("content/soon.md", "---\ntitle: Soon\n---\nA cutter.\n");
    await site.site.use("content").rebuild();
    assert.deepEqual(await routes("cutter"), ["/soon"]);
    assert.deepEqual(await routes("sloop"), []);
  });
});
