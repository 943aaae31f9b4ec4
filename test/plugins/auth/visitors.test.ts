import assert from "node:assert/strict";
import { bootAuthSite, SITE_URL, type AuthSite, limitsBy } from "../../support/sites/auth-site.js";
import type { Browser } from "../../support/browsers/browser.js";

const MAGIC = { providers: { magicLink: { enabled: true } } };
const ME = `${SITE_URL}/auth/me`;
const files = {
  "content/01.home/default.md": "---\ntitle: Home\n---\nHello",
  "content/01.home/notes.txt": "notes",
  "content/02.members/default.md": "---\ntitle: Members\nroles: [member]\n---\nfor members",
};

describe("the account behind a session", () => {
  /** The site of tests that need no other settings. */
  let shared: AuthSite;
  let site: AuthSite;
  let now = Date.now();
  const clock = { now: () => now };
  const open = (auth: Record<string, unknown> = MAGIC): Promise<AuthSite> =>
    bootAuthSite(auth, { files, clock, extraPlugins: [limitsBy(clock)] });
  const loggedIn = (): Promise<Browser> => site.loggedIn("ann@example.org");
  before(async () => void (shared = await open()));
  after(() => shared.close());
  beforeEach(() => {
    now += 3_600_000;
    site = shared;
  });
  afterEach(async () => {
    if (site !== shared) return site.close();
    const users = site.site.use("users");
    for (const { id } of await users.list()) await users.delete(id);
  });

  async function annsId(): Promise<string> {
    return (await site.site.use("users").findByEmail("ann@example.org"))?.id ?? "";
  }
  const grant = async (role: string) => site.site.use("users").grantRole(await annsId(), role);
  const cookieOf = (browser: Browser): string => browser.cookie("site_auth") ?? "";
  /** What an old cookie still gives access to. */
  async function replayed(cookie: string, path = "/auth/me"): Promise<Response> {
    return site.fetch(path, { headers: { cookie: `site_auth=${cookie}` } });
  }
  async function rolesOf(browser: Browser): Promise<string[]> {
    return (await (await browser.go(ME)).json()).roles;
  }

  it("gets a new session id when roles are granted, and stays logged in", async () => {
    const ann = await loggedIn();
    const before = cookieOf(ann);
    assert.deepEqual(await rolesOf(ann), []);
    assert.equal(cookieOf(ann), before);
    await grant("member");
    const res = await ann.go(ME);
    assert.equal(res.headers.getSetCookie().length, 1);
    assert.match(res.headers.get("cache-control") ?? "", /no-store/);
    assert.deepEqual((await res.json()).roles, ["member"]);
    const after = cookieOf(ann);
    assert.notEqual(after, before);
    assert.equal((await ann.go(`${SITE_URL}/members`)).status, 200);
    assert.equal(cookieOf(ann), after);
    now += 10_000;
    assert.equal((await replayed(before)).status, 401);
    assert.equal((await replayed(after)).status, 200);
  });

  it("gets a new session id when roles are revoked", async () => {
    const ann = await loggedIn();
    await grant("member");
    assert.deepEqual(await rolesOf(ann), ["member"]);
    const before = cookieOf(ann);
    await site.site.use("users").revokeRole(await annsId(), "member");
    assert.deepEqual(await rolesOf(ann), []);
    assert.notEqual(cookieOf(ann), before);
    assert.equal((await replayed(before, "/members")).status, 403);
  });

  it("keeps an old id valid for concurrent requests, without renewing it", async () => {
    const ann = await loggedIn();
    const before = cookieOf(ann);
    await grant("member");
    await ann.go(ME);
    const res = await replayed(before);
    assert.deepEqual(res.headers.getSetCookie(), []);
    assert.deepEqual((await res.json()).roles, ["member"]);
    assert.equal((await replayed(before, "/members")).status, 200);
    await site.site.use("users").revokeRole(await annsId(), "member");
    assert.equal((await replayed(before, "/members")).status, 403);
    now += 10_000;
    assert.equal((await replayed(before)).status, 401);
  });

  it("stays logged in during concurrent requests", async () => {
    const ann = await loggedIn();
    const before = cookieOf(ann);
    await grant("member");
    const all = await Promise.all(Array.from({ length: 20 }, () => replayed(before)));
    const roles = await Promise.all(all.map(async (res) => (await res.json()).roles));
    assert.deepEqual(
      roles,
      Array.from({ length: 20 }, () => ["member"]),
    );
  });

  it("renews no session with public responses, HEAD or prefetches", async () => {
    const ann = await loggedIn();
    const before = cookieOf(ann);
    await grant("member");
    const file = await ann.go(`${SITE_URL}/content-media/home/notes.txt`);
    assert.equal(file.status, 200);
    assert.doesNotMatch(file.headers.get("cache-control") ?? "", /private/);
    await ann.go(`${SITE_URL}/`, { method: "HEAD" });
    await ann.go(`${SITE_URL}/`, { headers: { "sec-purpose": "prefetch" } });
    assert.equal(cookieOf(ann), before);
    const page = await ann.go(`${SITE_URL}/`);
    assert.notEqual(cookieOf(ann), before);
    assert.match(page.headers.get("cache-control") ?? "", /private/);
  });

  it("gets a new session id without a store for visitors", async () => {
    site = await open({ ...MAGIC, userStore: "session" });
    const ann = await loggedIn();
    const before = cookieOf(ann);
    const { id } = await (await ann.go(ME)).json();
    const role = { user: id, relation: "granted", object: "role:member" };
    await site.site.use("authz").grant(role);
    const me = await (await ann.go(ME)).json();
    assert.deepEqual([me.email, me.roles], ["ann@example.org", ["member"]]);
    assert.notEqual(cookieOf(ann), before);
  });

  it("keeps its current roles when the new session cannot be stored", async () => {
    const ann = await loggedIn();
    const before = cookieOf(ann);
    await grant("member");
    const store = site.site.context("session").engines.slot("sessionStore").active;
    const set = store.set.bind(store);
    store.set = () => Promise.reject(new Error("ENOSPC"));
    assert.deepEqual(await rolesOf(ann), ["member"]);
    assert.equal(cookieOf(ann), before);
    store.set = set;
    assert.deepEqual(await rolesOf(ann), ["member"]);
    assert.notEqual(cookieOf(ann), before);
  });

  it("is anonymous once the account is deleted or disabled", async () => {
    const ann = await loggedIn();
    const users = site.site.use("users");
    await users.update(await annsId(), (user) => ({ ...user, enabled: false }));
    assert.equal((await ann.go(ME)).status, 401);
    await users.update(await annsId(), (user) => ({ ...user, enabled: true }));
    assert.equal((await ann.go(ME)).status, 200);
    await users.delete(await annsId());
    assert.equal((await ann.go(ME)).status, 401);
  });
});
