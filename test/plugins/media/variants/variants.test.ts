import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HttpError, silentLog, SiteError } from "#kernel";
import { WorkQueue } from "#lib/concurrency";
import type {
  ImageStore,
  ImageVariant,
  ProcessedImage,
} from "../../../../plugins/media/contract.js";
import { FilesystemStore } from "../../../../plugins/media/engines/variant-stores.js";
import { MissBudget, Variants } from "../../../../plugins/media/variants/variants.js";
import { MemoryRateLimit } from "../../../../plugins/security/engines/memory.js";
import { Originals } from "../../../../plugins/media/originals/originals.js";
import { deferred } from "../../../support/deferred.js";
import { useFolder } from "../../../support/folder.js";
import { testCaches } from "../../../support/test-caches.js";

const small: ImageVariant = {
  width: 320,
  height: null,
  quality: 80,
  format: "webp",
  fit: "cover",
  focal: null,
};
const stays = new AbortController().signal;
setMaxListeners(0, stays);

describe("Variants", () => {
  const folder = useFolder();
  const file = () => join(folder.path, "a.jpg");
  beforeEach(() => writeFile(file(), "original"));

  interface Options {
    process?: (original: Buffer) => Promise<ProcessedImage>;
    store?: ImageStore;
    perMinute?: number;
  }
  function setup({ process, store, perMinute = 100 }: Options = {}) {
    const state = { processed: 0 };
    const own =
      store ?? new FilesystemStore({ cacheDir: join(folder.path, "cache"), maxBytes: 1e6 });
    const plain = (original: Buffer) =>
      Promise.resolve({
        type: "image/webp",
        width: 1,
        height: 1,
        bytes: Buffer.from(`small ${original}`),
      });
    const engine = {
      size: () => Promise.resolve(null),
      process: (original: Buffer) => {
        state.processed += 1;
        return (process ?? plain)(original);
      },
    };
    const clock = { now: () => 0 };
    const cache = testCaches(clock);
    const counts = new MemoryRateLimit(clock.now);
    const variants = new Variants({
      originals: new Originals(folder.path, {
        cache,
        onChange: (digest) => void variants.delete(digest),
      }),
      cache,
      clock,
      engine: () => engine,
      store: () => own,
      queue: new WorkQueue({
        concurrency: 2,
        length: 64,
        maxWaitMs: 10_000,
        busy: (reason) => new HttpError(503, reason),
      }),
      budget: new MissBudget(perMinute, () => ({
        clientKey: (ip) => ip,
        limit: counts.take.bind(counts),
      })),
      log: silentLog,
    });
    const get = (variant = small, left = stays) =>
      variants.get({ file: file(), variant, ip: "192.0.2.1", left });
    return { variants, get, state, cache };
  }

  it("preserves the engine's result when the original's memory is reused", async () => {
    const same = (bytes: Buffer) =>
      Promise.resolve({ type: "image/webp", width: 1, height: 1, bytes });
    const { get } = setup({ process: same });
    const first = await get();
    await writeFile(file(), "another!");
    await get();
    assert.equal(String(first?.image.bytes), "original");
  });

  it("generates a variant once, then serves it from memory, then from the store", async () => {
    const { get, state, variants } = setup();
    const first = await get();
    assert.deepEqual([first?.outcome, String(first?.image.bytes)], ["processed", "small original"]);
    const second = await get();
    assert.deepEqual([second?.outcome, second?.image.etag], ["cache-hit", first?.image.etag]);
    await variants.settled();
    const restarted = setup();
    const third = await restarted.get();
    assert.deepEqual([third?.outcome, third?.image.etag], ["cache-hit", first?.image.etag]);
    assert.deepEqual([state.processed, restarted.state.processed], [1, 0]);
  });

  it("regenerates the variant of a changed original and drops the old one from memory and the store", async () => {
    const { get, variants, cache } = setup();
    const before = await get();
    await variants.settled();
    await writeFile(file(), "replaced");
    const after = await get();
    assert.equal(String(after?.image.bytes), "small replaced");
    assert.notEqual(after?.image.etag, before?.image.etag);
    assert.equal(cache.stats()["image-variants"]?.entries, 1);
    await variants.settled();
    const kept = await readdir(join(folder.path, "cache", "variants"));
    assert.equal(kept.length, 1);
  });

  it("rejects an original beyond 25 MB without reading it", async () => {
    await truncate(file(), 26 * 1024 * 1024);
    const { get, state } = setup();
    await assert.rejects(get(), { code: "ERR_MEDIA_IMAGE", status: 422 });
    assert.equal(state.processed, 0);
  });

  it("does not retry a failed original at once", async () => {
    const failure = new SiteError("ERR_MEDIA_IMAGE", "broken", { status: 422 });
    const { get, state } = setup({ process: () => Promise.reject(failure) });
    for (const _ of [1, 2, 3]) await assert.rejects(get(), { code: "ERR_MEDIA_IMAGE" });
    assert.equal(state.processed, 1);
    await writeFile(file(), "repaired");
    await assert.rejects(get());
    assert.equal(state.processed, 2, "other bytes are tried");
  });

  it("limits the misses per address; hits are free", async () => {
    const { get } = setup({ perMinute: 2 });
    await get();
    await get({ ...small, width: 640 });
    await get();
    await assert.rejects(get({ ...small, width: 768 }), { code: "ERR_MEDIA_BUDGET", status: 429 });
    await get({ ...small, width: 640 });
  });

  it("works when the store fails", async () => {
    const broken = (): Promise<never> => Promise.reject(new Error("ENOSPC"));
    const { get, variants } = setup({
      store: { get: broken, put: broken, delete: broken, clear: broken },
    });
    assert.equal((await get())?.outcome, "processed");
    await variants.settled();
    assert.equal((await get())?.outcome, "cache-hit");
  });

  it("drops queued work when all its clients have left", async () => {
    const first = deferred<ProcessedImage>();
    const { get, state, variants } = setup({ process: () => first.promise });
    const working = [320, 640].map((width) => get({ ...small, width }));
    while (variants.stats().running < 2) await new Promise(setImmediate);
    const leaving = new AbortController();
    const waiting = get({ ...small, width: 768 }, leaving.signal);
    while (variants.stats().waiting === 0) await new Promise(setImmediate);
    leaving.abort(new Error("gone"));
    await assert.rejects(waiting);
    assert.deepEqual(variants.stats(), { processed: 0, hits: 0, running: 2, waiting: 0 });
    first.resolve({ type: "image/webp", width: 1, height: 1, bytes: Buffer.from("x") });
    await Promise.all(working);
    assert.equal(state.processed, 2);
  });

  it("clears memory and store", async () => {
    const { get, variants, state } = setup();
    await get();
    await variants.clear();
    assert.equal((await get())?.outcome, "processed");
    assert.equal(state.processed, 2);
  });
});
