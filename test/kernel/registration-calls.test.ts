import assert from "node:assert/strict";
import { definePlugin, SiteError, type SiteContext } from "#kernel";
import { bootSite } from "../support/sites/boot-site.js";

/** Members that read, fire or write, and register nothing. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  hooks: [
    "run",
    "transform",
    "notify",
    "reject",
    "has",
    "handlers",
    "declared",
    "stats",
    "settled",
  ],
  http: ["send", "json", "accept"],
  engines: ["list"],
  extensions: ["list", "stats"],
  changes: ["since", "settled", "close"],
  cache: ["invalidate", "clear", "close", "stats", "explain"],
  lifecycle: ["state"],
};

/** Calls of services with which plugins register something. */
const OF_SERVICES: Readonly<Record<string, (site: SiteContext) => [object, string]>> = {
  "health.addSection": (site) => [site.use("health"), "addSection"],
  "health.addCheck": (site) => [site.use("health"), "addCheck"],
  "jobs.define": (site) => [site.use("jobs"), "define"],
  "email.addTemplate": (site) => [site.use("email"), "addTemplate"],
  "markdown.register": (site) => [site.use("markdown"), "register"],
  "markdown.addShortcode": (site) => [site.use("markdown"), "addShortcode"],
  "content.addFormat": (site) => [site.use("content"), "addFormat"],
  "content.addFieldKind": (site) => [site.use("content"), "addFieldKind"],
  "content.relations.addTarget": (site) => [site.use("content").relations, "addTarget"],
  "render.addTemplates": (site) => [site.use("render"), "addTemplates"],
};

/** Create hooks whose payload registers engines. */
const CREATE = [
  "onMailerCreate",
  "onSearchEngineCreate",
  "onSessionStoreCreate",
  "onUserStoreCreate",
  "onImageCreate",
  "onImageStoreCreate",
] as const;

const GROUPS = ["hooks", "http", "engines", "extensions", "changes", "cache", "lifecycle"] as const;

/** The functions of an object, its own and those of its class. */
function functionsOf(group: object): string[] {
  const classes = [group, Object.getPrototypeOf(group)].filter((at) => at !== Object.prototype);
  return classes
    .flatMap((at) => Object.entries(Object.getOwnPropertyDescriptors(at)))
    .filter(([name, { value }]) => name !== "constructor" && typeof value === "function")
    .map(([name]) => name);
}

/** Calls without arguments, and with wrong ones; each must be refused. */
const WRONG: readonly (readonly unknown[])[] = [[], [42, 42], [null, null, null], ["shop", 42, 42]];
/** One text is what these take: only the others are wrong. */
const TAKES_TEXT = /^(?:provide|use|extensions\.add|content\.addFormat|render\.addTemplates)$/;

describe("a call that registers something", () => {
  it("with a wrong argument is refused: plugin, call, argument, value and an example", async () => {
    const told: string[] = [];
    const created: string[] = [];
    const refused = async (call: string, work: (values: readonly unknown[]) => unknown) => {
      for (const values of WRONG) {
        if (values[0] === "shop" && TAKES_TEXT.test(call)) continue;
        let error: unknown = null;
        try {
          await work(values);
        } catch (thrown) {
          error = thrown;
        }
        const shown = `${call}(${JSON.stringify(values)})`;
        assert.ok(error instanceof SiteError, `${shown}: ${String(error)}`);
        assert.ok(error.fix, `${shown} has a fix`);
        if (error.code === "ERR_CALL_ARGUMENT") told.push(error.message);
        assert.match(error.message, /plugin "shop"|no selected plugin opens|job queue/, shown);
      }
    };
    const shop = definePlugin({
      name: "shop",
      version: "1.0.0",
      requires: [
        "health",
        "jobs",
        "email",
        "markdown",
        "content",
        "search",
        "session",
        "users",
        "render",
      ],
      hooks: Object.fromEntries(
        CREATE.map((hook) => [
          hook,
          async ({ data }: { data: { register: unknown; registerAuthz?: unknown } }) => {
            for (const name of ["register", "registerAuthz"] as const) {
              const member = data[name];
              if (typeof member !== "function") continue;
              created.push(`${hook} ${name}`);
              await refused(`${hook} ${name}`, (values) => Reflect.apply(member, data, values));
            }
          },
        ]),
      ),
      async setup(site) {
        for (const group of GROUPS) {
          const members: object = site[group];
          for (const name of functionsOf(members)) {
            const call = `${group}.${name}`;
            if (OTHERS[group]?.includes(name) === true) continue;
            const member: unknown = Reflect.get(members, name);
            if (typeof member !== "function") continue;
            await refused(call, (values) => Reflect.apply(member, members, values));
          }
        }
        await refused("provide", (values) => Reflect.apply(site.provide, site, values));
        await refused("use", (values) => Reflect.apply(site.use, site, values));
        for (const [call, find] of Object.entries(OF_SERVICES)) {
          const [service, name] = find(site);
          const member: unknown = Reflect.get(service, name);
          assert.ok(typeof member === "function", call);
          await refused(call, (values) => Reflect.apply(member, service, values));
        }
      },
    });
    const site = await bootSite({ extraPlugins: [shop] });
    await site.close();
    assert.equal(created.length, CREATE.length + 1);
    assert.ok(
      told.includes(
        'plugin "shop": http.use: "phase": expected identity, routes, pages, received 42',
      ),
      told.join("\n"),
    );
    assert.ok(
      told.includes('plugin "shop": health.addCheck: "check": expected a function, received 42'),
    );
  });

  const boot = async (setup: (site: SiteContext) => void, more = {}) => {
    const shop = definePlugin({ name: "shop", version: "1.0.0", setup, ...more });
    const site = await bootSite({ plugins: ["pages"], extraPlugins: [shop] });
    await site.close();
  };

  it("for the wrong registry names the right one", async () => {
    await assert.rejects(
      boot(({ engines }) => engines.activate("pageIncludes" as never, {} as never), {
        requires: ["pages"],
      }),
      {
        code: "ERR_ENGINE_SLOT_UNKNOWN",
        message: 'plugin "shop" uses the extension list "pageIncludes" as an engine slot',
        fix: 'add to it: site.extensions.add("pageIncludes", value)',
      },
    );
    await assert.rejects(
      boot(({ extensions }) => extensions.add("writeLock" as never, {} as never)),
      {
        code: "ERR_EXTENSION_UNKNOWN",
        fix: 'activate the engine: site.engines.activate("writeLock", engine)',
      },
    );
  });

  it("and has moved names where it is now", async () => {
    const early = (site: SiteContext): void => {
      const { engines }: { engines: SiteContext["engines"] & { fill?: unknown } } = site;
      (engines.fill as (list: string) => void)("pageHead");
    };
    await assert.rejects(boot(early), {
      code: "ERR_PLUGIN_SETUP",
      fix: /^use site\.extensions\.add\(list, value\)/,
    });
  });
});
