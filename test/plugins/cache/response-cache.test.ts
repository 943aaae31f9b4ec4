import assert from "node:assert/strict";
import { SiteCaches } from "../../../kernel/caches.js";
import {
  CachedResponse,
  createCompressions,
  ResponseCache,
} from "../../../plugins/cache/response-cache.js";

/** Bytes that the cache counts for an entry besides its body and key. */
const ENTRY_BYTES = 200;

const compressions = createCompressions();

function open(limits: Partial<{ maxEntries: number; maxBytes: number }> = {}) {
  const caches = new SiteCaches({ now: () => Date.now() });
  const responses = new ResponseCache(caches, { maxEntries: 10, maxBytes: 100_000, ...limits });
  const store = (key: string, { tags = [], body = "x" }: { tags?: string[]; body?: string } = {}) =>
    responses.get(key, (entry) => {
      for (const tag of tags) entry.tags.add(tag);
      const answer = { type: "text/plain", body, cache: { tags: new Set(tags) } };
      return Promise.resolve(new CachedResponse(key, answer, { etag: `"${key}"`, compressions }));
    });
  const has = (key: string): boolean => responses.peek(key) !== undefined;
  return { caches, responses, store, has };
}

describe("ResponseCache", () => {
  it("drops by tag exactly the entries that read it, at any address", async () => {
    const { caches, store, has } = open();
    await store("/a", { tags: ["nav", "page:a"] });
    await store("/b?x=1", { tags: ["nav"] });
    await store("/c", { tags: ["page:c"] });
    caches.invalidate(["nav", "page:a"]);
    assert.deepEqual(["/a", "/b?x=1", "/c"].map(has), [false, false, true]);
  });

  it("never evicts an address without a query for addresses with one", async () => {
    const { responses, store, has } = open({ maxEntries: 8 });
    for (const key of ["/a", "/b", "/c"]) await store(key);
    for (let at = 0; at < 100; at += 1) await store(`/a?x=${at}`);
    assert.deepEqual(["/a", "/b", "/c", "/a?x=99", "/a?x=0"].map(has), [
      true,
      true,
      true,
      true,
      false,
    ]);
    assert.equal(responses.stats().entries, 5);
  });

  it("never exceeds its limit of entries, however small it is", async () => {
    for (const maxEntries of [1, 2, 3, 4, 5]) {
      const { responses, store, has } = open({ maxEntries });
      for (let at = 0; at < 20; at += 1) {
        await store(`/${at}`);
        await store(`/a?x=${at}`);
      }
      assert.ok(responses.stats().entries <= maxEntries);
      assert.ok(has("/19"));
    }
  });

  it("limits entries and bytes, and evicts the least recently used first", async () => {
    const maxBytes = 4 * (ENTRY_BYTES + 10);
    const { responses, store, has } = open({ maxEntries: 4, maxBytes });
    for (const key of ["/a", "/b", "/c"]) await store(key);
    assert.ok(has("/a"));
    await store("/d");
    assert.deepEqual(["/a", "/b"].map(has), [true, false]);
    await store("/big", { body: "x".repeat(ENTRY_BYTES) });
    assert.ok(responses.stats().bytes <= maxBytes);
    await store("/huge", { body: "x".repeat(maxBytes) });
    assert.equal(has("/huge"), false);
    assert.ok(responses.stats().evictions > 0);
  });

  it("counts hits and misses", async () => {
    const { responses, store, has } = open();
    assert.equal(responses.stats().hitRate, null);
    await store("/a");
    assert.ok(has("/a"));
    responses.countUncacheable();
    const { hits, misses, hitRate } = responses.stats();
    assert.deepEqual([hits, misses, hitRate], [1, 2, 1 / 3]);
  });
});
