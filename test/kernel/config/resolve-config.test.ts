import assert from "node:assert/strict";
import * as z from "zod";
import { SiteError } from "#lib/errors";
import type { Plugin } from "../../../kernel/contracts.js";
import { loadConfig, places, settingsPlugins } from "../../support/sites/config-root.js";

const shop: Plugin = {
  name: "shop",
  version: "1.0.0",
  settings: {
    site: z.object({
      shop: z
        .strictObject({
          currency: z.enum(["eur", "usd"]).default("eur"),
          limit: z.int().default(3),
          open: z.boolean().default(true),
          key: z.string().meta({ secret: true }).optional(),
          note: z.string().nullable().default("x"),
          late: z.string().meta({ expand: "late" }).default(""),
          hooks: z
            .array(
              z.strictObject({
                url: z.string(),
                enabled: z.boolean().default(true),
                key: z.string().optional(),
              }),
            )
            .default([]),
        })
        .prefault({}),
    }),
  },
};
const shopOf = (settings: object): Record<string, unknown> =>
  "shop" in settings && typeof settings.shop === "object" ? { ...settings.shop } : {};
const load = (yaml: string, options: Parameters<typeof loadConfig>[1] = {}) =>
  loadConfig({ "site.yaml": `title: T\n${yaml}` }, { plugins: [shop], ...options });

describe("the resolved configuration", () => {
  it("requires a title", async () => {
    const { problems } = await loadConfig({});
    assert.deepEqual(places(problems), ["site.yaml:1:1 title"]);
    assert.equal(problems[0]?.received, undefined);
    assert.notEqual(problems[0]?.fix, "");
  });

  it("reports a missing key in a missing file, but not in an unreadable one", async () => {
    const fixOf = async (files: Record<string, string>) =>
      (await loadConfig(files)).problems.map(({ key, fix }) => [key, fix]);
    assert.deepEqual(await fixOf({}), [["title", "create the file with a line title: …"]]);
    assert.deepEqual(await fixOf({ "site.yaml": "" }), [["title", "add the key"]]);
    const broken = await loadConfig({ "site.yaml": "title: T\nfeed: { items: 5\n" });
    assert.deepEqual(
      broken.problems.map(({ key }) => key),
      [""],
    );
  });

  it("reports every error of every file at once, ordered by line", async () => {
    const { problems } = await loadConfig({
      "config/site.yaml":
        "url: nowhere\nauthor:\n  nam: x\nmetadata: { a: true }\nplugins: [nope]\n",
      "system.yaml": "timezone: Mars/Olympus\nlogging: { level: loud }\ndebug: 1\n",
      "admin.yaml": "admin:\n  dataDir: ../out\n",
    });
    assert.deepEqual(places(problems), [
      "config/site.yaml:1:1 title",
      "config/site.yaml:1:1 url",
      "config/site.yaml:3:3 author.nam",
      "config/site.yaml:4:13 metadata.a",
      "config/site.yaml:5:11 plugins[0]",
      "system.yaml:1:1 timezone",
      "system.yaml:2:12 logging.level",
      "system.yaml:3:1 debug",
      "admin.yaml:2:3 admin.dataDir",
    ]);
  });

  const parts: Plugin = {
    name: "parts",
    version: "1.0.0",
    settings: {
      site: z.object({
        list: z.strictObject({ items: z.int().default(20) }).prefault({}),
        rule: z
          .union([z.string(), z.strictObject({ src: z.string(), deep: z.int().optional() })])
          .optional(),
        must: z.strictObject({ be: z.int() }).optional(),
      }),
    },
  };
  for (const [yaml, place] of [
    ["rule: { src: x, deep: y }", "site.yaml:2:17 rule.deep"],
    ["rule: { src: x, dep: 1 }", "site.yaml:2:17 rule.dep"],
    ["rule: [x]", "site.yaml:2:1 rule"],
    ["list:", undefined],
    ["list: { items: }", undefined],
    ["must: { be: }", "site.yaml:2:9 must.be"],
    ["must: {}", "site.yaml:2:1 must.be"],
  ] as const) {
    it(`reports ${place ?? "nothing"} for ${yaml}`, async () => {
      const { problems } = await load(yaml, { plugins: [parts] });
      assert.deepEqual(places(problems), place === undefined ? [] : [place]);
    });
  }

  it("has the default for an invalid value", async () => {
    const { settings } = await load("list: { items: x }", { plugins: [parts] });
    assert.deepEqual(Object(settings.site)["list"], { items: 20 });
  });

  it("suggests the nearest key, the nearest value, and the file of a key", async () => {
    const { problems } = await load("shop: { curency: eur, currency: euro }\ntimezone: UTC\n");
    assert.match(problems[0]?.fix ?? "", /"currency"/);
    assert.match(problems[1]?.fix ?? "", /"eur"/);
    assert.match(problems[2]?.fix ?? "", /system\.yaml/);
  });

  it("gives later layers precedence: defaults, file, overlay, flags", async () => {
    const files = {
      "site.yaml": "title: T\nshop: { currency: usd, limit: 1, open: false }",
      "env/production/site.yaml": "shop: { limit: 2, open: true }",
    };
    const resolved = await loadConfig(files, {
      plugins: [shop],
      overrides: { site: { shop: { open: false } } },
    });
    const { currency, limit, open, note } = shopOf(resolved.settings.site);
    assert.deepEqual([currency, limit, open, note], ["usd", 2, false, "x"]);
    const source = (key: string) => resolved.source("site", ["shop", key])?.file;
    assert.deepEqual(["currency", "limit", "open", "note"].map(source), [
      "site.yaml",
      "env/production/site.yaml",
      "command line",
      undefined,
    ]);
  });

  it("replaces lists, and accepts null where the key allows it", async () => {
    const files = {
      "site.yaml": "title: T\nshop: { hooks: [{ url: a }, { url: b }], note: y, limit: 9 }",
      "env/production/site.yaml": "shop: { hooks: [{ url: c }], note: null, limit: }",
    };
    const { settings, problems } = await loadConfig(files, { plugins: [shop] });
    assert.deepEqual(problems, []);
    const { hooks, note, limit } = shopOf(settings.site);
    assert.deepEqual([hooks, note, limit], [[{ url: "c", enabled: true }], null, 3]);
  });

  it("expands variables to the type of the key", async () => {
    const env = { CUR: "usd", N: "7", B: "false" };
    const { settings } = await load(
      "shop: { currency: $CUR, limit: $N, open: '${B}', note: 'a $CUR' }",
      { env },
    );
    const { currency, limit, open, note } = shopOf(settings.site);
    assert.deepEqual([currency, limit, open, note], ["usd", 7, false, "a $CUR"]);
  });

  it("reports an unset variable, never an empty or literal secret", async () => {
    const { problems, settings } = await load(
      "shop:\n  key: $UNSET\n  hooks: [{ url: x, key: $EMPTY }]",
      { env: { EMPTY: "" } },
    );
    assert.deepEqual(places(problems), [
      "site.yaml:3:3 shop.key",
      "site.yaml:4:21 shop.hooks[0].key",
    ]);
    assert.equal(shopOf(settings.site)["key"], undefined);
  });

  it("reports an unknown key whose variable is unset", async () => {
    const files = { "site.yaml": "title: T\n", "system.yaml": "title: $UNSET\nnope: $UNSET\n" };
    const { problems } = await loadConfig(files);
    assert.deepEqual(places(problems), ["system.yaml:1:1 title", "system.yaml:2:1 nope"]);
    assert.equal(problems[0]?.fix, "move it to site.yaml");
  });

  it("accepts an unset variable where the key is off or expanded later", async () => {
    const { problems, settings } = await load(
      "shop: { late: $UNSET, hooks: [{ url: x, key: $UNSET, enabled: false }] }",
    );
    assert.deepEqual(problems, []);
    assert.equal(shopOf(settings.site)["late"], "$UNSET");
  });

  it("never prints the value of a secret or of a variable", async () => {
    const env = { CUR: "canary" };
    const { problems } = await load(
      "shop: { key: [canary], currency: $CUR }\nunknown: { password: canary }",
      { env },
    );
    assert.equal(problems.length, 3);
    assert.doesNotMatch(JSON.stringify(problems), /canary/);
  });

  it("resolves flags from the environment", async () => {
    const env = { A: "1", B: "true", C: "Yes", D: "0", E: "on" };
    const yaml =
      "flags: { a: env:A, b: env:B, c: env:C, d: env:D, e: env:E, f: env:UNSET, g: true, h: false }";
    const { settings, problems } = await load(yaml, { env });
    assert.deepEqual(problems, []);
    assert.deepEqual(settings.site.flags, {
      a: true,
      b: true,
      c: true,
      d: false,
      e: false,
      f: false,
      g: true,
      h: false,
    });
  });

  it("gives SITE_LOG_FORMAT and SITE_LOG_LEVEL precedence over everything", async () => {
    const env = { SITE_LOG_FORMAT: "json", SITE_LOG_LEVEL: "debug" };
    const options = { env, overrides: { system: { logging: { level: "warn" } } } };
    const { settings } = await loadConfig(
      { "site.yaml": "title: T", "system.yaml": "logging: { level: error }" },
      options,
    );
    assert.deepEqual(settings.system.logging, { format: "json", level: "debug" });
    const { problems } = await loadConfig(
      { "site.yaml": "title: T" },
      { env: { SITE_LOG_LEVEL: "loud" } },
    );
    assert.deepEqual(places(problems), ["environment:1:1 logging.level"]);
  });

  it("removes trailing slashes from the URL", async () => {
    assert.equal(
      (await load("url: https://example.org/a//")).settings.site.url,
      "https://example.org/a",
    );
  });

  const wrongUrls = [
    "not a url",
    "example.org",
    "ftp://example.org",
    "https://u:p@example.org",
    "https://",
    "https:///x",
    "https://a b",
    "https://x/?q",
    "https://x/#f",
    "javascript:alert(1)",
    "https://x\\@y",
  ];
  for (const url of wrongUrls) {
    it(`rejects ${JSON.stringify(url)} as URL of a site`, async () => {
      assert.deepEqual(places((await load(`url: ${JSON.stringify(url)}`)).problems), [
        "site.yaml:2:1 url",
      ]);
    });
  }

  const foreign: Plugin = {
    name: "auth",
    version: "1.0.0",
    settings: { site: z.object({ auth: z.object({}).optional() }) },
  };
  it("names the plugin of a key that is not selected", async () => {
    const { problems, warnings } = await load("auth: { mode: 7, secret: $UNSET }", {
      unselected: [foreign],
    });
    assert.deepEqual(places(problems), ["site.yaml:2:1 auth"]);
    assert.match(problems[0]?.expected ?? "", /plugin `auth`, which is not selected/);
    assert.deepEqual(warnings, []);
  });

  it("only warns when that plugin was left out on purpose", async () => {
    const { problems, warnings, settings } = await load("auth: { mode: 7 }", {
      unselected: [foreign],
      leftOut: ["auth"],
    });
    assert.deepEqual([problems, places(warnings)], [[], ["site.yaml:2:1 auth"]]);
    assert.ok(!("auth" in settings.site));
  });

  const checking: Plugin = {
    ...shop,
    check: ({ site }) => [
      {
        file: "site",
        key: "shop.hooks[1].url",
        received: shopOf(site)["limit"],
        expected: "x",
        fix: "y",
      },
      { file: "site", key: "redirects./a.b", received: 1, expected: "x", fix: "y" },
      { file: "system", key: "debug", received: 1, expected: "x", fix: "y" },
    ],
    settings: {
      site: z.object({
        ...shop.settings?.site?.shape,
        redirects: z.record(z.string(), z.string()).default({}),
      }),
    },
  };
  it("runs the checks of the plugins beside the schemas, and reports no key twice", async () => {
    const files = {
      "site.yaml": "shop:\n  hooks:\n    - url: a\n    - url: b\nredirects:\n  /a: x\n  /a.b: y\n",
      "system.yaml": "debug: 7",
    };
    const { problems } = await loadConfig(files, { plugins: [checking] });
    assert.deepEqual(places(problems), [
      "site.yaml:1:1 title",
      "site.yaml:4:7 shop.hooks[1].url",
      "site.yaml:7:3 redirects./a.b",
      "system.yaml:1:1 debug",
    ]);
  });

  it("is deeply frozen", async () => {
    const { settings } = await load("shop: { hooks: [{ url: x }] }");
    assert.throws(() => Object.assign(settings.site, { title: "x" }), TypeError);
    const { hooks } = shopOf(settings.site);
    assert.ok(Array.isArray(hooks) && Object.isFrozen(hooks) && Object.isFrozen(hooks[0]));
  });

  it("rejects two plugins that declare one key, naming both", async () => {
    const twin = {
      ...shop,
      name: "twin",
      settings: { site: z.object({ shop: z.string().default("") }) },
    };
    await assert.rejects(
      load("", { plugins: [shop, twin] }),
      (error) =>
        error instanceof SiteError &&
        error.code === "ERR_CONFIG_KEY_TAKEN" &&
        /shop.*twin/.test(error.message),
    );
  });

  it("accepts every first-party settings schema together", async () => {
    const { problems, warnings } = await loadConfig(
      { "site.yaml": "title: T" },
      { plugins: await settingsPlugins() },
    );
    assert.deepEqual([problems, warnings], [[], []]);
  });

  it("survives configuration of any shape", async () => {
    const plugins = await settingsPlugins();
    const shapes = [
      "[]",
      "{}",
      "7",
      "text",
      "null",
      "[[[]]]",
      "{ a: { b: [1] } }",
      "[{}]",
      "''",
      "-1",
      "1e400",
      "true",
    ];
    for (const shape of shapes) {
      const yaml = (keys: readonly string[]) => keys.map((key) => `${key}: ${shape}`).join("\n");
      const keysOf = (file: "site" | "system" | "admin") =>
        plugins.flatMap(({ settings }) => Object.keys(settings?.[file]?.shape ?? {}));
      const files = {
        "site.yaml": yaml([
          ...new Set(["title", "url", "plugins", "flags", "author", ...keysOf("site")]),
        ]),
        "system.yaml": yaml([...new Set(["logging", "server", ...keysOf("system")])]),
        "admin.yaml": yaml([...new Set(keysOf("admin"))]),
      };
      const { problems, settings } = await loadConfig(files, { plugins });
      assert.equal(typeof settings.site, "object");
      for (const problem of problems)
        assert.ok(problem.line > 0 && problem.expected && problem.fix, JSON.stringify(problem));
    }
  });
});

describe("a plugin's own block", () => {
  const greeter: Plugin = {
    name: "greeter",
    version: "1.0.0",
    config: z.strictObject({
      greeting: z.string().default("hello"),
      times: z.int().default(1),
      key: z.string().optional(),
    }),
  };

  it("is validated by the plugin's schema, variables expanded", async () => {
    const yaml = "plugins: { greeter: { config: { greeting: $HI, times: 2 } } }";
    const { pluginConfigs, problems } = await load(yaml, { plugins: [greeter], env: { HI: "hi" } });
    assert.deepEqual([pluginConfigs.get("greeter"), problems], [{ greeting: "hi", times: 2 }, []]);
  });

  it("has defaults when it is missing", async () => {
    const { pluginConfigs } = await load("", { plugins: [greeter] });
    assert.deepEqual(pluginConfigs.get("greeter"), { greeting: "hello", times: 1 });
  });

  it("is reported at its position, once for each error", async () => {
    const yaml =
      "plugins:\n  greeter:\n    config:\n      times: x\n      greting: y\n      key: $UNSET\n";
    const { problems } = await load(yaml, { plugins: [greeter] });
    assert.deepEqual(places(problems), [
      "site.yaml:5:7 plugins.greeter.config.times",
      "site.yaml:6:7 plugins.greeter.config.greting",
      "site.yaml:7:7 plugins.greeter.config.key",
    ]);
    assert.match(problems[1]?.fix ?? "", /greeting/);
  });
});
