import assert from "node:assert/strict";
import type { SessionRecord, SessionStore } from "../../../plugins/session/contract.js";
import { storeKey } from "../../../plugins/session/session-id.js";
import { SessionRecords } from "../../../plugins/session/session-records.js";
import { StoreGuard } from "../../../plugins/session/store-guard.js";

const NOW = 1_800_000_000_000;
const guard = (): StoreGuard =>
  new StoreGuard({ monotonic: () => NOW, onChange: () => undefined, limitMs: () => 10_000 });
const record: SessionRecord = {
  userId: "ann",
  kind: "visitor",
  data: {},
  createdAt: NOW,
  expiresAt: NOW + 60_000,
};

describe("records of sessions", () => {
  let now = NOW;
  let kept: Map<string, SessionRecord>;
  let seconds: number[];
  let claimed: string[];
  let records: SessionRecords;
  let store: SessionStore;
  beforeEach(() => {
    now = NOW;
    kept = new Map();
    seconds = [];
    claimed = [];
    store = {
      get: async (id) => kept.get(id) ?? null,
      set: async (id, value, ttl) => {
        kept.set(id, value);
        seconds.push(ttl);
      },
      destroy: async (id) => void kept.delete(id),
      destroyUser: async () => 3,
    };
    records = new SessionRecords({
      store: () => store,
      guards: { read: guard(), write: guard() },
      clock: { now: () => now },
      claim: async (key) => claimed.push(key) === 1,
    });
  });

  it("are kept under a digest, and found by the cookie's id alone", async () => {
    await records.set("id", record);
    assert.deepEqual([...kept.keys()], [storeKey("visitor", "id")]);
    assert.deepEqual(await records.get("visitor", "id"), record);
    assert.equal(await records.get("visitor", storeKey("visitor", "id")), null);
  });

  it("are nobody's to the millisecond after their end, though the store has them", async () => {
    await records.set("id", record);
    now = record.expiresAt - 1;
    assert.notEqual(await records.get("visitor", "id"), null);
    now = record.expiresAt;
    assert.equal(await records.get("visitor", "id"), null);
    assert.equal(kept.size, 1);
  });

  for (const [expiresAt, ttl] of [
    [NOW + 60_000, 60],
    [NOW + 60_001, 61],
    [NOW + 1, 1],
    [NOW, 1],
    [NOW - 5_000, 1],
  ] as const) {
    it(`one that ends in ${expiresAt - NOW} ms is kept for ${ttl} s`, async () => {
      await records.set("id", { ...record, expiresAt });
      assert.deepEqual(seconds, [ttl]);
    });
  }

  it("a visitor's record under an admin's name counts for nobody", async () => {
    kept.set(storeKey("admin", "id"), record);
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
    it(`what a store makes of a record is looked at: ${JSON.stringify(broken)}`, async () => {
      store = { ...store, get: () => Promise.resolve(JSON.parse(JSON.stringify(broken))) };
      assert.equal(await records.get("visitor", "id"), null);
    });
  }

  it("are gone when destroyed, those of the kind alone", async () => {
    await records.set("id", record);
    await records.destroy("admin", "id");
    assert.equal(kept.size, 1);
    await records.destroy("visitor", "id");
    assert.equal(kept.size, 0);
    assert.equal(await records.destroyUser("ann"), 3);
  });

  it("a claim is the store's, or ours where it has none", async () => {
    assert.deepEqual([await records.claim("k", 1), await records.claim("k", 1)], [true, false]);
    store = { ...store, claim: async () => true };
    assert.equal(await records.claim("k", 1), true);
    assert.deepEqual(claimed, ["k", "k"]);
  });

  it("a store that fails or throws is 503", async () => {
    const down = { code: "ERR_SESSION_STORE_DOWN", status: 503 };
    store = { ...store, get: () => Promise.reject(new Error("redis")) };
    await assert.rejects(records.get("visitor", "id"), down);
    store = {
      ...store,
      get: () => {
        throw new Error("redis");
      },
    };
    await assert.rejects(records.get("visitor", "id"), down);
  });
});
