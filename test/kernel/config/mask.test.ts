import assert from "node:assert/strict";
import * as z from "zod";
import { maskSecrets } from "../../../kernel/config/expand.js";
import { loadConfig, settingsPlugins } from "../../support/sites/config-root.js";

const schema = z.strictObject({
  key: z.string().meta({ secret: true }).describe("A key").optional(),
  keys: z.array(z.strictObject({ key: z.string().meta({ secret: true }) })).default([]),
  name: z.string().default(""),
  more: z.record(z.string(), z.unknown()).default({}),
});

describe("masking", () => {
  it("covers values marked in a schema, at any depth", () => {
    const masked = maskSecrets({ key: "a", keys: [{ key: "b" }], name: "c" }, schema);
    assert.deepEqual(masked, { key: "***", keys: [{ key: "***" }], name: "c" });
  });

  it("covers values with a secret's name where there is no schema", () => {
    const more = {
      apiKey: "a",
      db_password: 7,
      tokens: ["x"],
      nested: { access_key: "b", secret: { deep: 1 } },
      colour: "red",
    };
    assert.deepEqual(maskSecrets({ more }, schema), {
      more: {
        apiKey: "***",
        db_password: "***",
        tokens: "***",
        nested: { access_key: "***", secret: "***" },
        colour: "red",
      },
    });
  });

  it("covers credentials in addresses", () => {
    assert.deepEqual(maskSecrets({ a: "redis://user:pw@host/1" }, undefined), {
      a: "redis://***@host/1",
    });
  });

  it("leaves references to variables and empty values unchanged", () => {
    assert.deepEqual(maskSecrets({ key: "$KEY", keys: [{ key: "" }] }, schema), {
      key: "$KEY",
      keys: [{ key: "" }],
    });
  });

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
