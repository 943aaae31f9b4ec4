import assert from "node:assert/strict";
import { password } from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

describe("accounts of the admin API", () => {
  const site = useFreshAdmin();
  const admin = site.user("admin");

  it("creates, lists, changes and deletes accounts, and never shows a hash", async () => {
    const { user } = await admin.json(201, "POST", "/admin/api/users", {
      email: "Eva@Example.org",
      username: "eva",
      roles: ["editor"],
      password,
    });
    assert.equal(user.email, "eva@example.org");
    assert.equal(user.hasPassword, true);
    const list = await admin.send("GET", "/admin/api/users");
    const text = await list.text();
    assert.doesNotMatch(text, /argon2|passwordHash/);
    assert.equal(JSON.parse(text).total, 3);
    const changed = await admin.json(200, "PUT", `/admin/api/users/${user.id}`, {
      roles: ["author"],
      name: "Eva",
    });
    assert.deepEqual(
      [changed.user.roles, changed.user.name, changed.user.username],
      [["author"], "Eva", "eva"],
    );
    await admin.json(200, "PUT", `/admin/api/users/${user.id}/password`, {
      password: "another good password",
    });
    await admin.json(200, "DELETE", `/admin/api/users/${user.id}`);
    assert.equal((await admin.send("GET", `/admin/api/users/${user.id}`)).status, 404);
  });

  it("rejects a taken address, a weak password and invalid fields", async () => {
    const body = { email: "eva@example.org", password };
    await admin.json(201, "POST", "/admin/api/users", body);
    assert.equal((await admin.send("POST", "/admin/api/users", body)).status, 409);
    await admin.json(400, "POST", "/admin/api/users", {
      email: "b@example.org",
      password: "short",
    });
    assert.equal((await site.site.use("users").findByEmail("b@example.org")) ?? null, null);
    for (const wrong of [
      {},
      { email: 1 },
      { email: "x" },
      { email: "c@example.org", roles: "admin" },
    ]) {
      assert.equal((await admin.send("POST", "/admin/api/users", wrong)).status, 400);
    }
  });

  it("responds 409 to deletion, demotion and disabling of the last admin", async () => {
    const users = site.site.use("users");
    const first = await users.findByUsername("admin");
    await admin.json(200, "DELETE", `/admin/api/users/${first?.id ?? ""}`);
    const own = `/admin/api/users/${admin.id}`;
    assert.equal((await admin.send("DELETE", own)).status, 400, "an account cannot delete itself");
    assert.equal((await admin.send("PUT", own, { roles: ["editor"] })).status, 409);
    assert.equal((await admin.send("PUT", own, { enabled: false })).status, 409);
    assert.equal((await admin.send("GET", "/admin/api/users")).status, 200);
  });

  it("keeps one of two admins who demote each other concurrently", async () => {
    const other = await site.as("admin", { username: "other" });
    const first = await site.site.use("users").findByUsername("admin");
    await admin.json(200, "DELETE", `/admin/api/users/${first?.id ?? ""}`);
    const answers = await Promise.all([
      admin.send("PUT", `/admin/api/users/${other.id}`, { roles: ["editor"] }),
      other.send("PUT", `/admin/api/users/${admin.id}`, { roles: ["editor"] }),
    ]);
    // The second is the last admin, or no admin any more.
    const [done, second] = answers.map(({ status }) => status).sort();
    assert.equal(done, 200);
    assert.ok(second === 409 || second === 403, String(second));
    const roles = await Promise.all(
      [admin.id, other.id].map((id) => site.site.use("users").get(id)),
    );
    assert.equal(roles.filter((user) => user?.roles.includes("admin")).length, 1);
  });

  it("responds 404 to invalid ids", async () => {
    for (const id of ["..%2f..%2fconfig", "%00", "a".repeat(300), "none", "__proto__"]) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        await admin.json(404, method, `/admin/api/users/${id}`, method === "PUT" ? {} : undefined);
      }
    }
  });
});
