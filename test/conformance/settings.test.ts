import assert from "node:assert/strict";
import { loadConfig, places, settingsPlugins } from "../support/sites/config-root.js";
import type { ConfigFile, Settings } from "../../kernel/contracts.js";

type Row = [key: string, value: unknown];

// The documented defaults; undefined: the key has no default.
const SITE: Row[] = [
  ["description", ""],
  ["url", "http://localhost:8000"],
  ["author.name", ""],
  ["author.email", ""],
  ["metadata", {}],
  ["taxonomies", ["category", "tag"]],
  ["routes", {}],
  ["redirects", {}],
  ["redirect_status", 301],
  ["home", null],
  ["cors_origins", []],
  ["feed.enabled", true],
  ["feed.items", 20],
  ["feed.content", "summary"],
  ["sitemap.exclude", []],
  ["sitemap.changefreq", {}],
  ["http_cache.default_max_age", 0],
  ["http_cache.default_swr", 60],
  ["http_cache.rules", []],
  ["health_token", undefined],
  ["flags", {}],
  ["themes", []],
  ["theme.name", "default"],
  ["theme.src", null],
  ["theme.parent", null],
  ["theme.custom", {}],
  ["plugins", undefined],
  ["auth", undefined],
  ["email", undefined],
  ["uploads", undefined],
  ["payments", undefined],
  ["trusted_html", false],
  ["outbound.deny_private", false],
];
const SYSTEM: Row[] = [
  ["content.dir", "content"],
  ["content.markdown.extra", true],
  ["content.markdown.auto_links", true],
  ["content.markdown.auto_url_links", true],
  ["cache.enabled", true],
  ["cache.driver", "filesystem"],
  ["cache.lifetime", 3600],
  ["cache.check", "file"],
  ["images.default_quality", 80],
  ["images.cache_dir", ".dune/cache/images"],
  ["images.allowed_sizes", [320, 640, 768, 1024, 1280, 1536, 1920]],
  ["languages.supported", ["en"]],
  ["languages.default", "en"],
  ["languages.include_default_in_url", false],
  ["typography.orphan_protection", true],
  ["search.customFields", []],
  ["search.highlight", true],
  ["search.excerpt_length", 160],
  ["search.include_flex", []],
  ["search.facets", []],
  ["search.fields", {}],
  ["search.page_size", null],
  ["page_cache.enabled", false],
  ["page_cache.max_entries", 500],
  ["page_cache.ttl", 30],
  ["page_cache.warm", false],
  ["logging.format", "text"],
  ["logging.level", "info"],
  ["cdn", undefined],
  ["tracing.enabled", false],
  ["tracing.endpoint", undefined],
  ["tracing.sample_rate", 1],
  ["debug", false],
  ["timezone", "UTC"],
  ["session_store.type", "local"],
  ["server.trust_proxy", false],
  ["server.rate_limit", 120],
];
const ADMIN: Row[] = [
  ["enabled", true],
  ["path", "/admin"],
  ["sessionLifetime", 86_400],
  ["dataDir", "data"],
  ["runtimeDir", ".dune/admin"],
  ["maxRevisions", 50],
  ["git_commit", false],
  ["webhooks", []],
  ["incoming_webhooks", []],
];
// Blocks without a default, and their content once they are present.
const BLOCKS: [file: ConfigFile, yaml: string, rows: Row[]][] = [
  [
    "site",
    "auth: { webhook: { provider: generic, secret: s }, jwt: { secret: s }, providers: { magicLink: {}, passkeys: {} } }",
    [
      ["auth.mode", "dune"],
      ["auth.sessionLifetime", 2_592_000],
      ["auth.userStore", "local"],
      ["auth.authzStore", "local"],
      ["auth.jwt.userIdClaim", "sub"],
      ["auth.jwt.emailClaim", "email"],
      ["auth.jwt.rolesClaim", "roles"],
      ["auth.jwt.requireExp", false],
      ["auth.webhook.signatureHeader", "x-site-signature"],
      ["auth.providers.magicLink", { enabled: false, confirm: false }],
      ["auth.providers.passkeys", { enabled: false }],
    ],
  ],
  [
    "site",
    "auth: { mode: external-jwt, jwt: { jwksUrl: https://x/jwks } }",
    [["auth.authzStore", undefined]],
  ],
  [
    "site",
    "email: { provider: smtp, from: a@b.c, smtp: { host: h } }",
    [
      ["email.smtp.port", 587],
      ["email.smtp.secure", false],
    ],
  ],
  ["site", "email: {}", [["email.provider", "console"]]],
  [
    "site",
    "uploads: {}",
    [
      ["uploads.max_size_mb", 10],
      ["uploads.require_auth", false],
      [
        "uploads.allowed_types",
        ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif", "application/pdf"],
      ],
    ],
  ],
  [
    "site",
    "payments: { secret_key: a, webhook_secret: b, products: [{ id: p, name: P, price_id: x, role: member }] }",
    [["payments.products.0.mode", "subscription"]],
  ],
  [
    "system",
    "cdn: { provider: custom, url: https://x, token: t }",
    [
      ["cdn.enabled", true],
      ["cdn.batch_size", 30],
      ["cdn.batch_delay_ms", 100],
    ],
  ],
  [
    "admin",
    "webhooks: [{ url: https://x/y, events: [onPageCreate, onPageUpdate, onPageDelete, onWorkflowChange, onFormSubmit] }]",
    [
      ["webhooks.0.enabled", true],
      ["webhooks.0.secret", undefined],
    ],
  ],
];

const fileOf = (file: ConfigFile, yaml: string) =>
  file === "site"
    ? { "site.yaml": `title: T\n${yaml}` }
    : { "site.yaml": "title: T", [`${file}.yaml`]: yaml };
const at = (settings: Settings, file: ConfigFile, key: string): unknown =>
  key.split(".").reduce<unknown>((value, part) => Object(value)[part], settings[file]);

describe("the first-party settings", () => {
  let defaults: Settings;
  before(async () => {
    const plugins = await settingsPlugins();
    defaults = (await loadConfig({ "site.yaml": "title: T" }, { plugins })).settings;
  });
  for (const [file, rows] of Object.entries({ site: SITE, system: SYSTEM, admin: ADMIN })) {
    for (const [key, value] of rows) {
      it(`${file}: ${key} is ${JSON.stringify(value) ?? "absent"} by default`, () =>
        assert.deepEqual(at(defaults, file as ConfigFile, key), value));
    }
  }

  for (const [file, yaml, rows] of BLOCKS) {
    it(`${yaml} has defaults for the rest`, async () => {
      const { settings, problems } = await loadConfig(fileOf(file, yaml), {
        plugins: await settingsPlugins(),
      });
      assert.deepEqual(problems, []);
      for (const [key, value] of rows) assert.deepEqual(at(settings, file, key), value, key);
    });
  }
});

// File, its text, and the keys that must be reported.
const REJECTED: [file: ConfigFile, yaml: string, keys: string[]][] = [
  [
    "site",
    'redirects: { /a: "/b\\r\\nX: y", /c: javascript:1, /d: //evil.example, "e f": /g }',
    ["redirects./a", "redirects./c", "redirects./d", "redirects.e f"],
  ],
  [
    "site",
    'redirects: { /a: "https://u:p@evil.example/" }\nroutes: { /x: https://evil.example }',
    ["redirects./a", "routes./x"],
  ],
  ["site", 'home: "a\\nb"', ["home"]],
  ["site", "taxonomies: category", ["taxonomies"]],
  [
    "site",
    'cors_origins: ["*", https://x.example/, HTTPS://X.example, "null", x.example]',
    [0, 1, 2, 3, 4].map((n) => `cors_origins[${n}]`),
  ],
  [
    "site",
    "feed: { items: 0, content: all }\nsitemap: { changefreq: { /a: often } }",
    ["feed.items", "feed.content", "sitemap.changefreq./a"],
  ],
  [
    "site",
    "http_cache: { rules: [{ max_age: -1 }] }",
    ["http_cache.rules[0].pattern", "http_cache.rules[0].max_age"],
  ],
  ["site", "auth: { mode: external-jwt, jwt: { secret: '' } }", ["auth.jwt.secret"]],
  ["site", "auth: { mode: external-jwt }", ["auth.jwt"]],
  ["site", "auth: { mode: external-jwt, jwt: { secret: s, jwksUrl: https://x } }", ["auth.jwt"]],
  ["site", "auth: { webhook: { provider: clerk, secret: '' } }", ["auth.webhook.secret"]],
  [
    "site",
    "auth: { webhook: { provider: okta } }",
    ["auth.webhook.provider", "auth.webhook.secret"],
  ],
  [
    "site",
    "auth: { providers: { github: { clientId: a } } }",
    ["auth.providers.github.clientSecret"],
  ],
  [
    "site",
    "auth: { providers: { login: { type: oidc, issuer: https://x, clientId: a, clientSecret: b } } }",
    ["auth.providers.login"],
  ],
  [
    "site",
    "auth: { providers: { x: { type: oidc, issuer: file:///etc, clientId: a, clientSecret: b } } }",
    ["auth.providers.x.issuer"],
  ],
  ["site", "email: { provider: smtp }", ["email.smtp", "email.from"]],
  ["site", 'email: { from: "a@b.c\\nBcc: x@y.z" }', ["email.from"]],
  [
    "site",
    "payments: { secret_key: a, webhook_secret: b, products: [{ id: p, name: P, price_id: x, role: r }, { id: p, name: P, price_id: x, role: r }] }",
    ["payments.products[1].id"],
  ],
  [
    "site",
    "uploads: { max_size_mb: 0, allowed_types: [image] }",
    ["uploads.max_size_mb", "uploads.allowed_types[0]"],
  ],
  ["system", "languages: { supported: [en, de], default: fr }", ["languages.default"]],
  [
    "system",
    "images: { default_quality: 101, allowed_sizes: [0] }",
    ["images.default_quality", "images.allowed_sizes[0]"],
  ],
  [
    "system",
    "images: { cache_dir: ../x }\ncontent: { dir: /etc }",
    ["images.cache_dir", "content.dir"],
  ],
  ["system", "session_store: { type: redis }", ["session_store.url"]],
  ["system", "session_store: { type: memcached }", ["session_store.type"]],
  ["system", "server: { trust_proxy: true }", ["server.trust_proxy"]],
  ["system", "server: { trust_proxy: [10.0.0.0/8, all] }", ["server.trust_proxy[1]"]],
  ["system", "server: { rate_limit: 0 }", ["server.rate_limit"]],
  [
    "system",
    "tracing: { enabled: true, sample_rate: 2 }",
    ["tracing.endpoint", "tracing.sample_rate"],
  ],
  ["system", "tracing: { enabled: true }", ["tracing.endpoint"]],
  ["system", "cdn: { provider: fastly, service_id: x }", ["cdn.api_key"]],
  [
    "system",
    "search: { facets: [tag], fields: { title: 5 } }",
    ["search.facets[0]", "search.fields.title"],
  ],
  ["admin", "path: admin", ["path"]],
  ["admin", "path: /api/admin", ["path"]],
  ["admin", "path: /admin/", ["path"]],
  [
    "admin",
    "webhooks: [{ url: 'file:///etc/passwd', events: [onPageCreate] }, { url: 'http://u:p@h', events: [onPageCreate] }]",
    ["webhooks[0].url", "webhooks[1].url"],
  ],
  [
    "admin",
    'webhooks: [{ url: "https://x/\\r\\nY", label: "a\\nb", events: [onPageCreate] }]',
    ["webhooks[0].url", "webhooks[0].label"],
  ],
  [
    "admin",
    "webhooks: [{ url: https://x, events: [onPageUpdat] }, { url: https://x, events: ['*'] }, { url: https://x, events: [] }]",
    ["webhooks[0].events[0]", "webhooks[1].events[0]", "webhooks[2].events"],
  ],
  ["site", "health_token: $UNSET", ["health_token"]],
  [
    "admin",
    "webhooks: [{ url: https://x, events: [onPageCreate], secret: $UNSET }]",
    ["webhooks[0].secret"],
  ],
  [
    "admin",
    "incoming_webhooks: [{ token: [x], actions: rebuild }, { token: x, actions: [explode] }]",
    [
      "incoming_webhooks[0].token",
      "incoming_webhooks[0].actions",
      "incoming_webhooks[1].actions[0]",
    ],
  ],
];

describe("the first-party settings reject", () => {
  for (const [file, yaml, keys] of REJECTED) {
    it(`${file}.yaml with ${yaml}`, async () => {
      const { problems } = await loadConfig(fileOf(file, yaml), {
        plugins: await settingsPlugins(),
      });
      assert.deepEqual(problems.map(({ key }) => key).toSorted(), keys.toSorted());
      for (const problem of problems)
        assert.ok(problem.expected !== "" && problem.fix !== "", JSON.stringify(problem));
    });
  }
});

describe("the first-party settings accept", () => {
  const accepted: [file: ConfigFile, yaml: string][] = [
    [
      "site",
      "redirects: { /old: /new, /x: 'https://example.org/y?z=1#a', /ä: /ö }\nroutes: { /a: /b }\nhome: start",
    ],
    ["site", "cors_origins: [https://app.example.org, 'http://localhost:3000']"],
    ["site", "flags: { a: env:UNSET }"],
    [
      "site",
      "auth: { providers: { github: { clientId: a, clientSecret: b, emailsUrl: http://127.0.0.1:1/e }, kc: { type: oidc, issuer: https://x, clientId: a, clientSecret: b } } }",
    ],
    ["system", "server: { trust_proxy: [10.0.0.0/8, '::1'], rate_limit: false }"],
    [
      "system",
      "server: { trust_proxy: 2 }\nsession_store: { type: redis, url: 'rediss://:p@h:6379/0' }",
    ],
    [
      "system",
      "search: { facets: [{ field: taxonomy.category }], fields: { title: { weight: 5 } }, page_size: 12 }",
    ],
    [
      "admin",
      "webhooks: [{ url: 'http://127.0.0.1:9/x', events: [onPageUpdate], secret: $UNSET, enabled: false }]",
    ],
    ["admin", "incoming_webhooks: [{ token: $UNSET, actions: [rebuild, purge-cache] }]"],
    ["admin", "path: /backstage/panel"],
  ];
  for (const [file, yaml] of accepted) {
    it(`${file}.yaml with ${yaml}`, async () => {
      const { problems } = await loadConfig(fileOf(file, yaml), {
        plugins: await settingsPlugins(),
      });
      assert.deepEqual(places(problems), []);
    });
  }

  it("an incoming token as written, expanded at each request", async () => {
    const { settings } = await loadConfig(
      fileOf("admin", "incoming_webhooks: [{ token: $T, actions: [rebuild] }]"),
      {
        plugins: await settingsPlugins(),
        env: { T: "value" },
      },
    );
    assert.equal(at(settings, "admin", "incoming_webhooks.0.token"), "$T");
  });
});
