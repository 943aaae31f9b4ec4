import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import { failed } from "../../../../plugins/admin/dev-apply/changes.js";

describe("failed", () => {
  it("lists every problem of a configuration, or returns the error's message", () => {
    const details = [
      { key: "a", expected: "a text" },
      { key: "b", expected: "a number" },
    ];
    assert.deepEqual(failed(new HttpError(400, "x", { details })), {
      status: "error",
      errors: ["a: expected a text", "b: expected a number"],
    });
    assert.deepEqual(failed(new HttpError(400, "x")), { status: "error", errors: ["x"] });
  });
  it("hides local paths in disk errors, and rethrows bugs", () => {
    const full = Object.assign(new Error("ENOSPC: /home/secret"), { code: "ENOSPC" });
    assert.deepEqual(failed(full), {
      status: "error",
      errors: ["the file could not be written (ENOSPC)"],
    });
    assert.throws(() => failed(new TypeError("bug")), TypeError);
  });
});
