import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { AuthzFront, TupleSignature } from "../../../plugins/users/authz-front.js";
import type { User, UserStore } from "../../../plugins/users/contract.js";
import { LocalAuthzStore } from "../../../plugins/users/engines/authz-local.js";
import { LocalUserStore } from "../../../plugins/users/engines/local.js";
import { SessionUserStore } from "../../../plugins/users/engines/session.js";
import { Passwords } from "../../../plugins/users/password.js";
import { UsersFront } from "../../../plugins/users/users-front.js";
import { fakeHooks } from "../../support/fake-hooks.js";
import { useFolder } from "../../support/folder.js";

const MINUTE = 60_000;

describe("accounts", () => {
  const folder = useFolder();
  let now = 1_700_000_000_000;
  let ended: string[] = [];
  let announced: string[] = [];
  let store: UserStore;
  let authz: AuthzFront;
  let users: UsersFront;
  let passwords: Passwords;

  beforeEach(() => {
    passwords = new Passwords();
    ended = [];
    announced = [];
    const parts = { log: silentLog, now: () => now };
    store = new LocalUserStore({ folder: join(folder.path, "users"), ...parts });
    const tuples = new LocalAuthzStore({ folder: join(folder.path, "permissions"), ...parts });
    authz = new AuthzFront({
      store: () => tuples,
      signature: new TupleSignature(undefined),
      log: silentLog,
    });
    users = new UsersFront({
      store: () => store,
      authz,
      passwords,
      clock: { now: () => now },
      hooks: fakeHooks((name, { user }) => {
        announced.push(`${name} ${(user as User).email}`);
      }),
      log: silentLog,
      endSessions: async (id) => {
        ended.push(id);
      },
    });
  });

  const github = (providerId: string, email = "ann@example.org") =>
    ({ provider: "github", providerId, email }) as const;
  const created = async (email = "ann@example.org") => users.create({ email, provider: "magic" });

  it("creates an account with an id, times and a lower-case address", async () => {
    const user = await users.create({ email: "Ann@Example.ORG", provider: "magic", name: " Ann " });
    assert.match(user.id, /^[0-9a-f]{32}$/);
    assert.deepEqual([user.email, user.name, user.roles], ["ann@example.org", "Ann", []]);
    assert.deepEqual([user.createdAt, user.updatedAt, user.lastSeenAt], [now, now, now]);
    assert.deepEqual(announced, ["onUserCreate ann@example.org"]);
  });

  for (const email of [
    "a@b.c\r\nBcc:x@y",
    '"x@evil"@b.c',
    "a@b.c,x@y",
    "<a@b.c>",
    "a@b.c; x@y",
    "group:a@b.c;",
    "((((a@b.c",
    "a b@c.d",
    "adm\u0131n@x.org",
    "a@\u212aelvin.org",
    "a@b@c",
    "@b.c",
    "a@",
    "a@-b.c",
    "a..b@c.d",
    `${"a".repeat(250)}@b.c`,
    "",
  ]) {
    it(`rejects ${JSON.stringify(email.slice(0, 30))} as an address, and finds no account by it`, async () => {
      await assert.rejects(created(email), { code: "ERR_USER_EMAIL_INVALID", status: 400 });
      assert.equal(await users.findByEmail(email), null);
    });
  }

  it("ignores case in addresses", async () => {
    await created("ADMIN@x.org");
    assert.equal((await users.findByEmail("admin@X.org"))?.email, "admin@x.org");
    await assert.rejects(created("Admin@X.ORG"), { code: "ERR_USER_EMAIL_TAKEN", status: 409 });
  });

  it("accepts a domain in punycode", async () => {
    assert.equal((await created("a@xn--bcher-kva.example")).email, "a@xn--bcher-kva.example");
  });

  describe("logging in with a provider", () => {
    it("creates the account at the first login and finds it at the next", async () => {
      const first = await users.upsertFromProvider({ ...github("1"), name: "Ann" });
      const next = await users.upsertFromProvider({
        ...github("1", "new@example.org"),
        name: "Anna",
      });
      assert.ok(first.kind === "created" && next.kind === "found");
      assert.equal(next.user.id, first.user.id);
      assert.deepEqual([next.user.name, next.user.email], ["Anna", "ann@example.org"]);
    });

    it("never links accounts silently by e-mail", async () => {
      await users.upsertFromProvider(github("1"));
      const other = { provider: "google", providerId: "9", email: "ann@example.org" };
      assert.deepEqual(await users.upsertFromProvider(other), { kind: "email_taken" });
      assert.equal(await users.findByIdentity("google", "9"), null);
    });

    it("logs in to the account of the address by magic link, whatever created it", async () => {
      const first = await users.upsertFromProvider(github("1"));
      const magic = await users.upsertFromProvider({ provider: "magic", email: "ANN@example.org" });
      assert.ok(first.kind === "created" && magic.kind === "found");
      assert.equal(magic.user.id, first.user.id);
    });

    it("creates one account for concurrent first logins", async () => {
      const profiles = Array.from({ length: 40 }, (_, n) =>
        n % 2 ? github("1") : { provider: "magic", email: "ann@example.org" },
      );
      const outcomes = await Promise.all(
        profiles.map((profile) => users.upsertFromProvider(profile)),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === "created").length, 1);
      assert.equal(await users.count(), 1);
    });

    it("finds the account that a concurrent login created after the lookup by identity", async () => {
      const find = store.findByIdentity.bind(store);
      store.findByIdentity = async (...identity) => {
        store.findByIdentity = find;
        const found = await find(...identity);
        await users.upsertFromProvider(github("1"));
        return found;
      };
      assert.equal((await users.upsertFromProvider(github("1"))).kind, "found");
    });

    it("rejects a disabled account", async () => {
      const user = await created();
      await users.update(user.id, (found) => ({ ...found, enabled: false }));
      const outcome = await users.upsertFromProvider({ provider: "magic", email: user.email });
      assert.deepEqual(outcome, { kind: "disabled" });
    });
  });

  describe("linking", () => {
    const google = { provider: "google", providerId: "9" };

    it("links, reports an existing link, and finds the account by it", async () => {
      const { id } = await created();
      assert.equal((await users.linkIdentity(id, google)).kind, "linked");
      assert.equal((await users.linkIdentity(id, google)).kind, "already_linked");
      assert.equal((await users.findByIdentity("google", "9"))?.id, id);
    });

    it("does not move an identity from another account", async () => {
      const [one, two] = [await created("a@b.c"), await created("b@b.c")];
      await users.linkIdentity(one.id, google);
      const outcome = await users.linkIdentity(two.id, google);
      assert.ok(outcome.kind === "linked_elsewhere");
      assert.equal(outcome.owner.id, one.id);
      assert.deepEqual((await users.get(two.id))?.linkedProviders, []);
    });

    it("links an identity to only one of many concurrent accounts", async () => {
      const [one, two] = [await created("a@b.c"), await created("b@b.c")];
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, n) => users.linkIdentity(n % 2 ? one.id : two.id, google)),
      );
      const owner = await users.findByIdentity("google", "9");
      assert.equal(outcomes.filter(({ kind }) => kind === "linked").length >= 1, true);
      const linked = (await users.list()).filter((user) => user.linkedProviders.length > 0);
      assert.deepEqual(
        linked.map(({ id }) => id),
        [owner?.id],
      );
    });

    it("unlinks, except for the signup identity, an unknown one, or a last required one", async () => {
      const made = await users.upsertFromProvider(github("1"));
      assert.ok(made.kind === "created");
      const { id } = made.user;
      await users.linkIdentity(id, google);
      const unlink = (provider: string, keepLast: boolean) =>
        users.unlinkIdentity(id, provider, { keepLast });
      await assert.rejects(unlink("github", false), {
        code: "ERR_USER_IDENTITY_SIGNUP",
        status: 400,
      });
      await assert.rejects(unlink("discord", false), {
        code: "ERR_USER_IDENTITY_UNKNOWN",
        status: 400,
      });
      await assert.rejects(unlink("google", true), { code: "ERR_USER_IDENTITY_LAST", status: 400 });
      assert.deepEqual((await unlink("google", false)).linkedProviders, []);
      assert.equal(await users.findByIdentity("google", "9"), null);
    });
  });

  it("updates the last visit at most every five minutes, and nothing else", async () => {
    const { id } = await created();
    const current = async (): Promise<User> => {
      const found = await users.get(id);
      assert.ok(found);
      return found;
    };
    now += 1_000;
    await users.touch(await current());
    const user = await current();
    assert.equal(user.lastSeenAt, now, "the first visit counts at once");
    now += 4 * MINUTE;
    await users.touch(user);
    assert.equal((await current()).lastSeenAt, user.lastSeenAt);
    now += MINUTE;
    await Promise.all([
      ...Array.from({ length: 100 }, () => users.touch(user)),
      ...Array.from({ length: 10 }, (_, n) => users.grantRole(user.id, `r${n}`)),
      ...Array.from({ length: 10 }, (_, n) =>
        users.linkIdentity(user.id, { provider: "p", providerId: String(n) }),
      ),
    ]);
    const found = await users.get(user.id);
    assert.deepEqual(
      [found?.lastSeenAt, found?.roles.length, found?.linkedProviders.length],
      [now, 10, 10],
    );
  });

  it("grants and revokes roles with their tuples", async () => {
    const { id } = await created();
    await users.grantRole(id, "member");
    assert.deepEqual(await users.rolesOf(await users.grantRole(id, "editor")), [
      "editor",
      "member",
    ]);
    assert.deepEqual(await users.rolesOf(await users.revokeRole(id, "member")), ["editor"]);
    await assert.rejects(users.grantRole(id, "../x"), { code: "ERR_USER_ROLE_INVALID" });
    await assert.rejects(users.grantRole("unknown", "x"), {
      code: "ERR_USER_UNKNOWN",
      status: 404,
    });
  });

  it("returns an account with its roles, none if disabled, null if deleted", async () => {
    const { id } = await created();
    await users.grantRole(id, "member");
    const found = await users.withRoles(id);
    assert.deepEqual([found?.user.id, found?.roles], [id, ["member"]]);
    await users.update(id, (user) => ({ ...user, enabled: false }));
    assert.deepEqual((await users.withRoles(id))?.roles, []);
    await users.delete(id);
    assert.equal(await users.withRoles(id), null);
  });

  it("deletes sessions and tuples with the account", async () => {
    const { id } = await created();
    await users.grantRole(id, "member");
    assert.equal(await users.delete(id), true);
    assert.deepEqual(ended, [id]);
    assert.deepEqual(await users.rolesOf({ id, roles: ["member"] }), []);
    assert.equal(await users.delete(id), false);
    assert.deepEqual(announced.at(-1), "onUserDelete ann@example.org");
  });

  it("verifies passwords by username and e-mail, and ends sessions on a new one", async () => {
    const { id } = await users.create({ email: "a@b.c", username: "Root", provider: "local" });
    await users.setPassword(id, "correct horse battery");
    assert.deepEqual(ended, [id]);
    for (const login of ["root", "ROOT", "A@b.c"]) {
      assert.equal((await users.verifyPassword(login, "correct horse battery"))?.id, id);
    }
    assert.equal(await users.verifyPassword("root", "wrong horse battery"), null);
    assert.equal(await users.verifyPassword("unknown", "correct horse battery"), null);
    await users.update(id, (found) => ({ ...found, enabled: false }));
    assert.equal(await users.verifyPassword("root", "correct horse battery"), null);
  });

  it("takes as long for unknown and disabled accounts as for existing ones", async () => {
    const verified: string[] = [];
    passwords.verify = async (_, password) => {
      verified.push(password);
      return false;
    };
    const { id } = await users.create({ email: "a@b.c", username: "root", provider: "local" });
    await users.update(id, (found) => ({ ...found, enabled: false }));
    const names = ["root", "a@b.c", "unknown", "no@b.c", "not a name", "@", ""];
    for (const name of names) assert.equal(await users.verifyPassword(name, name), null);
    assert.deepEqual(verified, names);
  });

  it("responds 507 for a full disk, without the path", async () => {
    const cause = Object.assign(new Error("ENOSPC: /secret/path"), { code: "ENOSPC" });
    store.get = () => Promise.reject(cause);
    await assert.rejects(users.get("x"), { status: 507, message: /^(?!.*\/secret)/ });
  });

  describe("with userStore session", () => {
    beforeEach(() => {
      store = new SessionUserStore(store);
    });

    it("stores no visitor, and uses the same id at every login", async () => {
      const [one, two] = [
        await users.upsertFromProvider(github("1")),
        await users.upsertFromProvider(github("1")),
      ];
      assert.ok(one.kind === "created" && two.kind === "created");
      assert.deepEqual([one.user.id, two.user.id], ["github:1", "github:1"]);
      assert.equal(await users.get("github:1"), null);
      await users.touch({ ...one.user, lastSeenAt: 0 });
      assert.deepEqual(await readdir(folder.path), []);
      const magic = await users.upsertFromProvider({ provider: "magic", email: "A@b.c" });
      assert.ok(magic.kind === "created" && magic.user.id === "magic:a@b.c");
      assert.deepEqual(announced, []);
    });

    it("stores the accounts of the admin panel", async () => {
      const { id } = await users.create({ email: "a@b.c", username: "root", provider: "local" });
      assert.equal((await users.findByUsername("root"))?.id, id);
    });
  });
});
