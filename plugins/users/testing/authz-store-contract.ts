import assert from "node:assert/strict";
import { globalRunner, statingRules, type SuiteRules, type TestRunner } from "#testing";
import type { AuthzRecord, AuthzStore } from "../contract.js";

/** How the suite creates a store. */
export interface AuthzStoreFixture {
  /** An empty store. */
  open(): Promise<AuthzStore> | AuthzStore;
  /** Removes what `open` created; the suite has closed the store. */
  remove?(): Promise<void> | void;
}

/** The rules of authorization stores by the title of their check, which `authzStoreContract` states. */
export const AUTHZ_STORE_RULES: SuiteRules = {
  "returns null for a user without a record":
    "`get` returns null for a user without a record, whatever the id is; `users` is then empty",
  "starts with an empty record and stores the result of the change":
    "`update` gives `change` the stored record, or `{ user, fingerprint: null, tuples: [] }`; it stores and returns what `change` returns, with every field of each tuple, and `users` lists the user",
  "stores when the identity provider deleted the user":
    "`endedAt` and `endedBy` are stored, and stay until a change replaces them",
  "removes tuples without touching other users":
    "an `update` changes the record of its user and no other",
  "does not change the record when the change throws":
    "`update` rejects and writes nothing when `change` throws",
  "loses no concurrent update":
    "`update` reads, changes and writes in one step: updates at the same time all take effect",
};

/** The conformance suite of authorization stores. Call it inside a `describe`. */
export function authzStoreContract(
  fixture: AuthzStoreFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  const it = statingRules(plainIt, AUTHZ_STORE_RULES);
  let store: AuthzStore;
  beforeEach(async () => {
    store = await fixture.open();
  });
  afterEach(async () => {
    await store.close?.();
    await fixture.remove?.();
  });

  it("returns null for a user without a record", async () => {
    for (const id of ["unknown", "", "../x", "__proto__"]) assert.equal(await store.get(id), null);
    assert.deepEqual(await store.users(), []);
  });

  it("starts with an empty record and stores the result of the change", async () => {
    const stored = await store.update("auth0|1/..", (record) => {
      assert.deepEqual(record, { user: "auth0|1/..", fingerprint: null, tuples: [] });
      return {
        ...record,
        fingerprint: "f",
        tuples: [tuple(record.user, "a"), tuple(record.user, "b", "abc")],
      };
    });
    assert.deepEqual(await store.get("auth0|1/.."), stored);
    assert.deepEqual(await store.users(), ["auth0|1/.."]);
  });

  it("stores when the identity provider deleted the user", async () => {
    const endedAt = 1_800_000_000_123;
    const ended = { endedAt, endedBy: [{ digest: "abc", at: endedAt }] };
    const stored = await store.update("u", (record) => ({ ...record, ...ended }));
    assert.deepEqual(await store.get("u"), { ...stored, ...ended });
    const next = await store.update("u", (record) => withObject(record, "role:x"));
    assert.deepEqual([next.endedAt, next.tuples.length], [endedAt, 1]);
    assert.deepEqual(await store.get("u"), next);
  });

  it("removes tuples without touching other users", async () => {
    for (const user of ["u1", "u2"])
      await store.update(user, (record) => withObject(record, "role:x"));
    await store.update("u1", (record) => ({ ...record, tuples: [] }));
    assert.deepEqual((await store.get("u1"))?.tuples, []);
    assert.equal((await store.get("u2"))?.tuples.length, 1);
  });

  it("does not change the record when the change throws", async () => {
    await store.update("u", (record) => withObject(record, "role:x"));
    const failing = store.update("u", () => {
      throw new RangeError("no");
    });
    await assert.rejects(failing);
    assert.equal((await store.get("u"))?.tuples.length, 1);
  });

  it("loses no concurrent update", async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        store.update("u", (record) => withObject(record, `role:${n}`)),
      ),
    );
    assert.equal((await store.get("u"))?.tuples.length, 30);
  });
}

function withObject(record: AuthzRecord, object: string): AuthzRecord {
  return { ...record, tuples: [...record.tuples, tuple(record.user, object)] };
}

function tuple(user: string, object: string, hmac?: string): AuthzRecord["tuples"][number] {
  return { user, relation: "member", object, ...(hmac === undefined ? {} : { hmac }) };
}
