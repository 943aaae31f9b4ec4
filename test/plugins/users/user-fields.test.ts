import assert from "node:assert/strict";
import {
  byAge,
  checkedRole,
  cleanUser,
  emailKey,
  identityKey,
  isSameKey,
  isUserId,
  parseUser,
  publicUser,
  takenError,
  uniqueKeys,
  usernameKey,
} from "../../../plugins/users/user-fields.js";
import { testUser } from "../../../plugins/users/testing/user-store-contract.js";

const clean = (part: Parameters<typeof testUser>[1]) => cleanUser(testUser("ann", part));

describe("account fields", () => {
  for (const username of ["ann", "Ann.B-c_d", "0", "a".repeat(64)]) {
    it(`accept the username ${username.slice(0, 20)}`, () => {
      assert.equal(clean({ username }).username, username);
    });
  }

  for (const username of [
    "",
    ".ann",
    "-a",
    "a b",
    "ann@x",
    "../x",
    "ünal",
    "a\n",
    "a".repeat(65),
  ]) {
    it(`reject the username ${JSON.stringify(username).slice(0, 20)}`, () => {
      assert.throws(() => clean({ username }), { code: "ERR_USER_USERNAME_INVALID", status: 400 });
    });
  }

  it("require unique words as roles", () => {
    assert.deepEqual(clean({ roles: ["admin", "my-role_2", "admin"] }).roles, [
      "admin",
      "my-role_2",
    ]);
    for (const role of ["", "a b", "__proto__", "role:x", "a,b", "a\n", "r".repeat(65)]) {
      assert.throws(() => checkedRole(role), { code: "ERR_USER_ROLE_INVALID", status: 400 }, role);
    }
  });

  it("truncate long values in errors", () => {
    assert.throws(
      () => checkedRole(`"\n${"x".repeat(10_000)}`),
      (error: Error) => {
        return error.message.length < 200 && error.message.startsWith('"\\"\\n');
      },
    );
  });

  for (const [given, name] of [
    ["Ann", "Ann"],
    ["  Ann\r\n", "Ann"],
    ["A\u202enn\u0000", "Ann"],
    ["\u0007", undefined],
    ["", undefined],
    [undefined, undefined],
    ["<b>Ann</b>", "<b>Ann</b>"],
    ["n".repeat(999), "n".repeat(200)],
  ] as const) {
    it(`the name ${JSON.stringify(given)?.slice(0, 20)} is ${JSON.stringify(name)?.slice(0, 20)}`, () => {
      assert.equal(clean({ name: given }).name, name);
    });
  }

  for (const [given, url] of [
    ["https://x.example/a.png", "https://x.example/a.png"],
    ["HTTP://X.example/a b", "http://x.example/a%20b"],
    ["javascript:alert(1)", undefined],
    ["java\nscript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["//x.example/a.png", undefined],
    [`https://x.example/${"a".repeat(2_000)}`, undefined],
  ] as const) {
    it(`the picture ${JSON.stringify(given).slice(0, 30)} is ${url ?? "none"}`, () => {
      assert.equal(clean({ avatarUrl: given }).avatarUrl, url);
    });
  }

  it("hide the password, the provider's id and the customer", () => {
    const linked = { provider: "google", providerId: "canary", linkedAt: 1 };
    const user = testUser("ann", {
      passwordHash: "canary",
      providerId: "canary",
      paymentCustomerId: "canary",
      linkedProviders: [linked, { ...linked, providerId: "canary2" }],
    });
    const shown = publicUser(user);
    assert.ok(!JSON.stringify(shown).includes("canary"));
    assert.deepEqual(shown.linkedProviders, ["google"]);
    assert.deepEqual([shown.name, shown.avatarUrl], [null, null]);
  });
});

const ann = testUser("ann");
const without = (key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(ann).filter(([name]) => name !== key));

describe("account records", () => {
  it("are parsed unchanged, including unknown fields", () => {
    const record = { ...ann, plan: "gold" };
    assert.deepEqual(parseUser(JSON.stringify(record)), record);
  });

  for (const key of ["roles", "linkedProviders"]) {
    it(`without ${key} have an empty list`, () => {
      assert.deepEqual(parseUser(JSON.stringify(without(key))), { ...ann, [key]: [] });
    });
  }

  for (const text of [
    "",
    "{",
    "null",
    "[]",
    "1",
    "\0\0\0",
    JSON.stringify(ann).slice(0, -10),
    ...["id", "email", "provider", "createdAt", "updatedAt", "lastSeenAt"].map((key) =>
      JSON.stringify(without(key)),
    ),
    JSON.stringify({ ...ann, id: "../ann" }),
    JSON.stringify({ ...ann, id: 1 }),
    JSON.stringify({ ...ann, roles: "admin" }),
    JSON.stringify({ ...ann, roles: [1] }),
    JSON.stringify({ ...ann, linkedProviders: [{}] }),
    JSON.stringify({ ...ann, enabled: "no" }),
    JSON.stringify({ ...ann, createdAt: "1" }),
  ]) {
    it(`reject ${JSON.stringify(text).slice(0, 60)}…`, () => {
      assert.equal(parseUser(text), null);
    });
  }

  for (const [id, expected] of [
    ["ann", true],
    ["A-z_0", true],
    ["a".repeat(128), true],
    ["a".repeat(129), false],
    ["", false],
    [".", false],
    ["..", false],
    ["a/b", false],
    ["a.b", false],
    ["a\n", false],
    ["a\0", false],
    ["é", false],
  ] as const) {
    it(`${expected ? "accept" : "reject"} the id ${JSON.stringify(id).slice(0, 20)}`, () => {
      assert.equal(isUserId(id), expected);
    });
  }

  it("are listed oldest first, then by id", () => {
    const users = [
      testUser("c", { createdAt: 2_000 }),
      testUser("b"),
      testUser("d"),
      testUser("a"),
    ];
    assert.deepEqual(
      users.sort(byAge).map(({ id }) => id),
      ["a", "b", "d", "c"],
    );
  });
});

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

  it("respond 409 when one is taken", () => {
    for (const kind of ["email", "username", "identity"] as const) {
      assert.equal(takenError(kind).status, 409, kind);
    }
  });
});
