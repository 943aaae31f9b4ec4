import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commitExactly } from "../../../plugins/history/exact-commit.js";
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
      root,
      Object.entries(files).map(([name, bytes]) => ({
        path: join(root, name),
        bytes: bytes === null ? null : Buffer.from(bytes),
      })),
      text,
    );

  it("commits the bytes it is given, whatever the disk holds, in the name of author and committer", async () => {
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

  it("changes nothing where nothing differs, and takes out what is gone", async () => {
    git("init", "-q");
    await commit({ "a.md": "one", "sub/b.md": "two" });
    assert.equal(await commit({ "a.md": "one", "never.md": null }), false);
    assert.equal(await commit({ "a.md": null }), true);
    assert.equal(git("ls-tree", "-r", "--name-only", "HEAD"), "sub/b.md");
  });

  it("takes names for names, and leaves what is staged and what git ignores", async () => {
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

  it("knows a site that is a folder of a larger repository, and the filters of its attributes", async () => {
    git("init", "-q");
    await writeFile(join(folder.path, ".gitattributes"), "*.md text eol=lf\n");
    await mkdir(join(folder.path, "site"));
    assert.equal(await commit({ "a.md": "one\r\ntwo\r\n" }, join(folder.path, "site")), true);
    assert.equal(git("cat-file", "-p", "HEAD:site/a.md"), "one\ntwo");
  });

  it("leaves a detached head to others, and says what git says", async () => {
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
