import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Git } from "#kernel";
import { gitLockCheck, listLocks, removeStaleLocks } from "#lib/git";
import { useFolder } from "../../support/folder.js";

describe("git in a folder", () => {
  const folder = useFolder();

  it("rejects with git's error, without secrets; listed exit codes are no errors", async () => {
    const redact = (text: string): string => text.replaceAll("hunter2", "…");
    const git = new Git(folder.path, { redact });
    await git.run(["init", "-q"]);
    await assert.rejects(git.run(["rev-parse", "--verify", "hunter2"]), (error: Error) => {
      assert.match(error.message, /^fatal: /);
      return !error.message.includes("hunter2");
    });
    const missing = ["rev-parse", "-q", "--verify", "none"];
    assert.equal((await git.read(missing, { codes: [1] })).length, 0);
  });

  it("applies settings and variables, of the repository and of one command", async () => {
    const git = new Git(folder.path, { config: ["user.name=Ada"] });
    assert.equal(await git.run(["config", "user.name"]), "Ada\n");
    const env = { GIT_AUTHOR_NAME: "Eve", GIT_AUTHOR_EMAIL: "eve@x" };
    const shown = await git.read(["var", "GIT_AUTHOR_IDENT"], { env });
    assert.match(shown.toString(), /^Eve <eve@x>/);
  });

  describe("with lock files", () => {
    const LOCKS = [
      "index.lock",
      "HEAD.lock",
      "config.lock",
      "packed-refs.lock",
      "shallow.lock",
      "refs/heads/main.lock",
      "refs/remotes/git-sync/main.lock",
      "worktrees/other/index.lock",
      "objects/info/commit-graphs/commit-graph-chain.lock",
    ];
    let git: Git;
    const lock = async (name: string, ageMs: number): Promise<string> => {
      const file = join(folder.path, ".git", name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, "");
      const at = new Date(Date.now() - ageMs);
      await utimes(file, at, at);
      return file;
    };
    beforeEach(async () => {
      git = new Git(folder.path);
      await git.run(["init", "-q"]);
    });

    it("lists them all, and nothing else", async () => {
      for (const name of ["hooks/own.lock", "notes.txt"]) await lock(name, 0);
      const files = await Promise.all(LOCKS.map((name) => lock(name, 0)));
      const listed = (await listLocks(git)).map(({ file }) => file);
      assert.deepEqual(listed, files.toSorted());
    });

    it("removes old ones of every kind", async () => {
      const files = await Promise.all(LOCKS.map((name) => lock(name, 60_000)));
      assert.deepEqual(await removeStaleLocks(git), files.toSorted());
      assert.deepEqual(await listLocks(git), []);
    });

    it("removes a young one only since an interrupted work began", async () => {
      const file = await lock("index.lock", 0);
      assert.deepEqual(await removeStaleLocks(git), []);
      assert.deepEqual(await removeStaleLocks(git, { since: Date.now() + 60_000 }), []);
      assert.deepEqual(await removeStaleLocks(git, { since: Date.now() - 60_000 }), [file]);
    });

    it("removes none while a git that may hold it works in the repository", async function () {
      if (process.platform !== "linux") this.skip();
      const running = spawn("git", ["cat-file", "--batch"], { cwd: folder.path });
      try {
        await once(running, "spawn");
        const held = await lock("index.lock", 0);
        const old = await lock("HEAD.lock", 60_000);
        assert.deepEqual(await removeStaleLocks(git, { since: Date.now() - 60_000 }), [old]);
        assert.ok(existsSync(held));
      } finally {
        running.stdin.end();
        await once(running, "close");
      }
    });

    it("reports them to site doctor, and repairs those that no process holds", async () => {
      const check = gitLockCheck(() => ({ git, root: folder.path }));
      assert.deepEqual(await check.run(null), []);
      await lock("index.lock", 0);
      await lock("refs/remotes/git-sync/main.lock", 60_000);
      const [young, old] = await check.run(null);
      assert.deepEqual([young?.level, young?.repair], ["warning", undefined]);
      assert.match(young?.fix ?? "", /rm \.git\/index\.lock$/);
      assert.equal(old?.level, "error");
      assert.match(old?.seen ?? "", /\.git\/refs\/remotes\/git-sync\/main\.lock/);
      assert.equal(await old?.repair?.(), "removed .git/refs/remotes/git-sync/main.lock");
      assert.equal((await listLocks(git)).length, 1);
    });
  });
});
