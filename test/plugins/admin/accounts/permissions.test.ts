import assert from "node:assert/strict";
import { isPermission, PERMISSIONS } from "../../../../plugins/admin/accounts/permissions.js";
import { Roles } from "../../../../plugins/admin/accounts/roles.js";

const permissionsOf = (names: string[]) => new Roles({}).rightsOf(names).permissions;

describe("the built-in roles", () => {
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
      "comments.moderate",
      "redirects.update",
      "config.read",
    ],
    admin: [...PERMISSIONS],
  };
  for (const [role, expected] of Object.entries(table)) {
    it(`returns the permissions of role ${role}`, () => {
      assert.deepEqual([...permissionsOf([role])].sort(), [...expected].sort());
    });
  }
  it("has sixteen permissions", () => assert.equal(PERMISSIONS.length, 16));
  it("includes redirects in the right to change settings", () => {
    const custom = { permissions: ["config.update"] as const, paths: null };
    const { permissions } = new Roles({ custom }).rightsOf(["custom"]);
    assert.deepEqual([...permissions], ["config.update", "redirects.update"]);
  });
  it("returns nothing for visitors' roles and prototype names", () => {
    assert.equal(permissionsOf(["member", "Admin", "__proto__", "constructor", ""]).size, 0);
    assert.ok(!isPermission("toString"));
  });
  it("combines roles", () =>
    assert.equal(permissionsOf(["author", "editor"]).size, permissionsOf(["editor"]).size));
});
