import assert from "node:assert/strict";
import { plainToken } from "../../../../plugins/auth/providers/provider-calls.js";

const answer = (body: string, status = 200): Promise<Response> =>
  plainToken(new Response(body, { status }));

describe("the response of a plain OAuth 2 token endpoint", () => {
  it("is passed on without the ID token, whose claims are not verified", async () => {
    const response = await answer('{"access_token":"t","id_token":"x.y.z","token_type":"bearer"}');
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { access_token: "t", token_type: "bearer" });
  });

  for (const [body, status, expected] of [
    ['{"error":"bad_verification_code"}', 200, 400],
    ['{"error":"invalid_grant"}', 400, 400],
    ['{"error":"server_error"}', 500, 500],
    ["{}", 503, 503],
  ] as const) {
    it(`${body} with ${status} is a response ${expected}`, async () => {
      assert.equal((await answer(body, status)).status, expected);
    });
  }

  for (const body of ["", "<h1>", "null", "1", '"text"', "access_token=t"]) {
    it(`rejects ${JSON.stringify(body)}`, async () => {
      await assert.rejects(answer(body), { name: "ProviderError", fault: "provider" });
    });
  }
});
