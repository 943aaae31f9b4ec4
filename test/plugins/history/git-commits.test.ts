import { Git, silentLog } from "#kernel";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GitCommits, SITE } from "../../../plugins/history/git-commits.js";
import { useFolder } from "../../support/folder.js";
import { until } from "../../support/until.js";

const commitsIn = (root: string): GitCommits =>
  new GitCommits({ git: new Git(root), committer: SITE }, silentLog);

describe("commits of saved pages", () => {
  const folder = useFolder();
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder.path, encoding: "utf8" }).trim();
  const file = (name: string): string => join(folder.path, name);
  const add = async (commits: GitCommits, names: string[], name = "Ada"): Promise<void> => {
    const author = { name, email: "ada@x" };
    const when = { exact: null, at: 1_750_000_000_000 };
    commits.add({ files: names.map(file), message: "say it", author, ...when });
    await commits.settled();
  };

  it("contain only the saved files, and leave other staged changes", async () => {
    git("init", "-q");
    for (const name of ["a.md", "b.md"]) await writeFile(file(name), name);
    git("add", "b.md");
    const commits = commitsIn(folder.path);
    await add(commits, ["a.md"]);
    assert.equal(
      git("show", "--name-only", "--format=%s|%an|%ae|%cn"),
      "say it|Ada|ada@x|Site\n\na.md",
    );
    assert.equal(git("diff", "--cached", "--name-only"), "b.md");
    assert.deepEqual(commits.status, {
      enabled: true,
      commits: 1,
      pending: 0,
      failed: 0,
      lastError: null,
    });
  });

  it("include deletions, but not unchanged or untracked files", async () => {
    git("init", "-q");
    await writeFile(file("a.md"), "a");
    const commits = commitsIn(folder.path);
    await add(commits, ["a.md"]);
    await add(commits, ["a.md", "never.md"]);
    assert.equal(commits.status.commits, 1);
    await rm(file("a.md"));
    await add(commits, ["a.md"]);
    assert.equal(git("show", "--name-status", "--format="), "D\ta.md");
  });

  it("treat names literally, not as patterns or options, and sanitise the author", async () => {
    git("init", "-q");
    for (const name of ["*.md", "a.md", "--amend"]) await writeFile(file(name), "x");
    const commits = commitsIn(folder.path);
    await add(commits, ["*.md"], "A <x@y>\n--amend");
    assert.equal(git("show", "--name-only", "--format=%an"), "A x@y--amend\n\n*.md");
    await add(commits, ["--amend"], "<>");
    assert.equal(git("show", "--name-only", "--format=%an"), "Site\n\n--amend");
  });

  describe("while a lock is there", () => {
    const lock = async (name: string, at: number): Promise<string> => {
      const path = join(folder.path, ".git", name);
      await writeFile(path, "");
      await utimes(path, at / 1_000, at / 1_000);
      return path;
    };
    beforeEach(async () => {
      git("init", "-q", "-b", "main");
      await writeFile(file("a.md"), "a");
      await add(commitsIn(folder.path), ["a.md"]);
      await writeFile(file("a.md"), "b");
    });

    for (const name of ["index.lock", "refs/heads/main.lock", "HEAD.lock"]) {
      it(`remove ${name} of a process that has ended`, async () => {
        await lock(name, Date.now() - 60_000);
        const commits = commitsIn(folder.path);
        await add(commits, ["a.md"]);
        assert.deepEqual([commits.status.failed, commits.status.lock], [0, undefined]);
        assert.equal(git("show", "HEAD:a.md"), "b");
      });
    }

    it("wait for the process that holds it, and name it", async () => {
      const path = await lock("index.lock", Date.now() + 3_600_000);
      const commits = commitsIn(folder.path);
      const added = add(commits, ["a.md"]);
      await until(() => commits.status.lock === ".git/index.lock");
      await rm(path);
      await added;
      assert.deepEqual([commits.status.failed, commits.status.lock], [0, undefined]);
      assert.equal(git("show", "HEAD:a.md"), "b");
    });

    it("leave the save to the next startup when they close meanwhile", async () => {
      await lock("index.lock", Date.now() + 3_600_000);
      const commits = commitsIn(folder.path);
      let isFinished = false;
      const saved = { files: [file("a.md")], message: "m", author: null, exact: null, at: 0 };
      commits.add(saved, () => Promise.resolve(void (isFinished = true)));
      await until(() => commits.status.lock !== undefined);
      await commits.close();
      assert.deepEqual([isFinished, commits.status.failed], [false, 1]);
    });
  });
});
