import assert from "node:assert/strict";
import fc from "fast-check";
import { BoundedMap } from "#lib/values";
import { SiteCaches } from "../../kernel/caches.js";
import type { CacheEntry, CacheSpace } from "../../kernel/contracts.js";
import { testClock } from "#testing";
import { deferred } from "../support/deferred.js";
import { until } from "../support/until.js";

describe("site.cache", () => {
  let clock = testClock();
  let caches: SiteCaches;
  let space: CacheSpace<string>;
  let made: string[];
  beforeEach(() => {
    clock = testClock();
    caches = new SiteCaches(clock);
    space = caches.open<string>("texts", { maxBytes: 10_000, sizeOf: ({ length }) => length });
    made = [];
  });
  const make =
    (value: string, fill: (entry: CacheEntry) => void = () => undefined) =>
    (entry: CacheEntry): string => {
      made.push(value);
      fill(entry);
      return value;
    };

  it("builds a value once and drops it with one of its tags", async () => {
    const tagged = make("a", ({ tags }) => void tags.add("page:a"));
    assert.equal(await space.get("k", tagged), "a");
    assert.equal(await space.get("k", tagged), "a");
    caches.invalidate(["page:b"]);
    await space.get("k", tagged);
    assert.deepEqual(made, ["a"]);
    caches.invalidate(["page:a"]);
    assert.equal(space.peek("k"), undefined);
    await space.get("k", tagged);
    assert.deepEqual(made, ["a", "a"]);
  });

  it("runs one `make` for concurrent callers, and one error reaches all of them", async () => {
    const gate = deferred<string>();
    let runs = 0;
    const slow = (): Promise<string> => {
      runs += 1;
      return gate.promise;
    };
    const all = Promise.allSettled(Array.from({ length: 50 }, () => space.get("k", slow)));
    gate.reject(new Error("no"));
    const results = await all;
    assert.equal(runs, 1);
    assert.ok(results.every(({ status }) => status === "rejected"));
    assert.equal(await space.get("k", make("a")), "a");
  });

  it("does not store a value whose tag was invalidated while it was built", async () => {
    const gate = deferred<string>();
    const old = space.get("k", ({ tags }) => {
      tags.add("page:a");
      return gate.promise;
    });
    caches.invalidate(["page:a"]);
    // A caller after the invalidation does not get a value begun before it.
    assert.equal(await space.get("k", make("new")), "new");
    gate.resolve("old");
    assert.equal(await old, "old");
    assert.equal(space.peek("k"), "new");
  });

  it("drops a value when it expires", async () => {
    const until = clock.now() + 100;
    const timed = make("a", (entry) => void (entry.until = until));
    await space.get("k", timed);
    clock.advance(99);
    assert.equal(space.peek("k"), "a");
    clock.advance(1);
    assert.equal(space.peek("k"), undefined);
    await space.get("k", timed);
    assert.equal(space.peek("k"), undefined);
  });

  it("gives a private value to its own caller only", async () => {
    const gate = deferred<void>();
    const visitor = (name: string) => async (entry: CacheEntry) => {
      await gate.promise;
      entry.private = true;
      return name;
    };
    const both = Promise.all([space.get("k", visitor("ann")), space.get("k", visitor("ben"))]);
    gate.resolve();
    assert.deepEqual(await both, ["ann", "ben"]);
    assert.equal(space.peek("k"), undefined);
  });

  it("aborts the work when every caller has left", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    let signal: AbortSignal | undefined;
    const endless = (entry: CacheEntry): Promise<string> => {
      signal = entry.signal;
      return new Promise(() => undefined);
    };
    const calls = [first, second].map((one) => space.get("k", endless, { signal: one.signal }));
    first.abort(new Error("left"));
    await assert.rejects(calls[0] ?? Promise.resolve(), { message: "left" });
    assert.equal(signal?.aborted, false);
    second.abort(new Error("left"));
    await assert.rejects(calls[1] ?? Promise.resolve(), { message: "left" });
    assert.equal(signal?.aborted, true);
    assert.equal(await space.get("k", make("a")), "a");
  });

  it("evicts the least recently used value beyond its bytes, and stores none that is larger", async () => {
    for (const key of ["a", "b", "c"]) await space.get(key, make("x".repeat(3_000)));
    space.peek("a");
    await space.get("d", make("x".repeat(3_000)));
    assert.deepEqual(
      ["a", "b", "c", "d"].map((key) => space.peek(key) !== undefined),
      [true, false, true, true],
    );
    await space.get("e", make("x".repeat(20_000)));
    assert.equal(space.peek("e"), undefined);
    assert.equal(caches.stats()["texts"]?.evictions, 1);
  });

  it("takes no value beyond the limit for one", () => {
    const small = caches.open<string>("small", {
      maxBytes: 10_000,
      maxValueBytes: 100,
      sizeOf: ({ length }) => length,
    });
    small.set("a", "x".repeat(90));
    small.set("b", "x".repeat(150));
    assert.deepEqual([small.peek("a")?.length, small.peek("b")], [90, undefined]);
  });

  it("shares work across invalidations where values have no tags", async () => {
    const untagged = caches.open<string>("untagged", {
      maxBytes: 1_000,
      sizeOf: () => 1,
      untagged: true,
    });
    const gate = deferred<string>();
    const first = untagged.get("k", () => gate.promise);
    caches.invalidate(["x"]);
    const second = untagged.get("k", make("again"));
    gate.resolve("once");
    assert.deepEqual(await Promise.all([first, second]), ["once", "once"]);
    assert.equal(untagged.peek("k"), "once");
  });

  it("explains why a value is absent", async () => {
    const at = clock.now();
    await space.get(
      "k",
      make("abc", ({ tags }) => void tags.add("nav")),
    );
    assert.deepEqual(caches.explain("k"), [
      {
        space: "texts",
        state: "cached",
        bytes: 3,
        tags: ["nav"],
        since: at,
        until: null,
        dropped: null,
      },
    ]);
    caches.invalidate(["nav"]);
    assert.deepEqual(caches.explain("k"), [
      {
        space: "texts",
        state: "absent",
        bytes: null,
        tags: [],
        since: null,
        until: null,
        dropped: { at, reason: "tag", tag: "nav" },
      },
    ]);
    assert.deepEqual(caches.explain("other"), []);
  });

  it("explains the drops of short keys, and keeps no more of long ones than it may", () => {
    const roomy = caches.open<string>("roomy", { maxBytes: 100e6, sizeOf: () => 1 });
    const keyOf = (nth: number, length: number): string => String(nth).padEnd(length, "x");
    const dropped = (length: number): string[] => {
      const keys = Array.from({ length: 1_000 }, (_, nth) => keyOf(nth, length));
      for (const key of keys) roomy.set(key, "v", { tags: ["t"] });
      assert.equal(roomy.peek(keys[0] ?? ""), "v");
      caches.invalidate(["t"]);
      return keys.filter((key) => caches.explain(key).length > 0);
    };
    assert.equal(dropped(40).length, 1_000);
    assert.ok(dropped(4_000).length * 4_000 <= 512 * 1_024);
    assert.deepEqual(dropped(40_000), []);
    assert.ok(dropped(41).length === 1_000);
  });

  it("stores what was made without waiting", () => {
    space.set("a", "one", { tags: ["x"], until: clock.now() + 10 });
    space.set("b", "two");
    assert.deepEqual([space.peek("a"), space.peek("b")], ["one", "two"]);
    clock.advance(10);
    caches.invalidate(["y"]);
    assert.deepEqual([space.peek("a"), space.peek("b")], [undefined, "two"]);
    space.set("a", "one", { tags: ["x"] });
    caches.invalidate(["x"]);
    assert.equal(space.peek("a"), undefined);
    const { hits, misses } = caches.stats()["texts"] ?? {};
    assert.deepEqual([hits, misses], [3, 3]);
  });

  it("drops the tags of an older value under the same key", () => {
    space.set("k", "one", { tags: ["old"] });
    space.set("k", "two", { tags: ["new"] });
    caches.invalidate(["old"]);
    assert.equal(space.peek("k"), "two");
    caches.invalidate(["new"]);
    assert.equal(space.peek("k"), undefined);
  });

  it("stores a value under the key that its maker chooses", async () => {
    const chosen = make("a", (entry) => void (entry.key = "short"));
    await space.get("short?x=1", chosen);
    assert.deepEqual([space.peek("short"), space.peek("short?x=1")], ["a", undefined]);
  });

  it("lets callers of a private key not wait for each other, for ten seconds", async () => {
    const visitor = make("own", (entry) => void (entry.private = true));
    await space.get("k", visitor);
    const gates = [deferred<string>(), deferred<string>()];
    const slow = (at: number) => (): Promise<string> => {
      made.push(`begun ${at}`);
      return gates[at]?.promise ?? Promise.reject(new Error("no gate"));
    };
    const calls = [space.get("k", slow(0)), space.get("k", slow(1))];
    assert.deepEqual(made, ["own", "begun 0", "begun 1"]);
    for (const gate of gates) gate.resolve("a");
    await Promise.all(calls);
    assert.equal(space.peek("k"), "a");
    await space.get("other", visitor);
    clock.advance(10_000);
    const [first, second] = [space.get("other", slow(0)), space.get("other", slow(1))];
    await Promise.all([first, second]);
    assert.deepEqual(made.slice(3), ["own", "begun 0"]);
  });

  it("reports the keys that a tag or `clear` has dropped", () => {
    const dropped: (readonly string[])[] = [];
    const onInvalidate = (keys: readonly string[]): void => void dropped.push(keys);
    const watched = caches.open<string>("watched", {
      maxBytes: 1_000,
      sizeOf: () => 1,
      onInvalidate,
    });
    watched.set("a", "a", { tags: ["x", "y"] });
    watched.set("b", "b");
    caches.invalidate(["x", "y"]);
    caches.invalidate(["x"]);
    caches.clear();
    assert.deepEqual(dropped, [["a"], ["b"]]);
  });

  it("stores nothing in a space for no entries", () => {
    const none = caches.open<string>("none", { maxBytes: 1_000, maxEntries: 0, sizeOf: () => 1 });
    none.set("a", "a");
    assert.equal(none.peek("a"), undefined);
  });

  it("empties an unused space, and starts again with the next value", async () => {
    const resting = caches.open<string>("resting", {
      maxBytes: 1_000,
      sizeOf: () => 1,
      idleMs: 20,
    });
    space.set("a", "stays");
    for (let round = 0; round < 2; round += 1) {
      resting.set("a", "goes");
      while (caches.stats()["resting"]?.entries !== 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(caches.explain("a")[1]?.dropped?.reason, "idle");
    }
    assert.equal(space.peek("a"), "stays");
    resting.set("a", "used");
    for (const end = Date.now() + 60; Date.now() < end; resting.peek("a"))
      await new Promise((resolve) => setTimeout(resolve, 2));
    assert.equal(resting.peek("a"), "used");
    caches.close();
  });

  it("returns the memory of an unused space although nothing else allocates", async () => {
    const size = 1024 * 1024;
    const large = caches.open<Buffer>("large", {
      maxBytes: 32 * size,
      sizeOf: ({ length }) => length,
      idleMs: 20,
      untagged: true,
    });
    let collected = 0;
    const registry = new FinalizationRegistry(() => (collected += 1));
    for (let at = 0; at < 16; at += 1) {
      const value = Buffer.alloc(size, 1);
      large.set(String(at), value);
      registry.register(value, at);
    }
    await until(() => collected >= 15);
  });

  it("rejects two spaces of one name", () => {
    const again = (): unknown => caches.open("texts", { maxBytes: 1, sizeOf: () => 1 });
    assert.throws(again, { code: "ERR_CACHE_DUPLICATE" });
  });

  it("never returns a value older than the last invalidation (any order of calls)", async () => {
    const key = fc.constantFrom("a", "b");
    const tag = fc.constantFrom("x", "y");
    const step = fc.oneof(
      fc.record({ op: fc.constant("get" as const), key, tag }),
      fc.record({ op: fc.constant("invalidate" as const), tag }),
      fc.record({ op: fc.constant("finish" as const) }),
      fc.record({ op: fc.constant("clear" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const all = new SiteCaches(clock);
        const values = all.open<{ tag: string; truth: number }>("s", {
          maxBytes: 1e6,
          sizeOf: () => 1,
        });
        const truth: Record<string, number> = { x: 0, y: 0 };
        const open: (() => void)[] = [];
        const calls: Promise<void>[] = [];
        for (const one of steps) {
          if (one.op === "get") {
            const before = { ...truth };
            const call = values.get(one.key, async (entry) => {
              entry.tags.add(one.tag);
              const read = { tag: one.tag, truth: truth[one.tag] ?? 0 };
              await new Promise<void>((resolve) => open.push(resolve));
              return read;
            });
            calls.push(call.then((value) => assert.ok(value.truth >= (before[value.tag] ?? 0))));
          } else if (one.op === "invalidate") {
            truth[one.tag] = (truth[one.tag] ?? 0) + 1;
            all.invalidate([one.tag]);
          } else if (one.op === "clear") {
            truth["x"] = (truth["x"] ?? 0) + 1;
            truth["y"] = (truth["y"] ?? 0) + 1;
            all.clear();
          } else {
            open.shift()?.();
            await new Promise((resolve) => setImmediate(resolve));
          }
        }
        while (open.length > 0) {
          open.shift()?.();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(calls);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a bounded map", () => {
  it("drops what was not used for longest", () => {
    const map = new BoundedMap<number | null>(2);
    map.set("a", 1);
    map.set("b", null);
    assert.equal(map.get("a"), 1);
    map.set("c", 3);
    assert.deepEqual(
      [...map.entries()],
      [
        ["a", 1],
        ["c", 3],
      ],
    );
    map.set("a", 4);
    map.set("d", 5);
    assert.deepEqual([map.get("a"), map.get("b"), map.get("c")], [4, undefined, undefined]);
  });

  it("makes a missing value once", () => {
    const map = new BoundedMap<string>(2);
    const made: string[] = [];
    const make = (value: string) => (): string => {
      made.push(value);
      return value;
    };
    assert.equal(map.getOrInsert("a", make("a")), "a");
    assert.equal(map.getOrInsert("a", make("again")), "a");
    assert.deepEqual(made, ["a"]);
  });
});
