import assert from "node:assert/strict";
import fc from "fast-check";
import {
  readClaim,
  userId,
  userOfClaims,
  type Claims,
} from "../../../../plugins/auth/tokens/claims.js";
import type { JwtSection } from "../../../../plugins/auth/contract.js";

const JWT: JwtSection = {
  requireExp: false,
  userIdClaim: "sub",
  emailClaim: "email",
  rolesClaim: "roles",
};
const userOf = (claims: Claims, part: Partial<JwtSection> = {}) =>
  userOfClaims(claims, { ...JWT, ...part }, 5);

describe("users from claims", () => {
  it("contain the token's claims and no password", () => {
    const picture = "https://cdn.example/a.png";
    assert.deepEqual(
      userOf({ sub: "ann", email: "Ann@Example.org", name: "Ann", picture, roles: ["admin"] }),
      {
        id: "ann",
        email: "ann@example.org",
        name: "Ann",
        avatarUrl: picture,
        roles: ["admin"],
        provider: "jwt",
        providerId: "ann",
        linkedProviders: [],
        createdAt: 0,
        updatedAt: 0,
        lastSeenAt: 5,
      },
    );
  });

  for (const [sub, id] of [
    ["ann", "ann"],
    [42, "42"],
    ["a".repeat(255), "a".repeat(255)],
    ["a".repeat(256), undefined],
    ["", undefined],
    [2 ** 60, undefined],
    [1.5, undefined],
    [null, undefined],
    [undefined, undefined],
    [true, undefined],
    [["ann"], undefined],
    [{ id: "ann" }, undefined],
  ] as const) {
    it(`the id of ${JSON.stringify(sub)?.slice(0, 20)} is ${id?.slice(0, 20) ?? "none"}`, () => {
      assert.equal(userOf({ sub })?.id, id);
    });
  }

  it("include the issuer in the id", () => {
    const [a, b] = ["https://a", "https://b"].map((issuer) => userOf({ sub: "ann" }, { issuer }));
    assert.notEqual(a?.id, b?.id);
    assert.equal(userId("ann", { issuer: "https://a" }), a?.id);
    assert.equal(a?.providerId, "ann");
  });

  for (const [roles, expected] of [
    ["admin", ["admin"]],
    [
      ["admin", "editor", "admin"],
      ["admin", "editor"],
    ],
    [["admin", 1, null, {}, ["x"]], ["admin"]],
    [["", " ", "a b", "a\nb", "a\0"], []],
    [
      ["__proto__", "constructor"],
      ["__proto__", "constructor"],
    ],
    [["a".repeat(128), "a".repeat(129)], ["a".repeat(128)]],
    [{ admin: true }, []],
    [undefined, []],
    [null, []],
  ] as const) {
    it(`roles ${JSON.stringify(roles)?.slice(0, 40)} are ${JSON.stringify(expected).slice(0, 40)}`, () => {
      assert.deepEqual(userOf({ sub: "ann", roles })?.roles, expected);
    });
  }

  it("are limited to 64 roles", () => {
    const roles = Array.from({ length: 10_000 }, (_, n) => `role-${n}`);
    assert.deepEqual(userOf({ sub: "ann", roles })?.roles, roles.slice(0, 64));
  });

  for (const picture of [
    "javascript:alert(1)",
    "data:text/html,x",
    "/a.png",
    "",
    1,
    `https://x/${"a".repeat(2_000)}`,
  ]) {
    it(`reject ${String(picture).slice(0, 24)} as a picture`, () => {
      assert.equal(userOf({ sub: "ann", picture })?.avatarUrl, undefined);
    });
  }

  it("truncate long names and addresses, and drop values that are not text", () => {
    const user = userOf({ sub: "ann", name: "n".repeat(999), email: "e".repeat(999) });
    assert.deepEqual([user?.name?.length, user?.email.length], [200, 254]);
    assert.equal(userOf({ sub: "ann", name: {} })?.name, undefined);
    assert.equal(userOf({ sub: "ann", email: ["a@b.c"] })?.email, "");
  });

  it("are null or have roles as text, for any claims", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("sub", "email", "roles", "name", "picture"), fc.anything()),
        (claims) => {
          const user = userOf(claims);
          assert.ok(user === null || user.roles.every((role) => typeof role === "string"));
        },
      ),
    );
  });
});

describe("a claim path", () => {
  const claims = { "https://x.y/roles": 1, a: { b: { c: 2 } }, "a.b": 3, list: ["x"], text: "abc" };
  for (const [path, value] of [
    ["https://x.y/roles", 1],
    ["a.b.c", 2],
    ["a.b", 3],
    ["list.0", "x"],
    ["a.c", undefined],
    ["a.b.c.d", undefined],
    ["text.length", undefined],
    ["list.length", undefined],
    ["__proto__", undefined],
    ["a.__proto__.toString", undefined],
    ["constructor.name", undefined],
    ["a..b", undefined],
    ["", undefined],
  ] as const) {
    it(`${JSON.stringify(path)} leads to ${JSON.stringify(value)}`, () => {
      assert.deepEqual(readClaim(claims, path), value);
    });
  }
});
