import assert from "node:assert/strict";
import { coversPatterns, isCovered, mayAt } from "../../../../plugins/admin/accounts/rights.js";
import { Roles } from "../../../../plugins/admin/accounts/roles.js";

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

  it("matches hostile patterns and paths quickly", () => {
    const path = `${"a/".repeat(400)}b`;
    const start = performance.now();
    for (const pattern of ["**/**/**/**/c", "*a*a*a*a*c", "**a**a**a**c"]) {
      assert.equal(isCovered([pattern], path), false);
    }
    assert.ok(performance.now() - start < 2_000);
  });
});

describe("Roles", () => {
  const roles = new Roles({
    blogger: { permissions: ["pages.read", "pages.update", "flex.read"], paths: ["blog/**"] },
    reporter: { permissions: ["pages.read", "pages.update"], paths: ["news/**"] },
    reader: { permissions: ["pages.read"], paths: null },
  });

  it("limits permissions of pages and media, and gives none for records", () => {
    const rights = roles.rightsOf(["blogger", "member"]);
    assert.deepEqual([...rights.permissions], ["pages.read", "pages.update"]);
    assert.deepEqual([...rights.paths.keys()], ["pages.read", "pages.update"]);
    assert.ok(!mayAt(rights, "flex.read", null));
    assert.ok(!mayAt(rights, "pages.read", null));
  });

  it("adds the paths of several roles, and one role without paths lifts the limit", () => {
    const both = roles.rightsOf(["blogger", "reporter"]);
    assert.deepEqual(both.paths.get("pages.update"), ["blog/**", "news/**"]);
    const more = roles.rightsOf(["blogger", "reader"]);
    assert.deepEqual([...more.paths.keys()], ["pages.update"]);
    assert.ok(mayAt(more, "pages.read", null));
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
