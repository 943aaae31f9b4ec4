import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import { codeOf, selected } from "../../../../plugins/admin/routes/route-parts.js";

describe("selected", () => {
  it("returns the service, or throws 404 with the plugin's name", () => {
    assert.equal(selected("service", "flex"), "service");
    assert.throws(() => selected(undefined, "flex"), { status: 404, message: /flex/ });
  });
});

describe("codeOf", () => {
  it("returns the code of a site error, null for any other", () => {
    assert.equal(codeOf(new HttpError(404, "x", { code: "ERR_X" })), "ERR_X");
    assert.equal(codeOf(new Error("x")), null);
  });
});
