import assert from "node:assert/strict";
import { createCacheControl } from "../../../plugins/cache/middleware.js";

describe("createCacheControl", () => {
  const rules = [
    { pattern: "/", max_age: 60 },
    { pattern: "/blog", max_age: 600, stale_while_revalidate: 0 },
    { pattern: "/blog/live/", no_store: true },
  ];
  const control = createCacheControl({ default_max_age: 5, default_swr: 7, rules });

  for (const [path, expected] of [
    ["/", "public, max-age=60, stale-while-revalidate=7"],
    ["/other", "public, max-age=60, stale-while-revalidate=7"],
    ["/blog", "public, max-age=600"],
    ["/blog/post", "public, max-age=600"],
    ["/blogger", "public, max-age=60, stale-while-revalidate=7"],
    ["/blog/live/1", "no-store"],
    ["/blog/live", "public, max-age=600"],
  ] as const) {
    it(`is ${expected} for ${path}`, () => assert.equal(control(path), expected));
  }

  it("uses the default without rules, and omits a stale time of 0", () => {
    assert.equal(
      createCacheControl({ default_max_age: 5, default_swr: 0, rules: [] })("/x"),
      "public, max-age=5",
    );
  });
});
