import assert from "node:assert/strict";
import { SiteError } from "#kernel";
import { errorCode } from "#lib/errors";

describe("errorCode", () => {
  it("returns the code of an error of Node, of a library or of ours", () => {
    const numbered = Object.assign(new Error("x"), { code: 11000 });
    const ours = new SiteError("ERR_PORT_IN_USE", "x", { fix: "y" });
    const ofNode = Object.assign(new Error("x"), { code: "ENOENT" });
    assert.deepEqual([ofNode, ours, numbered].map(errorCode), [
      "ENOENT",
      "ERR_PORT_IN_USE",
      "11000",
    ]);
  });

  it("is empty without a code", () => {
    for (const thrown of [new Error("x"), { code: "ENOENT" }, "ENOENT", null, undefined]) {
      assert.equal(errorCode(thrown), "");
    }
  });
});
