import assert from "node:assert/strict";
import {
  emailKey,
  identityKey,
  isSameKey,
  uniqueKeys,
  takenError,
  usernameKey,
} from "../../../plugins/users/user-fields.js";
import { testUser } from "../../../plugins/users/testing/user-store-contract.js";

describe("unique values of accounts", () => {
  it("are the address, the username and each identity", () => {
    const user = testUser("ann", {
      username: "Ann",
      providerId: "1",
      linkedProviders: [{ provider: "google", providerId: "2", linkedAt: 1 }],
    });
    assert.deepEqual(uniqueKeys(user), [
      emailKey("ann@example.org"),
      usernameKey("ann"),
      identityKey("github", "1"),
      identityKey("google", "2"),
    ]);
    assert.deepEqual(uniqueKeys(testUser("bob")), [emailKey("bob@example.org")]);
  });

  it("are safe file names, for any value", () => {
    for (const value of ["", "../../etc/passwd", "\0", "é".repeat(10_000), "CON", "a/b"]) {
      for (const key of [emailKey(value), usernameKey(value), identityKey(value, value)]) {
        assert.match(key.digest, /^[0-9a-f]{64}$/);
      }
    }
  });

  it("ignore case, except for identities", () => {
    assert.ok(isSameKey(emailKey("ADMIN@X.org"), emailKey("admin@x.org")));
    assert.ok(isSameKey(usernameKey("ADMIN"), usernameKey("admin")));
    assert.ok(!isSameKey(identityKey("p", "aB"), identityKey("p", "ab")));
  });

  it("keep provider, id and kind unambiguous", () => {
    assert.ok(!isSameKey(identityKey("ab", "c"), identityKey("a", "bc")));
    assert.ok(!isSameKey(emailKey("x"), usernameKey("x")));
  });

  for (const [kind, code] of [
    ["email", "ERR_USER_EMAIL_TAKEN"],
    ["username", "ERR_USER_USERNAME_TAKEN"],
    ["identity", "ERR_USER_IDENTITY_TAKEN"],
  ] as const) {
    it(`respond 409 ${code} for a taken ${kind}`, () => {
      const { status, code: said } = takenError(kind);
      assert.deepEqual([status, said], [409, code]);
    });
  }
});
