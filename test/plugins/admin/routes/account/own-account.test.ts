import assert from "node:assert/strict";
import { PERMISSIONS } from "../../../../../plugins/admin/accounts/permissions.js";
import { client, clientOf, password, postLogin } from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const next = "another good password 7";

describe("{admin.path}/api/me", () => {
  let now = Date.parse("2026-03-01T00:00:00Z");
  const site = useFreshAdmin({ clock: { now: () => now } });
  const author = site.user("author");
  const login = (word: string) => postLogin(site, { username: "author-user", password: word });
  const change = (current: string, who = author) =>
    who.send("POST", "/admin/api/me/password", { current, next });

  it("shows the own account without its hash", async () => {
    const answer = await author.send("GET", "/admin/api/me");
    const text = await answer.text();
    assert.doesNotMatch(text, /argon2|passwordHash/);
    const { id, username, roles, permissions } = JSON.parse(text);
    assert.deepEqual([id, username, roles], [author.id, "author-user", ["author"]]);
    assert.ok(permissions.includes("pages.create"));
  });

  it("lets an author set the own password: ends other sessions, continues this one", async () => {
    const elsewhere = await clientOf(site, author.id, await login(password));

    const answer = await change(password);
    assert.equal(answer.status, 200);
    const fresh = await clientOf(site, author.id, answer);
    const draft = { path: "09.own/default.md", content: "# Own" };
    await fresh.json(201, "POST", "/admin/api/pages", draft);
    for (const former of [elsewhere, author]) {
      assert.equal((await former.send("GET", "/admin/api/me")).status, 401);
    }
    assert.deepEqual([(await login(password)).status, (await login(next)).status], [401, 200]);
    const noted = (await site.audit()).find(({ event }) => event === "user.password");
    assert.deepEqual([noted?.actor?.id, noted?.outcome], [author.id, "success"]);
    assert.doesNotMatch(JSON.stringify(noted), /password 7|battery/);
  });

  it("counts a wrong current password as a failed login", async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { error } = await author.json(403, "POST", "/admin/api/me/password", {
        current: "wrong",
        next,
      });
      assert.match(error, /current password is wrong/);
    }
    const locked = await change(password);
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers.get("retry-after")) > 0);
    now += 15 * 60_000;
    assert.equal((await change(password)).status, 200);
    const failures = (await site.audit()).filter(
      ({ event, outcome }) => event === "user.password" && outcome === "failure",
    );
    assert.equal(failures.length, 11);
  });

  it("changes the own name, and nothing else that is sent with it", async () => {
    const path = "/admin/api/me";
    const named = await author.json(200, "PATCH", path, { name: "Ada" });
    assert.deepEqual([named.name, named.email], ["Ada", "author-user@example.org"]);
    const roles = await author.json(200, "PATCH", path, { roles: ["admin"], enabled: true });
    assert.deepEqual(roles.roles, ["author"]);
  });

  it("responds 409 to another address without a mailer, and names the fix", async () => {
    const change = { email: "ada@example.org", current: password };
    const { error } = await author.json(409, "PATCH", "/admin/api/me", change);
    assert.match(error, /users\.manage.*email block/);
    const me = await author.json(200, "GET", "/admin/api/me");
    assert.deepEqual([me.email, me.pendingEmail], ["author-user@example.org", null]);
  });

  it("rejects a weak password, a missing CSRF token and another origin", async () => {
    const weak = { current: password, next: "short" };
    assert.equal((await author.send("POST", "/admin/api/me/password", weak)).status, 400);
    assert.equal((await change(password, client(site, { ...author, csrf: "" }))).status, 403);
    const headers = { "sec-fetch-site": "cross-site" };
    const body = { current: password, next };
    const foreign = await author.send("POST", "/admin/api/me/password", body, headers);
    assert.equal(foreign.status, 403);
    assert.equal((await login(password)).status, 200);
  });

  it("responds 403 to tokens on every route, also with an invalid body", async () => {
    const admin = site.site.use("admin");
    const routes = admin.routes.filter(({ path }) => /^\/admin\/api\/me(\/|$)/.test(path));
    assert.ok(routes.length > 15);
    for (const userId of [author.id, null]) {
      const program = await site.withToken(PERMISSIONS, { userId });
      for (const { method, path } of routes) {
        const name = `${method} ${path}`;
        const body = method === "get" ? undefined : { wrong: true };
        const answer = await program.send(method.toUpperCase(), path.replace(":id", "x"), body);
        assert.equal(answer.status, 403, name);
        assert.match(await answer.text(), /not a token/, name);
      }
    }
  });
});
