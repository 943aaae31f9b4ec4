import assert from "node:assert/strict";
import { SiteError } from "#kernel";
import { reportErrors } from "../../../../plugins/check/commands/report-errors.js";
import { commandOutput } from "../../../support/command-output.js";

describe("errors of commands for pages", () => {
  it("of the user are printed with their fix, and the exit code is 2", async () => {
    const { out, errors } = commandOutput();
    const fail = (fix?: string) =>
      reportErrors({ out }, () =>
        Promise.reject(new SiteError("ERR_CHECK_ROUTE", "no", fix === undefined ? {} : { fix })),
      );
    assert.deepEqual([await fail("do"), await fail()], [2, 2]);
    assert.deepEqual(errors, ["no; do", "no"]);
  });

  it("of the program are thrown, and results are the exit code", async () => {
    const { out, errors } = commandOutput();
    await assert.rejects(
      reportErrors({ out }, () => Promise.reject(new TypeError("bug"))),
      TypeError,
    );
    assert.equal(await reportErrors({ out }, async () => 1), 1);
    assert.deepEqual(errors, []);
  });
});
