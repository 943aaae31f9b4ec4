import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { linkIssue, pathIssue } from "../../../../plugins/content/write/change-checks.js";
import { contentRules } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

describe("pathIssue", () => {
  const rules = { ...contentRules, isReserved: (path: string) => path.startsWith("data/") };

  for (const path of [
    "a.md",
    "01.blog/a/post.md",
    "_drafts/x.md",
    "ü b.md",
    "a".repeat(255),
    `${"a/".repeat(99)}b.md`,
  ]) {
    it(`is null for ${path.slice(0, 30)}`, () => assert.equal(pathIssue(path, rules), null));
  }
  for (const path of [
    "",
    "/etc/passwd",
    "../a.md",
    "a/../../b.md",
    "a\\b.md",
    "a\u0000.md",
    "a//b.md",
    "a/",
    "./a.md",
    "~/a.md",
    ".git/config",
    "a/.env",
    "node_modules/a.md",
    "a.md~",
    "data/accounts.yaml",
    "ü".repeat(128),
    "a/".repeat(600),
    `${"a/".repeat(100)}b.md`,
  ]) {
    it(`rejects ${JSON.stringify(path.slice(0, 30))}`, () => {
      assert.notEqual(pathIssue(path, rules), null);
    });
  }
});

describe("linkIssue", () => {
  const folder = useFolder();
  const rules = () => ({ ...contentRules, root: join(folder.path, "content") });

  beforeEach(async () => {
    await mkdir(join(folder.path, "content/a"), { recursive: true });
    await mkdir(join(folder.path, "outside"));
    await writeFile(join(folder.path, "content/a/post.md"), "x");
  });

  it("is null for files that exist or can be created", async () => {
    for (const path of ["a/post.md", "a/new.md", "b/c/new.md"]) {
      assert.equal(await linkIssue(path, rules()), null, path);
    }
  });

  it("is null while the content folder does not exist yet", async () => {
    assert.equal(await linkIssue("a.md", { ...rules(), root: join(folder.path, "new") }), null);
  });

  it("rejects a link to a file, and a folder that leads outside", async () => {
    const { root } = rules();
    await symlink(join(root, "a/post.md"), join(root, "link.md"));
    await symlink(join(folder.path, "outside"), join(root, "out"));
    for (const path of ["link.md", "out/new.md", "out/deep/new.md"]) {
      assert.notEqual(await linkIssue(path, rules()), null, path);
    }
  });

  it("rejects a path below a file", async () => {
    assert.notEqual(await linkIssue("a/post.md/new.md", rules()), null);
  });
});
