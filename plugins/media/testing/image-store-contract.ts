import assert from "node:assert/strict";
import { globalRunner, statingRules, type TestRunner } from "#testing";
import type { ImageStore, ProcessedImage } from "../contract.js";
import { IMAGE_STORE_RULES } from "./image-rules.js";

/** An image of `length` bytes. */
export function storedImage(length: number, fill = 7): ProcessedImage {
  return { type: "image/webp", width: 320, height: 200, bytes: Buffer.alloc(length, fill) };
}

/**
 * Conformance suite of the slot `imageStore`; `create` returns an empty one. Call it inside a
 * `describe`.
 */
export function imageStoreContract(
  create: () => ImageStore | Promise<ImageStore>,
  { it: plainIt }: Pick<TestRunner, "it"> = globalRunner(),
): void {
  const it = statingRules(plainIt, IMAGE_STORE_RULES);
  const a = { original: "a".repeat(32), variant: "w320-h0-q80-webp" };
  const b = { original: "b".repeat(32), variant: "w320-h0-q80-webp" };

  it("returns stored variants, bytes and sizes", async () => {
    const store = await create();
    assert.equal(await store.get(a), null);
    await store.put(a, storedImage(1_000));
    assert.deepEqual(await store.get(a), storedImage(1_000));
    assert.equal(await store.get({ ...a, variant: "w640-h0-q80-webp" }), null);
    assert.equal(await store.get(b), null);
  });

  it("replaces a variant", async () => {
    const store = await create();
    await store.put(a, storedImage(10, 1));
    await store.put(a, storedImage(20, 2));
    assert.deepEqual(await store.get(a), storedImage(20, 2));
  });

  it("stores bytes of every value", async () => {
    const store = await create();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    await store.put(a, { ...storedImage(0), bytes });
    assert.deepEqual((await store.get(a))?.bytes, bytes);
  });

  it("drops the variants of one original", async () => {
    const store = await create();
    const other = { ...a, variant: "w640-h0-q80-webp" };
    for (const key of [a, other, b]) await store.put(key, storedImage(10));
    await store.delete(a.original);
    assert.deepEqual([await store.get(a), await store.get(other)], [null, null]);
    assert.deepEqual(await store.get(b), storedImage(10));
  });

  it("clears everything, and works afterwards", async () => {
    const store = await create();
    await store.put(a, storedImage(10));
    await store.clear();
    assert.equal(await store.get(a), null);
    await store.clear();
    await store.put(a, storedImage(30));
    assert.deepEqual(await store.get(a), storedImage(30));
  });

  it("returns whole variants or none while it is repeatedly cleared", async () => {
    const store = await create();
    const clearing = Array.from({ length: 20 }, () => store.clear());
    const using = Array.from({ length: 60 }, async () => {
      await store.put(a, storedImage(5_000)).catch(() => undefined);
      const image = await store.get(a);
      assert.ok(image === null || image.bytes.equals(Buffer.alloc(5_000, 7)));
    });
    await Promise.all([...clearing, ...using]);
  });
}
