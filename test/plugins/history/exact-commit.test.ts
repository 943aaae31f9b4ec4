import { Git } from "#kernel";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commitExactly } from "../../../plugins/history/git-commits.js";
import { useFolder } from "../../support/folder.js";

const text = {
  message: 'say: "it"\n\nat length',
  author: { name: "Ada", email: "ada@x" },
  committer: { name: "Site", email: "site@localhost" },
  at: 1_750_000_000,
};

describe("commitExactly", () => {
  const folder = useFolder();
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder.path, encoding: "utf8" }).trim();
  const commit = (files: Record<string, string | null>, root = folder.path) =>
    commitExactly(
      new Git(root),
      Object.entries(files).map(([name, bytes]) => ({
        path: join(root, name),
        bytes: bytes === null ? null : Buffer.from(bytes),
      })),
      text,
    );

  it("commits the given bytes, regardless of the disk, with author and committer", async () => {
    git("init", "-q");
    await writeFile(join(folder.path, "a.md"), "later");
    assert.equal(await commit({ "a.md": "one" }), true);
    assert.equal(git("show", "HEAD:a.md"), "one");
    assert.equal(
      git("log", "--format=%an|%ae|%cn|%at|%s|%b"),
      'Ada|ada@x|Site|1750000000|say: "it"|at length',
    );
    assert.equal(git("status", "--porcelain"), "M a.md");
  });

  it("changes nothing without a difference, and removes deleted files", async () => {
    git("init", "-q");
    await commit({ "a.md": "one", "sub/b.md": "two" });
    assert.equal(await commit({ "a.md": "one", "never.md": null }), false);
    assert.equal(await commit({ "a.md": null }), true);
    assert.equal(git("ls-tree", "-r", "--name-only", "HEAD"), "sub/b.md");
  });

  it("treats names literally, and leaves staged and ignored files", async () => {
    git("init", "-q");
    await writeFile(join(folder.path, ".gitignore"), "*.tmp\n");
    await writeFile(join(folder.path, "staged.txt"), "x");
    git("add", "staged.txt");
    const odd = 'a [b] *"c\\ d/grüße --x.md';
    assert.equal(await commit({ [odd]: "text", "x.tmp": "no" }), true);
    assert.equal(git("show", `HEAD:${odd}`), "text");
    assert.equal(git("ls-tree", "-r", "-z", "--name-only", "HEAD"), `${odd}\0`);
    assert.equal(git("diff", "--cached", "--name-only"), "staged.txt");
  });

  it("supports a site in a subfolder of a repository, and its attribute filters", async () => {
    git("init", "-q");
    await writeFile(join(folder.path, ".gitattributes"), "*.md text eol=lf\n");
    await mkdir(join(folder.path, "site"));
    assert.equal(await commit({ "a.md": "one\r\ntwo\r\n" }, join(folder.path, "site")), true);
    assert.equal(git("cat-file", "-p", "HEAD:site/a.md"), "one\ntwo");
  });

  it("does not commit on a detached HEAD, and reports git's errors", async () => {
    git("init", "-q");
    await commit({ "a.md": "one" });
    git("checkout", "-q", "--detach");
    assert.equal(await commit({ "a.md": "two" }), null);
    const none = join(folder.path, "none");
    await assert.rejects(
      commit({ "a.md": "two" }, none).then((made) => {
        if (made === null) throw new Error("no repository");
      }),
    );
  });
});
