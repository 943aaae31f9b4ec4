import assert from "node:assert/strict";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RecordedLog } from "#testing";
import {
  bootAdmin,
  password,
  postLogin,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";
import { until } from "../../../../support/until.js";

describe("POST {admin.path}/login", () => {
  let site: AdminSite;
  let now = Date.parse("2026-03-01T00:00:00Z");
  let log: RecordedLog;
  beforeEach(async () => {
    log = new RecordedLog();
    site = await bootAdmin({ clock: { now: () => now }, log: log.logger });
  });
  afterEach(() => site.close());

  const login = (fields: object, headers?: Record<string, string>) =>
    postLogin(site, fields, headers);

  it("creates an admin at the first start, with the password in a file of mode 600", async () => {
    const file = join(site.root, ".dune/admin/initial-admin-password");
    const first = (await readFile(file, "utf8")).trim();
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(first.length >= 20);
    const logged = JSON.stringify(log.lines);
    assert.ok(logged.includes("initial-admin-password"), "the path is logged");
    assert.ok(!logged.includes(first), "the password is not");
    const answer = await login({ username: "admin", password: first });
    assert.equal(answer.status, 200);
    const { user, permissions, csrfToken } = (await answer.json()) as {
      user: { roles: string[] };
      permissions: string[];
      csrfToken: string;
    };
    assert.deepEqual(user.roles, ["admin"]);
    assert.ok(permissions.includes("users.manage"));
    assert.equal(csrfToken.length, 43);
    const cookie = answer.headers.getSetCookie()[0] ?? "";
    assert.match(cookie, /^site_admin=.*HttpOnly; SameSite=Strict/);
  });

  it("accepts e-mail address or username, and creates a new session each time", async () => {
    await site.as("editor", { username: "eva" });
    for (const name of [{ username: "eva" }, { email: "EVA@example.org" }, { username: " eva " }]) {
      assert.equal((await login({ ...name, password })).status, 200);
    }
  });

  it("responds 401 with the same text for a wrong password and an unknown account", async () => {
    await site.as("editor", { username: "eva" });
    const wrong = await login({ username: "eva", password: "nope nope nope" });
    const unknown = await login({ username: "unknown", password: "nope nope nope" });
    assert.deepEqual([wrong.status, unknown.status], [401, 401]);
    assert.deepEqual(await wrong.json(), await unknown.json());
  });

  it("responds 403 to the right password of an account without a role for the panel", async () => {
    const member = await site.as("member", { username: "mia" });
    assert.equal(member.cookie, "");
    assert.equal((await login({ username: "mia", password })).status, 403);
  });

  it("responds 429 after ten failures for any spelling of the name, also to the right password", async () => {
    await site.as("editor", { username: "eva" });
    const names = ["eva", "EVA", " eva", "Eva ", "eVa"];
    for (let count = 0; count < 10; count += 1) {
      const body = { username: names[count % 5], password: `wrong ${count}`, extra: count };
      const headers = { "x-forwarded-for": `203.0.113.${count}` };
      assert.equal((await login(body, headers)).status, 401, `attempt ${count}`);
    }
    const locked = await login({ username: "eva", password });
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers.get("retry-after")) > 0);
    assert.equal(
      (await login({ username: "unknown", password })).status,
      401,
      "others may still try",
    );
    now += 16 * 60_000;
    assert.equal((await login({ username: "eva", password })).status, 200);
  });

  it("does not count a right password while sessions cannot be stored", async () => {
    await site.as("editor", { username: "eva" });
    const sessions = join(site.root, ".dune/admin/sessions");
    await rename(sessions, `${sessions}-aside`);
    await writeFile(sessions, "a file where the folder of the sessions belongs");
    for (let count = 0; count < 12; count += 1) {
      assert.equal((await login({ username: "eva", password })).status, 503, `attempt ${count}`);
    }
    await rm(sessions);
    await rename(`${sessions}-aside`, sessions);
    // The store is tried again within a second.
    await until(async () => (await login({ username: "eva", password })).status === 200);
  });

  it("only counts wrong passwords, not accounts without a role for the panel", async () => {
    await site.as("member", { username: "mia" });
    for (let count = 0; count < 12; count += 1) {
      assert.equal((await login({ username: "mia", password })).status, 403, `attempt ${count}`);
    }
  });

  it("counts concurrent attempts", async () => {
    await site.as("editor", { username: "eva" });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => login({ username: "eva", password: "wrong wrong" })),
    );
    assert.equal(answers.filter(({ status }) => status === 401).length, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 30);
  });

  it("responds 400 to a password of 100 KB, and 4xx to invalid bodies", async () => {
    assert.equal((await login({ username: "admin", password: "a".repeat(100_000) })).status, 400);
    for (const body of [
      "[]",
      "null",
      "{",
      '{"username":["a"],"password":{}}',
      '{"username":"\\u0000"}',
      "{}",
    ]) {
      const answer = await site.fetch("/admin/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      assert.ok(answer.status >= 400 && answer.status < 500, `${body}: ${answer.status}`);
    }
  });

  it("rejects a login sent from another site", async () => {
    const editor = await site.as("editor", { username: "eva" });
    const headers = { origin: "https://evil.example" };
    assert.equal((await login({ username: "eva", password }, headers)).status, 403);
    assert.equal((await editor.send("GET", "/admin/api/session")).status, 200);
  });

  it("redirects a form to the requested page, and never to another site", async () => {
    await site.as("editor", { username: "eva" });
    const form = (next: string) =>
      site.fetch("/admin/login", {
        method: "POST",
        body: new URLSearchParams({ username: "eva", password, next }),
      });
    assert.equal((await form("/admin/orders?x=1")).headers.get("location"), "/admin/orders?x=1");
    for (const next of [
      "//evil.example",
      "https://evil.example/admin",
      "/other",
      "/administrivia",
      "/\\evil",
    ]) {
      assert.equal((await form(next)).headers.get("location"), "/admin", next);
    }
  });

  it("shows form errors, escaped, with the same status as JSON", async () => {
    const answer = await site.fetch("/admin/login", {
      method: "POST",
      body: new URLSearchParams({
        username: "<script>",
        password: "x",
        next: '"><script>alert(1)</script>',
      }),
    });
    assert.equal(answer.status, 401);
    const html = await answer.text();
    assert.match(html, /role="alert"/);
    const scripts = html.match(/<script[^>]*>/g) ?? [];
    assert.ok(
      scripts.every((script) => script.includes('src="/admin/assets/')),
      html,
    );
  });

  it("ends the session on the server when signing out", async () => {
    const editor = await site.as("editor");
    assert.equal((await editor.send("POST", "/admin/logout")).status, 200);
    assert.equal((await editor.send("GET", "/admin/api/session")).status, 401);
  });

  it("records logins and failures without the password", async () => {
    await site.as("editor", { username: "eva" });
    await login({ username: "eva", password: "my wrong password" });
    const events = await site.audit();
    assert.ok(events.some(({ event, outcome }) => event === "auth.login" && outcome === "success"));
    assert.ok(
      events.some(({ event, outcome }) => event === "auth.login_failed" && outcome === "failure"),
    );
    assert.doesNotMatch(JSON.stringify(events), /my wrong password|correct horse/);
  });
});

describe("GET {admin.path}/api/session", () => {
  it("returns the identity with permissions and CSRF token, and responds 401 without one", async () => {
    const site = await bootAdmin();
    try {
      const author = await site.as("author");
      const session = await author.json(200, "GET", "/admin/api/session");
      assert.equal(session.csrfToken, author.csrf);
      assert.deepEqual(session.user.roles, ["author"]);
      assert.ok(!session.permissions.includes("pages.publish"));
      assert.equal((await site.fetch("/admin/api/session")).status, 401);
    } finally {
      await site.close();
    }
  });
});
