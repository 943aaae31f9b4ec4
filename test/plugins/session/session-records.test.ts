import assert from "node:assert/strict";
import { StoreGuard } from "#lib/stores";
import type { SessionRecord, SessionStore } from "../../../plugins/session/contract.js";
import { storeKey } from "../../../plugins/session/session-id.js";
import { SessionRecords, storeDown } from "../../../plugins/session/session-records.js";

const NOW = 1_800_000_000_000;
const guard = (): StoreGuard =>
  new StoreGuard({
    monotonic: () => NOW,
    onChange: () => undefined,
    limitMs: () => 10_000,
    toError: storeDown,
  });
const record: SessionRecord = {
  userId: "ann",
  kind: "visitor",
  data: {},
  createdAt: NOW,
  expiresAt: NOW + 60_000,
};

describe("session records", () => {
  let now = NOW;
  let stored: Map<string, SessionRecord>;
  let seconds: number[];
  let claimed: string[];
  let records: SessionRecords;
  let store: SessionStore;
  beforeEach(() => {
    now = NOW;
    stored = new Map();
    seconds = [];
    claimed = [];
    store = {
      get: async (id) => stored.get(id) ?? null,
      set: async (id, value, ttl) => {
        stored.set(id, value);
        seconds.push(ttl);
      },
      destroy: async (id) => void stored.delete(id),
      destroyUser: async () => 3,
    };
    records = new SessionRecords({
      store: () => store,
      guards: { read: guard(), write: guard() },
      clock: { now: () => now },
      claim: async (key) => claimed.push(key) === 1,
    });
  });

  it("are stored under a digest, and found by the cookie's id only", async () => {
    await records.set("id", record);
    assert.deepEqual([...stored.keys()], [storeKey("visitor", "id")]);
    assert.deepEqual(await records.get("visitor", "id"), record);
    assert.equal(await records.get("visitor", storeKey("visitor", "id")), null);
  });

  for (const [expiresAt, ttl] of [
    [NOW + 60_000, 60],
    [NOW + 60_001, 61],
    [NOW + 1, 1],
    [NOW, 1],
    [NOW - 5_000, 1],
  ] as const) {
    it(`are stored for ${ttl} s when they expire in ${expiresAt - NOW} ms`, async () => {
      await records.set("id", { ...record, expiresAt });
      assert.deepEqual(seconds, [ttl]);
    });
  }

  it("are ignored if the kind does not match", async () => {
    stored.set(storeKey("admin", "id"), record);
    assert.equal(await records.get("admin", "id"), null);
  });

  for (const broken of [
    null,
    "text",
    [],
    {},
    { ...record, userId: "" },
    { ...record, userId: 1 },
    { ...record, kind: "root" },
    { ...record, expiresAt: "9999999999999" },
    { ...record, expiresAt: null },
    { ...record, data: null },
  ]) {
    it(`are validated: ${JSON.stringify(broken)}`, async () => {
      store = { ...store, get: () => Promise.resolve(JSON.parse(JSON.stringify(broken))) };
      assert.equal(await records.get("visitor", "id"), null);
    });
  }

  it("are deleted when destroyed, for that kind only", async () => {
    await records.set("id", record);
    await records.destroy("admin", "id");
    assert.equal(stored.size, 1);
    await records.destroy("visitor", "id");
    assert.equal(stored.size, 0);
    assert.equal(await records.destroyUser("ann"), 3);
  });

  it("use the store's claim, or their own", async () => {
    assert.deepEqual([await records.claim("k", 1), await records.claim("k", 1)], [true, false]);
    store = { ...store, claim: async () => true };
    assert.equal(await records.claim("k", 1), true);
    assert.deepEqual(claimed, ["k", "k"]);
  });
});
