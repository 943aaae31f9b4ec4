import assert from "node:assert/strict";
import { splitKey } from "../../../kernel/config/resolve-config.js";

describe("the key of a check", () => {
  const data = {
    redirects: { "/a": 1, "/a.b": 2, "/a.b/c[0]": 3 },
    webhooks: [{ url: "x" }],
    plain: { nested: 1 },
  };
  const rows: Record<string, (string | number)[]> = {
    "plain.nested": ["plain", "nested"],
    "webhooks[0].url": ["webhooks", 0, "url"],
    "webhooks.0.url": ["webhooks", 0, "url"],
    "redirects./a": ["redirects", "/a"],
    "redirects./a.b": ["redirects", "/a.b"],
    "redirects./a.b/c[0]": ["redirects", "/a.b/c[0]"],
    "plain.missing.deep": ["plain", "missing", "deep"],
    "": [],
  };
  for (const [key, path] of Object.entries(rows)) {
    it(`${JSON.stringify(key)} resolves to ${JSON.stringify(path)}`, () => {
      assert.deepEqual(splitKey(key, data), path);
    });
  }

  it("terminates for any text", () => {
    for (const key of [".", "..", "[", "[0]", "a..b", "a[", "[x].", "]", "a.[0]"])
      assert.ok(Array.isArray(splitKey(key, data)));
  });
});
