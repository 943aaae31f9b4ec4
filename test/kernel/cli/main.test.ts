import assert from "node:assert/strict";
import { startProcess } from "../../support/processes/site-process.js";

describe("main", () => {
  it("exits with 2 for an unknown command, and 0 for the version", async () => {
    const unknown = startProcess(["no-such-command"]);
    assert.equal(await unknown.ended(), 2, unknown.text());
    assert.match(unknown.text(), /no-such-command/);
    const version = startProcess(["--version"]);
    assert.equal(await version.ended(), 0);
    assert.match(version.text(), /^\d+\.\d+\.\d+/m);
  });

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
});
