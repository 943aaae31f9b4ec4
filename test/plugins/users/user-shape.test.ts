import assert from "node:assert/strict";
import { byAge, isUserId, keepIdentity, parseUser } from "../../../plugins/users/user-fields.js";
import { testUser } from "../../../plugins/users/testing/user-store-contract.js";

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

  it("keep id and creation time on any change", () => {
    const changed = keepIdentity(ann, { ...ann, id: "bob", createdAt: 9, name: "Ann" });
    assert.deepEqual(changed, { ...ann, name: "Ann" });
    assert.equal(keepIdentity(ann, ann), ann);
  });
});
