import assert from "node:assert/strict";
import { holdsMask, MASK, withoutSecrets } from "../../../../plugins/admin/write/settings-gate.js";

describe("withoutSecrets", () => {
  it("masks secrets at any depth, but not references to them", () => {
    const shown = withoutSecrets({
      title: "T",
      health_token: "abc",
      auth: {
        providers: { github: { clientId: "id", clientSecret: "s" } },
        jwt: { secret: "$JWT" },
      },
      email: { smtp: { pass: "p", port: 25 } },
      webhooks: [{ url: "u", secret: "s" }],
      session_store: { url: "redis://ann:p@ss@127.0.0.1:6379/0" },
      plain: "https://example.org/a?next=//b@c",
    });
    assert.deepEqual(shown, {
      title: "T",
      health_token: MASK,
      auth: {
        providers: { github: { clientId: "id", clientSecret: MASK } },
        jwt: { secret: "$JWT" },
      },
      email: { smtp: { pass: MASK, port: 25 } },
      webhooks: [{ url: "u", secret: MASK }],
      session_store: { url: `redis://${MASK}@127.0.0.1:6379/0` },
      plain: "https://example.org/a?next=//b@c",
    });
    assert.ok(holdsMask(shown));
    assert.ok(!holdsMask({ a: "b" }));
    assert.ok(!holdsMask(undefined));
  });
});
