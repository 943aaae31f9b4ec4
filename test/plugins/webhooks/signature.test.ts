import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { deliveryHeaders } from "../../../plugins/webhooks/attempt.js";

const id = "01HF0000000000000000000000";
const now = 1_763_640_000_999;
const body = Buffer.from(`{"event":"test"}`);

describe("the headers of a delivery", () => {
  it("contain delivery and time in seconds twice: ours and Standard Webhooks", () => {
    const headers = deliveryHeaders({ id, now, body, secret: undefined });
    assert.equal(headers["X-Site-Delivery"], id);
    assert.equal(headers["webhook-id"], id);
    assert.equal(headers["X-Site-Timestamp"], "1763640000");
    assert.equal(headers["webhook-timestamp"], "1763640000");
  });

  it("contain no signature without a secret", () => {
    const names = Object.keys(deliveryHeaders({ id, now, body, secret: undefined }));
    assert.deepEqual(
      names.filter((name) => /signature/i.test(name)),
      [],
    );
  });

  it("sign exactly the sent bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 1 }), (bytes, secret) => {
        const sent = Buffer.from(bytes);
        const headers = deliveryHeaders({ id, now, body: sent, secret });
        const own = createHmac("sha256", secret).update(sent).digest("hex");
        assert.equal(headers["X-Site-Signature"], `sha256=${own}`);
      }),
    );
  });

  it("sign like Standard Webhooks, with a decoded whsec_ key", () => {
    const key = Buffer.from("a key of some length");
    const signed = createHmac("sha256", key).update(`${id}.1763640000.`).update(body);
    const secret = `whsec_${key.toString("base64")}`;
    assert.equal(
      deliveryHeaders({ id, now, body, secret })["webhook-signature"],
      `v1,${signed.digest("base64")}`,
    );
  });

  for (const secret of ["whsec_", "whsec_not base64", "whsec_a=b", "plain"]) {
    it(`use ${JSON.stringify(secret)} as a key without decoding`, () => {
      const signed = createHmac("sha256", secret).update(`${id}.1763640000.`).update(body);
      assert.equal(
        deliveryHeaders({ id, now, body, secret })["webhook-signature"],
        `v1,${signed.digest("base64")}`,
      );
    });
  }
});
