import assert from "node:assert/strict";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  bootAuthSite,
  SITE_URL,
  type AuthSite,
  limitsBy,
} from "../../../support/sites/auth-site.js";
import type { BootOptions } from "../../../support/sites/boot-site.js";
import type { Browser } from "../../../support/browsers/browser.js";
import {
  startOAuthStandIns,
  type Mood,
  type OAuthStandIns,
} from "../../../support/servers/oauth-stand-ins.js";
import {
  ANN,
  startOpenIdProvider,
  type OpenIdProvider,
} from "../../../support/servers/openid-provider.js";
import { until } from "../../../support/until.js";

interface Me {
  id: string;
  email: string;
  name: string | null;
  avatarUrl: string | null;
  provider: string;
  roles: string[];
  linkedProviders: string[];
}

describe("login by a provider", () => {
  /** The site of tests that need no other settings. */
  let shared: AuthSite;
  let site: AuthSite;
  let standIns: OAuthStandIns;
  let idp: OpenIdProvider;
  /** What the providers say when no test has changed it. */
  let usual: Pick<OAuthStandIns, "mood" | "github" | "google" | "discord">;
  /** Each test has an hour of its own, with all of its limits. */
  let late = 0;
  before(async () => {
    idp = await startOpenIdProvider(`${SITE_URL}/auth/work/callback`);
    standIns = await startOAuthStandIns();
    const { mood, github, google, discord } = standIns;
    usual = structuredClone({ mood, github, google, discord });
    const clock = { now: () => Date.now() + late };
    shared = await boot({ clock, extraPlugins: [limitsBy(clock)] });
  });
  after(async () => {
    await shared.close();
    await standIns.close();
    await idp.close();
  });
  beforeEach(() => {
    Object.assign(idp, { person: { ...ANN }, broken: null });
    Object.assign(standIns, structuredClone(usual));
    late += 3_600_000;
    site = shared;
  });
  afterEach(async () => {
    if (site !== shared) return site.close();
    const users = site.site.use("users");
    for (const { id } of await users.list()) await users.delete(id);
  });

  function boot(options: BootOptions = {}, auth: Record<string, unknown> = {}): Promise<AuthSite> {
    const work = {
      type: "oidc",
      issuer: idp.issuer,
      clientId: "site",
      clientSecret: "a secret of the provider",
      name: "Work",
    };
    const providers = { ...standIns.providers(), work, magicLink: { enabled: true } };
    return bootAuthSite({ providers, ...auth }, options);
  }

  async function reboot(
    options: BootOptions = {},
    auth: Record<string, unknown> = {},
  ): Promise<void> {
    site = await boot(options, auth);
  }

  const CALLBACK = `${SITE_URL}/auth/`;
  /** Follows a login up to the provider's redirect. */
  async function cameBack(browser: Browser, path: string): Promise<URL> {
    return (await browser.follow(SITE_URL + path, CALLBACK)).url;
  }
  async function logIn(browser: Browser, provider: string, next = ""): Promise<Response> {
    return browser.go(await cameBack(browser, `/auth/${provider}${next}`));
  }
  async function meOf(browser: Browser): Promise<Me> {
    return (await browser.go(`${SITE_URL}/auth/me`)).json();
  }
  const sessionOf = (res: Response): string[] =>
    res.headers.getSetCookie().filter((one) => /^site_auth=./.test(one));

  const tokenCalls = (): number => standIns.calls.filter((path) => path.endsWith("/token")).length;

  const expected = {
    work: { name: "Ann", avatarUrl: null },
    github: { name: "Ann", avatarUrl: "https://pictures.example/ann.png" },
    google: { name: "Ann G", avatarUrl: null },
    discord: { name: "Ann D", avatarUrl: "https://cdn.discordapp.com/avatars/8035111/a1b2.png" },
  };
  for (const [provider, profile] of Object.entries(expected)) {
    it(`logs in with ${provider}, and again to the same account`, async () => {
      const browser = site.browser();
      const res = await logIn(browser, provider, "?next=/blog");
      assert.equal(res.status, 302);
      assert.equal(res.headers.get("location"), "/blog");
      const me = await meOf(browser);
      assert.equal(me.email, "ann@example.org");
      assert.equal(me.provider, provider);
      assert.deepEqual({ name: me.name, avatarUrl: me.avatarUrl }, profile);
      const other = site.browser();
      await logIn(other, provider);
      assert.equal((await meOf(other)).id, me.id);
    });
  }

  it("accepts state once, in the same browser, from the same provider, for the same purpose", async () => {
    const none = await site.fetch("/auth/github/callback?code=x");
    assert.equal(none.status, 400);
    const ann = site.browser();
    const mallory = site.browser();
    await cameBack(ann, "/auth/github");
    const mallorysReturn = await cameBack(mallory, "/auth/github");
    assert.equal((await ann.go(mallorysReturn)).status, 400);
    assert.equal(ann.cookie("site_auth"), undefined);

    const again = site.browser();
    const first = await cameBack(again, "/auth/github");
    const cookie = again.pairs("site_auth_state");
    assert.equal((await again.go(first)).status, 302);
    const exchanged = tokenCalls();
    const twice = await site.browser().go(first, { headers: { cookie } });
    assert.deepEqual([twice.status, sessionOf(twice)], [400, []]);

    const swapped = site.browser();
    const back = await cameBack(swapped, "/auth/google");
    const elsewhere = await swapped.go(back.href.replace("/google/", "/github/"));
    assert.deepEqual([elsewhere.status, sessionOf(elsewhere)], [400, []]);
    assert.equal(
      tokenCalls(),
      exchanged,
      "no code is taken to a provider before its state is right",
    );
  });

  it("supports concurrent logins in several tabs", async () => {
    const browser = site.browser();
    const [first, second, third] = [
      await cameBack(browser, "/auth/github?next=/blog"),
      await cameBack(browser, "/auth/google?next=/about"),
      await cameBack(browser, "/auth/github?next=/members"),
    ];
    const end = async (back: URL): Promise<(string | number | null)[]> => {
      const res = await browser.go(back);
      return [res.status, res.headers.get("location")];
    };
    assert.deepEqual(await end(third), [302, "/members"]);
    assert.deepEqual(await end(first), [302, "/blog"]);
    assert.equal((await browser.go(first)).status, 400, "once each");
    assert.notEqual(browser.pairs("site_auth_state"), "", "the second is still under way");
    await browser.go(second);
    assert.equal(browser.pairs("site_auth_state"), "");
  });

  it("limits the cookies of a browser that keeps starting logins", async () => {
    const browser = site.browser();
    const next = `/${"x".repeat(1_700)}`;
    for (let at = 0; at < 12; at += 1) {
      const res = await browser.go(`${SITE_URL}/auth/github?next=${next}`);
      assert.equal(res.status, 302);
    }
    assert.ok(browser.pairs("site_auth_state").length < 9_000);
    assert.equal((await logIn(browser, "github")).status, 302);
  });

  it("state expires after ten minutes", async () => {
    let now = Date.now();
    await reboot({ clock: { now: () => now } });
    const browser = site.browser();
    const back = await cameBack(browser, "/auth/github");
    now += 600_000;
    assert.equal((await browser.go(back)).status, 400);
  });

  it("rejects a callback that names another issuer", async () => {
    const browser = site.browser();
    const back = await cameBack(browser, "/auth/github");
    back.searchParams.set("iss", "https://evil.example");
    assert.equal((await browser.go(back)).status, 400);
  });

  it("sends PKCE S256, and rejects a code of another session", async () => {
    const start = await site.fetch("/auth/github");
    const target = new URL(start.headers.get("location") ?? "");
    assert.match(target.searchParams.get("code_challenge") ?? "", /^[\w-]{43}$/);
    assert.equal(target.searchParams.get("code_challenge_method"), "S256");
    assert.ok((target.searchParams.get("state") ?? "").length >= 43);
    assert.ok(
      !start.headers
        .getSetCookie()
        .join()
        .includes(target.searchParams.get("state") ?? "?"),
    );
    const ann = site.browser();
    const mallory = site.browser();
    const annsReturn = await cameBack(ann, "/auth/github");
    const stolen = await cameBack(mallory, "/auth/github");
    stolen.searchParams.set("code", annsReturn.searchParams.get("code") ?? "");
    const res = await mallory.go(stolen);
    assert.deepEqual([res.status, sessionOf(res)], [400, []]);
  });

  it("keeps next on this site, and rejects a changed state", async () => {
    for (const next of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/%09/evil.example/..//x",
      "/x\ny",
      ["a"],
    ]) {
      const browser = site.browser();
      const res = await logIn(browser, "github", `?next=${encodeURIComponent(String(next))}`);
      const target = new URL(res.headers.get("location") ?? "", SITE_URL);
      assert.equal(target.origin, SITE_URL, String(next));
      assert.ok(!(res.headers.get("location") ?? "").startsWith("//"));
    }
    const browser = site.browser();
    const back = await cameBack(browser, "/auth/github?next=/x");
    const state = back.searchParams.get("state") ?? "";
    back.searchParams.set("state", `${state.slice(0, -1)}${state.endsWith("A") ? "B" : "A"}`);
    assert.equal((await browser.go(back)).status, 400);
  });

  it("drops a next that is too long for a cookie", async () => {
    const res = await logIn(site.browser(), "github", `?next=/${"x".repeat(1_900)}`);
    assert.equal(res.headers.get("location"), "/");
  });

  it("creates a new id for every login, and ends the old session", async () => {
    const browser = site.browser();
    await logIn(browser, "github");
    const first = browser.cookie("site_auth");
    await logIn(browser, "github");
    const second = browser.cookie("site_auth");
    assert.notEqual(first, second);
    const old = await site.fetch("/auth/me", { headers: { cookie: `site_auth=${first}` } });
    assert.equal(old.status, 401);
    const made = await site.fetch("/auth/me", {
      headers: { cookie: `site_auth=${"A".repeat(86)}` },
    });
    assert.equal(made.status, 401);
  });

  it("limits the state cookie to /auth and clears it after use", async () => {
    const browser = site.browser();
    const start = await browser.go(`${SITE_URL}/auth/github`);
    assert.match(
      start.headers.getSetCookie()[0] ?? "",
      /^site_auth_state_[\w-]{12}=[\w-]+; Path=\/auth; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const back = (await browser.follow(start.headers.get("location") ?? "", CALLBACK)).url;
    const end = await browser.go(back);
    assert.ok(
      end.headers
        .getSetCookie()
        .some((one) => /^site_auth_state_[\w-]{12}=; Path=\/auth; Max-Age=0/.test(one)),
    );
    assert.equal(browser.pairs("site_auth_state"), "");
  });

  it("writes nothing to disk for invalid ids and visitors without a login", async () => {
    const files = async () => (await readdir(site.root, { recursive: true })).sort();
    await site.fetch("/");
    // The site itself records in the background which scheduled pages were announced.
    await until(async () => (await files()).some((file) => file.endsWith("schedule-seen")));
    const before = await files();
    for (const value of ["../../data/users/x", "..%2f..%2fdata", "x".repeat(5_000), "\u00e9"]) {
      const res = await site.fetch("/auth/me", { headers: { cookie: `site_auth=${value}` } });
      assert.equal(res.status, 401);
    }
    for (let n = 0; n < 50; n += 1) await site.fetch("/");
    assert.deepEqual(
      (await files()).filter((file) => !before.includes(file) && !file.includes("cache")),
      [],
    );
  });

  it("treats a deleted or disabled account as anonymous at the next request", async () => {
    const browser = site.browser();
    await logIn(browser, "github");
    const { id } = await meOf(browser);
    await site.site.use("users").update(id, (user) => ({ ...user, enabled: false }));
    assert.equal((await browser.go(`${SITE_URL}/auth/me`)).status, 401);
    assert.equal((await logIn(site.browser(), "github")).status, 403);
    await site.site.use("users").update(id, (user) => ({ ...user, enabled: true }));
    assert.equal((await browser.go(`${SITE_URL}/auth/me`)).status, 200);
    await rm(join(site.root, "data", "users", `${id}.json`));
    assert.equal((await browser.go(`${SITE_URL}/auth/me`)).status, 401);
  });

  it("sends no-store, no referrer and frame protection below /auth/", async () => {
    for (const path of [
      "/auth/login",
      "/auth/me",
      "/auth/logout",
      "/auth/github",
      "/auth/github/callback",
      "/auth/github/link",
      "/auth/magic?token=x",
      "/auth/unknown",
    ]) {
      const res = await site.fetch(path);
      assert.match(res.headers.get("cache-control") ?? "", /no-store/, path);
      assert.equal(res.headers.get("referrer-policy"), "no-referrer", path);
      assert.match(
        res.headers.get("content-security-policy") ?? "",
        /frame-ancestors 'none'/,
        path,
      );
      await res.text();
    }
  });

  it("ends the session on the server too", async () => {
    let now = Date.now();
    await reboot({ clock: { now: () => now } }, { sessionLifetime: 2 });
    const browser = site.browser();
    await logIn(browser, "github");
    assert.equal((await browser.go(`${SITE_URL}/auth/me`)).status, 200);
    now += 3_000;
    const cookie = `site_auth=${browser.cookie("site_auth")}`;
    assert.equal((await site.fetch("/auth/me", { headers: { cookie } })).status, 401);
  });

  const unverified: Record<string, () => void> = {
    github: () =>
      void (standIns.github.emails = [
        { email: "ann@example.org", primary: true, verified: false },
      ]),
    google: () =>
      void (standIns.google = '{"id":"1","email":"ann@example.org","verified_email":false}'),
    discord: () =>
      void (standIns.discord = '{"id":"1","email":"ann@example.org","verified":false}'),
    work: () => void (idp.person.email_verified = false),
  };
  for (const [provider, change] of Object.entries(unverified)) {
    it(`rejects an address that ${provider} has not verified`, async () => {
      const victim = await site.loggedIn("ann@example.org");
      change();
      const res = await logIn(site.browser(), provider);
      assert.deepEqual([res.status, sessionOf(res)], [403, []]);
      const html = await res.text();
      assert.match(html, /has not verified your e-mail address/);
      assert.doesNotMatch(html, /You are logged in/);
      assert.equal(await site.site.use("users").count(), 1);
      assert.equal((await meOf(victim)).provider, "magic");
    });
  }

  it("responds 409 for an address with another login method, without naming it", async () => {
    await logIn(site.browser(), "github");
    const res = await logIn(site.browser(), "google");
    assert.deepEqual([res.status, sessionOf(res)], [409, []]);
    const text = await res.text();
    assert.ok(!text.includes("ann@example.org"));
    assert.match(text, /log in with its other method/i);
  });

  it("responds 404 to providers that are not configured", async () => {
    await reboot({}, { providers: { github: standIns.providers()["github"] } });
    for (const name of ["google", "__proto__", "constructor", "toString", "magicLink"]) {
      for (const rest of ["", "/callback", "/link"]) {
        assert.equal((await site.fetch(`/auth/${name}${rest}`)).status, 404, name + rest);
      }
      assert.equal((await site.fetch(`/auth/${name}/unlink`, { method: "POST" })).status, 404);
    }
  });

  it("logs neither code, state, token, secret nor address", async () => {
    const browser = site.browser();
    const back = await cameBack(browser, "/auth/github");
    await browser.go(back);
    standIns.mood = "denied-code";
    const failing = site.browser();
    const failed = await cameBack(failing, "/auth/google");
    await failing.go(failed);
    const log = site.log.join("\n");
    const secrets = [back, failed].flatMap((url) =>
      ["code", "state"].map((name) => url.searchParams.get(name) ?? "?"),
    );
    for (const secret of [...secrets, "token-of-ann", "very-secret", "ann@example.org"]) {
      assert.ok(!log.includes(secret), secret);
    }
  });

  const moods: [Mood, number][] = [
    ["html", 502],
    ["status500", 502],
    ["redirect", 502],
    ["no-id", 502],
    ["wrong-profile", 502],
    ["endless", 502],
    ["denied-code", 400],
  ];
  for (const [mood, status] of moods) {
    it(`responds ${status} in our own words to a provider that is "${mood}"`, async () => {
      for (const provider of ["github", "google", "discord"]) {
        const browser = site.browser();
        const back = await cameBack(browser, `/auth/${provider}`);
        standIns.mood = mood;
        const res = await browser.go(back);
        standIns.mood = "well";
        assert.deepEqual([res.status, sessionOf(res)], [status, []], provider);
        assert.ok(!(await res.text()).includes("provider text"));
      }
    });
  }

  it("times out when a provider hangs", async () => {
    const browser = site.browser();
    const back = await cameBack(browser, "/auth/discord");
    standIns.mood = "hang";
    const waiting = browser.go(back);
    assert.equal((await site.fetch("/auth/login")).status, 200);
    assert.equal((await waiting).status, 502);
  });

  it("keeps every digit of ids beyond 2^53", async () => {
    standIns.github.user = '{"id": 1152921504606846977, "login":"ann"}';
    const browser = site.browser();
    await logIn(browser, "github");
    const user = await site.site.use("users").get((await meOf(browser)).id);
    assert.equal(user?.providerId, "1152921504606846977");
  });

  it("retries an OpenID provider that was down", async () => {
    await reboot();
    idp.broken = 503;
    assert.equal((await site.fetch("/auth/work")).status, 502);
    idp.broken = null;
    assert.equal((await logIn(site.browser(), "work")).status, 302);
  });

  it("escapes profiles, and only accepts pictures with http(s)", async () => {
    standIns.discord = JSON.stringify({
      id: "1",
      username: '<img src=x onerror=alert(1)>\n"é',
      email: "ann@example.org",
      verified: true,
    });
    const browser = site.browser();
    await logIn(browser, "discord");
    const me = await meOf(browser);
    assert.equal(me.avatarUrl, null);
    assert.ok(!(await (await browser.go(`${SITE_URL}/`)).text()).includes("<img src=x onerror"));
  });

  it("takes roles only from the store", async () => {
    const browser = site.browser();
    await browser.go(await cameBack(browser, "/auth/github?roles=admin&role=admin"));
    assert.deepEqual((await meOf(browser)).roles, []);
  });

  it("reports a cancelled login in our own words", async () => {
    const browser = site.browser();
    const back = await cameBack(browser, "/auth/github");
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "provider text");
    const res = await browser.go(back);
    assert.deepEqual([res.status, res.headers.get("location")], [302, "/auth/login?error=denied"]);
  });

  it("creates another account for another person", async () => {
    const browser = site.browser();
    await logIn(browser, "work");
    const ann = await meOf(browser);
    idp.person = { sub: "bob", email: "bob@example.org", email_verified: true };
    const other = site.browser();
    await logIn(other, "work");
    assert.notEqual((await meOf(other)).id, ann.id);
  });

  it("creates one account for concurrent first logins", async () => {
    const browsers = Array.from({ length: 10 }, () => site.browser());
    const returns = await Promise.all(browsers.map((browser) => cameBack(browser, "/auth/github")));
    const answers = await Promise.all(browsers.map((browser, n) => browser.go(returns[n] ?? "")));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [302]);
    assert.equal(await site.site.use("users").count(), 1);
  });

  it("does nothing on HEAD and prefetches", async () => {
    const browser = site.browser();
    const back = await cameBack(browser, "/auth/github");
    for (const init of [{ method: "HEAD" }, { headers: { "sec-purpose": "prefetch" } }]) {
      assert.equal((await browser.go(back, init)).status, 204);
      const start = await site.fetch("/auth/github", init);
      assert.deepEqual([start.status, start.headers.getSetCookie()], [204, []]);
    }
    assert.equal((await browser.go(back)).status, 302);
  });

  it("stores no cookie values", async () => {
    const browser = site.browser();
    await logIn(browser, "github");
    const cookie = (browser.cookie("site_auth") ?? "").slice(0, 43);
    const folder = join(site.root, ".dune");
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      assert.ok(!path.includes(cookie));
      assert.ok(!(await readFile(path, "utf8")).includes(cookie), path);
    }
  });
});
