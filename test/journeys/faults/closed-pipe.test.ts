import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useFolder } from "../../support/folder.js";
import { startProcess } from "../../support/processes/site-process.js";

/** Runs `site` with a closed output, as `| head -1` does. */
async function runUnread(args: readonly string[], streams: readonly ("stdout" | "stderr")[]) {
  const process = startProcess(args);
  for (const name of streams) process.child[name]?.destroy();
  return { code: await process.ended(), text: process.text() };
}

describe("a command whose output is closed", () => {
  const folder = useFolder();
  beforeEach(async () => {
    await mkdir(join(folder.path, "content"));
    await writeFile(join(folder.path, "site.yaml"), "title: Unread\n");
    await writeFile(join(folder.path, "content/index.md"), "# Hello\n");
  });

  for (const command of [
    "--help",
    "help new",
    "config:show",
    "config:validate",
    "schema:export",
    "errors:explain ERR_PLUGIN_LOAD",
    "content:list",
    "content:check",
    "search hello",
    "plugin:list --json",
    "webhooks:list",
  ]) {
    it(`exits with 0: ${command}`, async () => {
      const root = command.includes("help") ? [] : ["--root", folder.path];
      const { code, text } = await runUnread([...command.split(" "), ...root], ["stdout"]);
      assert.deepEqual([code, text], [0, ""]);
    });
  }

  it("finishes its work", async () => {
    const made = join(folder.path, "made");
    const { code } = await runUnread(["new", made], ["stdout", "stderr"]);
    assert.equal(code, 0);
    assert.ok((await readdir(made)).includes(".gitignore"));
  });

  it("exits with the code of a failure", async () => {
    const { code } = await runUnread(["errors:explain", "ERR_NONE"], ["stdout", "stderr"]);
    assert.equal(code, 2);
    const broken = join(folder.path, "broken");
    await mkdir(broken);
    await writeFile(join(broken, "site.yaml"), "titel: T\n");
    const words = ["config:validate", "--root", broken];
    assert.equal((await runUnread(words, ["stdout", "stderr"])).code, 1);
    assert.equal((await runUnread(["no-command"], ["stderr"])).code, 2);
  });

  for (const format of ["text", "json"]) {
    it(`continues to serve: a log of ${format}`, async () => {
      const args = ["serve", "--root", folder.path, "--port", "0"];
      const env = { SITE_LOG_FORMAT: format };
      const { child, printed, ended } = startProcess(args, { env });
      const [, port] = await printed(/localhost:(\d+)/);
      child.stdout?.destroy();
      for (let count = 0; count < 5; count += 1) {
        const answer = await fetch(`http://127.0.0.1:${port}/health/live`);
        assert.equal(answer.status, 200);
      }
      child.kill("SIGTERM");
      assert.equal(await ended(), 0);
    });
  }
});
