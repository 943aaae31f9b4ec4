import assert from "node:assert/strict";
import { refusal, signedOut, wrongCsrf } from "../../../plugins/admin/errors.js";

describe("error responses of the guard", () => {
  it("ask for a token without a session", () => {
    const { status, code, headers } = signedOut();
    assert.deepEqual([status, code], [401, "ERR_ADMIN_SIGNED_OUT"]);
    assert.deepEqual(headers, { "WWW-Authenticate": 'Bearer realm="admin"' });
  });

  it("reject requests with only a cookie", () => {
    const { status, code, headers } = wrongCsrf(undefined);
    assert.deepEqual([status, code, headers], [403, "ERR_ADMIN_CSRF", {}]);
  });

  it("have the given message and a code of this plugin", () => {
    const { message, status } = refusal(403, "ERR_ADMIN_CSRF", "not so");
    assert.deepEqual([message, status], ["not so", 403]);
  });
});
