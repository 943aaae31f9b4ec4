import assert from "node:assert/strict";
import { maskSecrets } from "#lib/schema";
import { loadConfig, settingsPlugins } from "../../support/sites/config-root.js";

describe("masking", () => {
  it("covers every first-party secret", async () => {
    const files = {
      "site.yaml": [
        "title: T",
        "health_token: canary",
        "auth: { jwt: { secret: canary }, webhook: { provider: clerk, secret: canary }, providers: { github: { clientId: a, clientSecret: canary }, kc: { type: oidc, issuer: https://x, clientId: a, clientSecret: canary } } }",
        "email: { provider: smtp, from: a@b.c, smtp: { host: h, pass: canary }, resend: { apiKey: canary } }",
        "payments: { secret_key: canary, webhook_secret: canary }",
        "plugins: { search: { config: { api_key: canary } } }",
      ].join("\n"),
      "system.yaml":
        "session_store: { type: redis, url: 'redis://canary@h' }\ncdn: { provider: custom, url: https://x, token: canary }\nmetrics: { token: canary }",
      "admin.yaml":
        "webhooks: [{ url: https://x, events: [onPageCreate], secret: canary }]\nincoming_webhooks: [{ token: canary, actions: [rebuild] }]",
    };
    const { settings, schemas, problems } = await loadConfig(files, {
      plugins: await settingsPlugins(),
    });
    assert.deepEqual(problems, []);
    for (const file of ["site", "system", "admin"] as const) {
      assert.match(JSON.stringify(settings[file]), /canary/);
      assert.doesNotMatch(JSON.stringify(maskSecrets(settings[file], schemas[file])), /canary/);
    }
  });
});
