import assert from "node:assert/strict";
import { SiteError } from "#kernel";
import { exitCode } from "../../../kernel/cli/exit-code.js";
import { commandOutput } from "../../support/processes/command-output.js";

describe("errors of commands", () => {
  it("of the user are printed with their fix, and the exit code is 2", async () => {
    const { out, errors } = commandOutput();
    const fail = (fix?: string) =>
      exitCode({ out }, () =>
        Promise.reject(new SiteError("ERR_CHECK_ROUTE", "no", fix === undefined ? {} : { fix })),
      );
    assert.deepEqual([await fail("do"), await fail()], [2, 2]);
    assert.deepEqual(errors, ["no; do", "no"]);
  });

  it("of the program are thrown, and results are the exit code", async () => {
    const { out, errors } = commandOutput();
    await assert.rejects(
      exitCode({ out }, () => Promise.reject(new TypeError("bug"))),
      TypeError,
    );
    assert.equal(await exitCode({ out }, async () => 1), 1);
    assert.deepEqual(errors, []);
  });

  it("have the exit code that a command gives them", async () => {
    const { out } = commandOutput();
    const fail = (code: "ERR_CHECK_ROUTE" | "ERR_IMPORT_KIND") =>
      exitCode(
        { out },
        () => Promise.reject(new SiteError(code, "no")),
        ({ code: own }) => (own === "ERR_CHECK_ROUTE" ? 1 : 3),
      );
    assert.deepEqual([await fail("ERR_CHECK_ROUTE"), await fail("ERR_IMPORT_KIND")], [1, 3]);
  });
});
