import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { AuthzFront, TupleSignature } from "../../../plugins/users/authz-front.js";
import type { AuthzStore } from "../../../plugins/users/contract.js";
import { LocalAuthzStore } from "../../../plugins/users/engines/authz-local.js";
import { useFolder } from "../../support/folder.js";

describe("authorization tuples", () => {
  const folder = useFolder();
  const front = (secret?: string): AuthzFront => {
    const store = new LocalAuthzStore({ folder: folder.path, log: silentLog, now: () => 1 });
    return new AuthzFront({
      store: () => store,
      signature: new TupleSignature(secret),
      log: silentLog,
    });
  };
  const secret = "s".repeat(32);
  const role = (user: string, name: string) => ({
    user,
    relation: "member",
    object: `role:${name}`,
  });

  it("are seeded from the roles, once per change", async () => {
    const authz = front();
    assert.deepEqual(await authz.rolesOf({ id: "u", roles: ["b", "a", "b"] }), ["a", "b"]);
    assert.equal(await authz.check(role("u", "a")), true);
    assert.deepEqual(await authz.rolesOf({ id: "u", roles: ["a"] }), ["a"]);
    assert.equal(await authz.check(role("u", "b")), false);
  });

  it("are not created for accounts without roles", async () => {
    assert.deepEqual(await front().rolesOf({ id: "u", roles: [] }), []);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("take precedence: a revoked role stays revoked until the roles change, also across a restart", async () => {
    const user = { id: "u", roles: ["a", "b"] };
    await front().rolesOf(user);
    assert.equal(await front().revokeAll("u"), 2);
    assert.deepEqual(await front().rolesOf(user), []);
    assert.deepEqual(await front().rolesOf({ id: "u", roles: ["a"] }), ["a"]);
  });

  it("of other relations are not affected by seeding", async () => {
    const authz = front();
    const owner = { user: "u", relation: "owner", object: "page:/x" };
    await authz.grant(owner);
    await authz.rolesOf({ id: "u", roles: ["a"] });
    assert.equal(await authz.check(owner), true);
    assert.equal(await authz.revoke(owner), true);
    assert.equal(await authz.revoke(owner), false);
  });

  it("of relation granted are not affected by seeding", async () => {
    const authz = front();
    const paid = { user: "u", relation: "granted", object: "role:member" };
    await authz.grant(paid);
    assert.deepEqual(await authz.rolesOf({ id: "u", roles: [] }), ["member"]);
    assert.deepEqual(await authz.rolesOf({ id: "u", roles: ["a", "member"] }), ["a", "member"]);
    assert.deepEqual(await authz.rolesOf({ id: "u", roles: ["b"] }), ["b", "member"]);
    await authz.revoke(paid);
    assert.deepEqual(await authz.rolesOf({ id: "u", roles: ["b"] }), ["b"]);
  });

  describe("of a user whom the identity provider deleted", () => {
    const at = 1_800_000_000_000;
    const claim = (roles: string[], vouchedAt: number | null) => ({ id: "u", roles, vouchedAt });

    it("are deleted, and earlier tokens grant nothing, also across a restart", async () => {
      await front().rolesOf(claim(["a", "b"], at - 1));
      assert.equal(await front().endUser("u", at), 2);
      for (const roles of [["a", "b"], ["admin"], []]) {
        for (const vouchedAt of [at - 1, at, at + 60_000, null]) {
          assert.deepEqual(await front().rolesOf(claim(roles, vouchedAt)), [], `${vouchedAt}`);
        }
      }
      assert.equal(await front().check(role("u", "admin")), false);
    });

    it("never exist if the user had not logged in yet", async () => {
      assert.equal(await front().endUser("u", at), 0);
      assert.deepEqual(await front().rolesOf(claim(["admin"], at - 1)), []);
    });

    it("return with newer claims, while old tokens stay ignored", async () => {
      await front().endUser("u", at);
      assert.deepEqual(await front().rolesOf(claim(["a"], at + 61_000)), ["a"]);
      assert.deepEqual(await front().rolesOf(claim(["admin"], at - 1)), []);
      assert.deepEqual(await front().rolesOf(claim(["a"], at - 1)), []);
      assert.deepEqual(await front().rolesOf(claim(["a"], at + 61_000)), ["a"]);
    });

    it("are not affected by a repeated report after the user returned", async () => {
      await front().endUser("u", at);
      await front().rolesOf(claim(["a"], at + 61_000));
      assert.equal(await front().endUser("u", at), 0);
      assert.deepEqual(await front().rolesOf(claim(["a"], at + 61_000)), ["a"]);
      assert.equal(await front().endUser("u", at + 120_000), 1);
      assert.deepEqual(await front().rolesOf(claim(["a"], at + 61_000)), []);
    });

    it("are not seeded by a request that was running when the report came", async () => {
      const store = new LocalAuthzStore({ folder: folder.path, log: silentLog, now: () => 1 });
      const late: AuthzStore = {
        get: async (user) => {
          const found = await store.get(user);
          await front().endUser("u", at);
          return found;
        },
        update: (user, change) => store.update(user, change),
        users: () => store.users(),
      };
      const signature = new TupleSignature(undefined);
      const slow = new AuthzFront({ store: () => late, signature, log: silentLog });
      assert.deepEqual(await slow.rolesOf(claim(["admin"], at - 1)), []);
      assert.deepEqual((await store.get("u"))?.tuples, []);
    });
  });

  it("of an unknown user are empty, and revoking them creates no file", async () => {
    assert.equal(await front().revokeAll("unknown"), 0);
    assert.equal(await front().check(role("unknown", "a")), false);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("require a valid signature once a secret is set", async () => {
    await front(secret).rolesOf({ id: "u", roles: ["a"] });
    const user = { id: "u", roles: ["a"] };
    assert.deepEqual(await front(secret).rolesOf(user), ["a"]);
    assert.deepEqual(await front("t".repeat(32)).rolesOf(user), []);
    await rewrite((text) => text.replace('"role:a"', '"role:admin"'));
    assert.deepEqual(await front(secret).rolesOf(user), []);
  });

  it("are invalid in another user's file", async () => {
    await front(secret).rolesOf({ id: "u", roles: ["a"] });
    await front(secret).rolesOf({ id: "v", roles: ["x"] });
    const tuples = await new LocalAuthzStore({
      folder: folder.path,
      log: silentLog,
      now: () => 1,
    }).get("u");
    const store = new LocalAuthzStore({ folder: folder.path, log: silentLog, now: () => 1 });
    await store.update("v", (record) => ({ ...record, tuples: tuples?.tuples ?? [] }));
    assert.deepEqual(await front(secret).rolesOf({ id: "v", roles: ["x"] }), []);
  });

  it("can be signed later, with a dry run first", async () => {
    await front().rolesOf({ id: "u", roles: ["a"] });
    assert.deepEqual(await front(secret).rolesOf({ id: "u", roles: ["a"] }), []);
    assert.equal(await front(secret).sign({ dryRun: true }), 1);
    assert.deepEqual(await front(secret).rolesOf({ id: "u", roles: ["a"] }), []);
    assert.equal(await front(secret).sign({ dryRun: false }), 1);
    assert.deepEqual(await front(secret).rolesOf({ id: "u", roles: ["a"] }), ["a"]);
  });

  async function rewrite(change: (text: string) => string): Promise<void> {
    const [name = ""] = (await readdir(folder.path)).filter((file) => file.endsWith(".json"));
    const file = join(folder.path, name);
    await writeFile(file, change(await readFile(file, "utf8")));
  }
});
