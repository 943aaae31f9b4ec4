import assert from "node:assert/strict";
import { deletedUser } from "../../../../plugins/auth/routes/webhook-routes.js";

describe("reports of deleted users", () => {
  for (const report of [
    { type: "user.deleted", data: { id: "ann" } },
    { event: "user.deleted", data: { user_id: "ann" } },
    { type: "user_deleted", user_id: "ann" },
    { event: "user_deleted", id: "ann" },
    { type: "other", event: "user.deleted", id: "ann" },
    { type: "user.deleted", data: {}, id: "ann" },
    { type: "user.deleted", data: null, id: "ann" },
    { type: "user.deleted", data: "text", id: "ann" },
    { type: "user.deleted", data: { id: "ann" }, id: "bob" },
  ]) {
    it(`${JSON.stringify(report)} names ann`, () => {
      assert.equal(deletedUser(report), "ann");
    });
  }

  for (const report of [
    {},
    { type: "user.created", data: { id: "ann" } },
    { type: "USER.DELETED", data: { id: "ann" } },
    { type: ["user.deleted"], data: { id: "ann" } },
    { type: null, event: 1 },
    JSON.parse('{"__proto__":{"type":"user.deleted","id":"ann"}}'),
  ]) {
    it(`${JSON.stringify(report)} has no effect`, () => {
      assert.equal(deletedUser(report), null);
    });
  }

  for (const id of [
    undefined,
    null,
    "",
    1,
    {},
    ["ann"],
    "a\0b",
    "a\nb",
    "a".repeat(256),
    "a".repeat(1e6),
  ]) {
    it(`the id ${JSON.stringify(id)?.slice(0, 20)} is invalid`, () => {
      const report = { type: "user.deleted", data: { id } };
      assert.throws(() => deletedUser(report), { name: "HttpError", status: 400 });
    });
  }

  it("ignores an inherited id", () => {
    const report = { type: "user.deleted", data: JSON.parse('{"__proto__":{"id":"ann"}}') };
    assert.throws(() => deletedUser(report), { status: 400 });
  });
});
