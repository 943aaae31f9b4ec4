import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { globalRunner, statingRules, type TestRunner, type SuiteRules } from "#testing";
import type {
  ImageEngine,
  ImageFormat,
  ImageVariant,
  ImageStore,
  ProcessedImage,
} from "../contract.js";

/** A red PNG of 64 × 48 pixels. */
const RED = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAMAAACWlYwtAAAAA1BMVEXMMzN0dFbYAAAAGklEQVRIie3BgQAAAADDoPlTX+AIVQEAAHQNDDAAAWReGocAAAAASUVORK5CYII=",
  "base64",
);
/** First bytes of files in each format. */
const SIGNATURES: Readonly<Record<Exclude<ImageFormat, "gif">, RegExp>> = {
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG/,
  webp: /^RIFF....WEBP/s,
  avif: /^....ftypavif/s,
};

/**
 * Conformance suite of the slot `image`; `create` returns an engine. Call it inside a `describe`.
 */
export function imageEngineContract(
  create: () => ImageEngine | Promise<ImageEngine>,
  { it: plainIt }: Pick<TestRunner, "it"> = globalRunner(),
): void {
  const it = statingRules(plainIt, IMAGE_ENGINE_RULES);
  for (const [format, signature] of entries(SIGNATURES)) {
    it(`generates ${format} with the requested width and the original proportions`, async () => {
      const image = await (await create()).process(RED, variant({ width: 32, format }));
      assert.deepEqual([image.type, image.width, image.height], [`image/${format}`, 32, 24]);
      assert.match(image.bytes.toString("latin1"), signature);
    });
  }

  it("follows the height when only the height is given", async () => {
    const image = await (await create()).process(RED, variant({ height: 12 }));
    assert.deepEqual([image.width, image.height], [16, 12]);
  });

  it("cuts to the box, and fits inside it", async () => {
    const engine = await create();
    const box = { width: 20, height: 20 };
    const cut = await engine.process(RED, variant({ ...box, fit: "cover" }));
    const inside = await engine.process(RED, variant({ ...box, fit: "inside" }));
    assert.deepEqual([cut.width, cut.height], [20, 20]);
    assert.deepEqual([inside.width, inside.height], [20, 15]);
  });

  it("never enlarges", async () => {
    const image = await (await create()).process(RED, variant({ width: 640 }));
    assert.deepEqual([image.width, image.height], [64, 48]);
  });

  it("rejects files that are damaged or not an image", async () => {
    const engine = await create();
    for (const bytes of [Buffer.alloc(0), Buffer.from("<svg/>"), RED.subarray(0, 60)]) {
      await assert.rejects(engine.process(bytes, variant({ width: 32 })), {
        code: "ERR_MEDIA_IMAGE",
      });
    }
  });

  it("reads the size of an image, and returns null for other files", async () => {
    const folder = await mkdtemp(join(tmpdir(), "site-image-"));
    try {
      const [image, text] = [join(folder, "red.png"), join(folder, "text.png")];
      await writeFile(image, RED);
      await writeFile(text, "no image");
      const engine = await create();
      assert.deepEqual(await engine.size(image), { width: 64, height: 48 });
      assert.equal(await engine.size(text), null);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

function entries<K extends string, V>(map: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(map) as [K, V][];
}

function variant(options: Partial<ImageVariant>): ImageVariant {
  const rest = { width: null, height: null, quality: 80, fit: "cover", focal: null } as const;
  return { ...rest, format: "png", ...options };
}

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

/** The rules of image engines by the title of their check, which `imageEngineContract` states. */
export const IMAGE_ENGINE_RULES: SuiteRules = {
  "generates jpeg with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "generates png with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "generates webp with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "generates avif with the requested width and the original proportions":
    "`process` returns the image as jpeg, png, webp or avif, with the requested width and the proportions of the original",
  "follows the height when only the height is given":
    "with a height alone, the width follows the proportions",
  "cuts to the box, and fits inside it":
    'with both, `fit: "cover"` cuts to exactly this size, and `fit: "inside"` stays within it',
  "never enlarges": "an image is never enlarged: a larger width gives the size of the original",
  "rejects files that are damaged or not an image":
    "`process` rejects with `ERR_MEDIA_IMAGE` for bytes that are empty, damaged or not an image",
  "reads the size of an image, and returns null for other files":
    "`size` returns width and height of an image file, and null for any other file",
};

/** The rules of image stores by the title of their check, which `imageStoreContract` states. */
export const IMAGE_STORE_RULES: SuiteRules = {
  "returns stored variants, bytes and sizes":
    "`get` returns what `put` stored for the same original and variant, with type, width, height and bytes; null for any other",
  "replaces a variant": "`put` replaces a stored variant",
  "stores bytes of every value": "bytes of every value are stored as they are",
  "drops the variants of one original":
    "`delete` drops all variants of one original, and no others",
  "clears everything, and works afterwards":
    "`clear` drops everything, may be called on an empty store, and `put` works afterwards",
  "returns whole variants or none while it is repeatedly cleared":
    "while `clear` runs, `get` returns a whole variant or null",
};
