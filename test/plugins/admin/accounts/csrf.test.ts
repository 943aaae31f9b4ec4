import assert from "node:assert/strict";
import { csrfToken, isCsrfToken } from "../../../../plugins/admin/accounts/identities.js";

describe("csrfToken", () => {
  const secret = Buffer.alloc(32, 1);
  it("is bound to a session and a secret", () => {
    const token = csrfToken("a", secret);
    assert.equal(token, csrfToken("a", secret));
    assert.notEqual(token, csrfToken("b", secret));
    assert.notEqual(token, csrfToken("a", Buffer.alloc(32, 2)));
  });
  it("only accepts the exact token", () => {
    const token = csrfToken("a", secret);
    assert.ok(isCsrfToken(token, token));
    for (const given of ["", undefined, null, 1, [token], `${token} `, token.slice(1)])
      assert.ok(!isCsrfToken(given, token));
  });
});
