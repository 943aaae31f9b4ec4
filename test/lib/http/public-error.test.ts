import assert from "node:assert/strict";
import { HttpError, SiteError } from "#lib/errors";
import { publicError } from "#lib/http";

describe("publicError", () => {
  it("shows messages meant for clients", () => {
    const error = new HttpError(429, "slower", { headers: { "Retry-After": "3" }, details: ["x"] });
    assert.deepEqual(publicError(error), {
      status: 429,
      message: "slower",
      details: ["x"],
      headers: { "Retry-After": "3" },
    });
  });

  const hidden = { status: 500, message: "Internal server error" };
  for (const error of [
    new Error("/etc/canary"),
    new SiteError("ERR_X", "/etc/canary"),
    "/etc/canary",
    null,
    undefined,
    { status: 200, message: "/etc/canary" },
    { status: "404" },
  ]) {
    it(`reveals nothing of ${String(error)}`, () => assert.deepEqual(publicError(error), hidden));
  }

  for (const [code, status] of [
    ["ENOSPC", 507],
    ["EDQUOT", 507],
    ["EROFS", 503],
    ["EACCES", 503],
    ["EIO", 503],
    ["EMFILE", 503],
  ] as const) {
    it(`responds ${status} for the disk's ${code}, without its message`, () => {
      const shown = publicError(Object.assign(new Error(`${code}: open /etc/canary`), { code }));
      assert.equal(shown.status, status);
      assert.doesNotMatch(shown.message, /canary|E[A-Z]{3}/);
    });
  }

  it("keeps the 4xx of a parser, not its text", () => {
    const error = Object.assign(new Error("/etc/canary"), { status: 413 });
    assert.deepEqual(publicError(error), { status: 413, message: "the body is too large" });
    assert.deepEqual(publicError(Object.assign(error, { status: 499 })), {
      status: 499,
      message: "Bad request",
    });
  });
});
