import assert from "node:assert/strict";
import { SiteError } from "#kernel";
import type { OutboundRequest } from "../../../plugins/outbound/contract.js";
import { createAttempt } from "../../../plugins/webhooks/attempt.js";
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
