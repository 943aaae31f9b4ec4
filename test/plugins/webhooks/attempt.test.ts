import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { SiteError } from "#kernel";
import type { OutboundRequest } from "../../../plugins/outbound/contract.js";
import { createAttempt, deliveryHeaders } from "../../../plugins/webhooks/attempt.js";
import { toBody } from "../../../plugins/webhooks/delivery-log.js";
import { deliveryRecord, webhookEndpoint } from "../../support/servers/delivery-records.js";

/** An attempt whose request answers with a status, or fails. */
function attemptWith(answer: number | Error) {
  const sent: [string, OutboundRequest | undefined][] = [];
  const attempt = createAttempt(
    {
      refusal: async () => null,
      request: async (url, request) => {
        sent.push([url, request]);
        if (answer instanceof Error) throw answer;
        return { status: answer, headers: {}, body: Buffer.alloc(0) };
      },
    },
    () => 1_000,
  );
  return { sent, outcome: () => attempt(deliveryRecord(), webhookEndpoint({ secret: "s" })) };
}

describe("an attempt of a delivery", () => {
  for (const [status, success] of [
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [302, false],
    [404, false],
    [500, false],
  ] as const) {
    it(`is ${success ? "a success" : "a failure"} with status ${status}`, async () => {
      assert.deepEqual(await attemptWith(status).outcome(), { statusCode: status, success });
    });
  }

  it("reports errors of the outbound client, but no details of other errors", async () => {
    const known = new SiteError("ERR_OUTBOUND_TIMEOUT", "no answer within 10 s");
    assert.deepEqual(await attemptWith(known).outcome(), {
      statusCode: 0,
      success: false,
      errorMessage: "no answer within 10 s",
    });
    const other = await attemptWith(new Error("https://user:password@host")).outcome();
    assert.equal(other.success, false);
    assert.doesNotMatch(other.errorMessage ?? "", /password/);
  });

  it("posts the signed bytes of the record, with limits of ten seconds and 64 KB", async () => {
    const { sent, outcome } = attemptWith(200);
    await outcome();
    const [url, request] = sent[0] ?? [];
    assert.equal(url, "https://hooks.example/a");
    assert.equal(request?.method, "POST");
    assert.deepEqual(request?.body?.toString(), toBody({ ...deliveryRecord() }).toString());
    assert.deepEqual(
      [request?.timeoutMs, request?.maxBytes, request?.overflow, request?.policy],
      [10_000, 65_536, "discard", "operator"],
    );
    assert.match(request?.headers?.["X-Site-Signature"] ?? "", /^sha256=[0-9a-f]{64}$/);
  });
});

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
