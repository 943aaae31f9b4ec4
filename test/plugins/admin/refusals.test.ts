import assert from "node:assert/strict";
import { refusal, signedOut, wrongCsrf } from "../../../plugins/admin/refusals.js";

describe("what the guard answers", () => {
  it("asks for a token where nobody has signed in", () => {
    const { status, code, headers } = signedOut();
    assert.deepEqual([status, code], [401, "ERR_ADMIN_SIGNED_OUT"]);
    assert.deepEqual(headers, { "WWW-Authenticate": 'Bearer realm="admin"' });
  });

  it("forbids what comes with a cookie alone", () => {
    const { status, code, headers } = wrongCsrf();
    assert.deepEqual([status, code, headers], [403, "ERR_ADMIN_CSRF", {}]);
  });

  it("says what it is told to, with a code of this plugin", () => {
    const { message, status } = refusal(403, "ERR_ADMIN_CSRF", { message: "not so" });
    assert.deepEqual([message, status], ["not so", 403]);
  });
});
