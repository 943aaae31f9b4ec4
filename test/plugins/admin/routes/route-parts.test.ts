import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import { codeOf, selected } from "../../../../plugins/admin/routes/route-parts.js";

describe("selected", () => {
  it("gives the service, or 404 with the plugin's name", () => {
    assert.equal(selected("service", "flex"), "service");
    assert.throws(() => selected(undefined, "flex"), { status: 404, message: /flex/ });
  });
});

describe("codeOf", () => {
  it("is the code of an error of the site, null for any other", () => {
    assert.equal(codeOf(new HttpError(404, "x", { code: "ERR_X" })), "ERR_X");
    assert.equal(codeOf(new Error("x")), null);
  });
});
