import assert from "node:assert/strict";
import {
  newSessionId,
  sessionCookie,
  signId,
  storeKey,
} from "../../../plugins/session/session-id.js";

const SECRET = "s".repeat(32);

describe("session ids", () => {
  it("have 256 random bits", () => {
    const ids = Array.from({ length: 1_000 }, newSessionId);
    assert.equal(new Set(ids).size, 1_000);
    for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{43}$/);
  });

  it("are stored under a digest that is a safe file name", () => {
    for (const id of [newSessionId(), "../../data/users/ann", "\0", ""]) {
      assert.match(storeKey("visitor", id), /^visitor-[0-9a-f]{64}$/);
    }
    assert.notEqual(storeKey("visitor", "a"), storeKey("visitor", "b"));
  });

  it("differ for visitors and admins", () => {
    const [visitor, admin] = [storeKey("visitor", "a"), storeKey("admin", "a")];
    assert.notEqual(visitor.split("-")[1], admin.split("-")[1]);
  });

  it("are signed with the secret", () => {
    const id = newSessionId();
    const value = signId(id, SECRET);
    assert.ok(value.startsWith(id));
    assert.match(value, /^[A-Za-z0-9_-]{86}$/);
    assert.notEqual(signId(id, "t".repeat(32)), value);
    assert.notEqual(signId(newSessionId(), SECRET).slice(43), value.slice(43));
  });
});

describe("session cookies", () => {
  const good = signId("i".repeat(43), SECRET);
  for (const [what, header, value] of [
    ["a single cookie", `site_auth=${good}`, good],
    ["among others", `a=b; site_auth=${good}; c=d`, good],
    ["without spaces", `a=b;site_auth=${good};c=d`, good],
    ["no header", undefined, null],
    ["an empty header", "", null],
    ["another name", `xsite_auth=${good}`, null],
    ["a longer name", `site_auth_state=${good}`, null],
    ["another case", `SITE_AUTH=${good}`, null],
    ["the admin's", `site_admin=${good}`, null],
    ["no value", "site_auth=", null],
    ["no sign", "site_auth", null],
    ["a short one", `site_auth=${good.slice(1)}`, null],
    ["a long one", `site_auth=${good}a`, null],
    ["a quoted one", `site_auth="${good}"`, null],
    ["only the id", `site_auth=${good.slice(0, 43)}`, null],
    ["a path", "site_auth=../../data/users/ann", null],
    ["a coded path", "site_auth=..%2f..%2fdata", null],
    ["an invalid character", `site_auth=${good.slice(0, 85)}/`, null],
    ["two, the first malformed", `site_auth=x; site_auth=${good}`, null],
  ] as const) {
    it(`${what}: ${value === null ? "none" : "the value"}`, () => {
      assert.equal(sessionCookie(header, "visitor"), value);
    });
  }
});
