import assert from "node:assert/strict";
import {
  adminPlugins,
  bootAdmin,
  password,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";
import { Browser } from "../../../../support/browsers/browser.js";
import type { BootOptions } from "../../../../support/sites/boot-site.js";
import {
  ANN,
  startOpenIdProvider,
  type OpenIdProvider,
} from "../../../../support/servers/openid-provider.js";

const SITE_URL = "http://site.example:8000";
const PLUGINS = [...adminPlugins, "auth", "outbound"];
const SECRET = { PANEL_SECRET: "a secret of the provider" };

describe("login of the panel by an OpenID provider", () => {
  let idp: OpenIdProvider;
  let site: AdminSite;
  let now = Date.now();
  before(async () => {
    idp = await startOpenIdProvider(`${SITE_URL}/admin/oidc/callback`);
  });
  after(() => idp.close());
  beforeEach(() => {
    idp.person = { ...ANN, groups: ["staff", "writers"] };
    idp.broken = null;
  });
  afterEach(() => site.close());

  const settings = (oidc: Record<string, unknown> = {}) => ({
    issuer: idp.issuer,
    client_id: "site",
    client_secret_env: "PANEL_SECRET",
    label: "Work",
    roles_claim: "groups",
    roles: { writers: "author", leads: "editor" },
    ...oidc,
  });
  async function boot(oidc?: Record<string, unknown>, options: BootOptions = {}): Promise<Browser> {
    site = await bootAdmin({
      plugins: PLUGINS,
      env: SECRET,
      clock: { now: () => now },
      ...options,
      settings: { site: { url: SITE_URL }, admin: { oidc: settings(oidc) } },
    });
    return visitor();
  }
  const visitor = (): Browser => new Browser({ [SITE_URL]: site.url });
  /** The response to the callback, and its address. */
  async function login(browser: Browser, next = ""): Promise<{ url: URL; response: Response }> {
    const { url } = await browser.follow(
      `${SITE_URL}/admin/oidc${next}`,
      `${SITE_URL}/admin/oidc/callback`,
    );
    return { url, response: await browser.go(url) };
  }
  const me = async (browser: Browser) => {
    const answer = await browser.go(`${SITE_URL}/admin/api/me`);
    return answer.status === 200 ? answer.json() : answer.status;
  };

  it("creates the account with the roles of its claim, and opens the wanted page", async () => {
    const browser = await boot();
    const page = await (await browser.go(`${SITE_URL}/admin/login?next=/admin/orders`)).text();
    assert.match(page, /href="\/admin\/oidc\?next=%2Fadmin%2Forders">Sign in with Work</);
    const { response } = await login(browser, "?next=%2Fadmin%2Forders");
    assert.equal(response.status, 200);
    assert.match(await response.text(), /http-equiv="refresh" content="0; url=\/admin\/orders"/);
    const account = await me(browser);
    assert.deepEqual(
      [account.email, account.name, account.roles, account.hasPassword],
      ["ann@example.org", "Ann", ["author"], false],
    );
    const [entry] = (await site.audit()).filter(({ event }) => event === "auth.login");
    assert.equal(entry?.detail["method"], "oidc");
  });

  it("updates the roles of the panel at each login, and keeps the others", async () => {
    const browser = await boot();
    await login(browser);
    const { id } = await me(browser);
    const users = site.site.use("users");
    await users.update(id, (user) => ({ ...user, roles: [...user.roles, "member"] }));
    idp.person.groups = ["leads"];
    await login(browser);
    assert.deepEqual((await me(browser)).roles.toSorted(), ["editor", "member"]);
    assert.equal((await me(browser)).id, id);
    idp.person.groups = [];
    const { response } = await login(visitor());
    assert.equal(response.status, 403);
    assert.match(await response.text(), /role="alert"[\s\S]*no role for this panel/);
  });

  it("refuses people without role, address, account or an enabled account", async () => {
    const browser = await boot();
    const refusals: [() => unknown, number, RegExp][] = [
      [() => (idp.person.groups = ["__proto__", "constructor"]), 403, /no role/],
      [() => (idp.person.email_verified = false), 403, /not verified/],
      [() => (idp.person.email = "author-user@example.org"), 409, /Another account/],
    ];
    await site.as("author");
    for (const [change, status, reason] of refusals) {
      idp.person = { ...ANN, groups: ["writers"] };
      change();
      const fresh = visitor();
      const { response } = await login(fresh);
      assert.equal(response.status, status);
      assert.match(await response.text(), reason);
      assert.equal(await me(fresh), 401);
    }
    idp.person = { ...ANN, groups: ["writers"] };
    await login(browser);
    const { id } = await me(browser);
    await site.site.use("users").update(id, (user) => ({ ...user, enabled: false }));
    assert.equal((await login(visitor())).response.status, 403);
  });

  it("creates no account with create: false, and reads claims within objects", async () => {
    idp.person.groups = ["writers"];
    await boot({ create: false });
    const { response } = await login(visitor());
    assert.equal(response.status, 403);
    assert.match(await response.text(), /an admin creates accounts/);
    await site.close();
    await boot({ roles_claim: "groups.deep" });
    assert.equal((await login(visitor())).response.status, 403);
  });

  it("accepts a callback once, in the browser that started the login, for ten minutes", async () => {
    const browser = await boot();
    const { url, response } = await login(browser);
    assert.equal(response.status, 200);
    for (const other of [browser, visitor()]) assert.equal((await other.go(url)).status, 400);
    const cookies = response.headers.getSetCookie();
    assert.ok(cookies.some((cookie) => /^site_admin=.*SameSite=Strict/.test(cookie)));
    assert.ok(cookies.some((cookie) => /^site_admin_oidc=;.*Max-Age=0/.test(cookie)));

    const late = visitor();
    const callback = `${SITE_URL}/admin/oidc/callback`;
    const pending = await late.follow(`${SITE_URL}/admin/oidc`, callback);
    const wrong = new URL(pending.url);
    wrong.searchParams.set("state", "x".repeat(43));
    assert.equal((await late.go(wrong)).status, 400);
    const again = await late.follow(`${SITE_URL}/admin/oidc`, callback);
    now += 600_000;
    assert.equal((await late.go(again.url)).status, 400);
    assert.equal(await me(late), 401);
  });

  it("shows the login page when the provider fails or the person declines", async () => {
    const browser = await boot();
    idp.broken = 500;
    const failed = await browser.go(`${SITE_URL}/admin/oidc`);
    assert.equal(failed.status, 502);
    assert.match(await failed.text(), /role="alert"/);
    idp.broken = null;
    const target = (await browser.go(`${SITE_URL}/admin/oidc`)).headers.get("location") ?? "";
    const state = new URL(target).searchParams.get("state") ?? "";
    assert.equal(new URL(target).searchParams.get("code_challenge_method"), "S256");
    const declined = `${SITE_URL}/admin/oidc/callback?error=access_denied&state=${state}`;
    assert.equal((await browser.go(declined)).status, 403);
  });

  describe("connecting an existing account", () => {
    let author: AdminClient;
    /** The browser in which the author is signed in. */
    let browser: Browser;
    beforeEach(async () => {
      idp.person = { ...ANN, email: "author-user@example.org", groups: ["writers"] };
      browser = await boot();
      author = await site.as("author");
    });
    const connect = (current = password) =>
      browser.go(`${SITE_URL}/admin/api/me/oidc`, {
        method: "POST",
        headers: {
          cookie: author.cookie,
          "x-csrf-token": author.csrf,
          "sec-fetch-site": "same-origin",
          "content-type": "application/json",
        },
        body: JSON.stringify({ current }),
      });
    /** What the provider redirects to. */
    const callbackOf = async (answer: Response) => {
      const { url } = (await answer.json()) as { url: string };
      return (await browser.follow(url, `${SITE_URL}/admin/oidc/callback`)).url;
    };

    it("starts from the signed-in account, with its password, and keeps its roles", async () => {
      idp.person.groups = ["leads"];
      const refused = await login(visitor());
      assert.match(await refused.response.text(), /connect it under Your account/);
      const linked = await browser.go(await callbackOf(await connect()));
      assert.equal(linked.status, 200);
      assert.equal(await me(browser), 401, "connecting opens no session");
      const { response } = await login(browser);
      assert.equal(response.status, 200);
      const account = await me(browser);
      assert.deepEqual([account.id, account.roles], [author.id, ["author"]]);
      assert.deepEqual(account.oidc, { label: "Work", linked: true, removable: true });
      const events = (await site.audit()).map(({ event }) => event);
      assert.ok(events.includes("user.oidc_linked"));

      await author.json(200, "DELETE", "/admin/api/me/oidc", { current: password });
      assert.equal((await login(visitor())).response.status, 409);
      await author.json(404, "DELETE", "/admin/api/me/oidc", { current: password });
    });

    it("refuses a wrong password, tokens, and requests of other sites", async () => {
      assert.equal((await connect("not this one")).status, 403);
      const program = await site.withToken(["pages.read"], { userId: author.id });
      await program.json(403, "POST", "/admin/api/me/oidc", { current: password });
      const cross = { "sec-fetch-site": "cross-site" };
      const body = { current: password };
      assert.equal((await author.send("POST", "/admin/api/me/oidc", body, cross)).status, 403);
      const forged = { "x-csrf-token": "x" };
      assert.equal((await author.send("POST", "/admin/api/me/oidc", body, forged)).status, 403);
    });

    it("refuses a callback in another browser, twice, or after another password", async () => {
      const url = await callbackOf(await connect());
      assert.equal((await visitor().go(url)).status, 400);
      assert.equal((await browser.go(url)).status, 200);
      assert.equal((await browser.go(url)).status, 400);
      const late = await callbackOf(await connect());
      await site.site.use("users").setPassword(author.id, "another good password 7");
      assert.equal((await browser.go(late)).status, 403);
    });

    it("refuses a person who signs in to another account, or has no role", async () => {
      idp.person.email = "ann@example.org";
      assert.equal((await login(visitor())).response.status, 200);
      assert.equal((await browser.go(await callbackOf(await connect()))).status, 409);
      idp.person.groups = [];
      assert.equal((await browser.go(await callbackOf(await connect()))).status, 403);
    });
  });

  it("never redirects to another site", async () => {
    for (const next of ["https://evil.example", "//evil.example", "/blog"]) {
      const browser = await boot();
      const { response } = await login(browser, `?next=${encodeURIComponent(next)}`);
      assert.match(await response.text(), /url=\/admin"/);
      await site.close();
    }
    await boot();
  });
});

describe("the setting oidc", () => {
  const boot = (oidc: Record<string, unknown>, options: BootOptions = {}) => {
    const base = { issuer: "https://login.example.org", client_id: "site" };
    const secret = { client_secret_env: "PANEL_SECRET", roles: { a: "author" } };
    const admin = { oidc: { ...base, ...secret, ...oidc } };
    return bootAdmin({ plugins: PLUGINS, env: SECRET, settings: { admin }, ...options });
  };
  for (const [oidc, options, reason] of [
    [{}, { env: {} }, /PANEL_SECRET/],
    [{}, { plugins: adminPlugins }, /plugin auth/],
    [{ roles: { a: "member" } }, {}, /"member"/],
    [{ issuer: "http://login.example.org" }, {}, /https/],
  ] as const) {
    it(`is refused at startup: ${reason.source}`, async () => {
      await assert.rejects(boot(oidc, options), (error: Error) => {
        assert.match(`${error.message} ${String(error.cause)}`, reason);
        return true;
      });
    });
  }
});
