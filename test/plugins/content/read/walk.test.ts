import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runAtOnce } from "#lib/concurrency";
import { walkTree } from "../../../../plugins/content/read/walk.js";
import { contentRules } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

describe("walkTree", () => {
  const folder = useFolder();
  const root = (): string => join(folder.path, "content");
  const walk = (below = "") =>
    runAtOnce(
      walkTree({ ...contentRules, root: root(), isReserved: (path) => path === "data" }, below),
    );
  const found = (below = ""): string[] =>
    walk(below)
      .files.map(({ sourcePath }) => sourcePath)
      .sort();

  beforeEach(async () => {
    for (const name of [
      "content/top.md",
      "content/a/post.md",
      "content/a/picture.png",
      "content/a/.hidden.md",
      "content/a/old.md~",
      "content/a/deep/page.tsx",
      "content/data/secret.md",
      "content/.git/x.md",
      "content/node_modules/y.md",
      "outside/z.md",
    ]) {
      const file = join(folder.path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, "x");
    }
  });

  it("finds content and nothing that is hidden, reserved or media", () => {
    assert.deepEqual(found(), ["a/deep/page.tsx", "a/post.md", "top.md"]);
  });

  it("walks a single folder", () => {
    assert.deepEqual(found("a/deep"), ["a/deep/page.tsx"]);
    assert.deepEqual(found("gone"), []);
  });

  it("returns the visited folders", () => {
    assert.deepEqual([...walk().folders.keys()].sort(), ["", "a", "a/deep"]);
  });

  it("marks folders with files other than pages", async () => {
    await writeFile(join(root(), "a/deep/note.txt"), "x");
    await symlink(join(root(), "top.md"), join(root(), "linked.md"));
    const { folders } = walk();
    const withOthers = [...folders].flatMap(([path, { hasOthers }]) => (hasOthers ? [path] : []));
    assert.deepEqual(withOthers.sort(), ["", "a", "a/deep"]);
    await rm(join(root(), "linked.md"));
    assert.equal(walk().folders.get("")?.hasOthers, false);
  });

  it("does not follow two links that lead to each other's folders", async () => {
    await symlink(join(root(), "b"), join(root(), "a/to-b"));
    await mkdir(join(root(), "b"));
    await writeFile(join(root(), "b/page.md"), "");
    await symlink(join(root(), "a"), join(root(), "b/to-a"));
    const { folders, problems } = walk();
    assert.deepEqual(
      [...folders.keys()].filter((path) => path.split("/").length > 3),
      [],
    );
    const circles = problems.filter(({ code }) => code === "ERR_CONTENT_LINK");
    assert.deepEqual(circles.map(({ sourcePath }) => sourcePath).sort(), [
      "a/to-b/to-a",
      "b/to-a/to-b",
    ]);
  });

  it("does not follow cycles", async () => {
    await symlink(root(), join(root(), "a/circle"));
    await symlink(join(root(), "a"), join(root(), "a/deep/up"));
    assert.deepEqual(found(), ["a/deep/page.tsx", "a/post.md", "top.md"]);
  });

  it("reads 100 levels, and reports the folder below them", async () => {
    const deep = "d/".repeat(99);
    for (const path of [`${deep}page.md`, `${deep}d/page.md`]) {
      await mkdir(dirname(join(root(), path)), { recursive: true });
      await writeFile(join(root(), path), "x");
    }
    const { files, problems } = walk("d");
    assert.deepEqual(
      files.map(({ sourcePath }) => sourcePath),
      [`${deep}page.md`],
    );
    assert.deepEqual(
      problems.map(({ sourcePath, code }) => [sourcePath, code]),
      [[`${deep}d`, "ERR_CONTENT_DEPTH"]],
    );
  });

  it("reports a missing root, and how to configure another one", () => {
    const rules = { ...contentRules, root: join(folder.path, "nowhere") };
    const { files, problems, unreadable } = runAtOnce(walkTree(rules));
    assert.deepEqual([files, unreadable], [[], [""]]);
    assert.equal(problems[0]?.code, "ERR_CONTENT_READ");
    assert.match(problems[0]?.message ?? "", /content\.dir/);
  });
});
