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
});
