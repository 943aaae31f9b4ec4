import assert from "node:assert/strict";
import { pageKey } from "../../../../plugins/static/plan/addresses.js";

describe("the key of an address", () => {
  const keys: readonly (readonly [address: string, key: string])[] = [
    ["/", "/"],
    ["", "/"],
    ["//", "/"],
    ["/blog/a-page_1.html", "/blog/a-page_1.html"],
    ["/blog/", "/blog"],
    ["/blog//", "/blog"],
    ["/blog?page=2", "/blog"],
    ["/blog/#top", "/blog"],
    ["/caf%C3%A9", "/caf\u00e9"],
    ["/cafe\u0301", "/caf\u00e9"],
    ["/a%20b/", "/a b"],
    ["/100%", "/100%"],
    ["/blog\n", "/blog\n"],
  ];
  for (const [address, key] of keys) {
    it(`${JSON.stringify(address)} is ${JSON.stringify(key)}`, () => {
      assert.equal(pageKey(address), key);
    });
  }
});
