import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { inFolder } from "../../support/probe-folder.js";
import { startProcess } from "../../support/processes/site-process.js";
import { textOf } from "../../support/repository.js";

describe("main", () => {
  it("exits with 2 for an unknown command, and 0 for the version", async () => {
    const unknown = startProcess(["no-such-command"]);
    assert.equal(await unknown.ended(), 2, unknown.text());
    assert.match(unknown.text(), /no-such-command/);
    const version = startProcess(["--version"]);
    assert.equal(await version.ended(), 0);
    assert.match(version.text(), /^\d+\.\d+\.\d+/m);
  });

  it("prints the version without the rest of the package", () =>
    inFolder(
      {
        "package.json": textOf("package.json"),
        "kernel/cli/bin.mjs": textOf("kernel/cli/bin.mjs"),
        "kernel/cli/start.mjs": textOf("kernel/cli/start.mjs"),
      },
      (folder) => {
        for (const word of ["--version", "-V"]) {
          const words = [join(folder, "kernel/cli/bin.mjs"), word];
          const { status, stdout, stderr } = spawnSync(process.execPath, words, {
            encoding: "utf8",
          });
          assert.deepEqual([status, stderr], [0, ""]);
          assert.equal(stdout, `${JSON.parse(textOf("package.json")).version}\n`);
        }
      },
    ));

  it("prints a wrong option or argument as every other failure, with the nearest name", async () => {
    const help = "run site --help for the commands, site <command> --help for the options of one";
    for (const [words, expected] of [
      [["serve", "--prot", "1"], "✗ unknown option '--prot'\n  fix: did you mean --port?\n"],
      [
        ["config:valdate"],
        "✗ unknown command 'config:valdate'\n  fix: did you mean config:validate?\n",
      ],
      [["serve", "--port"], `✗ option '--port <number>' argument missing\n  fix: ${help}\n`],
    ] as const) {
      const started = startProcess(words);
      assert.equal(await started.ended(), 2);
      assert.equal(started.text(), expected);
    }
  });

  it("names plugin, command, value and place when a plugin's command fails", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: [{ src: ./plugins/p.mjs }]\n",
        "plugins/p.mjs": `const command = (name, run) => ({ name, summary: name, run });
          function inner() { throw new Error("boom"); }
          export default { name: "p", version: "1.0.0", commands: [
            command("p:throw", () => inner()),
            command("p:text", () => { throw "no error"; }),
            command("p:string", () => "done"),
            command("p:half", () => 0.5),
            command("p:high", () => 256),
          ] };`,
      },
      async (root) => {
        const value = "expected an exit code from 0 to 255, or nothing ERR_COMMAND_VALUE";
        for (const [name, expected] of [
          ["p:throw", 'plugin "p": the command p:throw failed: boom ERR_COMMAND_FAILED'],
          ["p:text", 'plugin "p": the command p:text failed: "no error" ERR_COMMAND_FAILED'],
          ["p:string", `plugin "p": the command p:string returned "done"; ${value}`],
          ["p:half", `plugin "p": the command p:half returned 0.5; ${value}`],
          ["p:high", `plugin "p": the command p:high returned 256; ${value}`],
        ] as const) {
          const started = startProcess([name, "--root", root]);
          assert.equal(await started.ended(), 1, started.text());
          const [first, fix] = started.text().split("\n");
          assert.equal(first, `✗ ${expected}`);
          assert.match(fix ?? "", /^ {2}fix: /);
          const frames = started
            .text()
            .split("\n")
            .filter((line) => / at [^\d]/.test(line));
          assert.ok(
            frames.every((line) => line.includes("plugins/p.mjs:")),
            started.text(),
          );
          assert.equal(frames.length > 0, name === "p:throw", started.text());
        }
      },
    ));

  it("exits with the code of a command that leaves something open, or whose site does not close", () =>
    inFolder(
      {
        "site.yaml": "title: T\nplugins: [{ src: ./plugins/p.mjs }]\n",
        "plugins/p.mjs": `import { connect, createServer } from "node:net";
          const never = () => new Promise(() => undefined);
          export default { name: "p", version: "1.0.0", commands: [
            { name: "p:open", summary: "s", run: async () => {
              const server = createServer();
              await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
              connect(server.address().port, "127.0.0.1");
              return 3;
            } },
            { name: "p:site", summary: "s", run: async ({ site }) => (await site(), 4) },
          ], setup: (site) => site.lifecycle.onClose(never) };`,
      },
      async (root) => {
        const open = startProcess(["p:open", "--root", root]);
        assert.equal(await open.ended(), 3, open.text());
        const unclosed = startProcess(["p:site", "--root", root]);
        assert.equal(await unclosed.ended(), 4, unclosed.text());
      },
    ));
});
