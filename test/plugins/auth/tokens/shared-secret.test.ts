import assert from "node:assert/strict";
import { SharedSecret } from "../../../../plugins/auth/tokens/token-keys.js";

describe("a shared secret", () => {
  it("is a key for HS256 only, made of its raw bytes", async () => {
    const secret = new SharedSecret("geheim-é-$x");
    const key = await secret.get();
    assert.deepEqual([secret.algorithm, key.type], ["HS256", "secret"]);
    assert.equal(key.export().toString("utf8"), "geheim-é-$x");
    assert.equal(secret.validUntil(), Infinity);
  });
});
