import assert from "node:assert/strict";
import { ulid } from "ulid";
import { z } from "zod";
import { globalRunner, statingRules, type TestRunner, type SuiteRules } from "#testing";
import type { CollectionDefinition, LogDefinition, RecordStore } from "../contract.js";

/** Creates the engine of the suite. */
export interface RecordsFixture {
  /** An engine that stores nothing yet. */
  open(): Promise<RecordStore> | RecordStore;
  /** Removes what `open` created. */
  remove?(): Promise<void> | void;
}

const boat = z.object({ name: z.string(), crew: z.number() });
type Boat = z.output<typeof boat>;

/** Boats by an id of letters. */
export const BOATS: CollectionDefinition<Boat> = {
  name: "boats",
  key: /^[a-z]{1,20}$/,
  parse: (value) => boat.safeParse(value).data ?? null,
};
const LANDINGS: CollectionDefinition<Boat> = {
  ...BOATS,
  name: "landings",
  key: /^[0-7][0-9A-Z]{25}$/,
  byDay: true,
  isIndented: true,
};
/** Notes of at most about 20 KB. */
export const NOTES: LogDefinition<Record<string, unknown>> = {
  name: "notes",
  files: ["notes.jsonl", "notes.1.jsonl"],
  maxBytes: 20_000,
  parse: (value) => z.record(z.string(), z.unknown()).safeParse(value).data ?? null,
};

/** The conformance suite of engines for the slot `records`. Call it inside a `describe`. */
export function recordsContract(
  fixture: RecordsFixture,
  { it: plainIt, beforeEach, afterEach }: Omit<TestRunner, "describe"> = globalRunner(),
): void {
  const it = statingRules(plainIt, RECORDS_RULES);
  let store: RecordStore;
  beforeEach(async () => {
    store = await fixture.open();
  });
  afterEach(() => fixture.remove?.());
  const current = (): RecordStore => store;
  checkCollections(it, current);
  checkBytesAndLogs(it, current);
  checkJournals(it, current);
}

function checkCollections(it: TestRunner["it"], opened: () => RecordStore): void {
  const aurora = { name: "Aurora", crew: 3 };
  const day = Date.parse("2026-11-20T12:00:00Z");

  it("stores, replaces, lists and deletes values by key", async () => {
    const boats = opened().collection(BOATS);
    assert.equal(await boats.get("a"), null);
    await boats.put("a", aurora);
    await boats.put("b", { name: "Bora", crew: 1 });
    await boats.put("a", { ...aurora, crew: 4 });
    assert.deepEqual((await boats.get("a"))?.value, { ...aurora, crew: 4 });
    const { items, total } = await boats.list();
    assert.deepEqual([items.map(({ value }) => value.name), total], [["Bora", "Aurora"], 2]);
    assert.equal((await boats.list({ limit: 1 })).items[0]?.value.name, "Bora");
    assert.deepEqual([await boats.delete("a"), await boats.delete("a")], [true, false]);
    assert.equal(await boats.get("a"), null);
  });

  it("has nothing at a key that does not match", async () => {
    for (const key of ["", "../a", "A", "a/b", "\0", "a".repeat(300), "a'; drop table x"]) {
      const boats = opened().collection(BOATS);
      assert.deepEqual([await boats.get(key), await boats.delete(key)], [null, false], key);
    }
  });

  it("counts every one of many updates at once, and creates no deleted value", async () => {
    const boats = opened().collection(BOATS);
    const board = () =>
      opened()
        .collection(BOATS)
        .update("a", (stored) => stored && { ...stored, crew: stored.crew + 1 });
    assert.equal(await board(), null);
    await boats.put("a", aurora);
    await Promise.all(Array.from({ length: 12 }, board));
    assert.equal((await boats.get("a"))?.value.crew, 15);
    const created = await Promise.all(
      ["x", "y", "z"].map((name) =>
        boats.update("n", (stored) => (stored === null ? { name, crew: 0 } : null)),
      ),
    );
    assert.equal(new Set(created.map((one) => one?.value.name)).size, 1);
  });

  it("lists and prunes by day", async () => {
    const landings = opened().collection(LANDINGS);
    const keys = [day - 172_800_000, day - 86_400_000, day].map((time) => ulid(time));
    for (const [crew, key] of keys.entries()) await landings.put(key, { name: "", crew });
    const crews = async (since?: number) =>
      (await landings.list(since === undefined ? {} : { since })).items.map(
        ({ value }) => value.crew,
      );
    assert.deepEqual(await crews(), [2, 1, 0]);
    assert.deepEqual(await crews(day - 86_400_000), [2, 1]);
    assert.deepEqual(await crews(day - 86_399_999), [2]);
    await landings.prune(day - 80_000_000);
    assert.deepEqual(await crews(), [2, 1]);
  });
}

function checkBytesAndLogs(it: TestRunner["it"], opened: () => RecordStore): void {
  it("stores, replaces and deletes bytes by key and number", async () => {
    const bytes = opened().bytes({ name: "copies", key: /^[a-z]{1,20}$/ });
    const large = Buffer.alloc(2_500_000, 7);
    assert.deepEqual([await bytes.get("a", 0), await bytes.keys()], [null, []]);
    await bytes.put("a", 0, large);
    await bytes.put("a", 1, Buffer.alloc(0));
    await bytes.put("b", 0, Buffer.from([0, 255]));
    assert.deepEqual(await bytes.get("a", 0), large);
    assert.deepEqual(await bytes.get("a", 1), Buffer.alloc(0));
    await bytes.put("a", 0, Buffer.from("short"));
    assert.equal((await bytes.get("a", 0))?.toString(), "short");
    assert.deepEqual([...(await bytes.keys())].toSorted(), ["a", "b"]);
    await bytes.delete("a");
    assert.deepEqual([await bytes.get("a", 0), await bytes.get("../a", 0)], [null, null]);
    assert.deepEqual(await bytes.keys(), ["b"]);
  });

  it("stores text of any kind", async () => {
    const name = "nul \0, half \ud800, \\u0000, café 🎉";
    await opened().collection(BOATS).put("a", { name, crew: 0 });
    assert.equal((await opened().collection(BOATS).get("a"))?.value.name, name);
    const log = opened().log(NOTES);
    await log.append([{ text: name, "key\0": 1 }, { text: "café" }]);
    const { entries } = await log.list({ limit: 5, offset: 0 });
    assert.equal(entries[0]?.value["text"], "café");
    assert.match(String(entries[1]?.value["text"]), /^nul .*, half .*, \\u0000, café 🎉$/su);
    assert.equal((await log.list({ limit: 5, offset: 0, match: { text: "\0" } })).total, 0);
  });

  it("lists a log from its newest entry, by what entries contain", async () => {
    const log = opened().log(NOTES);
    await log.append([1, 2, 3].map((nth) => ({ nth, by: { id: String(nth % 2) }, kind: "x" })));
    await log.append([]);
    const list = async (query: { limit: number; offset: number; match?: object }) => {
      const { entries, total } = await log.list({ ...query, match: { ...query.match } });
      return [entries.map(({ value }) => value["nth"]), total];
    };
    assert.deepEqual(await list({ limit: 10, offset: 0 }), [[3, 2, 1], 3]);
    assert.deepEqual(await list({ limit: 1, offset: 1 }), [[2], 3]);
    assert.deepEqual(await list({ limit: 9, offset: 0, match: { by: { id: "1" } } }), [[3, 1], 2]);
    assert.deepEqual(await list({ limit: 9, offset: 0, match: { kind: "x", by: {} } }), [
      [3, 2, 1],
      3,
    ]);
    assert.deepEqual(await list({ limit: 9, offset: 0, match: { toString: "x" } }), [[], 0]);
  });

  it("follows a log, oldest first, and starts again when old entries were deleted", async () => {
    const log = opened().log(NOTES);
    const seen: unknown[] = [];
    const take = (value: Record<string, unknown>): void => void seen.push(value["nth"]);
    await log.append([{ nth: 1 }, { nth: 2 }]);
    const first = await log.follow(null, take);
    await log.append([{ nth: "é".repeat(50) }]);
    const second = await log.follow(first, take);
    assert.deepEqual(seen, [1, 2, "é".repeat(50)]);
    assert.equal(await log.follow(second, take), second);
    for (let nth = 0; nth < 60; nth += 1) await log.append([{ nth, text: "x".repeat(1_000) }]);
    seen.length = 0;
    assert.equal(await log.follow(second, take), null);
    assert.deepEqual(seen, []);
    await log.follow(null, take);
    assert.ok(seen.length > 5 && seen.length <= 20, `${seen.length} entries`);
    assert.equal(seen.at(-1), 59);
    assert.equal((await log.list({ limit: 100, offset: 0 })).total, seen.length);
  });
}

function checkJournals(it: TestRunner["it"], opened: () => RecordStore): void {
  it("appends to a journal in one order, and reads it from a number on", async () => {
    const journal = opened().journal({ name: "journal", maxEntries: 100 });
    const read = async (from: number, limit: number) =>
      (await journal.read(from, limit)).map(({ at, value }) => [at, value]);
    assert.deepEqual([await journal.newest(), await read(1, 9)], [null, []]);
    await journal.append([]);
    await journal.append([{ at: 1, value: { text: "café" } }]);
    const first = (await journal.newest())?.n ?? 0;
    await Promise.all([2, 3, 4].map((at) => journal.append([{ at, value: at }])));
    await journal.append(Array.from({ length: 25 }, (_, nth) => ({ at: 5 + nth, value: nth })));
    const all = await journal.read(first, 100);
    assert.equal(all.length, 29);
    assert.deepEqual(all[0], { n: first, at: 1, value: { text: "café" } });
    assert.deepEqual(
      all.map(({ n }) => n),
      all.map(({ n }) => n).toSorted((a, b) => a - b),
    );
    assert.deepEqual(new Set(all.slice(1, 4).map(({ value }) => value)), new Set([2, 3, 4]));
    assert.deepEqual(await read(all[27]?.n ?? 0, 1), [[28, 23]]);
    assert.deepEqual(await journal.newest(), all.at(-1));
    assert.deepEqual(await read((all.at(-1)?.n ?? 0) + 1, 9), []);
    assert.equal(
      (await opened().journal({ name: "other", maxEntries: 10 }).newest()) === null,
      true,
    );
  });

  it("prunes a journal by size and by age, but never its newest entry", async () => {
    const journal = opened().journal({ name: "journal", maxEntries: 30 });
    for (let at = 1; at <= 60; at += 1) await journal.append([{ at, value: null }]);
    const stored = async () => (await journal.read(0, 100)).map(({ at }) => at);
    await journal.prune(0);
    const bySize = (await stored()).length;
    assert.ok(bySize >= 30 && bySize <= 33, `${bySize} entries`);
    await journal.prune(50);
    const [oldest = 0] = await stored();
    assert.ok(oldest >= 46 && oldest <= 49, `${oldest} is the oldest`);
    await journal.prune(1_000);
    assert.equal((await stored()).at(-1), 60);
    await journal.append([{ at: 61, value: 1 }]);
    assert.deepEqual((await stored()).slice(-2), [60, 61]);
  });
}

/** The rules of stores by the title of their check, which `recordsContract` states. */
export const RECORDS_RULES: SuiteRules = {
  "stores, replaces, lists and deletes values by key":
    "a collection returns what `put` stored last; `list` starts with the greatest key; `delete` says whether there was a value",
  "stores, replaces and deletes bytes by key and number":
    "bytes are returned as they were put, also none and several MB; `delete` removes all numbers of a key, and `keys` lists the others",
  "has nothing at a key that does not match":
    "`get` and `delete` return null and false for a key that `key` does not match, whatever it is",
  "counts every one of many updates at once, and creates no deleted value":
    "`update` reads, changes and writes in one step: updates at the same time all take effect, and null from `change` changes nothing",
  "lists and prunes by day":
    "with `byDay`, `list` returns the keys from `since` on, and `prune` deletes the days before the one of its moment",
  "stores text of any kind":
    "texts may contain every character; only NUL and halves of surrogate pairs may be replaced, without an error",
  "lists a log from its newest entry, by what entries contain":
    "`list` of a log starts with the newest entry; `match` selects entries that contain its object, and `total` counts all of them",
  "follows a log, oldest first, and starts again when old entries were deleted":
    "`follow` passes the entries after the cursor, oldest first, and returns null without passing any when entries before it were deleted; a log stays below `maxBytes`",
  "appends to a journal in one order, and reads it from a number on":
    "entries of a journal get growing numbers in the order in which they arrive, and `read` returns them from a number on, as they were appended",
  "prunes a journal by size and by age, but never its newest entry":
    "`prune` of a journal leaves `maxEntries` and at most a tenth more, deletes entries that were followed by another one before its moment, and never the newest",
};
