import assert from "node:assert/strict";
import { endpointOf, findEndpoint } from "../../../plugins/webhooks/endpoints.js";
import { deliveryRecord, webhookEndpoint } from "../../support/delivery-records.js";

const [a, b] = ["https://hooks.example/a", "https://hooks.example/b"];

describe("endpoints of webhooks", () => {
  it("are found at the place a record was made for", () => {
    const twice = [webhookEndpoint(), webhookEndpoint()];
    assert.equal(endpointOf(twice, deliveryRecord({ endpointIndex: 1 })), twice[1]);
  });

  it("are found again when the list was put in another order", () => {
    const endpoints = [webhookEndpoint({ url: b }), webhookEndpoint({ url: a })];
    assert.equal(endpointOf(endpoints, deliveryRecord({ endpointIndex: 0 })), endpoints[1]);
  });

  for (const [what, endpoint] of [
    ["switched off", webhookEndpoint({ enabled: false })],
    ["at another address", webhookEndpoint({ url: b })],
    ["under another label", webhookEndpoint({ label: "new" })],
  ] as const) {
    it(`get nothing of a record when they are ${what}`, () => {
      assert.equal(endpointOf([endpoint], deliveryRecord()), undefined);
    });
  }

  it("get nothing of a record with a place that cannot be", () => {
    assert.equal(endpointOf([], deliveryRecord({ endpointIndex: -1 })), undefined);
  });

  it("are named by label before URL, and never while switched off", () => {
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
