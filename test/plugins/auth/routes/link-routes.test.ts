import assert from "node:assert/strict";
import {
  bootAuthSite,
  SITE_URL,
  type AuthSite,
  limitsBy,
} from "../../../support/sites/auth-site.js";
import type { Browser } from "../../../support/browsers/browser.js";
import {
  startOAuthStandIns,
  type OAuthStandIns,
} from "../../../support/servers/oauth-stand-ins.js";

describe("linking identities", () => {
  /** The site of tests that need no other settings. */
  let shared: AuthSite;
  let site: AuthSite;
  let standIns: OAuthStandIns;
  let usual: Pick<OAuthStandIns, "github" | "discord">;
  /** Each test has an hour of its own, with all of its limits. */
  let late = 0;
  before(async () => {
    standIns = await startOAuthStandIns();
    usual = structuredClone({ github: standIns.github, discord: standIns.discord });
    shared = await boot();
  });
  after(async () => {
    await shared.close();
    await standIns.close();
  });
  beforeEach(() => {
    Object.assign(standIns, structuredClone(usual));
    late += 3_600_000;
    site = shared;
  });
  afterEach(async () => {
    if (site !== shared) return site.close();
    const users = site.site.use("users");
    for (const { id } of await users.list()) await users.delete(id);
  });

  function boot(auth: Record<string, unknown> = {}, magic = true): Promise<AuthSite> {
    const providers = { ...standIns.providers(), magicLink: { enabled: magic } };
    const clock = { now: () => Date.now() + late };
    return bootAuthSite({ providers, ...auth }, { clock, extraPlugins: [limitsBy(clock)] });
  }
  async function reboot(auth: Record<string, unknown>, magic = true): Promise<void> {
    site = await boot(auth, magic);
  }
  async function flow(browser: Browser, path: string): Promise<Response> {
    const { url } = await browser.follow(SITE_URL + path, `${SITE_URL}/auth/`);
    return browser.go(url);
  }
  async function me(browser: Browser): Promise<{ id: string; linkedProviders: string[] }> {
    return (await browser.go(`${SITE_URL}/auth/me`)).json();
  }
  function unlink(browser: Browser, provider: string, headers: Record<string, string> = {}) {
    return browser.go(`${SITE_URL}/auth/${provider}/unlink`, { method: "POST", headers });
  }
  const locationOf = (res: Response): string | null => res.headers.get("location");

  it("adds an identity, reports an existing one, and logs in with it", async () => {
    const ann = await site.loggedIn("ann@example.org");
    assert.equal(
      locationOf(await flow(ann, "/auth/github/link?next=/a?b=1")),
      "/a?b=1&site_link=linked",
    );
    assert.equal(locationOf(await flow(ann, "/auth/github/link")), "/?site_link=already_linked");
    assert.deepEqual((await me(ann)).linkedProviders, ["github"]);
    const other = site.browser();
    await flow(other, "/auth/github");
    assert.equal((await me(other)).id, (await me(ann)).id);
  });

  it("links an identity without an address", async () => {
    standIns.github.emails = [];
    const ann = await site.loggedIn("ann@example.org");
    assert.equal(locationOf(await flow(ann, "/auth/github/link")), "/?site_link=linked");
  });

  it("switches to the account that owns an identity, in a new session, without moving it", async () => {
    const owner = site.browser();
    await flow(owner, "/auth/github");
    const bob = await site.loggedIn("bob@example.org");
    const bobs = await me(bob);
    const before = bob.cookie("site_auth");
    const res = await flow(bob, "/auth/github/link?next=/x");
    assert.deepEqual([res.status, locationOf(res)], [302, "/?site_link=linked_elsewhere"]);
    assert.notEqual(bob.cookie("site_auth"), before);
    assert.equal((await me(bob)).id, (await me(owner)).id);
    assert.deepEqual((await site.site.use("users").get(bobs.id))?.linkedProviders, []);
    const old = await site.fetch("/auth/me", { headers: { cookie: `site_auth=${before}` } });
    assert.equal(old.status, 401);
  });

  it("finishes a link only in the session that started it", async () => {
    const victim = await site.loggedIn("ann@example.org");
    const mallory = await site.loggedIn("mallory@example.org");
    await victim.go(`${SITE_URL}/auth/github/link`);
    const { url } = await mallory.follow(`${SITE_URL}/auth/github/link`, `${SITE_URL}/auth/`);
    assert.equal((await victim.go(url)).status, 400);
    // Even with Mallory's state cookie, the session is another one.
    const cookie = `site_auth=${victim.cookie("site_auth")}; ${mallory.pairs("site_auth_state")}`;
    assert.equal((await site.browser().go(url, { headers: { cookie } })).status, 400);
    assert.deepEqual((await me(victim)).linkedProviders, []);
    assert.deepEqual((await me(mallory)).linkedProviders, []);
  });

  it("does not finish a link in another session of the same person", async () => {
    const here = await site.loggedIn("ann@example.org");
    const there = await site.loggedIn("ann@example.org");
    const { url } = await here.follow(`${SITE_URL}/auth/github/link`, `${SITE_URL}/auth/`);
    const cookie = `site_auth=${there.cookie("site_auth")}; ${here.pairs("site_auth_state")}`;
    assert.equal((await site.browser().go(url, { headers: { cookie } })).status, 400);
    assert.deepEqual((await me(here)).linkedProviders, []);
  });

  it("does not accept a login's callback for a link, or the reverse", async () => {
    const ann = await site.loggedIn("ann@example.org");
    const { url } = await ann.follow(`${SITE_URL}/auth/github/link`, `${SITE_URL}/auth/`);
    const cookie = ann.pairs("site_auth_state");
    const res = await site.browser().go(url, { headers: { cookie } });
    assert.equal(res.status, 400);
    assert.ok(!res.headers.getSetCookie().some((one) => /^site_auth=./.test(one)));
  });

  it("asks for confirmation when another site starts a link", async () => {
    const ann = await site.loggedIn("ann@example.org");
    const res = await ann.go(`${SITE_URL}/auth/github/link?next=/x`, {
      headers: { "sec-fetch-site": "cross-site" },
    });
    assert.equal(res.status, 200);
    assert.deepEqual(res.headers.getSetCookie(), []);
    assert.match(await res.text(), /<form method="get" action="\/auth\/github\/link">/);
  });

  it("links an identity to only one of two accounts in fifty concurrent requests", async () => {
    const people = [await site.loggedIn("ann@example.org"), await site.loggedIn("bob@example.org")];
    const flows = [];
    for (let n = 0; n < 50; n += 1) {
      const person = people[n % 2] ?? site.browser();
      const { url } = await person.follow(`${SITE_URL}/auth/github/link`, `${SITE_URL}/auth/`);
      const cookie = `site_auth=${person.cookie("site_auth")}; ${person.pairs("site_auth_state")}`;
      flows.push(() => site.browser().go(url, { headers: { cookie } }));
    }
    const answers = await Promise.all(flows.map((run) => run()));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      statuses.filter((status) => status >= 500),
      [],
    );
    const users = await site.site.use("users").list();
    const owners = users.filter((user) => user.linkedProviders.length > 0);
    assert.equal(owners.length, 1);
    assert.equal(owners[0]?.linkedProviders.length, 1);
  });

  it("responds 401 without a login", async () => {
    assert.equal((await site.fetch("/auth/github/link")).status, 401);
    const res = await unlink(site.browser(), "github");
    assert.equal(res.status, 401);
    assert.deepEqual(Object.keys(await res.json()), ["error"]);
  });

  it("unlinks an identity, and returns the remaining ones", async () => {
    const ann = await site.loggedIn("ann@example.org");
    await flow(ann, "/auth/github/link");
    await flow(ann, "/auth/discord/link");
    const res = await unlink(ann, "github");
    assert.equal(res.status, 200);
    assert.deepEqual(await res.json(), { ok: true, linkedProviders: ["discord"] });
    assert.equal((await unlink(ann, "discord")).status, 200, "magic links are on: the last may go");
  });

  it("rejects a request from another site with 403", async () => {
    const ann = await site.loggedIn("ann@example.org");
    await flow(ann, "/auth/github/link");
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      const res = await unlink(ann, "github", headers);
      assert.equal(res.status, 403);
      assert.deepEqual(Object.keys(await res.json()), ["error"]);
    }
    assert.equal((await unlink(ann, "github", { origin: SITE_URL })).status, 200);
  });

  it("responds 400 for the signup identity and for one that is not linked", async () => {
    const ann = site.browser();
    await flow(ann, "/auth/github");
    assert.equal((await unlink(ann, "github")).status, 400);
    assert.equal((await unlink(ann, "discord")).status, 400);
  });

  it("responds 400 for the last linked identity while magic links are off", async () => {
    await reboot({}, false);
    const ann = site.browser();
    await flow(ann, "/auth/github");
    standIns.discord = '{"id":"9","username":"x","email":"x@example.org","verified":true}';
    await flow(ann, "/auth/discord/link");
    await flow(ann, "/auth/google/link");
    assert.equal((await unlink(ann, "google")).status, 200);
    assert.equal((await unlink(ann, "discord")).status, 400);
  });

  it("responds 400 under userStore session, where login works without a record", async () => {
    await reboot({ userStore: "session" });
    const ann = site.browser();
    await flow(ann, "/auth/github");
    assert.equal((await me(ann)).id, "github:583231");
    assert.equal(await site.site.use("users").count(), 0);
    assert.equal((await unlink(ann, "github")).status, 400);
    assert.equal((await ann.go(`${SITE_URL}/auth/github/link`)).status, 400);
  });
});
