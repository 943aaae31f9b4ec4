import assert from "node:assert/strict";
import { globalRunner, statingRules, type TestRunner } from "#testing";
import type { User, UserStore } from "../contract.js";
import { describeConcurrency, describeProcesses } from "./user-store-concurrency.js";
import { USER_STORE_RULES } from "./user-store-rules.js";
import { testUser as user } from "./test-user.js";

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
    const full = user("a", {
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
    assert.equal(await store().update("unknown", (found) => ({ ...found, name: "x" })), null);
    assert.equal(await store().delete("unknown"), null);
  });

  it("changes a record, but neither its id nor its creation time", async () => {
    await store().create(user("a"));
    const changed = await store().update("a", (found) => ({
      ...found,
      id: "b",
      createdAt: 1,
      name: "New",
    }));
    assert.equal(changed?.name, "New");
    assert.deepEqual(await store().get("a"), { ...user("a"), name: "New" });
    assert.equal(await store().get("b"), null);
  });

  it("does not change the record when the change throws", async () => {
    await store().create(user("a"));
    const failing = store().update("a", () => {
      throw new RangeError("no");
    });
    await assert.rejects(failing);
    assert.deepEqual(await store().get("a"), user("a"));
  });
}

function describeLists(it: It, store: () => UserStore): void {
  it("lists by age, in pages, and counts", async () => {
    for (const [id, createdAt] of [
      ["c", 3],
      ["a", 1],
      ["b", 2],
    ] as const) {
      await store().create(user(id, { createdAt }));
    }
    const ids = async (limit: number, offset: number): Promise<string[]> =>
      (await store().list({ limit, offset })).map((found) => found.id);
    assert.deepEqual(await ids(10, 0), ["a", "b", "c"]);
    assert.deepEqual(await ids(1, 1), ["b"]);
    assert.deepEqual(await ids(10, 5), []);
    assert.equal(await store().count(), 3);
  });

  it("returns the deleted record once and frees its keys", async () => {
    await store().create(user("a", { username: "ann", providerId: "1" }));
    assert.equal((await store().delete("a"))?.id, "a");
    assert.equal(await store().delete("a"), null);
    assert.equal(await store().findByEmail("a@example.org"), null);
    await store().create({
      ...user("b", { username: "ann", providerId: "1" }),
      email: "a@example.org",
    });
  });
}

function describeLookups(it: It, store: () => UserStore): void {
  it("finds by e-mail and username in any case", async () => {
    await store().create(user("a", { username: "Ann" }));
    assert.equal((await store().findByEmail("A@EXAMPLE.org"))?.id, "a");
    assert.equal((await store().findByUsername("aNN"))?.id, "a");
  });

  it("finds by the signup identity and by every linked one", async () => {
    const linked = { provider: "google", providerId: "2", linkedAt: 1 };
    await store().create(user("a", { providerId: "1", linkedProviders: [linked] }));
    assert.equal((await store().findByIdentity("github", "1"))?.id, "a");
    assert.equal((await store().findByIdentity("google", "2"))?.id, "a");
    assert.equal(await store().findByIdentity("google", "1"), null);
  });

  it("finds by a changed e-mail address, and by an identity only while it is linked", async () => {
    await store().create(user("a"));
    await store().update("a", (found) => ({
      ...found,
      email: "new@example.org",
      linkedProviders: [{ provider: "google", providerId: "2", linkedAt: 1 }],
    }));
    assert.equal(await store().findByEmail("a@example.org"), null);
    assert.equal((await store().findByEmail("new@example.org"))?.id, "a");
    assert.equal((await store().findByIdentity("google", "2"))?.id, "a");
    await store().update("a", (found) => ({ ...found, linkedProviders: [] }));
    assert.equal(await store().findByIdentity("google", "2"), null);
  });

  it("accepts long and odd keys", async () => {
    const email = `${"%".repeat(60)}@${"a".repeat(60)}.example.org`;
    await store().create(user("a", { email, providerId: "x/../\"';--".repeat(20) }));
    assert.equal((await store().findByEmail(email))?.id, "a");
    assert.equal((await store().findByIdentity("github", "x/../\"';--".repeat(20)))?.id, "a");
  });
}

function describeUniqueness(it: It, store: () => UserStore): void {
  const linked = [{ provider: "google", providerId: "g", linkedAt: 1 }];

  it("rejects a key that another account has", async () => {
    await store().create(user("a", { username: "ann", providerId: "1", linkedProviders: linked }));
    const rejects = (other: User, code: string): Promise<void> =>
      assert.rejects(store().create(other), { code });
    await rejects({ ...user("b"), email: "A@example.org" }, "ERR_USER_EMAIL_TAKEN");
    await rejects(user("b", { username: "ANN" }), "ERR_USER_USERNAME_TAKEN");
    await rejects(user("b", { providerId: "1" }), "ERR_USER_IDENTITY_TAKEN");
    await rejects(user("b", { provider: "google", providerId: "g" }), "ERR_USER_IDENTITY_TAKEN");
    assert.equal(await store().count(), 1);
    assert.equal(await store().findByEmail("b@example.org"), null);
  });

  it("rejects a change to a key of another account, and changes nothing", async () => {
    await store().create(user("a", { linkedProviders: linked }));
    await store().create(user("b"));
    const taking = store().update("b", (found) => ({ ...found, linkedProviders: linked }));
    await assert.rejects(taking, { code: "ERR_USER_IDENTITY_TAKEN" });
    assert.deepEqual(await store().get("b"), user("b"));
    assert.equal((await store().findByIdentity("google", "g"))?.id, "a");
  });
}
