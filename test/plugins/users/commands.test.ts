import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "#kernel";
import {
  deleteUser,
  grantRole,
  revokeRole,
  setPassword,
  findAccount,
  createUser,
  listUsers,
  signTuples,
} from "../../../plugins/users/commands.js";
import type { UsersService } from "../../../plugins/users/contract.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { commandOutput } from "../../support/processes/command-output.js";

const PASSWORD = "correct horse battery";
const HMAC = "s".repeat(32);

describe("account commands", () => {
  let site: TestSite;
  let users: UsersService;
  beforeEach(async () => {
    site = await bootSite({ plugins: ["users"], env: { SITE_AUTHZ_HMAC_SECRET: HMAC } });
    users = site.site.use("users");
  });
  afterEach(() => site.close());

  async function run(
    command: Command,
    args: readonly string[] = [],
    options: Record<string, unknown> = {},
  ) {
    const { out, ...printed } = commandOutput();
    const context = async () => site.site.context("users");
    const code = await command.run({ args, options, out, root: site.root, site: context });
    return { code, ...printed };
  }
  const create = (options: Record<string, unknown> = {}) =>
    run(createUser, [], {
      email: "ann@example.org",
      username: "ann",
      password: PASSWORD,
      ...options,
    });

  it("users:create creates an account with roles that can log in", async () => {
    const { lines } = await create({ name: "Ann", role: ["editor", "author"] });
    const user = await users.verifyPassword("ann", PASSWORD);
    assert.deepEqual(
      [user?.email, user?.name, user?.roles, user?.provider],
      ["ann@example.org", "Ann", ["editor", "author"], "local"],
    );
    assert.deepEqual(lines, [`created ann@example.org (${user?.id})`]);
  });

  it("users:create --json prints the public fields", async () => {
    const { json } = await create({ json: true });
    const text = JSON.stringify(json);
    assert.match(text, /"email":"ann@example.org"/);
    assert.doesNotMatch(text, /password|argon2/i);
  });

  it("users:create leaves no account behind when password, address or role is invalid", async () => {
    for (const [options, code] of [
      [{ password: "short" }, "ERR_USER_PASSWORD_WEAK"],
      [{ email: undefined }, "ERR_USER_EMAIL_INVALID"],
      [{ email: "a@b@c" }, "ERR_USER_EMAIL_INVALID"],
      [{ role: ["two words"] }, "ERR_USER_ROLE_INVALID"],
      [{ username: "../x" }, "ERR_USER_USERNAME_INVALID"],
    ] as const) {
      await assert.rejects(create(options), { code }, code);
    }
    assert.equal(await users.count(), 0);
    await create();
    await assert.rejects(create(), { code: "ERR_USER_EMAIL_TAKEN" });
    assert.equal(await users.count(), 1);
  });

  it("users:list shows all accounts without secrets, in columns or JSON", async () => {
    assert.deepEqual((await run(listUsers)).lines.length, 1);
    await create({ role: ["editor"] });
    await create({ email: "bob@example.org", username: "bob" });
    const { lines } = await run(listUsers);
    assert.match(
      lines[1] ?? "",
      /^ann@example\.org {2}editor {2}local {5}\d{4}-\d\d-\d\d {2}[0-9a-f]{32}$/,
    );
    assert.match(lines[2] ?? "", /^bob@example\.org {2}- /);
    const { json } = await run(listUsers, [], { json: true });
    assert.equal(Array.isArray(json[0]) && json[0].length, 2);
    assert.doesNotMatch(JSON.stringify([lines, json]), /argon2/);
  });

  it("users:grant-role and users:revoke-role find the account by e-mail, username or id", async () => {
    await create();
    const id = (await users.findByUsername("ann"))?.id ?? "";
    for (const name of ["ann@example.org", "ann", id]) {
      assert.deepEqual((await run(grantRole, [name, "member"])).lines, [
        "ann@example.org has the role member",
      ]);
      assert.deepEqual((await users.get(id))?.roles, ["member"]);
      await run(revokeRole, [name, "member"]);
      assert.deepEqual((await users.get(id))?.roles, []);
    }
    await assert.rejects(run(grantRole, ["ann", "two words"]), { code: "ERR_USER_ROLE_INVALID" });
    for (const name of ["unknown", "unknown@example.org", "", "../ann", "__proto__"]) {
      await assert.rejects(run(grantRole, [name, "member"]), { code: "ERR_USER_UNKNOWN" });
    }
  });

  it("users:set-password replaces the password, and changes nothing for a weak one", async () => {
    await create();
    const next = "another long password";
    await assert.rejects(run(setPassword, ["ann"], { password: "short" }), {
      code: "ERR_USER_PASSWORD_WEAK",
    });
    assert.notEqual(await users.verifyPassword("ann", PASSWORD), null);
    await run(setPassword, ["ann"], { password: next });
    assert.equal(await users.verifyPassword("ann", PASSWORD), null);
    assert.notEqual(await users.verifyPassword("ann", next), null);
  });

  it("users:delete removes the account and its file", async () => {
    await create();
    const { id } = await findAccount(users, "ann");
    const file = join(site.root, "data", "users", `${id}.json`);
    await stat(file);
    await run(deleteUser, ["ann@example.org"]);
    await assert.rejects(stat(file), { code: "ENOENT" });
    await assert.rejects(findAccount(users, "ann"), { code: "ERR_USER_UNKNOWN" });
  });

  it("authz:sign counts tuples, and reports a missing secret", async () => {
    const { lines, code } = await run(signTuples, [], { dryRun: true });
    assert.deepEqual([lines, code], [["0 tuples to sign"], 0]);
    await site.close();
    site = await bootSite({ plugins: ["users"] });
    const unset = await run(signTuples);
    assert.deepEqual([unset.code, unset.errors], [1, ["SITE_AUTHZ_HMAC_SECRET is not set"]]);
  });
});
