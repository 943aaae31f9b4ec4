import assert from "node:assert/strict";
import fc from "fast-check";
import { HeldAnswer } from "../../../plugins/cache/held-answer.js";
import { HeldAnswers } from "../../../plugins/cache/held-answers.js";

const answer = (
  key: string,
  tags: readonly string[],
  more: { expiresAt?: number; body?: string } = {},
) =>
  new HeldAnswer(
    key,
    { type: "text/plain", body: more.body ?? "x", reads: new Set(tags) },
    { etag: `"${key}"`, expiresAt: more.expiresAt ?? Infinity },
  );
const store = (more: Partial<{ maxEntries: number; maxBytes: number }> = {}) =>
  new HeldAnswers({ maxEntries: 10, maxBytes: 1_000, ...more });
const now = (): number => performance.now();

describe("HeldAnswers", () => {
  it("gives back what was put until its time is over", () => {
    const held = store();
    held.put(answer("/a", [], { expiresAt: 100 }), now());
    assert.equal(held.get("/a", 99)?.key, "/a");
    assert.equal(held.get("/a", 100), undefined);
    assert.equal(held.stats().entries, 0);
  });

  it("forgets by tag exactly what read it, and names it once", () => {
    const held = store();
    held.put(answer("/a", ["nav", "page:a"]), now());
    held.put(answer("/b", ["nav"]), now());
    held.put(answer("/c", ["page:c"]), now());
    assert.deepEqual(held.invalidate(["nav", "page:a"]).toSorted(), ["/a", "/b"]);
    assert.deepEqual(held.invalidate(["nav", "page:a"]), []);
    assert.equal(held.get("/c", 0)?.key, "/c");
  });

  it("follows the newer answer of a key, not what the older one had read", () => {
    const held = store();
    held.put(answer("/a", ["old"]), now());
    held.put(answer("/a", ["new"]), now());
    assert.deepEqual(held.invalidate(["old"]), []);
    assert.deepEqual(held.invalidate(["new"]), ["/a"]);
  });

  it("keeps no answer that was begun before what it read changed, or before all was cleared", () => {
    const held = store();
    const begun = now();
    held.invalidate(["nav"]);
    assert.equal(held.put(answer("/a", ["nav"]), begun), false);
    assert.equal(held.put(answer("/b", ["list"]), begun), true);
    held.clear();
    assert.equal(held.put(answer("/b", ["list"]), begun), false);
    assert.equal(held.put(answer("/b", ["nav"]), now() + 1), true);
  });

  it("lets no number of addresses with a query push out one without", () => {
    const held = store({ maxEntries: 8, maxBytes: 1_000 });
    for (const key of ["/a", "/b", "/c"]) held.put(answer(key, ["t"]), now());
    for (let at = 0; at < 100; at += 1) held.put(answer(`/a?x=${at}`, ["t"]), now());
    assert.deepEqual(
      ["/a", "/b", "/c", "/a?x=99", "/a?x=0"].map((key) => held.get(key, 0)?.key),
      ["/a", "/b", "/c", "/a?x=99", undefined],
    );
    assert.equal(held.stats().entries, 5);
    assert.equal(held.clear().length, 5);
  });

  it("never holds more than its limit, however small it is", () => {
    for (const maxEntries of [1, 2, 3, 4, 5]) {
      const held = store({ maxEntries });
      for (let at = 0; at < 20; at += 1) {
        held.put(answer(`/${at}`, []), now());
        held.put(answer(`/a?x=${at}`, []), now());
      }
      assert.ok(held.stats().entries <= maxEntries);
      assert.equal(held.get("/19", 0)?.key, "/19");
    }
  });

  it("holds so many entries and so many bytes, the oldest unused go first", () => {
    const held = store({ maxEntries: 3, maxBytes: 10 });
    for (const key of ["/a", "/b", "/c"]) held.put(answer(key, ["t"]), now());
    held.get("/a", 0);
    held.put(answer("/d", ["t"]), now());
    assert.equal(held.get("/b", 0), undefined);
    assert.equal(held.get("/a", 0)?.key, "/a");
    held.put(answer("/big", ["t"], { body: "x".repeat(9) }), now());
    assert.ok(held.stats().bytes <= 10);
    assert.equal(held.put(answer("/huge", ["huge"], { body: "x".repeat(11) }), now()), false);
    assert.deepEqual(held.invalidate(["huge"]), []);
    assert.ok(held.stats().evictions > 0);
  });

  it("counts hits and misses", () => {
    const held = store();
    assert.equal(held.stats().hitRate, null);
    held.put(answer("/a", []), now());
    held.get("/a", 0);
    held.missed();
    assert.deepEqual([held.stats().hits, held.stats().misses, held.stats().hitRate], [1, 1, 0.5]);
  });

  it("forgets what a naive store would, for any sequence of puts and changes", () => {
    const tag: fc.Arbitrary<string> = fc.constantFrom("p", "q", "r");
    const step = fc.oneof(
      fc.record({ key: fc.constantFrom("/a", "/b", "/c"), tags: fc.uniqueArray(tag) }),
      fc.record({ forget: fc.uniqueArray(tag, { minLength: 1 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const held = store();
        const naive = new Map<string, readonly string[]>();
        for (const [at, each] of steps.entries()) {
          if ("forget" in each) {
            const gone = [...naive].filter(([, tags]) =>
              tags.some((one) => each.forget.includes(one)),
            );
            for (const [key] of gone) naive.delete(key);
            assert.deepEqual(
              held.invalidate(each.forget).toSorted(),
              gone.map(([key]) => key).toSorted(),
            );
          } else {
            held.put(answer(each.key, each.tags), now() + at + 1_000);
            naive.set(each.key, each.tags);
          }
        }
        for (const key of ["/a", "/b", "/c"])
          assert.equal(held.get(key, 0) !== undefined, naive.has(key));
      }),
    );
  });
});
