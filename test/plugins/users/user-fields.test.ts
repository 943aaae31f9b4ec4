import assert from "node:assert/strict";
import { checkedRole, cleanUser, publicUser } from "../../../plugins/users/user-fields.js";
import { testUser } from "../../../plugins/users/testing/user-store-contract.js";

const clean = (part: Parameters<typeof testUser>[1]) => cleanUser(testUser("ann", part));

describe("account fields", () => {
  it("lower-case an address, and reject an invalid one", () => {
    assert.equal(clean({ email: "ADMIN@x.org" }).email, "admin@x.org");
    for (const email of ["", "ann", "a@b.c,d@e.f", "adm\u0131n@x.org", "a@b.c\r\nx"]) {
      assert.throws(() => clean({ email }), { code: "ERR_USER_EMAIL_INVALID", status: 400 });
    }
  });

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
