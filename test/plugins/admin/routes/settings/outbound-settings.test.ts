import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setConfigKeys } from "#kernel";
import { useAdmin } from "../../../../support/sites/use-site.js";

const client = { clientId: "x", clientSecret: "x" };
const email = (provider: string, block: object) => ({
  provider,
  from: "a@example.org",
  [provider]: block,
});

/** Every key with an address that the site calls, around the address. */
const ADDRESSES: readonly (readonly [
  "site" | "system" | "admin",
  string,
  (url: string, host: string) => unknown,
])[] = [
  ["site", "auth.providers.github", (url) => ({ ...client, tokenUrl: url })],
  ["site", "auth.providers.github", (url) => ({ ...client, authorizationUrl: url })],
  ["site", "auth.providers.github", (url) => ({ ...client, userInfoUrl: url })],
  ["site", "auth.providers.github", (url) => ({ ...client, emailsUrl: url })],
  ["site", "auth.providers.corp", (url) => ({ ...client, type: "oidc", issuer: url })],
  ["site", "auth", (url) => ({ mode: "external-jwt", jwt: { jwksUrl: url } })],
  ["site", "email", (url) => email("resend", { apiKey: "x", baseUrl: url })],
  ["site", "email", (url) => email("postmark", { apiKey: "x", baseUrl: url })],
  ["site", "email", (url) => email("sendgrid", { apiKey: "x", baseUrl: url })],
  ["site", "email", (_url, host) => email("smtp", { host })],
  ["site", "payments", (url) => ({ secret_key: "x", webhook_secret: "x", api_url: url })],
  ["site", "admin", (url) => ({ webhooks: [{ url, events: ["onPageUpdate"] }] })],
  ["system", "tracing", (url) => ({ endpoint: url })],
  ["system", "cdn", (url) => ({ provider: "custom", url, token: "x" })],
  ["system", "imageStore", (url) => ({ endpoint: url })],
  ["system", "uploadStore", (url) => ({ endpoint: url })],
  ["system", "git_sync", (url) => ({ remote: url })],
  ["system", "git_sync", (_url, host) => ({ remote: `ssh://git@${host}/x.git` })],
  ["system", "session_store", (_url, host) => ({ type: "redis", url: `redis://${host}:6379` })],
  [
    "system",
    "content.markdown.embeds",
    (url) => [{ name: "x", hosts: ["x.example"], endpoint: url }],
  ],
  ["admin", "webhooks", (url) => [{ url, events: ["onPageUpdate"] }]],
  ["admin", "oidc", (url) => ({ issuer: url, client_id: "x", client_secret_env: "X", roles: {} })],
];
const INTERNAL = [
  "127.0.0.1",
  "localhost",
  "10.0.0.1",
  "2130706433",
  "[::ffff:127.0.0.1]",
  "169.254.169.254",
];

describe("addresses set through the admin API", () => {
  const site = useAdmin({ files: { "site.yaml": "title: Test\n" }, plugins: undefined });
  const admin = site.user("admin");
  const onDisk = (file: string) =>
    readFile(join(site.root, `${file}.yaml`), "utf8").catch(() => "");

  for (const [file, key, around] of ADDRESSES) {
    const shown = JSON.stringify(around("URL", "HOST"));
    it(`are public: ${file}.yaml ${key} ${shown}`, async () => {
      const before = await onDisk(file);
      const path = `/admin/api/settings/${file}`;
      for (const host of INTERNAL) {
        const value = around(`http://${host}/x`, host);
        const content = setConfigKeys(file, before, [{ key, value }]);
        for (const [method, to, body] of [
          ["PATCH", path, { changes: [{ key, value }] }],
          ["PUT", path, { content }],
        ] as const) {
          const { error } = await admin.json(400, method, to, body);
          assert.match(error, /resolves to a (private|link-local)/, `${method} ${host}`);
        }
        const changes = [{ op: "write", path: `${file}.yaml`, content }];
        const applied = await admin.json(200, "POST", "/admin/api/dev/apply", { changes });
        assert.match(applied.results[0].errors[0], /resolves to a (private|link-local)/, host);
      }
      assert.equal(await onDisk(file), before);
    });
  }

  it("are no variables and no folders: the guard cannot check them", async () => {
    for (const remote of ["$GIT_REMOTE", "/srv/pages.git", "file:///srv/pages.git"]) {
      const changes = [{ key: "git_sync.remote", value: remote }];
      const { error } = await admin.json(400, "PATCH", "/admin/api/settings/system", { changes });
      assert.match(error, /^git_sync\.remote: .*set the key in the file/);
    }
  });

  it("may stay when the file has them, at their key", async () => {
    const local = "http://127.0.0.1:4318/v1/traces";
    await site.write("system.yaml", `tracing:\n  endpoint: ${local}\n`);
    const path = "/admin/api/settings/system";
    const send = (status: number, key: string, value: unknown) =>
      admin.json(status, "PATCH", path, { changes: [{ key, value }] });
    await send(200, "tracing.sample_rate", 0.5);
    await send(400, "imageStore.endpoint", local);
    await send(200, "tracing.endpoint", null);
    await send(400, "tracing.endpoint", local);
  });

  it("stay held to public hosts at each request, until they leave the files", async () => {
    const guarded = site.site.use("guardedHosts");
    const path = "/admin/api/settings/system";
    const changes = [{ key: "tracing.endpoint", value: "http://93.184.216.34/v1" }];
    assert.equal(await guarded.isGuarded("93.184.216.34"), false);
    const dry_run = true;
    const content = "tracing:\n  endpoint: http://93.184.216.34/v1\n";
    const dry = { dry_run, changes: [{ op: "write", path: "system.yaml", content }] };
    await admin.json(200, "POST", "/admin/api/dev/apply", dry);
    assert.equal(await guarded.isGuarded("93.184.216.34"), false, "a dry run holds nothing");
    await admin.json(200, "PATCH", path, { changes });
    assert.equal(await guarded.isGuarded("93.184.216.34"), true);
  });
});
