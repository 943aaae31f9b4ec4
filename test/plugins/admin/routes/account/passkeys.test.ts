import assert from "node:assert/strict";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import {
  bootAdmin,
  client,
  password,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";
import { enableTotp } from "../../../../support/sites/account-site.js";
import { startNamedHost, type NamedHost } from "../../../../support/servers/named-host.js";
import { useChromium } from "../../../../support/services.js";
import { addVirtualAuthenticator } from "../../../../support/browsers/virtual-authenticator.js";

const PATH = "/admin/api/me/passkeys";
const LOGIN = "/admin/login/passkey";

/** Creates a passkey in the page, as the panel does; returns the status and body of the answer. */
const CREATE = `async ([current, csrf, name]) => {
  const send = async (path, body) => {
    const headers = { "content-type": "application/json", "x-csrf-token": csrf };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  const options = await send("${PATH}/options", { current });
  if (options.status !== 200) return options;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.body);
  const credential = await navigator.credentials.create({ publicKey });
  return send("${PATH}", { name, response: credential.toJSON() });
}`;
/** The response of a passkey to fresh options. */
const ASSERT = `async () => {
  const answer = await fetch("${LOGIN}/options", {
    method: "POST", headers: { "content-type": "application/json" }, body: "{}",
  });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
  return (await navigator.credentials.get({ publicKey })).toJSON();
}`;

describe("passkeys", () => {
  let browser: Browser;
  let front: NamedHost;
  let site: AdminSite;
  let context: BrowserContext;
  let page: Page;
  let cdp: CDPSession;
  let authenticatorId: string;
  let author: AdminClient;
  before(async function () {
    browser = await useChromium(this);
  });
  beforeEach(async () => {
    // The address of the site is known before its port: a passkey belongs to `site.url`.
    front = await startNamedHost();
    const { url } = front;
    site = await bootAdmin({ settings: { site: { url } }, env: { SITE_ENV: "dev" } });
    front.lead(site.url);
    author = await site.as("author");
    context = await browser.newContext({ baseURL: url });
    page = await context.newPage();
    ({ cdp, authenticatorId } = await addVirtualAuthenticator(page));
  });
  afterEach(async () => {
    await context.close();
    await site.close();
    front.close();
  });

  async function signIn(): Promise<string> {
    await page.goto("/admin/login");
    await page.getByLabel("Username").fill("author-user");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/admin");
    return page.evaluate(
      "fetch('/admin/api/session').then((r) => r.json()).then((s) => s.csrfToken)",
    );
  }
  const create = async (current = password): Promise<{ status: number; body: { id: string } }> => {
    const csrf = await signIn();
    return page.evaluate(`(${CREATE})(${JSON.stringify([current, csrf, "Laptop"])})`);
  };
  const sendLogin = (response: unknown): Promise<number> =>
    page.evaluate(
      `fetch("${LOGIN}", { method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(JSON.stringify({ response }))} }).then((r) => r.status)`,
    );

  it("sign in with the button of the login page, without name and password", async () => {
    const { status, body } = await create();
    assert.equal(status, 201);
    await context.clearCookies();
    await page.goto("/admin/login?next=%2Fadmin%2Fapi%2Fme");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL("**/admin/api/me");
    assert.match(await page.textContent("body").then(String), /author-user/);

    const { items, available } = await author.json(200, "GET", PATH);
    assert.equal(available, true);
    assert.deepEqual(
      items.map(({ id, name, lastUsedAt }: Record<string, unknown>) => [
        id,
        name,
        typeof lastUsedAt,
      ]),
      [[body.id, "Laptop", "number"]],
    );
    const logins = (await site.audit()).filter(({ event }) => event === "auth.login");
    assert.equal(logins.at(-1)?.detail["method"], "passkey");
  });

  it("are refused once removed, and say so on the page", async () => {
    const { body } = await create();
    await author.json(200, "DELETE", `${PATH}/${body.id}`);
    await author.json(404, "DELETE", `${PATH}/${body.id}`);
    await context.clearCookies();
    await page.goto("/admin/login");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("alert").filter({ hasText: "the passkey is unknown or wrong" }).waitFor();
  });

  it("are renamed, each by its owner alone", async () => {
    const { body } = await create();
    const path = `${PATH}/${body.id}`;
    const { name } = await author.json(200, "PATCH", path, { name: " Phone " });
    assert.equal(name, "Phone");
    await author.json(400, "PATCH", path, { name: "" });
    const other = await site.as("editor");
    await other.json(404, "PATCH", path, { name: "Mine" });
    const { items } = await author.json(200, "GET", PATH);
    assert.equal(items[0].name, "Phone");
  });

  it("answer a challenge once, in the browser that got it", async () => {
    await create();
    const response: { id: string } = await page.evaluate(`(${ASSERT})()`);
    const elsewhere = await site.fetch(LOGIN, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ response }),
    });
    assert.equal(elsewhere.status, 400);
    const [cookie] = (await context.cookies()).filter(({ name }) => name.includes("challenge"));
    assert.ok(cookie?.httpOnly && cookie.sameSite === "Strict" && cookie.path === "/admin");
    assert.equal(await sendLogin(response), 200);
    assert.equal(await sendLogin(response), 400);
    await context.addCookies([cookie]);
    assert.equal(await sendLogin(response), 400, "with the cookie of before");
    const other: unknown = await page.evaluate(`(${ASSERT})()`);
    assert.equal(await sendLogin({ ...response }), 401, "the signature of another challenge");
    assert.equal(await sendLogin(other), 400, "the failed login used the challenge up");
  });

  it("are refused when the counter does not grow", async () => {
    await create();
    assert.equal(await sendLogin(await page.evaluate(`(${ASSERT})()`)), 200);
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
    const [credential] = credentials;
    assert.ok(credential !== undefined && credential.signCount > 1);
    // A copy of the authenticator from before the last login.
    await cdp.send("WebAuthn.clearCredentials", { authenticatorId });
    const copy = { ...credential, signCount: credential.signCount - 1 };
    await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: copy });
    assert.equal(await sendLogin(await page.evaluate(`(${ASSERT})()`)), 401);
    assert.equal(await sendLogin(await page.evaluate(`(${ASSERT})()`)), 200);
  });

  it("need the password to be added, and belong to the session that requested them", async () => {
    assert.equal((await create("wrong password")).status, 403);
    await author.json(400, "POST", `${PATH}/options`, {});
    const encoded = { clientDataJSON: "e30", attestationObject: "oA" };
    const made = { name: "x", response: { id: "AAAA", response: encoded } };
    assert.match((await author.json(400, "POST", PATH, made)).error, /challenge/);
    const options = await author.send("POST", `${PATH}/options`, { current: password });
    const challenge = options.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const editor = await site.as("editor");
    const cookie = `${editor.cookie}; ${challenge}`;
    const stolen = await client(site, { ...editor, cookie }).json(400, "POST", PATH, made);
    assert.match(stolen.error, /challenge/);
    const own = client(site, { ...author, cookie: `${author.cookie}; ${challenge}` });
    assert.match((await own.json(400, "POST", PATH, made)).error, /^response: /);
    assert.equal((await author.json(200, "GET", PATH)).total, 0);
  });

  it("need no code of an authenticator app, and an enabled account", async () => {
    await create();
    await enableTotp(author, Date.now());
    assert.equal(await sendLogin(await page.evaluate(`(${ASSERT})()`)), 200);
    const response: unknown = await page.evaluate(`(${ASSERT})()`);
    await site.site.use("users").update(author.id, (user) => ({ ...user, enabled: false }));
    assert.equal(await sendLogin(response), 401);
  });
});

describe("passkeys on a site without a host name", () => {
  for (const [url, reason] of [
    ["http://127.0.0.1:8000", /host name.*127\.0\.0\.1/],
    ["https://[::1]", /host name/],
    ["http://site.example", /https/],
  ] as const) {
    it(`are not available on ${url}, with the reason`, async () => {
      const site = await bootAdmin({ settings: { site: { url } } });
      try {
        const author = await site.as("author");
        const list = await author.json(200, "GET", PATH);
        assert.equal(list.available, false);
        assert.match(list.reason, reason);
        const refused = await author.json(409, "POST", `${PATH}/options`, { current: password });
        assert.match(refused.error, reason);
        const login = await site.fetch(`${LOGIN}/options`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        });
        assert.equal(login.status, 409);
        assert.doesNotMatch(await (await site.fetch("/admin/login")).text(), /passkey/);
      } finally {
        await site.close();
      }
    });
  }
});
