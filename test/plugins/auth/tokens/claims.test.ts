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

  it("include the issuer in the id", () => {
    const [a, b] = ["https://a", "https://b"].map((issuer) => userOf({ sub: "ann" }, { issuer }));
    assert.notEqual(a?.id, b?.id);
    assert.equal(userId("ann", { issuer: "https://a" }), a?.id);
    assert.equal(a?.providerId, "ann");
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
