import assert from "node:assert/strict";
import { isPermission, PERMISSIONS, permissionsOf } from "../../../plugins/admin/permissions.js";

describe("permissionsOf", () => {
  const author = [
    "pages.read",
    "pages.create",
    "pages.update",
    "media.upload",
    "flex.read",
    "submissions.read",
  ];
  const table: Record<string, string[]> = {
    author,
    editor: [
      ...author,
      "pages.delete",
      "pages.publish",
      "media.delete",
      "flex.write",
      "config.read",
    ],
    admin: [...PERMISSIONS],
  };
  for (const [role, expected] of Object.entries(table)) {
    it(`gives role ${role} what the decisions say`, () => {
      assert.deepEqual([...permissionsOf([role])].sort(), [...expected].sort());
    });
  }
  it("knows fourteen permissions", () => assert.equal(PERMISSIONS.length, 14));
  it("gives visitors' roles nothing, and roles of prototypes neither", () => {
    assert.equal(permissionsOf(["member", "Admin", "__proto__", "constructor", ""]).size, 0);
    assert.ok(!isPermission("toString"));
  });
  it("adds up the roles", () =>
    assert.equal(permissionsOf(["author", "editor"]).size, permissionsOf(["editor"]).size));
});
