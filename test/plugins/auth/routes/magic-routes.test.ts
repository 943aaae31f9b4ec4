import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  askForLink,
  bootAuthSite,
  SITE_URL,
  type AuthOptions,
  type AuthSite,
  limitsBy,
} from "../../../support/sites/auth-site.js";
import { until } from "../../../support/until.js";

const MAGIC = { providers: { magicLink: { enabled: true } } };

/** Headers that differ between any two responses; `Server-Timing` is only sent in dev mode. */
const OF_THE_MOMENT = new Set(["date", "server-timing", "x-request-id"]);

describe("login by magic link", () => {
  /** The site of tests that need no other settings. */
  let shared: AuthSite;
  let site: AuthSite | null = null;
  /** Each test has an hour of its own, with all of its limits. */
  let late = 0;
  before(async () => {
    const server = { trust_proxy: 1 };
    const clock = { now: () => Date.now() + late };
    const settings = { system: { server } };
    shared = await bootAuthSite(MAGIC, { clock, settings, extraPlugins: [limitsBy(clock)] });
  });
  after(() => shared.close());
  beforeEach(async () => {
    late += 3_600_000;
    await shared.site.use("email").settled();
    shared.mails.length = 0;
  });
  afterEach(async () => {
    await site?.close();
    site = null;
  });

  async function boot(
    options: AuthOptions = {},
    auth: Record<string, unknown> = MAGIC,
  ): Promise<AuthSite> {
    site = await bootAuthSite(auth, options);
    return site;
  }

  const linkFor = (at: AuthSite, body: Record<string, unknown>): Promise<URL> => at.linkFor(body);

  it("logs in with the link of the mail, creates the account and redirects to next", async () => {
    const at = shared;
    const asked = await askForLink(at, { email: "bob@example.org" });
    assert.deepEqual([asked.status, await asked.json()], [200, { ok: true }]);
    // The mail is sent after the response.
    await until(() => at.mails.length > 0);
    at.mails.length = 0;
    const more = { roles: ["admin"], id: "ann" };
    const link = await linkFor(at, { email: "Ann@Example.org", next: "/blog?page=2", ...more });
    const visitor = at.browser();
    const res = await visitor.go(link);
    assert.equal(res.status, 302);
    assert.equal(res.headers.get("location"), "/blog?page=2");
    const me = await (await visitor.go(`${SITE_URL}/auth/me`)).json();
    assert.equal(me.email, "ann@example.org");
    assert.equal(me.provider, "magic");
    assert.deepEqual([me.linkedProviders, me.roles], [[], []]);
    assert.notEqual(me.id, "ann");
    assert.deepEqual(Object.keys(me).sort(), [
      "avatarUrl",
      "createdAt",
      "email",
      "id",
      "linkedProviders",
      "name",
      "provider",
      "roles",
    ]);
  });

  it("sets the specified cookie, Secure outside dev", async () => {
    for (const [mode, secure] of [
      ["dev", ""],
      ["production", "; Secure"],
    ] as const) {
      const at = await boot({ env: { SITE_ENV: mode } });
      const res = await at.browser().go(await linkFor(at, { email: "ann@example.org" }));
      const [cookie, ...more] = res.headers.getSetCookie();
      assert.deepEqual(more, []);
      assert.match(
        cookie ?? "",
        new RegExp(
          `^site_auth=[\\w-]{43,}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax${secure}$`,
        ),
      );
      await at.close();
      site = null;
    }
  });

  it("works once, even with fifty concurrent requests", async () => {
    const at = shared;
    const link = await linkFor(at, { email: "ann@example.org" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => at.browser().go(link)));
    const loggedIn = answers.filter((res) =>
      res.headers.getSetCookie().some((one) => one.startsWith("site_auth=")),
    );
    assert.equal(loggedIn.length, 1);
    assert.equal(answers.filter(({ status }) => status === 400).length, 49);
  });

  it("keeps used tokens used and unused tokens valid across a restart", async () => {
    const root = await mkdtemp(join(tmpdir(), "site-auth-"));
    await writeFile(join(root, "site.yaml"), "title: Test\n");
    try {
      const at = await boot({ root });
      const used = await linkFor(at, { email: "ann@example.org" });
      const unused = await linkFor(at, { email: "bob@example.org" });
      assert.equal((await at.browser().go(used)).status, 302);
      await at.close();
      const again = await boot({ root });
      assert.equal((await again.browser().go(used)).status, 400);
      assert.equal((await again.browser().go(unused)).status, 302);
    } finally {
      await site?.close();
      site = null;
      await rm(root, { recursive: true, force: true });
    }
  });

  it("rejects every altered token with the same page and a new form", async () => {
    const at = shared;
    const link = await linkFor(at, { email: "ann@example.org" });
    const token = link.searchParams.get("token") ?? "";
    const other = (await linkFor(at, { email: "bob@example.org" })).searchParams.get("token") ?? "";
    const [payload = "", signature = ""] = token.split(".");
    const bad = [
      "",
      ".",
      payload,
      `${payload}.`,
      `.${signature}`,
      `${payload}.${other.split(".")[1]}`,
      `${other.split(".")[0]}.${signature}`,
      `${token}=`,
      ` ${token}`,
      `${token}x`,
      token.repeat(2),
      `${token}\n`,
      "\0",
      `.${"A".repeat(43)}`,
      "a.b.c",
      ...Array.from(token).flatMap((c, i) =>
        i % 9 === 0 ? [token.slice(0, i) + (c === "A" ? "B" : "A") + token.slice(i + 1)] : [],
      ),
      token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1),
    ];
    const pages = new Set<string>();
    for (const one of bad) {
      const res = await at.fetch(`/auth/magic?token=${encodeURIComponent(one)}`);
      assert.equal(res.status, 400, one);
      assert.deepEqual(res.headers.getSetCookie(), []);
      pages.add((await res.text()).replace(/nonce="[^"]*"/g, ""));
    }
    assert.equal(pages.size, 1);
    assert.match([...pages][0] ?? "", /\/auth\/magic\/send/);
    assert.equal((await at.browser().go(link)).status, 302);
  });

  it("rejects a token of another site or secret", async () => {
    const at = await boot({ env: { SITE_AUTH_SECRET: "s".repeat(40) } });
    const foreign = await linkFor(at, { email: "ann@example.org" });
    await at.close();
    const settings = { site: { url: "http://other.example" } };
    const sameSecret = await boot({ env: { SITE_AUTH_SECRET: "s".repeat(40) }, settings });
    assert.equal((await sameSecret.fetch(foreign.pathname + foreign.search)).status, 400);
    await sameSecret.close();
    const otherSecret = await boot({ env: { SITE_AUTH_SECRET: "t".repeat(40) } });
    assert.equal((await otherSecret.fetch(foreign.pathname + foreign.search)).status, 400);
  });

  it("expires after fifteen minutes", async () => {
    let now = 1_700_000_000_000;
    const at = await boot({ clock: { now: () => now } });
    const link = await linkFor(at, { email: "ann@example.org" });
    now += 900_000;
    assert.equal((await at.browser().go(link)).status, 400);
    now -= 1;
    assert.equal((await at.browser().go(link)).status, 302);
  });

  it("does not log in or use up the token on HEAD and prefetches", async () => {
    const at = shared;
    const link = await linkFor(at, { email: "ann@example.org" });
    const inits: RequestInit[] = [
      { method: "HEAD" },
      { headers: { "sec-purpose": "prefetch;prerender" } },
      { headers: { purpose: "prefetch" } },
    ];
    for (const init of inits) {
      const res = await at.browser().go(link, init);
      assert.deepEqual([res.status, res.headers.getSetCookie()], [204, []]);
    }
    assert.equal((await at.browser().go(link)).status, 302);
  });

  it("with `confirm`, only the button logs in", async () => {
    const at = await boot({}, { providers: { magicLink: { enabled: true, confirm: true } } });
    const link = await linkFor(at, { email: "ann@example.org", next: "/x" });
    const visitor = at.browser();
    for (let time = 0; time < 3; time += 1) {
      const res = await visitor.go(link);
      assert.equal(res.status, 200);
      assert.deepEqual(res.headers.getSetCookie(), []);
      assert.match(await res.text(), /<form method="post" action="\/auth\/magic">/);
    }
    const body = new URLSearchParams({ token: link.searchParams.get("token") ?? "" });
    const res = await visitor.go(`${SITE_URL}/auth/magic`, { method: "POST", body });
    assert.deepEqual([res.status, res.headers.get("location")], [302, "/x"]);
    assert.equal((await visitor.go(link)).status, 200, "the page does not say whether it was used");
    assert.equal(
      (await visitor.go(`${SITE_URL}/auth/magic`, { method: "POST", body })).status,
      400,
    );
  });

  it("responds the same whether or not the account exists", async () => {
    const at = shared;
    await at.loggedIn("known@example.org");
    const texts = [];
    for (const email of ["known@example.org", "unknown@example.org"]) {
      const res = await askForLink(at, { email });
      texts.push([
        res.status,
        await res.text(),
        Object.fromEntries([...res.headers].filter(([name]) => !OF_THE_MOMENT.has(name))),
      ]);
    }
    assert.deepEqual(texts[0], texts[1]);
  });

  it("allows five links per address and twenty per client, then responds 429 with Retry-After", async () => {
    const at = shared;
    const ask = (email: string, ip: string): Promise<Response> =>
      askForLink(at, { email }, { "x-forwarded-for": ip });
    for (let n = 1; n <= 5; n += 1)
      assert.equal((await ask("ann@example.org", `10.0.0.${n}`)).status, 200);
    const sixth = await ask("ANN@example.org", "10.0.0.6");
    assert.equal(sixth.status, 429);
    assert.ok(Number(sixth.headers.get("retry-after")) > 0);
    assert.deepEqual(Object.keys(await sixth.json()), ["error"]);
    for (let n = 1; n <= 20; n += 1)
      assert.equal((await ask(`v${n}@example.org`, "10.0.1.1")).status, 200);
    assert.equal((await ask("one@example.org", "10.0.1.1")).status, 429);
    assert.equal((await ask("one@example.org", "10.0.1.2")).status, 200);
  });

  it("only sends mail to one plain ASCII address", async () => {
    const at = shared;
    const bad: unknown[] = [
      "a@b.c\r\nBcc:x@y",
      '"x@evil"@b.c',
      "a@b.c,x@y",
      "<a@b.c>",
      "a@b.c; x@y",
      "g: a@b.c;",
      "(".repeat(200),
      "adm\u0131n@x.org",
      "",
      "a",
      "@b.c",
      "a@",
      "a b@c.d",
      7,
      null,
      ["a@b.c"],
      { a: 1 },
      `${"%".repeat(250)}@b.c`,
    ];
    for (const [n, email] of bad.entries()) {
      const res = await askForLink(at, { email }, { "x-forwarded-for": `10.0.2.${n}` });
      assert.equal(res.status, 400, JSON.stringify(email));
      assert.deepEqual(Object.keys(await res.json()), ["error"]);
    }
    await at.site.use("email").settled();
    assert.equal(at.mails.length, 0);
    const first = await at.loggedIn("ADMIN@x.org");
    const second = await at.loggedIn("admin@x.org");
    const idOf = async (browser: typeof first) =>
      (await (await browser.go(`${SITE_URL}/auth/me`)).json()).id;
    assert.equal(await idOf(first), await idOf(second));
  });

  it("starts the link with site.url, whatever the Host header", async () => {
    const at = shared;
    await at.linkFor({ email: "ann@example.org" }, { "x-forwarded-host": "evil.example" });
    assert.ok(at.link().href.startsWith(`${SITE_URL}/auth/magic?token=`));
    assert.ok(!JSON.stringify(at.mails).includes("evil.example"));
  });

  it("limits next to a path on this site, which cannot be changed beside the token", async () => {
    const at = shared;
    const link = await linkFor(at, { email: "ann@example.org", next: "//evil.example/" });
    const res = await at.browser().go(`${link.href}&next=//evil.example`);
    assert.equal(res.headers.get("location"), "/");
  });

  it("logs neither token nor address", async () => {
    const at = shared;
    const link = await linkFor(at, { email: "ann@example.org" });
    await at.browser().go(link);
    await at.browser().go(link);
    const log = at.log.join("\n");
    assert.ok(!log.includes(link.searchParams.get("token") ?? ""));
    assert.ok(!log.includes("ann@example.org"));
  });

  it("hides mail failures from the visitor", async () => {
    const at = await boot({ mailer: { send: () => Promise.reject(new Error("no mail today")) } });
    assert.equal((await askForLink(at, { email: "ann@example.org" })).status, 200);
  });

  it("escapes the site's title in the mail", async () => {
    const at = await boot({ settings: { site: { title: "<img src=x>" } } });
    await linkFor(at, { email: "ann@example.org" });
    assert.ok(!at.mails[0]?.html?.includes("<img"));
  });

  it("accepts a form, and responds with a page", async () => {
    const at = shared;
    const post = (email: string) =>
      at.fetch("/auth/magic/send", {
        method: "POST",
        body: new URLSearchParams({ email, next: "/x" }),
      });
    const res = await post("ann@example.org");
    assert.equal(res.status, 200);
    assert.match(res.headers.get("content-type") ?? "", /html/);
    assert.match(await res.text(), /Check your mail/);
    const wrong = await post("unknown");
    assert.equal(wrong.status, 400);
    assert.match(wrong.headers.get("content-type") ?? "", /html/);
  });

  it("responds 404 unless enabled", async () => {
    const at = await boot({}, { providers: {} });
    assert.equal((await askForLink(at, { email: "ann@example.org" })).status, 404);
    assert.equal((await at.fetch("/auth/magic?token=x")).status, 404);
  });

  it("rejects large and malformed bodies as JSON", async () => {
    const at = shared;
    const send = (body: string) =>
      at.fetch("/auth/magic/send", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    assert.equal((await send(JSON.stringify({ email: "a".repeat(5_000) }))).status, 413);
    const broken = await send("{");
    assert.equal(broken.status, 400);
    assert.deepEqual(Object.keys(await broken.json()), ["error"]);
  });
});
