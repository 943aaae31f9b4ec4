import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import type { LoginEvent } from "../../../../plugins/auth/contract.js";
import type { SessionStore } from "../../../../plugins/session/contract.js";
import {
  AUTH_PLUGINS,
  bootAuthSite,
  SITE_URL,
  type AuthSite,
} from "../../../support/sites/auth-site.js";
import { bootSite, type BootOptions } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

const MAGIC = { providers: { magicLink: { enabled: true } } };
const client = { clientId: "a", clientSecret: "b" };

describe("login, logout and /auth/me", () => {
  /** The site of tests that need no other settings. */
  let shared: AuthSite;
  let site: AuthSite | null = null;
  before(async () => void (shared = await bootAuthSite(MAGIC)));
  after(() => shared.close());
  afterEach(async () => {
    await site?.close();
    site = null;
  });
  async function boot(auth: Record<string, unknown> = MAGIC, options: BootOptions = {}) {
    site = await bootAuthSite(auth, options);
    return site;
  }
  const ME = `${SITE_URL}/auth/me`;

  it("adds no route, folder, cookie or service without an auth block", async () => {
    const bare = await bootSite({ plugins: AUTH_PLUGINS });
    try {
      for (const path of [
        "/auth/login",
        "/auth/me",
        "/auth/logout",
        "/auth/github",
        "/auth/magic",
      ]) {
        const res = await bare.fetch(path);
        assert.deepEqual([res.status, res.headers.getSetCookie()], [404, []], path);
      }
      assert.equal(bare.site.find("auth"), undefined);
      assert.ok(
        !bare.site.context("auth").http.routes.some(({ path }) => path.startsWith("/auth")),
      );
      for (const folder of ["data", ".dune/admin/sessions"]) {
        assert.ok(!existsSync(join(bare.root, folder)), folder);
      }
    } finally {
      await bare.close();
    }
  });

  it("writes nothing before the first login", async () => {
    const at = await boot();
    await at.fetch("/");
    assert.equal((await at.fetch("/auth/me")).status, 401);
    assert.ok(!existsSync(join(at.root, "data", "users")));
    assert.ok(!existsSync(join(at.root, ".dune", "admin", "sessions")));
  });

  it("GET /auth/me responds 401 to anonymous visitors", async () => {
    const res = await shared.fetch("/auth/me");
    assert.equal(res.status, 401);
    assert.deepEqual(Object.keys(await res.json()), ["error"]);
  });

  it("GET /auth/login lists only configured providers", async () => {
    const at = await boot({ providers: { discord: client, github: client } });
    const page = await (await at.fetch("/auth/login?next=/blog")).text();
    assert.match(page, /href="\/auth\/discord\?next=%2Fblog"/);
    assert.match(page, /Continue with GitHub/);
    assert.ok(!page.includes("/auth/google") && !page.includes("/auth/magic/send"));
  });

  it("GET /auth/login redirects a logged-in visitor within this site", async () => {
    const at = shared;
    const ann = await at.loggedIn("ann@example.org");
    for (const [next, to] of [
      ["/x", "/x"],
      ["//evil.example", "/"],
      ["/\\evil.example", "/"],
    ] as const) {
      const res = await ann.go(`${SITE_URL}/auth/login?next=${encodeURIComponent(next)}`);
      assert.deepEqual([res.status, res.headers.get("location")], [302, to]);
    }
  });

  it("logout ends the session on the server and clears the cookie", async () => {
    const at = shared;
    const ann = await at.loggedIn("ann@example.org");
    const cookie = `site_auth=${ann.cookie("site_auth")}`;
    const res = await ann.go(`${SITE_URL}/auth/logout`);
    assert.deepEqual([res.status, res.headers.get("location")], [302, "/"]);
    assert.match(
      res.headers.getSetCookie()[0] ?? "",
      /^site_auth=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/,
    );
    assert.equal((await at.fetch("/auth/me", { headers: { cookie } })).status, 401);
  });

  it("HEAD, prefetches and subresources do not log out", async () => {
    const at = shared;
    const ann = await at.loggedIn("ann@example.org");
    const dests = ["image", "script", "style", "font", "iframe", "object", "empty"];
    const inits: RequestInit[] = [
      { method: "HEAD" },
      ...["prefetch", "prefetch;prerender", "Prefetch;anonymous-client-ip", "none, prefetch"].map(
        (purpose) => ({ headers: { "sec-purpose": purpose } }),
      ),
      { headers: { purpose: "prefetch" } },
      { headers: { "x-purpose": "preview" } },
      { headers: { "x-moz": "prefetch" } },
      ...dests.map((dest) => ({ headers: { "sec-fetch-dest": dest } })),
    ];
    for (const init of inits) {
      const res = await ann.go(`${SITE_URL}/auth/logout`, init);
      assert.deepEqual([res.status, res.headers.getSetCookie()], [204, []], JSON.stringify(init));
    }
    assert.equal((await ann.go(ME)).status, 200);
    await ann.go(`${SITE_URL}/auth/logout`, {
      headers: { "sec-fetch-dest": "document", "sec-purpose": "", "sec-fetch-purpose": "prefetch" },
    });
    assert.equal((await ann.go(ME)).status, 401);
  });

  it("other methods are 405 with Allow", async () => {
    const at = shared;
    for (const [method, path] of [
      ["POST", "/auth/logout"],
      ["DELETE", "/auth/me"],
      ["PUT", "/auth/login"],
    ] as const) {
      const res = await at.fetch(path, { method });
      assert.equal(res.status, 405, path);
      assert.match(res.headers.get("allow") ?? "", /GET/);
    }
  });

  it("fires onLogin and onLogout with the public account", async () => {
    const heard: [string, LoginEvent["user"], string?][] = [];
    const at = await boot(MAGIC, {
      extraPlugins: [
        definePlugin({
          name: "ears",
          version: "1.0.0",
          hooks: {
            onLogin: ({ data }) => void heard.push(["in", data.user, data.provider]),
            onLogout: ({ data }) => void heard.push(["out", data.user]),
          },
        }),
      ],
    });
    const users = at.site.use("users");
    const stored = { provider: "magic", roles: ["member"] };
    const { id } = await users.create({ email: "ann@example.org", ...stored });
    await at.site.use("authz").grant({ user: id, relation: "granted", object: "role:reader" });
    const ann = await at.loggedIn("ann@example.org");
    // The session has these roles already, so the first request does not renew it.
    const cookie = ann.cookie("site_auth");
    await ann.go(ME);
    assert.equal(ann.cookie("site_auth"), cookie);
    await ann.go(`${SITE_URL}/auth/logout`);
    await at.site.context("auth").hooks.settled();
    assert.deepEqual(
      heard.map(([what, user, by]) => [what, user.email, by]),
      [
        ["in", "ann@example.org", "magic"],
        ["out", "ann@example.org", undefined],
      ],
    );
    assert.deepEqual(heard[0]?.[1].roles, ["member", "reader"]);
    assert.ok(!JSON.stringify(heard).includes("passwordHash"));
    await users.update(id, (user) => ({ ...user, enabled: false }));
    const disabled = at.browser();
    await disabled.go(await at.linkFor({ email: "ann@example.org" }));
    assert.deepEqual([disabled.cookie("site_auth"), heard.length], [undefined, 2]);
    assert.equal(await at.site.use("session").revokeUser(id), 0);
  });

  it("with the session store down, public pages are anonymous and logins respond 503, until it is back", async () => {
    const records = new Map<string, Awaited<ReturnType<SessionStore["get"]>>>();
    let isAway = false;
    const reach = (): void => {
      if (isAway) throw new Error("the store is away");
    };
    const store: SessionStore = {
      get: async (id) => (reach(), records.get(id) ?? null),
      set: async (id, record) => (reach(), void records.set(id, record)),
      destroy: async (id) => (reach(), void records.delete(id)),
      destroyUser: async () => (reach(), 0),
      claim: async (key) => {
        reach();
        const isFirst = !records.has(key);
        records.set(key, null);
        return isFirst;
      },
    };
    const at = await boot(MAGIC, {
      files: { "content/01.home/default.md": "# Hello" },
      extraPlugins: [
        definePlugin({
          name: "store",
          version: "1.0.0",
          hooks: {
            onSessionStoreCreate: ({ data }) => {
              data.register("test", store);
              data.activate("test");
            },
          },
        }),
      ],
    });
    const ann = await at.loggedIn("ann@example.org");
    assert.equal((await ann.go(ME)).status, 200);
    isAway = true;
    const page = await ann.go(`${SITE_URL}/`);
    assert.equal(page.status, 200);
    assert.equal((await ann.go(ME)).status, 503);
    const { token } = { token: at.link() };
    assert.equal((await at.browser().go(token)).status, 503);
    isAway = false;
    await until(async () => (await ann.go(ME)).status === 200);
  });
});
