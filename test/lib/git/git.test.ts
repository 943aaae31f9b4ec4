import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Git } from "#kernel";
import { removeStaleLocks } from "#lib/git";
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

  it("removes locks of a killed process, not older ones", async () => {
    const git = new Git(folder.path);
    await git.run(["init", "-q"]);
    const lock = join(folder.path, ".git/index.lock");
    await writeFile(lock, "");
    assert.deepEqual(await removeStaleLocks(git, Date.now() + 60_000), []);
    assert.deepEqual(await removeStaleLocks(git, Date.now() - 60_000), [lock]);
    assert.equal(existsSync(lock), false);
  });
});
