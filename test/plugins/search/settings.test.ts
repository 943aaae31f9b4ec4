import assert from "node:assert/strict";
import { settings } from "../../../plugins/search/settings.js";

describe("the settings of search", () => {
  it("are complete by default", () => {
    const { search } = settings.system.parse({});
    assert.deepEqual(
      [search.engine, search.highlight, search.excerpt_length, search.page_size],
      ["builtin", true, 160, null],
    );
  });

  for (const bad of [
    { page_size: 0 },
    { page_size: 501 },
    { excerpt_length: 19 },
    { timeout_ms: 99 },
    { engine: "" },
    { facets: ["a"] },
    { facets: [{ field: "a..b" }] },
    { facets: [{ field: "" }] },
    { customFields: [".a"] },
    { fields: { a: { weight: -1 } } },
    { fields: { a: 3 } },
    { unknown: 1 },
    { analytics_max_mb: -1 },
  ]) {
    it(`reject ${JSON.stringify(bad)}`, () =>
      assert.equal(settings.system.safeParse({ search: bad }).success, false));
  }
});
