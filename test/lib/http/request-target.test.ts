import assert from "node:assert/strict";
import fc from "fast-check";
import { HttpError } from "#lib/errors";
import { clientAddress, parseTarget } from "#lib/http";

describe("parseTarget", () => {
  it("decodes the path once and leaves the query as sent", () => {
    assert.deepEqual(parseTarget("/gr%C3%B6%C3%9Fe?q=%20a&b"), {
      path: "/größe",
      search: "q=%20a&b",
    });
    assert.deepEqual(parseTarget("/a%252e"), { path: "/a%2e", search: "" });
    assert.deepEqual(parseTarget("/a?"), { path: "/a", search: "" });
    assert.deepEqual(parseTarget("/a?b?c"), { path: "/a", search: "b?c" });
  });

  const refused: readonly (readonly [string, number])[] = [
    ["*", 400],
    ["http://evil.example/", 400],
    ["", 400],
    ["/%ZZ", 400],
    ["/%C0%AE", 400],
    ["//evil.example", 404],
    ["/%2Fevil.example", 404],
    ["/a/../b", 404],
    ["/a/%2e%2e/b", 404],
    ["/..", 404],
    ["/a%5cb", 404],
    ["/a%00", 404],
    [`/${"a".repeat(8_192)}`, 414],
    [`/?${"a".repeat(8_193)}`, 414],
  ];
  for (const [target, status] of refused) {
    it(`rejects ${target.slice(0, 30)} with ${status}`, () =>
      assert.throws(() => parseTarget(target), { status }));
  }

  it("leaves harmless dots in place", () => {
    for (const path of ["/a..b", "/...", "/.well-known/x", "/a./b"])
      assert.equal(parseTarget(path).path, path);
  });

  it("returns a path without .., NUL and backslash, or an error, for any text", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\/(%[0-9a-fA-F]{2}|\.|\/|\\|[a-z%]){0,12}$/), (target) => {
        try {
          const { path } = parseTarget(target);
          assert.ok(
            !path.split("/").includes("..") && !/[\\\0]/.test(path) && !path.startsWith("//"),
          );
        } catch (error) {
          assert.ok(error instanceof HttpError && [400, 404].includes(error.status));
        }
      }),
    );
  });
});

describe("clientAddress", () => {
  for (const [written, address] of [
    ["203.0.113.5", "203.0.113.5"],
    ["203.0.113.5:4711", "203.0.113.5"],
    ["::ffff:203.0.113.5", "203.0.113.5"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ['"[2001:db8::1]:443"', "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["unknown", "unknown"],
    ["", ""],
  ] as const) {
    it(`reads ${JSON.stringify(written)} as ${address}`, () =>
      assert.equal(clientAddress(written), address));
  }
});
