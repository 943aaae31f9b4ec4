import assert from "node:assert/strict";
import { selected } from "../../../../plugins/admin/routes/admin-context.js";

describe("selected", () => {
  it("returns the service, or throws 404 with the plugin's name", () => {
    assert.equal(selected("service", "flex"), "service");
    assert.throws(() => selected(undefined, "flex"), { status: 404, message: /flex/ });
  });
});
