import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin, type Plugin } from "#kernel";
import type { UserStore } from "../../../plugins/users/contract.js";
import { adminPlugins, bootAdmin, client, type AdminSite } from "../../support/sites/admin-site.js";
import {
  AUTH_PLUGINS,
  bootAuthSite,
  SITE_URL,
  type AuthSite,
} from "../../support/sites/auth-site.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { usePostgres } from "../../support/services.js";
import { until } from "../../support/until.js";
import { startTcpProxy, type TcpProxy } from "../../support/servers/tcp-proxy.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const FILES = {
  "site.yaml": "title: Test\n",
  "content/01.home/default.md": "# Home\n",
  "content/members/default.md": "---\ntitle: Members\nroles: any\n---\n# For members\n",
  "content/members/pixel.png": PNG,
};

/** A store of accounts that fails while `isAway` is true. */
function failingAccounts(isAway: () => boolean): Plugin {
  const failing = (store: UserStore): UserStore =>
    new Proxy(store, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]): Promise<unknown> => {
          if (isAway()) throw new Error("connect ECONNREFUSED");
          return Reflect.apply(value, target, args);
        };
      },
    });
  return definePlugin({
    name: "failing-accounts",
    version: "1.0.0",
    requires: ["users"],
    setup(site) {
      site.hooks.on("onUserStoreCreate", ({ data }) => {
        const local = site.engines.slot("userStore").get("local");
        assert.ok(local);
        data.register("failing", failing(local));
        data.activate("failing");
      });
    },
  });
}

describe("a site whose accounts cannot be read", () => {
  let isAway = false;
  let site: TestSite | null = null;
  let proxy: TcpProxy | null = null;
  beforeEach(() => {
    isAway = false;
  });
  afterEach(async () => {
    await site?.close();
    await proxy?.close();
    site = null;
    proxy = null;
  });

  async function visitors(): Promise<AuthSite> {
    const booted = await bootAuthSite(
      { providers: { magicLink: { enabled: true } } },
      {
        plugins: AUTH_PLUGINS,
        files: FILES,
        extraPlugins: [failingAccounts(() => isAway)],
      },
    );
    site = booted;
    return booted;
  }

  it("serves public pages to logged-in visitors as to anonymous ones, and reports it", async () => {
    const booted = await visitors();
    const ann = await booted.loggedIn("ann@example.org");
    assert.equal((await ann.go(`${SITE_URL}/`)).headers.get("x-site-degraded"), null);
    isAway = true;
    for (const path of ["/", "/api/pages/", "/api/pages?limit=1", "/api/nav", "/sitemap.xml"]) {
      const { status, headers } = await ann.go(SITE_URL + path);
      if (path === "/sitemap.xml" && status === 404) continue;
      assert.equal(status, 200, path);
      assert.equal(headers.get("x-site-degraded"), "session", path);
      assert.equal(headers.get("cache-control"), "private, no-store", path);
    }
    const anonymous = await booted.fetch("/");
    assert.equal(anonymous.headers.get("x-site-degraded"), null);
    isAway = false;
    assert.equal((await ann.go(`${SITE_URL}/`)).headers.get("x-site-degraded"), null);
  });

  it("responds 503 with Retry-After to gated and personal requests of a logged-in visitor", async () => {
    const booted = await visitors();
    const ann = await booted.loggedIn("ann@example.org");
    const gated = [
      "/members",
      "/api/pages/members",
      "/members/pixel.png",
      "/content-media/members/pixel.png",
      "/auth/me",
    ];
    for (const path of gated) assert.equal((await ann.go(SITE_URL + path)).status, 200, path);
    isAway = true;
    for (const path of gated) {
      const { status, headers } = await ann.go(SITE_URL + path);
      assert.equal(status, 503, path);
      assert.ok(Number(headers.get("retry-after")) > 0, path);
      assert.equal(headers.get("x-site-degraded"), "session", path);
    }
    assert.equal((await booted.fetch("/members")).status, 302, "an anonymous visitor logs in");
    assert.equal((await booted.fetch("/api/pages/members")).status, 401);
    assert.equal((await booted.fetch("/members/pixel.png")).status, 404);
    isAway = false;
    for (const path of gated) assert.equal((await ann.go(SITE_URL + path)).status, 200, path);
  });

  it("serves public pages to panel users and their tokens, and the panel responds 503", async () => {
    const booted = await bootAdmin({
      plugins: [...adminPlugins, "render"],
      extraPlugins: [failingAccounts(() => isAway)],
    });
    site = booted;
    const eva = await booted.as("editor", { username: "eva" });
    const { secret } = await booted.site.use("admin").tokens.create({
      name: "reader",
      permissions: ["pages.read"],
      userId: eva.id,
      expiresAt: null,
    });
    const program = client(booted, { id: "", cookie: "", csrf: "", bearer: secret });
    isAway = true;
    for (const who of [eva, program]) {
      const page = await who.send("GET", "/blog/first");
      assert.equal(page.status, 200);
      assert.equal(page.headers.get("x-site-degraded"), "session");
      const panel = await who.send("GET", "/admin/api/session");
      assert.equal(panel.status, 503);
      assert.ok(Number(panel.headers.get("retry-after")) > 0);
    }
    isAway = false;
    assert.equal((await eva.send("GET", "/admin/api/session")).status, 200);
  });

  it("starts, and creates the first account once the store is available", async () => {
    isAway = true;
    const booted = await bootSite({
      plugins: ["admin", "render", "markdown", "pages"],
      files: FILES,
      extraPlugins: [failingAccounts(() => isAway)],
    });
    site = booted;
    assert.equal((await booted.fetch("/")).status, 200);
    isAway = false;
    await firstAccount(booted);
  });

  it("creates the first account while the session store is unavailable", async () => {
    const booted = await bootSite({
      plugins: ["admin", "render", "markdown", "pages"],
      files: FILES,
      settings: { system: { session_store: { type: "redis", url: "redis://127.0.0.1:1" } } },
    });
    site = booted;
    assert.equal((await booted.fetch("/")).status, 200);
    await firstAccount(booted, 503);
  });

  it("starts without PostgreSQL, and has accounts once it is available", async function () {
    proxy = await startTcpProxy((await usePostgres(this)).url);
    const { url } = proxy;
    await proxy.cut();
    const booted = await bootSite({
      plugins: [...AUTH_PLUGINS, "admin"],
      files: FILES,
      env: { SITE_DB_URL: url },
      settings: {
        site: {
          url: SITE_URL,
          auth: { providers: { magicLink: { enabled: true } }, userStore: "db", authzStore: "db" },
        },
      },
    });
    site = booted;
    assert.equal((await booted.fetch("/")).status, 200);
    assert.equal((await booted.fetch("/members")).status, 302);
    await proxy.restore();
    await firstAccount(booted);
  });

  /** The first password logs in, or gets as far as the session. */
  async function firstAccount(booted: TestSite | AdminSite, status = 200): Promise<void> {
    const file = join(booted.root, ".dune/admin/initial-admin-password");
    await until(async () => {
      const password = await readFile(file, "utf8").catch(() => "");
      const body = JSON.stringify({ username: "admin", password: password.trim() });
      const headers = { "content-type": "application/json" };
      const answer = await booted.fetch("/admin/login", { method: "POST", headers, body });
      return password !== "" && answer.status === status;
    });
  }
});
