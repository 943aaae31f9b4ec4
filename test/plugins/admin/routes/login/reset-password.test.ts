import assert from "node:assert/strict";
import { bootAccounts, type AccountSite } from "../../../../support/sites/account-site.js";
import { bootAdmin, password, type AdminClient } from "../../../../support/sites/admin-site.js";

const HOUR = 3_600_000;
const strong = "another good password 7";

describe("{admin.path}/api/password-reset", () => {
  let site: AccountSite;
  let author: AdminClient;
  let now = Date.parse("2026-03-01T00:00:00Z");
  beforeEach(async () => {
    site = await bootAccounts({ clock: { now: () => now } });
    author = await site.as("author");
  });
  afterEach(() => site.close());
  const json = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    site.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const request = (email: string) => json("/admin/api/password-reset", { email });
  const link = async (nth = 1) => {
    assert.equal((await request("Author-User@example.org")).status, 200);
    return site.linkOfMail(nth);
  };
  const login = async (word: string) =>
    (await json("/admin/login", { username: "author-user", password: word })).status;

  it("mails a link that sets a password once and ends all sessions", async () => {
    const path = await link();
    assert.match(path, /^\/admin\/reset\/once_\w{26}_[\w-]{43}$/);
    const html = await (await site.fetch(path)).text();
    assert.match(html, /autocomplete="new-password"/);
    assert.doesNotMatch(html, /<script/);
    const done = await site.form(path, { password: strong });
    assert.equal(done.status, 200);
    assert.equal(done.headers.getSetCookie().length, 0);
    const next = await done.text();
    assert.match(next, /action="\/admin\/login"/);
    assert.match(next, /name="username"[^>]*value="author-user@example.org"/);
    assert.equal((await author.send("GET", "/admin/api/me")).status, 401);
    assert.deepEqual([await login(password), await login(strong)], [401, 200]);
    assert.equal((await json(path, { password: "yet another password 8" })).status, 404);
    assert.equal(await login(strong), 200);
  });

  it("sends a link to the address in the login form", async () => {
    const body = { username: "author-user@example.org", password: "", next: "/admin" };
    const answer = await site.form("/admin/reset", body);
    assert.match(await answer.text(), /Check your mail/);
    assert.match(await site.linkOfMail(1), /^\/admin\/reset\/once_/);
  });

  it("asks for the address when the login form had none", async () => {
    for (const username of ["", "author-user"]) {
      const answer = await site.form("/admin/reset", { username, password: "" });
      const html = await answer.text();
      assert.equal(answer.status, 200);
      assert.match(html, /name="email"/);
      assert.doesNotMatch(html, /role="alert"/);
    }
    assert.equal(site.mail.received.length, 0);
  });

  it("responds the same to addresses that no account of the panel has", async () => {
    const users = site.site.use("users");
    const visitor = { email: "visitor@example.org", provider: "magic", roles: ["member"] };
    await users.create(visitor);
    const off = await site.as("editor", { username: "off" });
    await users.update(off.id, (user) => ({ ...user, enabled: false }));
    const known = await request("author-user@example.org");
    const expected = [known.status, await known.text()];
    for (const email of ["nothing@example.org", visitor.email, "off@example.org"]) {
      const answer = await request(email);
      assert.deepEqual([answer.status, await answer.text()], expected);
    }
    await site.linkOfMail(1);
    await site.site.use("email").settled();
    assert.deepEqual(
      site.mail.received.map(({ recipients }) => recipients),
      [["author-user@example.org"]],
    );
  });

  it("does not wait for the account or the mail", async () => {
    const users = site.site.use("users");
    const { findByEmail } = users;
    let isReleased = false;
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = () => resolve();
    });
    users.findByEmail = async (email) => {
      await gate;
      isReleased = true;
      return findByEmail.call(users, email);
    };
    assert.equal((await request("author-user@example.org")).status, 200);
    assert.equal(isReleased, false);
    release();
    await site.linkOfMail(1);
  });

  it("is used by one of two concurrent requests", async () => {
    const path = await link();
    const answers = await Promise.all(
      [1, 2].map((n) => json(path, { password: `${strong} ${n}` })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404]);
  });

  it("expires after an hour, and when the password changes", async () => {
    const first = await link();
    now += HOUR;
    assert.equal((await site.fetch(first)).status, 404);
    assert.equal((await json(first, { password: strong })).status, 404);
    const second = await link(2);
    await site.site.use("users").setPassword(author.id, "set by an admin 123");
    assert.equal((await json(second, { password: strong })).status, 404);
    assert.equal(await login("set by an admin 123"), 200);
  });

  it("stays valid after a weak password", async () => {
    const path = await link();
    const weak = await site.form(path, { password: "short" });
    assert.equal(weak.status, 400);
    assert.match(await weak.text(), /role="alert"/);
    assert.equal((await json(path, { password: strong })).status, 200);
  });

  it("sends three links per address and hour", async () => {
    for (let sent = 1; sent <= 3; sent += 1) await link(sent);
    const limited = await request("author-user@example.org");
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get("retry-after")) > 0);
    const unknown = await Promise.all([1, 2, 3, 4].map(() => request("nothing@example.org")));
    assert.deepEqual(unknown.map(({ status }) => status).toSorted(), [200, 200, 200, 429]);
  });

  it("has a form without script, linked from the login page", async () => {
    assert.match(await (await site.fetch("/admin/login")).text(), /formaction="\/admin\/reset"/);
    assert.match(await (await site.fetch("/admin/reset")).text(), /name="email"/);
    const sent = await site.form("/admin/reset", { email: "author-user@example.org" });
    assert.match(await sent.text(), /Check your mail/);
    assert.match(await site.linkOfMail(1), /reset/);
    const wrong = await site.form("/admin/reset", { email: "no address" });
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /role="alert"/);
  });

  it("rejects requests of other sites, and forged links", async () => {
    const foreign = { "sec-fetch-site": "cross-site" };
    const email = "author-user@example.org";
    assert.equal((await json("/admin/api/password-reset", { email }, foreign)).status, 403);
    const path = await link();
    assert.equal((await json(path, { password: strong }, foreign)).status, 403);
    const forged = `${path.slice(0, -1)}${path.endsWith("A") ? "B" : "A"}`;
    for (const each of [forged, "/admin/reset/x"]) {
      assert.equal((await json(each, { password: strong })).status, 404);
    }
    assert.equal(await login(password), 200);
  });
});

describe("a reset without a mailer", () => {
  it("is refused and logged with the fix", async () => {
    const lines: string[] = [];
    const write = (event: string, fields = {}) => void lines.push(event + JSON.stringify(fields));
    const log = { debug: write, info: write, warn: write, error: write, child: () => log };
    const site = await bootAdmin({ log });
    try {
      await site.as("author");
      for (const email of ["author-user@example.org", "nothing@example.org"]) {
        const answer = await site.fetch("/admin/api/password-reset", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email }),
        });
        assert.equal(answer.status, 503);
      }
      assert.equal(lines.filter((line) => /^admin\.reset_unavailable.*fix/.test(line)).length, 2);
      assert.doesNotMatch(await (await site.fetch("/admin/login")).text(), /admin\/reset/);
    } finally {
      await site.close();
    }
  });
});
