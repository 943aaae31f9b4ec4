import assert from "node:assert/strict";
import { resolveEndpoint, findEndpoint } from "../../../plugins/webhooks/change-to-deliveries.js";
import { deliveryRecord, webhookEndpoint } from "../../support/servers/delivery-records.js";

const [a, b] = ["https://hooks.example/a", "https://hooks.example/b"];

describe("endpoints of webhooks", () => {
  it("are found at the index of the record", () => {
    const twice = [webhookEndpoint(), webhookEndpoint()];
    assert.equal(resolveEndpoint(twice, deliveryRecord({ endpointIndex: 1 })), twice[1]);
  });

  it("are found after the list was reordered", () => {
    const endpoints = [webhookEndpoint({ url: b }), webhookEndpoint({ url: a })];
    assert.equal(resolveEndpoint(endpoints, deliveryRecord({ endpointIndex: 0 })), endpoints[1]);
  });

  for (const [what, endpoint] of [
    ["switched off", webhookEndpoint({ enabled: false })],
    ["at another address", webhookEndpoint({ url: b })],
    ["under another label", webhookEndpoint({ label: "new" })],
  ] as const) {
    it(`are not found for a record when they are ${what}`, () => {
      assert.equal(resolveEndpoint([endpoint], deliveryRecord()), undefined);
    });
  }

  it("are not found for a record with an invalid index", () => {
    assert.equal(resolveEndpoint([], deliveryRecord({ endpointIndex: -1 })), undefined);
  });

  it("are found by label before URL, and never while disabled", () => {
    const endpoints = [
      webhookEndpoint({ url: a, enabled: false, label: "ci" }),
      webhookEndpoint({ url: b }),
      webhookEndpoint({ url: a, label: b }),
    ];
    assert.equal(findEndpoint(endpoints, b), 2);
    assert.equal(findEndpoint(endpoints, a), 2);
    assert.equal(findEndpoint(endpoints, "ci"), -1);
    assert.equal(findEndpoint(endpoints, ""), -1);
  });
});
