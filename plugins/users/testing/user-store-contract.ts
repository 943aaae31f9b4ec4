import assert from "node:assert/strict";
import { globalRunner, statingRules, type SuiteRules, type TestRunner } from "#testing";
import type { User, UserStore } from "../contract.js";

type It = TestRunner["it"];

/** How the suite creates a store. */
export interface UserStoreFixture {
  /** An empty store. */
  open(): Promise<UserStore> | UserStore;
  /** Opens a second front on the same data, like another process; absent if that is impossible. */
  again?(): Promise<UserStore> | UserStore;
  /** Removes what `open` created; the suite has closed the stores. */
  remove?(): Promise<void> | void;
}

/** The rules of user stores by the title of their check: `userStoreContract` states one when a check fails. */
export const USER_STORE_RULES: SuiteRules = {
  "returns every stored field":
    "`create` and `get` return every field of the account as it was given",
  "returns null for missing accounts":
    "`get`, the `find…` methods, `update` and `delete` return null for an unknown account, whatever the id is",
  "changes a record, but neither its id nor its creation time":
    "`update` keeps the stored `id` and `createdAt`, whatever `change` returns",
  "does not change the record when the change throws":
    "`update` rejects and writes nothing when `change` throws",
  "lists by age, in pages, and counts":
    "`list` sorts by `createdAt`, then by id, and returns `limit` accounts from `offset`; `count` counts all",
  "returns the deleted record once and frees its keys":
    "`delete` returns the record, then null, and frees its e-mail address, username and identities",
  "finds by e-mail and username in any case":
    "`findByEmail` and `findByUsername` ignore upper and lower case",
  "finds by the signup identity and by every linked one":
    "`findByIdentity` finds by `provider` and `providerId` of the account and of each of `linkedProviders`",
  "finds by a changed e-mail address, and by an identity only while it is linked":
    "lookups follow each `update`: they find by new keys, and no longer by old ones",
  "accepts long and odd keys":
    "keys may have any characters and several hundred of them: hash them for names of files",
  "rejects a key that another account has":
    "`create` rejects with ERR_USER_EMAIL_TAKEN, ERR_USER_USERNAME_TAKEN or ERR_USER_IDENTITY_TAKEN, and stores nothing",
  "rejects a change to a key of another account, and changes nothing":
    "`update` rejects a key that another account has, with the codes of `create`, and writes nothing",
  "creates one record when many are created with one e-mail address":
    "of several `create` at the same time with one key, exactly one succeeds",
  "loses no concurrent update":
    "`update` reads, changes and writes in one step: updates at the same time all take effect",
  "links an identity to only one of many concurrent accounts":
    "of several `update` at the same time that link one identity, those of one account succeed",
  "agrees with a second process on the same data":
    "two stores on the same data see each other's writes at once, and keep keys unique together",
};

/** The conformance suite of persistent user stores. Call it inside a `describe`. */
export function userStoreContract(
  fixture: UserStoreFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  let store: UserStore;
  const it = statingRules(plainIt, USER_STORE_RULES);
  beforeEach(async () => {
    store = await fixture.open();
  });
  afterEach(async () => {
    await store.close?.();
    await fixture.remove?.();
  });

  describeRecords(it, () => store);
  describeLists(it, () => store);
  describeLookups(it, () => store);
  describeUniqueness(it, () => store);
  describeConcurrency(it, () => store);
  describeProcesses(it, () => store, fixture.again);
}

function describeRecords(it: It, store: () => UserStore): void {
  it("returns every stored field", async () => {
    const full = testUser("a", {
      name: "Zoë 🚀",
      avatarUrl: "https://example.org/a.png",
      username: "Zoe",
      passwordHash: "$argon2id$x",
      roles: ["member", "editor"],
      provider: "github",
      providerId: "1152921504606846976",
      linkedProviders: [{ provider: "google", providerId: "g1", linkedAt: 7 }],
      paymentCustomerId: "cus_1",
      enabled: false,
    });
    assert.deepEqual(await store().create(full), full);
    assert.deepEqual(await store().get("a"), full);
  });

  it("returns null for missing accounts", async () => {
    const hostile = ["unknown", "", "../a", "a/b", "__proto__", "a".repeat(300), "%2e%2e"];
    for (const id of hostile) assert.equal(await store().get(id), null);
    assert.equal(await store().findByEmail("unknown@example.org"), null);
    assert.equal(await store().findByUsername("unknown"), null);
    assert.equal(await store().findByIdentity("github", "unknown"), null);
    assert.equal(await store().update("unknown", (user) => ({ ...user, name: "x" })), null);
    assert.equal(await store().delete("unknown"), null);
  });

  it("changes a record, but neither its id nor its creation time", async () => {
    await store().create(testUser("a"));
    const changed = await store().update("a", (user) => ({
      ...user,
      id: "b",
      createdAt: 1,
      name: "New",
    }));
    assert.equal(changed?.name, "New");
    assert.deepEqual(await store().get("a"), { ...testUser("a"), name: "New" });
    assert.equal(await store().get("b"), null);
  });

  it("does not change the record when the change throws", async () => {
    await store().create(testUser("a"));
    const failing = store().update("a", () => {
      throw new RangeError("no");
    });
    await assert.rejects(failing);
    assert.deepEqual(await store().get("a"), testUser("a"));
  });
}

function describeLists(it: It, store: () => UserStore): void {
  it("lists by age, in pages, and counts", async () => {
    for (const [id, createdAt] of [
      ["c", 3],
      ["a", 1],
      ["b", 2],
    ] as const) {
      await store().create(testUser(id, { createdAt }));
    }
    const ids = async (limit: number, offset: number): Promise<string[]> =>
      (await store().list({ limit, offset })).map((user) => user.id);
    assert.deepEqual(await ids(10, 0), ["a", "b", "c"]);
    assert.deepEqual(await ids(1, 1), ["b"]);
    assert.deepEqual(await ids(10, 5), []);
    assert.equal(await store().count(), 3);
  });

  it("returns the deleted record once and frees its keys", async () => {
    await store().create(testUser("a", { username: "ann", providerId: "1" }));
    assert.equal((await store().delete("a"))?.id, "a");
    assert.equal(await store().delete("a"), null);
    assert.equal(await store().findByEmail("a@example.org"), null);
    await store().create({
      ...testUser("b", { username: "ann", providerId: "1" }),
      email: "a@example.org",
    });
  });
}

function describeLookups(it: It, store: () => UserStore): void {
  it("finds by e-mail and username in any case", async () => {
    await store().create(testUser("a", { username: "Ann" }));
    assert.equal((await store().findByEmail("A@EXAMPLE.org"))?.id, "a");
    assert.equal((await store().findByUsername("aNN"))?.id, "a");
  });

  it("finds by the signup identity and by every linked one", async () => {
    const linked = { provider: "google", providerId: "2", linkedAt: 1 };
    await store().create(testUser("a", { providerId: "1", linkedProviders: [linked] }));
    assert.equal((await store().findByIdentity("github", "1"))?.id, "a");
    assert.equal((await store().findByIdentity("google", "2"))?.id, "a");
    assert.equal(await store().findByIdentity("google", "1"), null);
  });

  it("finds by a changed e-mail address, and by an identity only while it is linked", async () => {
    await store().create(testUser("a"));
    await store().update("a", (user) => ({
      ...user,
      email: "new@example.org",
      linkedProviders: [{ provider: "google", providerId: "2", linkedAt: 1 }],
    }));
    assert.equal(await store().findByEmail("a@example.org"), null);
    assert.equal((await store().findByEmail("new@example.org"))?.id, "a");
    assert.equal((await store().findByIdentity("google", "2"))?.id, "a");
    await store().update("a", (user) => ({ ...user, linkedProviders: [] }));
    assert.equal(await store().findByIdentity("google", "2"), null);
  });

  it("accepts long and odd keys", async () => {
    const email = `${"%".repeat(60)}@${"a".repeat(60)}.example.org`;
    await store().create(testUser("a", { email, providerId: "x/../\"';--".repeat(20) }));
    assert.equal((await store().findByEmail(email))?.id, "a");
    assert.equal((await store().findByIdentity("github", "x/../\"';--".repeat(20)))?.id, "a");
  });
}

function describeUniqueness(it: It, store: () => UserStore): void {
  const linked = [{ provider: "google", providerId: "g", linkedAt: 1 }];

  it("rejects a key that another account has", async () => {
    await store().create(
      testUser("a", { username: "ann", providerId: "1", linkedProviders: linked }),
    );
    const rejects = (other: User, code: string): Promise<void> =>
      assert.rejects(store().create(other), { code });
    await rejects({ ...testUser("b"), email: "A@example.org" }, "ERR_USER_EMAIL_TAKEN");
    await rejects(testUser("b", { username: "ANN" }), "ERR_USER_USERNAME_TAKEN");
    await rejects(testUser("b", { providerId: "1" }), "ERR_USER_IDENTITY_TAKEN");
    await rejects(
      testUser("b", { provider: "google", providerId: "g" }),
      "ERR_USER_IDENTITY_TAKEN",
    );
    assert.equal(await store().count(), 1);
    assert.equal(await store().findByEmail("b@example.org"), null);
  });

  it("rejects a change to a key of another account, and changes nothing", async () => {
    await store().create(testUser("a", { linkedProviders: linked }));
    await store().create(testUser("b"));
    const taking = store().update("b", (user) => ({ ...user, linkedProviders: linked }));
    await assert.rejects(taking, { code: "ERR_USER_IDENTITY_TAKEN" });
    assert.deepEqual(await store().get("b"), testUser("b"));
    assert.equal((await store().findByIdentity("google", "g"))?.id, "a");
  });
}

/** Concurrent writers in one process. */
function describeConcurrency(it: TestRunner["it"], store: () => UserStore): void {
  it("creates one record when many are created with one e-mail address", async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `u${n}`);
    const results = await Promise.allSettled(
      ids.map((id) => store().create({ ...testUser(id), email: "same@example.org" })),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(await store().count(), 1);
    assert.notEqual(await store().findByEmail("same@example.org"), null);
  });

  it("loses no concurrent update", async () => {
    await store().create(testUser("a"));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store().update("a", (user) => ({ ...user, roles: [...user.roles, `r${n}`] })),
      ),
    );
    assert.equal((await store().get("a"))?.roles.length, 40);
  });

  it("links an identity to only one of many concurrent accounts", async () => {
    for (const id of ["a", "b"]) await store().create(testUser(id));
    const link = (id: string): Promise<User | null> =>
      store().update(id, (user) => ({
        ...user,
        linkedProviders: [{ provider: "google", providerId: "g", linkedAt: 1 }],
      }));
    await Promise.allSettled(Array.from({ length: 20 }, (_, n) => link(n % 2 ? "a" : "b")));
    const holders = (await store().list({ limit: 9, offset: 0 })).filter(
      (user) => user.linkedProviders.length > 0,
    );
    assert.equal(holders.length, 1);
    assert.equal((await store().findByIdentity("google", "g"))?.id, holders[0]?.id);
  });
}

/** Concurrent writers in two processes; skipped if no second process is available. */
function describeProcesses(
  it: TestRunner["it"],
  store: () => UserStore,
  open: (() => Promise<UserStore> | UserStore) | undefined,
): void {
  if (open === undefined) return;

  it("agrees with a second process on the same data", async () => {
    const other = await open();
    const stores = [store(), other];
    await store().create(testUser("a"));
    assert.equal((await other.findByEmail("a@example.org"))?.id, "a");
    const grants = Array.from({ length: 20 }, (_, n) =>
      stores[n % 2]?.update("a", (user) => ({ ...user, roles: [...user.roles, `r${n}`] })),
    );
    const creations = stores.map((one, n) =>
      one.create({ ...testUser(`n${n}`), email: "n@example.org" }),
    );
    const [created] = await Promise.all([Promise.allSettled(creations), ...grants]);
    assert.equal((await store().get("a"))?.roles.length, 20);
    assert.equal(created.filter(({ status }) => status === "fulfilled").length, 1);
    await other.close?.();
  });
}

/** A minimal account with overrides. */
export function testUser(id: string, part: Partial<User> = {}): User {
  return {
    id,
    email: `${id}@example.org`,
    roles: [],
    provider: "github",
    linkedProviders: [],
    createdAt: 1_000,
    updatedAt: 1_000,
    lastSeenAt: 1_000,
    ...part,
  };
}
