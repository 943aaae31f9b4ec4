import assert from "node:assert/strict";
import { password } from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const files = {
  "admin.yaml": `roles:
  helpdesk:
    permissions: [users.manage]
  desk-of-blog:
    permissions: [users.manage, pages.read, pages.update]
    paths: ["blog/**"]
  blogger:
    permissions: [pages.read, pages.update]
    paths: ["blog/2027/*"]
  reader:
    permissions: [pages.read]
`,
};
const USERS = "/admin/api/users";

describe("accounts with users.manage", () => {
  const site = useFreshAdmin({ files });
  const helpdesk = site.user("helpdesk");

  const create = (roles: string[], email = `${roles.join("-")}@example.org`) => ({ email, roles });
  /** Every way to give a role, to account `id`. */
  const waysToGive = (role: string, id: string) =>
    [
      ["PUT", `${USERS}/${id}`, { roles: [role] }],
      ["POST", USERS, create([role])],
      ["POST", USERS, { ...create(["member", role]), password }],
      ["POST", "/admin/api/invitations", { email: "new@example.org", role }],
    ] as const;
  /** Every way to take over or to change account `id`. */
  const waysToChange = (id: string) =>
    [
      ["PUT", `${USERS}/${id}/password`, { password: "another good password 7" }],
      ["PUT", `${USERS}/${id}`, { email: "mine@example.org" }],
      ["PUT", `${USERS}/${id}`, { username: "renamed" }],
      ["PUT", `${USERS}/${id}`, { enabled: false }],
      ["PUT", `${USERS}/${id}`, { roles: [] }],
      ["DELETE", `${USERS}/${id}/totp`, undefined],
      ["DELETE", `${USERS}/${id}`, undefined],
    ] as const;

  it("give no role whose permissions they lack, in any way, and not to themselves", async () => {
    for (const role of ["admin", "editor", "author", "reader", "desk-of-blog"]) {
      for (const [method, path, body] of waysToGive(role, helpdesk.id)) {
        const { error } = await helpdesk.json(403, method, path, body);
        assert.match(error, /pages\.read/, `${role}: ${method} ${path}`);
      }
    }
    const own = await helpdesk.json(200, "GET", `${USERS}/${helpdesk.id}`);
    assert.deepEqual(own.roles, ["helpdesk"]);
    assert.equal((await helpdesk.json(200, "GET", "/admin/api/invitations")).total, 0);
  });

  it("give their own roles, and those of visitors", async () => {
    const { user } = await helpdesk.json(201, "POST", USERS, create(["helpdesk", "member"]));
    await helpdesk.json(200, "PUT", `${USERS}/${user.id}`, { roles: ["member"], name: "Eva" });
    const invited = { email: "new@example.org", role: "helpdesk" };
    await helpdesk.json(201, "POST", "/admin/api/invitations", invited);
  });

  it("change no account that may do more: the 403 names what is missing", async () => {
    for (const role of ["admin", "author", "desk-of-blog"]) {
      const other = await site.as(role, { username: `other-${role}` });
      for (const [method, path, body] of waysToChange(other.id)) {
        const { error } = await helpdesk.json(403, method, path, body);
        assert.match(error, /pages\.read/, `${role}: ${method} ${path}`);
      }
      const after = await helpdesk.json(200, "GET", `${USERS}/${other.id}`);
      assert.deepEqual([after.roles, after.enabled], [[role], true]);
      assert.equal((await other.send("GET", "/admin/api/session")).status, 200);
    }
  });

  it("change no disabled account that would do more when it is enabled", async () => {
    const admin = await site.as("admin");
    const other = await site.as("editor");
    await admin.json(200, "PUT", `${USERS}/${other.id}`, { enabled: false });
    for (const [method, path, body] of waysToChange(other.id)) {
      await helpdesk.json(403, method, path, body);
    }
    await helpdesk.json(403, "PUT", `${USERS}/${other.id}`, { enabled: true });
  });

  it("change accounts that may do no more, and visitors", async () => {
    const other = await site.as("helpdesk", { username: "other" });
    const { id } = await site.site
      .use("users")
      .create({ email: "visitor@example.org", provider: "magic", roles: ["member"] });
    for (const account of [other.id, id]) {
      for (const [method, path, body] of waysToChange(account)) {
        const { status } = await helpdesk.send(method, path, body);
        assert.equal(status, path.endsWith("/totp") ? 404 : 200, `${method} ${path}`);
      }
    }
  });

  it("send no new link for an invitation to a role that they lack", async () => {
    const admin = await site.as("admin");
    const body = { email: "boss@example.org", role: "admin" };
    const { id } = await admin.json(201, "POST", "/admin/api/invitations", body);
    await helpdesk.json(403, "POST", `/admin/api/invitations/${id}/resend`, {});
    await admin.json(200, "POST", `/admin/api/invitations/${id}/resend`, {});
  });

  it("give paths up to their own", async () => {
    const desk = await site.as("desk-of-blog");
    await desk.json(201, "POST", USERS, create(["blogger"]));
    const { error } = await desk.json(403, "POST", USERS, create(["reader"]));
    assert.match(error, /pages\.read for the whole site/);
  });

  it("take no account over with a token that has less than its owner", async () => {
    const admin = await site.as("admin");
    const other = await site.as("admin", { username: "other" });
    const own = await site.withToken(["users.manage"], { userId: admin.id });
    for (const program of [own, await site.withToken(["users.manage"])]) {
      for (const id of [admin.id, other.id]) {
        for (const [method, path, body] of waysToChange(id)) {
          const { status } = await program.send(method, path, body);
          const isOwn = method === "DELETE" && path === `${USERS}/${admin.id}`;
          assert.ok(status === 403 || (isOwn && status === 400), `${method} ${path}: ${status}`);
        }
      }
      for (const [method, path, body] of waysToGive("author", helpdesk.id)) {
        await program.json(403, method, path, body);
      }
    }
  });

  it("give no more with a token than its paths and fields", async () => {
    const admin = await site.as("admin");
    const permissions = ["users.manage", "pages.read", "pages.update"];
    for (const [limits, role, status] of [
      [{ paths: ["blog/**"] }, "reader", 403],
      [{ paths: ["blog/**"] }, "blogger", 201],
      [{ fields: ["title"] }, "reader", 403],
      // Accounts have no fields that a token could be limited to.
      [{ fields: ["title"] }, "helpdesk", 403],
      [{}, "reader", 201],
    ] as const) {
      const program = await site.withToken(permissions, { ...limits, userId: admin.id });
      const email = `${JSON.stringify(limits).replace(/\W/g, "")}${role}@example.org`;
      const answer = await program.send("POST", USERS, create([role], email));
      assert.equal(answer.status, status, `${JSON.stringify(limits)} ${role}`);
    }
  });
});
