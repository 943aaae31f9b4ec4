import assert from "node:assert/strict";
import type { AuthWebhookSection } from "../../../../plugins/auth/contract.js";
import { readReportTime } from "../../../../plugins/auth/routes/webhook-routes.js";

const NOW = 1_800_000_000_000;

describe("the time of a report", () => {
  const at = (provider: AuthWebhookSection["provider"], headers: Record<string, string>): number =>
    readReportTime({ provider, secret: "s" }, { headers, now: NOW });

  it("is read from the provider's own header", () => {
    const seconds = String(NOW / 1000 - 9);
    assert.equal(at("clerk", { "svix-timestamp": seconds }), NOW - 9_000);
    assert.equal(at("clerk", { "webhook-timestamp": seconds }), NOW - 9_000);
    assert.equal(at("auth0", { "x-auth0-timestamp": seconds }), NOW - 9_000);
    assert.equal(at("generic", { "x-timestamp": seconds }), NOW - 9_000);
  });

  it("is now if absent, and never in the future", () => {
    assert.equal(at("generic", {}), NOW);
    assert.equal(at("generic", { "x-timestamp": String(NOW / 1000 + 200) }), NOW);
  });
});
