import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import type { SessionRecord, SessionStore } from "../../../plugins/session/contract.js";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { useRedis, useSqlite } from "../../support/services.js";
import { until } from "../../support/until.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";

/** Mounts visitor sessions, as `auth` does, with an open login. */
const host = definePlugin({
  name: "host",
  version: "1.0.0",
  requires: ["session"],
  setup(site) {
    const session = site.use("session");
    site.http.use("identity", session.middleware("visitor"));
    site.http.route({
      method: "get",
      path: "/api/in",
      summary: "log in",
      handler: async (req, res) => {
        await session.login(req, res, { kind: "visitor", userId: "ann", lifetimeSeconds: 60 });
        res.json({ ok: true });
      },
    });
    site.http.route({
      method: "get",
      path: "/api/who",
      summary: "who is it",
      handler: (req, res) =>
        void res.json({ user: session.current(req, "visitor")?.userId ?? null }),
    });
    site.http.jsonPrefix("/api");
  },
});

describe("plugin session", () => {
  let site: TestSite | null = null;
  let proxy: TcpProxy | null = null;
  afterEach(async () => {
    await proxy?.close();
    proxy = null;
    await site?.close();
    site = null;
  });

  async function boot(options: BootOptions = {}): Promise<TestSite> {
    site = await bootSite({ plugins: ["session"], extraPlugins: [host], ...options });
    return site;
  }

  async function logIn({ fetch }: TestSite): Promise<string> {
    const res = await fetch("/api/in");
    assert.equal(res.status, 200);
    return (res.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  }

  async function who({ fetch }: TestSite, cookie: string): Promise<unknown> {
    const res = await fetch("/api/who", { headers: { cookie } });
    assert.equal(res.status, 200);
    return (await res.json()).user;
  }

  it("creates no folder, cookie or secret before a login", async () => {
    const booted = await boot();
    const res = await booted.fetch("/api/who");
    assert.deepEqual(res.headers.getSetCookie(), []);
    assert.ok(!existsSync(join(booted.root, ".dune")));
  });

  it("sets Secure outside dev", async () => {
    const booted = await boot({ env: { SITE_ENV: "production" } });
    const [cookie = ""] = (await booted.fetch("/api/in")).headers.getSetCookie();
    assert.match(cookie, /; Secure$/);
  });

  it("stores sessions across a restart", async () => {
    const first = await boot();
    const cookie = await logIn(first);
    await first.site.close();
    const second = await bootSite({ plugins: ["session"], extraPlugins: [host], root: first.root });
    assert.equal(await who(second, cookie), "ann");
    await second.close();
  });

  it("stores sessions in SQLite with type kv", async function () {
    await useSqlite(this);
    const booted = await boot({ settings: { system: { session_store: { type: "kv" } } } });
    assert.equal(await who(booted, await logIn(booted)), "ann");
    assert.ok(existsSync(join(booted.root, ".dune/admin/sessions.sqlite")));
    assert.ok(!existsSync(join(booted.root, ".dune/admin/sessions")));
  });

  it("with Redis down, pages are anonymous and logins 503, until it recovers", async function () {
    proxy = await startTcpProxy((await useRedis(this)).url);
    const { url } = proxy;
    const booted = await boot({ settings: { system: { session_store: { type: "redis", url } } } });
    const cookie = await logIn(booted);
    assert.equal(await who(booted, cookie), "ann");
    for (const fail of ["cut", "freeze"] as const) {
      await proxy[fail]();
      const res = await booted.fetch("/api/in");
      assert.equal(res.status, 503);
      assert.ok(res.headers.get("retry-after"));
      assert.deepEqual(Object.keys(await res.json()), ["error"]);
      assert.equal(await who(booted, cookie), null);
      await proxy.restore();
      await until(async () => (await who(booted, cookie)) === "ann");
    }
  });

  it("starts and closes while Redis is down", async () => {
    const url = "redis://127.0.0.1:1";
    const booted = await boot({ settings: { system: { session_store: { type: "redis", url } } } });
    assert.equal((await booted.fetch("/api/in")).status, 503);
    assert.equal(await who(booted, `site_auth=${"A".repeat(86)}`), null);
  });

  it("rejects a short SITE_AUTH_SECRET at startup", async () => {
    await assert.rejects(boot({ env: { SITE_AUTH_SECRET: "short" } }), {
      code: "ERR_SESSION_SECRET",
    });
  });

  it("supports logins and sessions on a disk with slow syncs", async () => {
    const records = new Map<string, SessionRecord>();
    const slow: SessionStore = {
      get: async (id) => records.get(id) ?? null,
      set: async (id, record) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        records.set(id, record);
      },
      destroy: async (id) => void records.delete(id),
      destroyUser: async () => 0,
    };
    const store = definePlugin({
      name: "slow-store",
      version: "1.0.0",
      hooks: {
        onSessionStoreCreate: ({ data }) => {
          data.register("slow", slow);
          data.activate("slow");
        },
      },
    });
    const booted = await boot({ extraPlugins: [host, store] });
    assert.equal(await who(booted, await logIn(booted)), "ann");
  });

  it("can be replaced by a third-party store through config only", async () => {
    const source = await readFile(new URL("fixtures/my-session-store.ts", import.meta.url), "utf8");
    site = await bootSite({
      files: {
        "site.yaml": "title: T\nplugins: [{src: session}, {src: ./plugins/my-session-store.ts}]\n",
        "plugins/my-session-store.ts": source,
      },
      extraPlugins: [host],
    });
    assert.equal(await who(site, await logIn(site)), "ann");
    assert.equal(await site.site.use("session").claim("token", 60), true);
    assert.equal(await site.site.use("session").claim("token", 60), false);
    assert.ok(!existsSync(join(site.root, ".dune/admin/sessions/by-user")));
    assert.equal(await site.site.use("session").revokeUser("ann"), 1);
  });
});
