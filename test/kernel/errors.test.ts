import assert from "node:assert/strict";
import { inspect } from "node:util";
import { HttpError, SiteError } from "#kernel";

describe("SiteError", () => {
  it("has only the properties that were given, as printed by Node", () => {
    assert.doesNotMatch(inspect(new SiteError("ERR_X", "wrong")), /undefined/);
    assert.doesNotMatch(inspect(new HttpError(404, "none")), /undefined/);
    const given = new SiteError("ERR_X", "wrong", { fix: "do this", status: 409 });
    assert.deepEqual([given.fix, given.status, given.details], ["do this", 409, undefined]);
  });
});
