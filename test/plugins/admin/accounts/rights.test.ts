import assert from "node:assert/strict";
import { isPermission, PERMISSIONS } from "../../../../plugins/admin/accounts/permissions.js";
import {
  coversPatterns,
  isCovered,
  mayAt,
  type Limited,
} from "../../../../plugins/admin/accounts/rights.js";
import { missingRights, Roles } from "../../../../plugins/admin/accounts/roles.js";
import { assertLinear } from "../../../support/growth.js";

describe("isCovered", () => {
  for (const [pattern, path, expected] of [
    ["blog/**", "02.blog/01.first/post.md", true],
    ["blog/**", "content/02.blog/blog.md", true],
    ["02.blog/**", "blog/post.md", true],
    ["blog/**", "02.blog", true],
    ["blog/**", "03.blogs/default.md", false],
    ["blog/**", "01.home/02.blog/default.md", false],
    ["blog/**", "02.blog/../03.about/default.md", false],
    ["blog/**", "", false],
    ["**", "", true],
    ["**", "01.home/default.md", true],
    ["**/news.md", "news.md", true],
    ["**/news.md", "03.about/01.team/news.md", true],
    ["blog/*.md", "02.blog/blog.md", true],
    ["blog/*.md", "02.blog/01.first/post.md", false],
    ["blog/*/post.md", "02.blog/01.first/post.md", true],
    ["a.c/**", "abc/x.md", false],
    ["(blog|news)/**", "blog/x.md", false],
  ] as const) {
    it(`${expected ? "covers" : "does not cover"} ${JSON.stringify(path)} with ${pattern}`, () =>
      assert.equal(isCovered([pattern], path), expected));
  }

  for (const pattern of ["**/**/**/**/c", "*a*a*a*a*c", "**a**a**a**c"]) {
    it(`matches ${pattern} in linear time`, () => {
      for (const part of ["a/", "a", "*/", "/"]) {
        assertLinear(pattern, part, (path) =>
          assert.equal(isCovered([pattern], `${path}b`), false),
        );
      }
    });
  }
});

describe("Roles", () => {
  const roles = new Roles({
    blogger: {
      permissions: ["pages.read", "pages.update", "flex.read"],
      paths: ["blog/**"],
      pages: "all",
    },
    reporter: { permissions: ["pages.read", "pages.update"], paths: ["news/**"], pages: "all" },
    reader: { permissions: ["pages.read"], paths: null, pages: "all" },
    writer: { permissions: ["pages.read", "pages.update"], paths: null, pages: "own" },
  });
  const identityOf = (names: readonly string[]): Limited => {
    const { own, ...rights } = roles.rightsOf(names);
    const owners = new Map([["blog/mine.md", ["me", "other"]]]);
    const ownersOf = (path: string): readonly string[] => owners.get(path) ?? ["other"];
    return { id: "me", ...rights, ownPages: { permissions: own, ownersOf } };
  };

  it("limits permissions of pages and media, and gives none for records", () => {
    const rights = roles.rightsOf(["blogger", "member"]);
    assert.deepEqual([...rights.permissions], ["pages.read", "pages.update"]);
    assert.deepEqual([...rights.paths.keys()], ["pages.read", "pages.update"]);
    assert.equal(rights.own.size, 0);
    const identity = identityOf(["blogger", "member"]);
    assert.ok(!mayAt(identity, "flex.read", null));
    assert.ok(!mayAt(identity, "pages.read", null));
  });

  it("adds the paths of several roles, and one role without paths lifts the limit", () => {
    const both = roles.rightsOf(["blogger", "reporter"]);
    assert.deepEqual(both.paths.get("pages.update"), ["blog/**", "news/**"]);
    const more = roles.rightsOf(["blogger", "reader"]);
    assert.deepEqual([...more.paths.keys()], ["pages.update"]);
    assert.ok(mayAt(identityOf(["blogger", "reader"]), "pages.read", null));
  });

  it("limits changes to pages of one's own, and reads all", () => {
    const writer = identityOf(["writer"]);
    assert.ok(mayAt(writer, "pages.read", null));
    assert.ok(mayAt(writer, "pages.update", "content/blog/mine.md"));
    assert.ok(!mayAt(writer, "pages.update", "blog/theirs.md"));
    assert.ok(!mayAt(writer, "pages.update", null));
  });

  it("lifts the limit to pages of one's own where another role has the permission for all", () => {
    const both = identityOf(["writer", "blogger"]);
    assert.ok(mayAt(both, "pages.update", "blog/theirs.md"));
    assert.ok(!mayAt(both, "pages.update", "news/theirs.md"));
    assert.ok(mayAt(identityOf(["writer"]), "pages.update", "blog/new.md", null));
    assert.ok(!mayAt(identityOf(["writer"]), "pages.update", "blog/mine.md", []));
  });

  it("names pages of others among the missing rights", () => {
    const missing = (own: string, wanted: string): string[] =>
      missingRights(identityOf([own]), roles.rightsOf([wanted]));
    assert.deepEqual(missing("writer", "blogger"), ["pages.update for pages of others"]);
    assert.deepEqual(missing("writer", "writer"), []);
    assert.deepEqual(missing("blogger", "writer"), [
      "pages.read for the whole site",
      "pages.update for the whole site",
    ]);
  });
});

describe("the permissions of roles", () => {
  const permissionsOf = (names: string[]) => new Roles({}).rightsOf(names).permissions;
  const author =
    "flex.read media.upload pages.create pages.read pages.update submissions.read".split(" ");
  const editor =
    "comments.moderate config.read flex.write media.delete pages.delete pages.publish redirects.update";
  for (const [role, expected] of Object.entries({
    author,
    editor: [...author, ...editor.split(" ")],
    admin: [...PERMISSIONS],
  })) {
    it(`are those of the built-in role ${role}`, () => {
      assert.deepEqual([...permissionsOf([role])].sort(), expected.sort());
    });
  }

  it("are none for visitors' roles and prototype names", () => {
    assert.equal(permissionsOf(["member", "Admin", "__proto__", "constructor", ""]).size, 0);
    assert.ok(!isPermission("toString"));
  });

  it("include redirects with the right to change settings", () => {
    const custom = { permissions: ["config.update"] as const, paths: null, pages: "all" as const };
    const { permissions } = new Roles({ custom }).rightsOf(["custom"]);
    assert.deepEqual([...permissions], ["config.update", "redirects.update"]);
  });
});

describe("coversPatterns", () => {
  for (const [own, wanted, expected] of [
    [["**"], null, true],
    [["blog/**"], null, false],
    [["blog/**"], ["blog"], true],
    [["blog/**"], ["blog/2027/*", "blog/x"], true],
    [["blog/**"], ["blog/**", "about"], false],
    [["blog/**"], ["**"], false],
    [["blog/**"], ["*/x"], false],
    [["blog/**"], ["02.blog/x"], true],
    [["*"], ["blog"], false],
    [["blog/*"], ["blog/*"], true],
    [["blog/*"], ["blog/**"], false],
    [["a/**", "b/**"], ["a/x", "b/x"], true],
    [["blogs/**"], ["blog/x"], false],
  ] as const) {
    it(`returns ${expected} for ${JSON.stringify(own)} and ${JSON.stringify(wanted)}`, () => {
      assert.equal(coversPatterns(own, wanted), expected);
    });
  }
});
