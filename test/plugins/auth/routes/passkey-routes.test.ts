import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import {
  AUTH_PLUGINS,
  bootAuthSite,
  SITE_URL,
  type AuthSite,
  limitsBy,
} from "../../../support/sites/auth-site.js";
import type { Browser } from "../../../support/browsers/browser.js";
import { SoftwareAuthenticator } from "../../../support/browsers/software-authenticator.js";

const providers = { magicLink: { enabled: true }, passkeys: { enabled: true } };
const URL_OF_SITE = "http://localhost:8000";
const JSON_HEADERS = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

describe("passkeys of visitors", () => {
  let site: AuthSite;
  let now = Date.parse("2026-11-25T10:00:00Z");
  let ada: Browser;
  let key: SoftwareAuthenticator;
  before(async () => {
    const clock = { now: () => now };
    site = await bootAuthSite(
      { providers },
      {
        plugins: AUTH_PLUGINS,
        clock,
        extraPlugins: [limitsBy(clock)],
        settings: { site: { url: URL_OF_SITE } },
        env: { SITE_ENV: "dev" },
      },
    );
  });
  after(() => site.close());
  beforeEach(async () => {
    // Each test has an hour of its own, with all of its limits.
    now += 3_600_000;
    ada = await loggedIn("ada@example.org");
    key = new SoftwareAuthenticator("localhost");
  });
  afterEach(async () => {
    const users = site.site.use("users");
    for (const { id } of await users.list()) await users.delete(id);
    await site.site.use("email").settled();
    site.mails.length = 0;
  });

  async function loggedIn(email: string): Promise<Browser> {
    const visitor = site.browser();
    const link = await site.linkFor({ email });
    const path = /\/auth\/magic\?token=\S+/.exec(link.href)?.[0] ?? "";
    await visitor.go(`${SITE_URL}${path}`);
    return visitor;
  }
  const send = (
    browser: Browser,
    path: string,
    body: unknown,
    headers: Record<string, string> = JSON_HEADERS,
  ) => browser.go(`${SITE_URL}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const form = (browser: Browser, path: string, fields: Record<string, string>) =>
    browser.go(`${SITE_URL}${path}`, { method: "POST", body: new URLSearchParams(fields) });
  const pageOf = async (browser: Browser) => {
    const html = await (await browser.go(`${SITE_URL}/auth/account`)).text();
    return { html, _csrf: /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? "" };
  };
  const optionsOf = async (answer: Response) => {
    assert.equal(answer.status, 200);
    return (await answer.json()) as { challenge: string; user?: { id: string } };
  };
  async function start(browser: Browser): Promise<{ challenge: string; _csrf: string }> {
    const { _csrf } = await pageOf(browser);
    const options = await optionsOf(await send(browser, "/auth/passkeys/options", { _csrf }));
    key.handle = options.user?.id ?? "";
    return { challenge: options.challenge, _csrf };
  }
  async function add(browser = ada, wrong: Record<string, unknown> = {}): Promise<Response> {
    const { challenge, _csrf } = await start(browser);
    const response = key.create({ challenge, origin: URL_OF_SITE, ...wrong });
    return send(browser, "/auth/passkeys", { _csrf, name: " Laptop\n", response });
  }
  const challengeFor = async (browser: Browser): Promise<string> =>
    (await optionsOf(await send(browser, "/auth/passkeys/login/options", {}))).challenge;
  async function logIn(browser: Browser, wrong: Record<string, unknown> = {}): Promise<Response> {
    const challenge = await challengeFor(browser);
    const response = key.get({ challenge, origin: URL_OF_SITE, ...wrong });
    return send(browser, "/auth/passkeys/login", { response, next: "/private?a=1" });
  }
  /** Mail is sent after the response. */
  async function mailAbout(word: string) {
    for (let tries = 0; tries < 2_000; tries += 1) {
      const found = site.mails.find(({ subject }) => subject.includes(word));
      if (found !== undefined) return found;
      await setTimeout(5);
    }
    throw new Error(`no mail about ${word}`);
  }
  const emailOf = async (browser: Browser): Promise<unknown> =>
    (await (await browser.go(`${SITE_URL}/auth/me`)).json()).email;

  it("log in to their account under a new session id, and lead back", async () => {
    assert.equal((await add()).status, 201);
    const visitor = await loggedIn("eve@example.org");
    const before = visitor.cookie("site_auth");
    const answer = await logIn(visitor);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { location: "/private?a=1" });
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(await emailOf(visitor), "ada@example.org");
    assert.notEqual(visitor.cookie("site_auth"), before);
    await visitor.go(`${SITE_URL}/auth/logout`);
    assert.equal((await visitor.go(`${SITE_URL}/auth/me`)).status, 401);
    assert.ok(site.log.some((line) => line.startsWith("auth.passkey_added")));
  });

  it("never lead to another site", async () => {
    await add();
    const visitor = site.browser();
    const challenge = await challengeFor(visitor);
    const response = key.get({ challenge, origin: URL_OF_SITE });
    const body = { response, next: "//evil.example" };
    const answer = await send(visitor, "/auth/passkeys/login", body);
    assert.deepEqual(await answer.json(), { location: "/" });
  });

  for (const [what, wrong] of [
    ["another origin", { origin: "https://evil.example" }],
    ["another challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
    ["a user that was not verified", { isUserVerified: false }],
  ] as const) {
    it(`are rejected with ${what}`, async () => {
      assert.equal((await add(ada, wrong)).status, 400);
      assert.equal((await add()).status, 201);
      const visitor = site.browser();
      assert.equal((await logIn(visitor, wrong)).status, 401);
      assert.equal((await visitor.go(`${SITE_URL}/auth/me`)).status, 401);
      assert.equal((await logIn(visitor)).status, 200);
    });
  }

  it("answer a challenge once, in the browser that got it, within five minutes", async () => {
    await add();
    const visitor = site.browser();
    const challenge = await challengeFor(visitor);
    const cookie = visitor.cookie("site_visitor_challenge") ?? "";
    const response = key.get({ challenge, origin: URL_OF_SITE });
    assert.equal((await send(site.browser(), "/auth/passkeys/login", { response })).status, 400);
    assert.equal((await send(visitor, "/auth/passkeys/login", { response })).status, 200);
    const replay = await site.fetch("/auth/passkeys/login", {
      method: "POST",
      headers: { ...JSON_HEADERS, cookie: `site_visitor_challenge=${cookie}` },
      body: JSON.stringify({ response }),
    });
    assert.equal(replay.status, 400, "with the cookie of before");
    const late = await challengeFor(visitor);
    now += 301_000;
    const slow = key.get({ challenge: late, origin: URL_OF_SITE });
    assert.equal((await send(visitor, "/auth/passkeys/login", { response: slow })).status, 400);
  });

  it("are rejected when the counter does not grow", async () => {
    await add();
    assert.equal((await logIn(site.browser())).status, 200);
    key.counter -= 1;
    assert.equal((await logIn(site.browser())).status, 401);
    assert.equal((await logIn(site.browser())).status, 200);
  });

  it("belong to one account: another one's handle is unknown", async () => {
    await add();
    const eve = await loggedIn("eve@example.org");
    const own = key.handle;
    await start(eve);
    assert.notEqual(key.handle, own);
    assert.equal((await logIn(site.browser())).status, 401);
  });

  it("are added by the session that requested them, from its page, shortly after a login", async () => {
    const { challenge, _csrf } = await start(ada);
    const response = key.create({ challenge, origin: URL_OF_SITE });
    const body = { _csrf, name: "x", response };
    const evil = { "content-type": "application/json", "sec-fetch-site": "cross-site" };
    assert.equal((await send(ada, "/auth/passkeys", body, evil)).status, 403);
    assert.equal((await send(ada, "/auth/passkeys", { ...body, _csrf: "x" })).status, 403);
    assert.equal((await send(site.browser(), "/auth/passkeys", body)).status, 401);
    assert.equal((await send(ada, "/auth/passkeys", { ...body, name: " \n " })).status, 400);
    assert.equal((await send(ada, "/auth/passkeys", { ...body, response: {} })).status, 400);
    now += 11 * 60_000;
    assert.equal((await send(ada, "/auth/passkeys", body)).status, 403);
    assert.match((await pageOf(ada)).html, /To add a passkey, log in again first/);
  });

  it("are listed, renamed and removed by their owner alone, without JavaScript", async () => {
    const { id } = await (await add()).json();
    const { html, _csrf } = await pageOf(ada);
    assert.match(html, /value="Laptop"/);
    const eve = await loggedIn("eve@example.org");
    const foreign = { id, _csrf: (await pageOf(eve))._csrf };
    const paths = ["/auth/account/passkeys", "/auth/account/passkeys/remove"] as const;
    for (const path of paths)
      assert.equal((await form(eve, path, { ...foreign, name: "Mine" })).status, 404);
    for (const path of paths) assert.equal((await form(ada, path, { id, name: "x" })).status, 403);
    const renamed = await form(ada, paths[0], { id, name: "<b>Phone", _csrf });
    assert.equal(renamed.headers.get("location"), "/auth/account?message=passkey_renamed");
    assert.match((await pageOf(ada)).html, /&lt;b(?:&gt;|>)Phone/);
    await form(ada, paths[1], { id, _csrf });
    assert.equal((await logIn(site.browser())).status, 401);
  });

  it("are in the export without keys, and deleted with the account", async () => {
    await add();
    const text = await (await ada.go(`${SITE_URL}/auth/account/data`)).text();
    const { account } = JSON.parse(text);
    assert.deepEqual(
      account.passkeys.map(({ name }: { name: string }) => name),
      ["Laptop"],
    );
    assert.doesNotMatch(text, /publicKey/);
    const { _csrf } = await pageOf(ada);
    await form(ada, "/auth/account/delete", { _csrf });
    const passkeys = site.site.use("passkeys").of("visitor", "/auth");
    assert.deepEqual(await passkeys.list(account.id), []);
    assert.equal((await logIn(site.browser())).status, 401);
  });

  it("are announced to the owner of the account by mail", async () => {
    assert.equal((await add()).status, 201);
    const mail = await mailAbout("passkey");
    assert.deepEqual(mail.to, ["ada@example.org"]);
    assert.match(mail.subject, /^New passkey for your account at /);
    const hour = new Date(now).toISOString().slice(0, 13);
    assert.match(
      mail.text,
      new RegExp(`"Laptop"[^]*${hour}[^]*http://localhost:8000/auth/account\n`),
    );
    assert.equal((await add(ada, { origin: "https://evil.example" })).status, 400);
    assert.equal(site.mails.filter(({ subject }) => subject.includes("passkey")).length, 1);
  });

  it("are no passkeys of the panel", async () => {
    await add();
    const { of } = site.site.use("passkeys");
    const { id = "" } = (await site.site.use("users").findByEmail("ada@example.org")) ?? {};
    assert.equal((await of("visitor", "/auth").list(id)).length, 1);
    assert.deepEqual(await of("admin", "/admin").list(id), []);
  });

  it("of disabled accounts do not log in", async () => {
    await add();
    const users = site.site.use("users");
    const { id = "" } = (await users.findByEmail("ada@example.org")) ?? {};
    await users.update(id, (user) => ({ ...user, enabled: false }));
    assert.equal((await logIn(site.browser())).status, 403);
  });

  it("are limited in failed logins; successful ones do not count", async () => {
    await add();
    for (let count = 0; count < 40; count += 1) await logIn(site.browser());
    const statuses = new Set<number>();
    for (let count = 0; count < 31; count += 1)
      statuses.add((await logIn(site.browser(), { isUserVerified: false })).status);
    assert.deepEqual([...statuses], [401, 429]);
    assert.equal((await logIn(site.browser())).status, 429);
  });

  it("respond 4xx to malformed bodies", async () => {
    const visitor = site.browser();
    for (const body of [{}, { response: 1 }, { response: { id: "§", response: {} } }])
      assert.equal((await send(visitor, "/auth/passkeys/login", body)).status, 400);
    const cookie = { ...JSON_HEADERS, cookie: "site_visitor_challenge=AAAA" };
    key.handle = "AA";
    const response = key.get({ challenge: "AA", origin: URL_OF_SITE });
    assert.equal((await send(visitor, "/auth/passkeys/login", { response }, cookie)).status, 400);
  });

  it("are offered by the login page with a script from the site", async () => {
    const html = await (await site.fetch("/auth/login")).text();
    const src = /src="(\/auth\/passkeys\/[0-9a-f]+\.js)"/.exec(html)?.[1] ?? "";
    const script = await site.fetch(src);
    assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.match(script.headers.get("cache-control") ?? "", /immutable/);
    assert.match(html, /autocomplete="email webauthn"/);
  });
});

describe("pages with and without passkeys", () => {
  const settings = { site: { url: URL_OF_SITE } };
  let site: AuthSite;
  afterEach(() => site.close());
  const loginPage = async (): Promise<string> => (await site.fetch("/auth/login")).text();
  async function loggedIn(): Promise<Browser> {
    const visitor = site.browser();
    const { pathname, search } = await site.linkFor({ email: "ada@example.org" });
    await visitor.go(`${SITE_URL}${pathname}${search}`);
    return visitor;
  }

  for (const [url, reason] of [
    ["http://127.0.0.1:8000", /Passkeys need a site with a name/],
    ["http://site.example:8000", /Passkeys need a site with https/],
  ] as const) {
    it(`say why there are none on ${url}`, async () => {
      site = await bootAuthSite({ providers }, { settings: { site: { url } } });
      assert.ok(site.log.some((line) => line.startsWith("auth.no_passkeys")));
      assert.doesNotMatch(await loginPage(), /passkey-login/);
      const options = { method: "POST", headers: JSON_HEADERS, body: "{}" };
      assert.equal((await site.fetch("/auth/passkeys/login/options", options)).status, 404);
      const visitor = await loggedIn();
      assert.match(await (await visitor.go(`${SITE_URL}/auth/account`)).text(), reason);
    });
  }

  for (const [what, auth] of [
    ["the setting", { providers: { magicLink: { enabled: true } } }],
    ["stored accounts", { providers, userStore: "session" }],
  ] as const) {
    it(`are silent without ${what}`, async () => {
      site = await bootAuthSite(auth, { settings });
      assert.doesNotMatch(await loginPage(), /data-passkey/);
    });
  }

  for (const [where, plugins] of [
    ["the default theme", AUTH_PLUGINS],
    ["the built-in page", ["auth", "email"]],
  ] as const) {
    it(`offer them as the only way to log in, with what they need, in ${where}`, async () => {
      site = await bootAuthSite(
        { providers: { passkeys: { enabled: true } } },
        { plugins, settings },
      );
      const html = await loginPage();
      assert.match(html, /data-passkey-login/);
      assert.match(html, /data-passkey-needed[^]*needs JavaScript and a browser with passkeys/);
      assert.doesNotMatch(html, /no way to log in/);
    });
  }

  it("add them shortly after a login, and report what was done, without a theme", async () => {
    let now = Date.parse("2026-11-25T10:00:00Z");
    const clock = { now: () => now };
    const options = { plugins: ["auth", "email"], settings, clock, env: { SITE_ENV: "dev" } };
    site = await bootAuthSite({ providers }, options);
    const visitor = await loggedIn();
    const page = async (): Promise<string> =>
      (await visitor.go(`${SITE_URL}/auth/account?message=passkey_added`)).text();
    const html = await page();
    assert.match(html, /<p role="status">The passkey was added\.<\/p>/);
    assert.match(html, /<form data-passkey-add hidden[^]*name="_csrf"[^]*name="name"/);
    assert.match(html, /<script type="module" src="\/auth\/passkeys\/[0-9a-f]+\.js">/);
    now += 11 * 60_000;
    assert.match(await page(), /action="\/auth\/account\/again"[^]*to add a passkey/);
  });
});
