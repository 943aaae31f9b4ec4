import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, setConfigKeys } from "#kernel";
import type { AdminClient } from "../../../../support/sites/admin-site.js";
import { useAdmin } from "../../../../support/sites/use-site.js";

const PUBLIC = "http://93.184.216.34";
const role = (...permissions: string[]) => ({ permissions });
const oidc = {
  issuer: "https://93.184.216.34/",
  client_id: "x",
  client_secret_env: "OIDC",
  roles: { staff: "author" },
};

/** Keys that make the site run code or trust others. */
const PRIVILEGED: readonly (readonly ["site" | "system" | "admin", string, unknown])[] = [
  ["site", "url", "https://evil.example"],
  ["site", "plugins.x.src", "./plugins/x.ts"],
  ["site", "theme.src", "npm:a-theme@1.0.0"],
  ["site", "themes", [{ name: "x", src: "./x" }]],
  ["site", "cors_origins", ["https://evil.example"]],
  ["site", "trusted_html", true],
  ["site", "auth.mode", "external-jwt"],
  ["site", "auth.jwt.secret", "x"],
  ["site", "auth.webhook.secret", "x"],
  ["site", "auth.providers.github.tokenUrl", PUBLIC],
  ["site", "auth.providers.corp.issuer", PUBLIC],
  ["site", "auth.userStore", "db"],
  ["site", "email.provider", "console"],
  ["site", "email.smtp.host", "93.184.216.34"],
  ["site", "email.resend.baseUrl", PUBLIC],
  ["site", "payments.webhook_secret", "x"],
  ["site", "payments.api_url", PUBLIC],
  ["site", "admin.roles.x", role("pages.read")],
  ["site", "admin.runtimeDir", "content"],
  ["site", "unheard_of", 1],
  ["system", "debug", true],
  ["system", "content.dir", "data/uploads"],
  ["system", "git_sync.remote", `${PUBLIC}/x.git`],
  ["system", "git_sync.push", false],
  ["system", "tracing.endpoint", PUBLIC],
  ["system", "cdn.url", PUBLIC],
  ["system", "backup.folder", "elsewhere"],
  ["system", "images.cache_dir", "content"],
  ["system", "imageStore.endpoint", PUBLIC],
  ["system", "uploadStore.bucket", "their-bucket"],
  ["system", "session_store.url", "redis://93.184.216.34"],
  ["system", "server.trust_proxy", 1],
  ["system", "server.csp", { "script-src": ["https://evil.example"] }],
  ["system", "search.similar.synonyms", ".env"],
  ["system", "packages.minimum_dependency_age.days", 0],
  ["system", "content.markdown.embeds", [{ name: "x", hosts: ["evil.example"], private: true }]],
  ["admin", "roles.mine.permissions", ["plugins.manage"]],
  ["admin", "oidc", oidc],
  ["admin", "dataDir", "content"],
  // A variable may hold a secret, which a public key would show.
  ["site", "title", "$SITE_SECRET"],
  ["site", "description", "${SITE_SECRET}"],
];
const ORDINARY: readonly (readonly ["site" | "system" | "admin", string, unknown])[] = [
  ["site", "title", "New"],
  ["site", "metadata", { robots: "all" }],
  ["site", "theme.name", "default"],
  ["site", "theme.custom", { deep: { accent: "#fff" } }],
  ["site", "redirects", { "/a": "/blog" }],
  ["system", "timezone", "Europe/Berlin"],
  ["system", "server.rate_limit", 60],
  ["admin", "maxRevisions", 5],
  ["admin", "incoming_webhooks", [{ token: "$HOOK_TOKEN", actions: ["rebuild"] }]],
];

describe("rights to settings", () => {
  let configurer: AdminClient;
  const files = { "site.yaml": "title: Test\n", "admin.yaml": "maxRevisions: 7\n" };
  const env = { SITE_SECRET: "canary", HOOK_TOKEN: "a token of sixteen signs" };
  const site = useAdmin({ files, plugins: undefined, env });
  before(async () => {
    configurer = await site.withToken(["config.update", "pages.update"]);
  });
  const onDisk = (file: string) =>
    readFile(join(site.root, `${file}.yaml`), "utf8").catch(() => "");

  for (const [file, key, value] of PRIVILEGED) {
    it(`need plugins.manage for ${file}.yaml: ${key}, in every way`, async () => {
      const before = await onDisk(file);
      const settings = `/admin/api/settings/${file}`;
      const name = key.split(".").slice(0, 2).join("\\.");
      const expected = new RegExp(`plugins\\.manage is needed to change .*${name}`);
      const patched = await configurer.json(403, "PATCH", settings, { changes: [{ key, value }] });
      assert.match(patched.error, expected);
      const content = setConfigKeys(file, before, [{ key, value }]);
      const put = await configurer.json(403, "PUT", settings, { content });
      assert.match(put.error, expected);
      const write = { op: "write", path: `${file}.yaml`, content };
      const changes = file === "site" ? [write, { op: "config", key, value }] : [write];
      for (const dry_run of [true, false]) {
        const body = { dry_run, changes };
        const { results } = await configurer.json(200, "POST", "/admin/api/dev/apply", body);
        for (const { status, errors } of results) {
          assert.equal(status, "error");
          assert.match(errors[0], expected);
        }
      }
      assert.equal(await onDisk(file), before);
    });
  }

  for (const [file, key, value] of ORDINARY) {
    it(`need config.update for ${file}.yaml: ${key}`, async () => {
      const settings = `/admin/api/settings/${file}`;
      await configurer.json(200, "PATCH", settings, { changes: [{ key, value }] });
      const former = key === "title" ? "Test" : null;
      await configurer.json(200, "PATCH", settings, { changes: [{ key, value: former }] });
    });
  }

  it("need plugins.manage to remove what was privileged", async () => {
    const admin = await site.as("admin");
    const path = "/admin/api/settings/site";
    const set = { changes: [{ key: "cors_origins", value: ["https://app.example"] }] };
    await admin.json(200, "PATCH", path, set);
    const unset = { changes: [{ key: "cors_origins", value: null }] };
    await configurer.json(403, "PATCH", path, unset);
    await configurer.json(200, "PATCH", path, { changes: [{ key: "title", value: "Kept" }] });
    await admin.json(200, "PATCH", path, unset);
  });

  it("are asked for aliases and for keys of lists too", async () => {
    const before = await onDisk("site");
    const content = `${before}x-shared: &shared { src: ./x.ts }\nplugins: { x: *shared }\n`;
    await configurer.json(403, "PUT", "/admin/api/settings/site", { content });
    assert.equal(await onDisk("site"), before);
  });

  it("give roles of admin.yaml no more than one has", async () => {
    const before = await onDisk("admin");
    const installer = await site.withToken(["config.update", "plugins.manage", "pages.read"]);
    const send = (status: number, changes: object[]) =>
      installer.json(status, "PATCH", "/admin/api/settings/admin", { changes });
    for (const changes of [
      [{ key: "roles.mine", value: role("config.update", "users.manage") }],
      [{ key: "oidc", value: oidc }],
      [{ key: "oidc", value: { ...oidc, roles: { staff: "admin" } } }],
      [
        { key: "roles.mine", value: role("pages.read") },
        { key: "oidc", value: { ...oidc, roles: { staff: "editor" } } },
      ],
    ]) {
      const { error } = await send(403, changes);
      assert.match(error, /users\.manage|pages\.create|pages\.publish/);
    }
    assert.equal(await onDisk("admin"), before);
    await send(200, [
      { key: "roles.mine", value: role("config.update", "pages.read") },
      { key: "oidc", value: { ...oidc, roles: { staff: "mine" } } },
    ]);
  });

  it("let a role keep what it has, but not grow", async () => {
    const limited = { ...role("users.manage", "pages.update"), paths: ["blog/**"] };
    const admin = await site.as("admin", { username: "keeper" });
    const path = "/admin/api/settings/admin";
    await admin.json(200, "PATCH", path, { changes: [{ key: "roles.old", value: limited }] });
    const installer = await site.withToken(["config.update", "plugins.manage", "pages.read"]);
    const to = (value: object) => ({ changes: [{ key: "roles.old", value }] });
    const more = { ...limited, permissions: [...limited.permissions, "pages.read"] };
    await installer.json(200, "PATCH", path, to(more));
    await installer.json(403, "PATCH", path, to({ ...more, paths: ["blog/**", "about/**"] }));
    await installer.json(403, "PATCH", path, to(role(...more.permissions)));
    await installer.json(200, "PATCH", path, to(role("pages.read")));
  });

  it("count what the roles of products give", async () => {
    const payments = {
      secret_key: "x",
      webhook_secret: "x",
      products: [{ id: "p", name: "P", price_id: "x", role: "admin" }],
    };
    const installer = await site.withToken(["config.update", "plugins.manage", "pages.read"]);
    const changes = [{ key: "payments", value: payments }];
    const { error } = await installer.json(403, "PATCH", "/admin/api/settings/site", { changes });
    assert.match(error, /give others what you may not do/);
  });
});

describe("marks of settings", () => {
  const site = useAdmin({ plugins: undefined });

  it("hold every address to the guard, but the site's own", async () => {
    const admin = await site.as("admin");
    const unmarked: string[] = [];
    for (const file of ["site", "system", "admin"]) {
      const { schema } = await admin.json(200, "GET", `/admin/api/settings/${file}`);
      unmarked.push(...addressesIn(schema, file));
    }
    assert.deepEqual(unmarked, ["site.url"]);
  });
});

/** Keys of URLs without the mark `x-outbound`. */
function addressesIn(schema: unknown, key: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => addressesIn(one, key));
  if (!isRecord(schema)) return [];
  if (schema["x-outbound"] === true) return [];
  if (schema["format"] === "uri") return [key];
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema;
  const own = isRecord(properties) ? Object.entries(properties) : [];
  return [
    ...own.flatMap(([name, child]) => addressesIn(child, `${key}.${name}`)),
    ...[items, additionalProperties, anyOf, oneOf, allOf].flatMap((one) => addressesIn(one, key)),
  ];
}
