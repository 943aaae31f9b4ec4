import assert from "node:assert/strict";
import { isSpeculative, isSubresource } from "../../../../plugins/auth/routes/auth-context.js";

describe("speculative requests", () => {
  for (const [method, headers, expected] of [
    ["HEAD", {}, true],
    ["GET", {}, false],
    ["POST", {}, false],
    ["GET", { "sec-purpose": "prefetch" }, true],
    ["GET", { "sec-purpose": "prefetch;prerender" }, true],
    ["GET", { "sec-purpose": "Prefetch;anonymous-client-ip" }, true],
    ["GET", { purpose: "prefetch" }, true],
    ["GET", { "x-purpose": "preview" }, true],
    ["GET", { "x-moz": "prefetch" }, true],
    ["GET", { "sec-purpose": "" }, false],
    ["GET", { "sec-fetch-purpose": "prefetch" }, false],
  ] as const) {
    it(`${method} ${JSON.stringify(headers)}: ${expected}`, () => {
      assert.equal(isSpeculative({ method, headers }), expected);
    });
  }

  it("are recognised by any of several headers", () => {
    const headers = { "sec-purpose": ["none", "prefetch"] };
    assert.equal(isSpeculative({ method: "GET", headers }), true);
  });

  for (const [destination, expected] of [
    ["image", true],
    ["iframe", true],
    ["empty", true],
    ["script", true],
    ["document", false],
    ["", false],
    [undefined, false],
  ] as const) {
    it(`a request for ${JSON.stringify(destination)} is ${expected ? "a part of a page" : "a visit"}`, () => {
      assert.equal(isSubresource({ "sec-fetch-dest": destination }), expected);
    });
  }
});
