import assert from "node:assert/strict";
import {
  nextParam,
  callbackQuery,
  loginQuery,
  magicBody,
  magicQuery,
} from "../../../plugins/auth/params.js";

describe("login parameters", () => {
  for (const [given, next] of [
    ["/account?a=b#c", "/account?a=b#c"],
    [undefined, "/"],
    ["", "/"],
    ["account", "/"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["https://evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/a\r\nSet-Cookie: x=y", "/"],
    ["/\t/evil.example", "/"],
    [`/${"a".repeat(2_048)}`, "/"],
    [["/first", "//evil.example"], "/first"],
    [["//evil.example", "/second"], "/"],
    [[["/deep"]], "/deep"],
    [{ a: "/x" }, "/"],
    [1, "/"],
    [null, "/"],
  ] as const) {
    it(`next ${JSON.stringify(given)?.slice(0, 40)} is ${JSON.stringify(next)}`, () => {
      assert.equal(nextParam.parse(given), next);
    });
  }

  it("use the first of repeated values, and drop values that are not text", () => {
    assert.deepEqual(callbackQuery.parse({ code: ["a", "b"], state: { x: 1 }, error: "e", z: 1 }), {
      code: "a",
      state: undefined,
      error: "e",
    });
    assert.deepEqual(magicQuery.parse({ token: [["t"]] }), { token: "t" });
    assert.deepEqual(magicQuery.parse({}), {});
    assert.deepEqual(loginQuery.parse({ error: [] }), { next: "/", error: undefined });
  });

  it("drop unknown keys", () => {
    const body = { email: "a@b.c", next: "/x", roles: ["admin"], id: "ann" };
    assert.deepEqual(magicBody.parse(body), { email: "a@b.c", next: "/x" });
  });
});
