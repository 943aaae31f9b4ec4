import assert from "node:assert/strict";
import { definePlugin, HttpError, SiteError, type Plugin, type SiteContext } from "#kernel";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

/** Declarations as authors of JavaScript write them. */
const WRONG: readonly (readonly [declaration: Record<string, unknown>, problem: RegExp])[] = [
  [{ setUp: () => undefined }, /unknown key "setUp"; did you mean "setup"\?/],
  [{ hook: {} }, /unknown key "hook"; did you mean "hooks"\?/],
  [{ name: "Big Name" }, /"name": expected lower-case letters/],
  [{ name: 5 }, /"name": expected .*received 5/],
  [{ version: 1 }, /"version": expected a version such as 1\.0\.0, received 1/],
  [{ version: "one" }, /"version": expected a version such as 1\.0\.0, received "one"/],
  [{ requires: "search" }, /"requires": expected a list, received "search"/],
  [{ requires: [1] }, /"requires": 0: expected a string, received 1/],
  [{ config: { foo: "string" } }, /"config": expected a zod schema, received an object with foo/],
  [{ settings: { site: { foo: "string" } } }, /"settings": "site": expected z\.object/],
  [{ settings: { sites: {} } }, /"settings": unknown key "sites"; did you mean "site"\?/],
  [{ hooks: { onPageUpdate: "x" } }, /"hooks": "onPageUpdate": expected a function/],
  [{ commands: [{ name: "a", summary: "b" }] }, /"commands": 0.*"run": expected a function/],
  [
    { commands: [{ name: "a", summary: "b", run: () => 0, options: [["nonsense", "h"]] }] },
    /"commands": 0: "options": 0: expected flags and a help text, .*received a list of 2/,
  ],
  [{ optional: "yes" }, /"optional": expected a boolean or nothing, received "yes"/],
  [{ setup: {} }, /"setup": expected a function or nothing, received an empty object/],
];

const handler = (): void => undefined;
const WRONG_ROUTES: readonly (readonly [route: unknown, problem: RegExp])[] = [
  [{ method: "gett", path: "/a", summary: "s", handler }, /"method": .*did you mean "get"\?/],
  [{ method: "get", path: "/a", summary: "s" }, /route get \/a: "handler": expected a function/],
  [{ method: "get", path: "api/x", summary: "s", handler }, /"path": .*begins with a slash/],
  [{ method: "get", path: "/api/x*", summary: "s", handler }, /"path": .*received "\/api\/x\*"/],
  [{ method: "get", path: "/a", sumary: "s", handler }, /unknown key "sumary"; did you mean/],
  [{ method: "get", path: "/a", summary: "s", handler, query: { a: 1 } }, /"query": .*zod schema/],
  [null, /expected an object, received null/],
];

describe("the declaration of a plugin", () => {
  let site: TestSite | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });

  async function boot(
    extraPlugins: Plugin[],
    plugins = ["health"],
    env: Record<string, string> = {},
  ): Promise<TestSite> {
    site = await bootSite({ extraPlugins, plugins, env });
    return site;
  }
  const plugin = (setup: (site: SiteContext) => void, name = "shop"): Plugin =>
    definePlugin({ name, version: "1.0.0", setup });

  for (const [declaration, message] of WRONG) {
    it(`is checked at startup: ${message.source}`, async () => {
      const wrong = { name: "shop", version: "1.0.0", ...declaration };
      await assert.rejects(boot([wrong as never]), { code: "ERR_PLUGIN_INVALID", message });
    });
  }

  it("names the API that it needs, as an object, too", async () => {
    const wrong = definePlugin({ name: "shop", version: "1.0.0", engine: "^9.0.0" });
    await assert.rejects(boot([wrong]), { code: "ERR_PLUGIN_ENGINE" });
  });

  for (const [route, message] of WRONG_ROUTES) {
    it(`has routes that are checked: ${message.source}`, async () => {
      const wrong = plugin(({ http }) => http.route(route as never));
      await assert.rejects(boot([wrong]), { code: "ERR_ROUTE_INVALID", message });
    });
  }

  const hello = (http: SiteContext["http"], path: string, body: string, more = {}): void =>
    http.route({
      method: "get",
      path,
      summary: "says hello",
      ...more,
      handler: (req, res) => http.json(req, res, { body }),
    });

  it("has routes of its own: two plugins with one stop the boot, whatever their parameters are called", async () => {
    const [first, second] = [
      plugin(({ http }) => hello(http, "/api/x/:id", "a"), "first"),
      plugin(({ http }) => hello(http, "/api/x/:name", "b"), "second"),
    ];
    await assert.rejects(boot([first, second]), {
      code: "ERR_ROUTE_DUPLICATE",
      message:
        'plugin "second" declares GET /api/x/:name, which plugin "first" has declared as GET /api/x/:id',
    });
  });

  it("has each of its own routes once", async () => {
    const twice = plugin(({ http }) => {
      hello(http, "/api/x/:id", "a");
      hello(http, "/api/x/:name", "b");
    });
    await assert.rejects(boot([twice]), {
      code: "ERR_ROUTE_DUPLICATE",
      message: 'plugin "shop" declares GET /api/x/:name twice, first as GET /api/x/:id',
    });
  });

  for (const order of [
    ["first", "second"],
    ["second", "first"],
  ]) {
    it(`may replace a route with \`override\`, in the order ${order.join(", ")}`, async () => {
      const plugins = {
        first: plugin(({ http }) => hello(http, "/api/x", "a"), "first"),
        second: plugin(({ http }) => hello(http, "/api/x", "b", { override: true }), "second"),
      };
      const { fetch } = await boot(order.map((name) => plugins[name as "first"]));
      assert.deepEqual(await (await fetch("/api/x")).json(), { body: "b" });
    });
  }

  it("has a path for its router that no other plugin has", async () => {
    const wrong = plugin(
      ({ http }) => http.router("/api", (_req, res) => void res.end()),
      "greedy",
    );
    const expected = {
      code: "ERR_ROUTE_DUPLICATE",
      message:
        /^plugin "greedy" mounts a router at \/api, where plugins? "[^"]+".* declares? GET \/api\//,
    };
    await assert.rejects(boot([wrong], ["pages"]), expected);
    const twice = (name: string) =>
      plugin(({ http }) => http.router("/shop", (_req, res) => void res.end(name)), name);
    await assert.rejects(boot([twice("a"), twice("b")]), {
      message: 'plugin "b" mounts a router at /shop, where plugin "a" declares a router at /shop',
    });
  });

  const routerAt = (prefix: string, name: string, options = {}): Plugin =>
    plugin(({ http }) => http.router(prefix, (_req, _res, next) => next(), options), name);

  it("has a router whose place in the code is named, with all plugins below it", async () => {
    const shop = plugin(({ http }) => hello(http, "/shop/cart", "x"), "shop");
    const stock = plugin(({ http }) => hello(http, "/shop/stock/:id", "x"), "stock");
    await assert.rejects(boot([shop, stock, routerAt("/shop", "front")]), (error) => {
      assert.ok(error instanceof SiteError && error.cause instanceof Error);
      assert.equal(error.code, "ERR_ROUTE_DUPLICATE");
      assert.equal(
        error.message,
        'plugin "front" mounts a router at /shop, where plugins "shop", "stock" declare GET /shop/cart, GET /shop/stock/:id',
      );
      assert.match(error.cause.stack ?? "", /declarations\.test\.ts/);
      return true;
    });
  });

  for (const [first, second] of [
    ["/", "/shop"],
    ["/shop/admin", "/shop"],
    ["/shop", "/shop/admin"],
  ]) {
    it(`has no router at ${second} beside one of another plugin at ${first}`, async () => {
      const both = [routerAt(String(first), "a"), routerAt(String(second), "b")];
      await assert.rejects(boot(both, ["cache"]), { code: "ERR_ROUTE_DUPLICATE" });
      await boot([routerAt(String(first), "a", { override: true }), both[1] as Plugin], ["cache"]);
    });
  }

  it("has a router at / only with `override`, as it stands above the routes of all plugins", async () => {
    await assert.rejects(boot([routerAt("/", "front")], ["pages"]), {
      code: "ERR_ROUTE_DUPLICATE",
      message: /^plugin "front" mounts a router at \/, where plugins /,
    });
    await boot([routerAt("/", "front", { override: true })], ["pages"]);
  });

  describe("with a permission on a route", () => {
    const secret = (permission: string): Plugin =>
      plugin(({ http }) => hello(http, "/api/secret", "42", { permission }));

    it("needs the plugin that knows identities", async () => {
      await assert.rejects(boot([secret("config.update")]), {
        code: "ERR_ROUTE_PERMISSION",
        message: /plugin "shop" declares GET \/api\/secret with the permission "config\.update"/,
        fix: /admin/,
      });
    });

    it("needs a permission that exists", async () => {
      await assert.rejects(boot([secret("config.updaet")], ["admin"]), {
        code: "ERR_ROUTE_PERMISSION",
        fix: 'did you mean "config.update"?',
      });
    });

    it("responds to users with the permission, and rejects others", async () => {
      const running = await boot([secret("config.update")], ["admin"]);
      const { tokens } = running.site.context("test").use("admin");
      const token = async (permission: "config.update" | "pages.read") =>
        (
          await tokens.create({
            name: permission,
            permissions: [permission],
            expiresAt: null,
            userId: null,
          })
        ).secret;
      const ask = async (authorization?: string): Promise<number> => {
        const headers = new Headers(
          authorization === undefined ? [] : [["authorization", authorization]],
        );
        const answer = await running.fetch("/api/secret", { headers });
        await answer.text();
        return answer.status;
      };
      const [wide, narrow] = [await token("config.update"), await token("pages.read")];
      for (let round = 0; round < 2; round += 1) {
        assert.equal(await ask(`Bearer ${wide}`), 200);
        assert.equal(await ask(), 401);
        assert.equal(await ask(`Bearer ${narrow}`), 403);
        assert.equal(await ask("Bearer nonsense"), 401);
      }
    });

    const cached = plugin(
      ({ http }) =>
        http.route({
          method: "get",
          path: "/api/secret",
          summary: "a secret",
          permission: "pages.read",
          handler: (req, res) => {
            const cache = { tags: new Set(["site"]), until: null };
            return http.json(req, res, { secret: 42 }, { cache });
          },
        }),
      "cached",
    );
    const assertNotCached = async (running: TestSite, headers: HeadersInit): Promise<void> => {
      const allowed = await running.fetch("/api/secret", { headers });
      assert.deepEqual([allowed.status, await allowed.json()], [200, { secret: 42 }]);
      assert.equal(allowed.headers.get("cache-control"), "private, no-store");
      for (const path of ["/api/secret", "/api/secret?a=1"]) {
        const refused = await running.fetch(path);
        assert.doesNotMatch(await refused.text(), /42/);
        assert.equal(refused.status, 401);
      }
    };

    it("never caches a response for others, whatever its handler says", async () => {
      const running = await boot([cached], ["admin", "cache"], { SITE_ENV: "production" });
      const { tokens } = running.site.context("test").use("admin");
      const { secret } = await tokens.create({
        name: "t",
        permissions: ["pages.read"],
        expiresAt: null,
        userId: null,
      });
      await assertNotCached(running, { authorization: `Bearer ${secret}` });
    });

    it("never caches it with an authorization of a plugin, whatever it reads", async () => {
      const own = plugin(
        ({ engines }) =>
          engines.activate("authorization", {
            permissions: ["pages.read"],
            authorize: async (req) => {
              if (req.get("x-proxy-role") !== "staff") throw new HttpError(401, "only for staff");
            },
          }),
        "proxy",
      );
      const running = await boot([cached, own], ["cache", "content"], { SITE_ENV: "production" });
      await assertNotCached(running, { "x-proxy-role": "staff" });
    });
  });
});
