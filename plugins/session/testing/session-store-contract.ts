import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { globalRunner, statingRules, type SuiteRules, type TestRunner } from "#testing";
import type { SessionRecord, SessionStore } from "../contract.js";

/** How the suite creates a store. */
export interface SessionStoreFixture {
  /** An empty store. */
  open(): Promise<SessionStore> | SessionStore;
  /** Removes what `open` created; the suite has closed the store. */
  remove?(): Promise<void> | void;
}

const HOUR = 3_600;

/** The rules of session stores by the title of their check, which `sessionStoreContract` states. */
export const SESSION_STORE_RULES: SuiteRules = {
  "returns null for an unknown id": "`get` returns null for an unknown id",
  "returns stored data, including Unicode and nested values":
    "`get` returns the record as `set` got it, with Unicode and nested values in `data`",
  "replaces a record of the same id": "`set` replaces a record of the same id",
  "deletes a destroyed record, and ignores a second destroy":
    "`destroy` deletes the record, and ignores an unknown id",
  "keeps the kinds apart":
    "the id is the key: ids of visitors, accounts and requests begin with their kind and never name one record",
  "sweeps expired records and keeps live ones":
    "`sweep` deletes the records whose `expiresAt` is before `now`, and returns how many; optional",
  "deletes every session of one user and no others":
    "`destroyUser` deletes all records of the user, of every kind, and no others; it returns how many",
  "accepts any text as a user's id":
    "the `userId` of a record may be any text, also one with slashes, quotes or a null character",
  "lets exactly one of many concurrent callers claim a key":
    "of several `claim` of one key at the same time, exactly one is true; optional",
};

/** The conformance suite of session stores. Call it inside a `describe`. */
export function sessionStoreContract(
  fixture: SessionStoreFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  const it = statingRules(plainIt, SESSION_STORE_RULES);
  let store: SessionStore;
  beforeEach(async () => {
    store = await fixture.open();
  });
  afterEach(async () => {
    await store.close?.();
    await fixture.remove?.();
  });

  describeRecords(it, () => store);
  describeUsers(it, () => store);
  describeClaims(it, () => store);
}

function describeRecords(it: TestRunner["it"], store: () => SessionStore): void {
  it("returns null for an unknown id", async () => {
    assert.equal(await store().get(id("unknown")), null);
  });

  it("returns stored data, including Unicode and nested values", async () => {
    const stored = record({ data: { name: "Zoë 🚀", deep: { list: [1, null, "x"] } } });
    await store().set(id("a"), stored, HOUR);
    assert.deepEqual(await store().get(id("a")), stored);
  });

  it("replaces a record of the same id", async () => {
    await store().set(id("a"), record({ data: { n: 1 } }), HOUR);
    await store().set(id("a"), record({ data: { n: 2 } }), HOUR);
    assert.deepEqual((await store().get(id("a")))?.data, { n: 2 });
  });

  it("deletes a destroyed record, and ignores a second destroy", async () => {
    await store().set(id("a"), record({}), HOUR);
    await store().destroy(id("a"));
    await store().destroy(id("a"));
    assert.equal(await store().get(id("a")), null);
  });

  it("keeps the kinds apart", async () => {
    const admin = record({ kind: "admin" });
    await store().set(id("a", "admin"), admin, HOUR);
    assert.equal(await store().get(id("a")), null);
    assert.deepEqual(await store().get(id("a", "admin")), admin);
  });

  it("sweeps expired records and keeps live ones", async () => {
    const now = Date.now();
    if (!store().sweep) return;
    await store().set(id("old"), record({ expiresAt: now - 1_000 }), 1);
    await store().set(id("new"), record({ expiresAt: now + 60_000 }), 60);
    assert.equal(await store().sweep?.(now), 1);
    assert.equal(await store().get(id("old")), null);
    assert.notEqual(await store().get(id("new")), null);
  });
}

function describeUsers(it: TestRunner["it"], store: () => SessionStore): void {
  it("deletes every session of one user and no others", async () => {
    await store().set(id("a"), record({ userId: "u1" }), HOUR);
    await store().set(id("b", "admin"), record({ userId: "u1", kind: "admin" }), HOUR);
    await store().set(id("c"), record({ userId: "u2" }), HOUR);
    assert.equal(await store().destroyUser("u1"), 2);
    assert.equal(await store().get(id("a")), null);
    assert.equal(await store().get(id("b", "admin")), null);
    assert.notEqual(await store().get(id("c")), null);
    assert.equal(await store().destroyUser("u1"), 0);
  });

  it("accepts any text as a user's id", async () => {
    const userId = "../../etc/passwd\u0000';--";
    await store().set(id("a"), record({ userId }), HOUR);
    assert.equal((await store().get(id("a")))?.userId, userId);
    assert.equal(await store().destroyUser(userId), 1);
  });
}

function describeClaims(it: TestRunner["it"], store: () => SessionStore): void {
  it("lets exactly one of many concurrent callers claim a key", async () => {
    const claim = store().claim?.bind(store());
    if (!claim) return;
    const results = await Promise.all(Array.from({ length: 20 }, () => claim("token", 60)));
    assert.equal(results.filter(Boolean).length, 1);
    assert.equal(await claim("another", 60), true);
  });
}

function record(part: Partial<SessionRecord>): SessionRecord {
  const now = Date.now();
  return {
    userId: "u",
    kind: "visitor",
    data: {},
    createdAt: now,
    expiresAt: now + HOUR * 1000,
    ...part,
  };
}

function id(name: string, kind = "visitor"): string {
  return `${kind}-${createHash("sha256").update(name).digest("hex")}`;
}
