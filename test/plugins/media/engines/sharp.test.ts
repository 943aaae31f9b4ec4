import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import check from "fast-check";
import sharp from "sharp";
import { SiteError } from "#kernel";
import type { ImageFormat, ImageVariant } from "../../../../plugins/media/contract.js";
import { createSharpEngine } from "../../../../plugins/media/engines/sharp.js";
import { imageEngineContract } from "../../../../plugins/media/testing/image-contracts.js";
import { useFolder } from "../../../support/folder.js";
import { gradient } from "../../../support/content/pictures.js";

const engine = createSharpEngine();

function variant(wanted: Partial<ImageVariant>): ImageVariant {
  return {
    width: null,
    height: null,
    quality: 80,
    format: "png",
    fit: "cover",
    focal: null,
    ...wanted,
  };
}

async function pixel(image: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(image)
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

async function assertRefused(bytes: Buffer): Promise<void> {
  await assert.rejects(engine.process(bytes, variant({ width: 320 })), (error) => {
    assert.ok(error instanceof SiteError);
    assert.equal(error.code, "ERR_MEDIA_IMAGE");
    assert.equal(error.status, 422);
    return true;
  });
}

describe("the sharp engine", () => {
  imageEngineContract(createSharpEngine);

  it("crops around the focal point (compares pixels)", async () => {
    const original = await gradient(1000, 500).png().toBuffer();
    const box = { width: 320, height: 320 };
    for (const [x, expected] of [
      [0, 0],
      [30, 13],
      [50, 64],
      [100, 128],
    ] as const) {
      const focal = x === 50 ? null : { x, y: 0 };
      const { bytes, width, height } = await engine.process(original, variant({ ...box, focal }));
      const [red = -1, green = -1] = await pixel(bytes, 0, 0);
      assert.deepEqual([width, height], [320, 320]);
      assert.ok(Math.abs(red - expected) <= 2, `focal ${x} starts at red ${red}, not ${expected}`);
      assert.ok(green <= 2);
      const [right = -1] = await pixel(bytes, 319, 0);
      assert.ok(Math.abs(right - red - 127) <= 3, "the cut is as wide as the box");
    }
  });

  it("crops vertically too", async () => {
    const original = await gradient(500, 1000).png().toBuffer();
    const top = await engine.process(
      original,
      variant({ width: 320, height: 320, focal: { x: 50, y: 0 } }),
    );
    const end = await engine.process(
      original,
      variant({ width: 320, height: 320, focal: { x: 50, y: 100 } }),
    );
    assert.ok(((await pixel(top.bytes, 0, 0))[1] ?? 255) <= 2);
    assert.ok(((await pixel(end.bytes, 0, 319))[1] ?? 0) >= 252);
  });

  it("applies the orientation and drops the metadata", async () => {
    const original = await gradient(400, 200)
      .jpeg()
      .withExif({ IFD0: { Copyright: "canary-exif" }, IFD3: { GPSLatitudeRef: "N" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    assert.ok(original.includes("Exif"));
    const image = await engine.process(original, variant({ height: 320, format: "jpeg" }));
    assert.deepEqual([image.width, image.height], [160, 320]);
    const { exif, orientation, icc } = await sharp(image.bytes).metadata();
    assert.deepEqual([exif, orientation, icc], [undefined, undefined, undefined]);
    // Rotated by a quarter: left becomes top, so red increases downwards.
    const [topRed = 255] = await pixel(image.bytes, 80, 2);
    const [endRed = 0] = await pixel(image.bytes, 80, 317);
    assert.ok(topRed < 20 && endRed > 235);
  });

  it("converts other colour profiles to sRGB", async () => {
    const red = { width: 64, height: 64, channels: 3, background: "#c83c3c" } as const;
    const original = await sharp({ create: red }).withIccProfile("p3").png().toBuffer();
    const { bytes } = await engine.process(original, variant({ width: 64 }));
    const [r = 0, g = 0, b = 0] = await pixel(bytes, 9, 9);
    assert.ok(
      Math.abs(r - 200) <= 3 && Math.abs(g - 60) <= 3 && Math.abs(b - 60) <= 3,
      `${r},${g},${b}`,
    );
    assert.equal((await sharp(bytes).metadata()).icc, undefined);
  });

  it("limits a tall picture to 4096 pixels, and enlarges nothing", async () => {
    const tall = await gradient(300, 6_000).png().toBuffer();
    const image = await engine.process(tall, variant({ width: 320 }));
    assert.deepEqual([image.width, image.height], [205, 4096]);
    const small = await engine.process(
      await gradient(40, 30).jpeg().toBuffer(),
      variant({ height: 320 }),
    );
    assert.deepEqual([small.width, small.height], [40, 30]);
  });

  it("fills transparent areas with white in formats without transparency", async () => {
    const clear = { width: 64, height: 64, channels: 4, background: "#00000000" } as const;
    const original = await sharp({ create: clear }).png().toBuffer();
    const { bytes } = await engine.process(original, variant({ format: "jpeg" }));
    assert.deepEqual(await pixel(bytes, 3, 3), [255, 255, 255]);
  });

  it("fills the rest of a contained picture, and supports the other fits", async () => {
    const original = await gradient(800, 400).png().toBuffer();
    const box = { width: 320, height: 320 };
    const contained = await engine.process(original, variant({ ...box, fit: "contain" }));
    const { data } = await sharp(contained.bytes)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.equal(data[3], 0, "the corner is clear");
    const white = await engine.process(
      original,
      variant({ ...box, fit: "contain", format: "jpeg" }),
    );
    assert.deepEqual(await pixel(white.bytes, 2, 2), [255, 255, 255]);
    for (const [fit, size] of [
      ["fill", [320, 320]],
      ["inside", [320, 160]],
      ["outside", [640, 320]],
    ] as const) {
      const image = await engine.process(original, variant({ ...box, fit }));
      assert.deepEqual([image.width, image.height], size, fit);
    }
  });

  async function animation(frames: number): Promise<Buffer> {
    const pages = Array.from({ length: frames }, (_, index) => {
      const background = { r: (index * 40) % 256, g: index % 256, b: 0 };
      return sharp({ create: { width: 64, height: 48, channels: 3, background } })
        .png()
        .toBuffer();
    });
    return sharp(await Promise.all(pages), { join: { animated: true } })
      .gif({ delay: 50 })
      .toBuffer();
  }

  it("preserves an animation if the target format supports it", async () => {
    const original = await animation(5);
    for (const [format, frames] of [
      ["gif", 5],
      ["webp", 5],
      ["png", undefined],
      ["jpeg", undefined],
    ] as const) {
      const image = await engine.process(original, variant({ width: 32, height: 32, format }));
      const metadata = await sharp(image.bytes, { animated: true }).metadata();
      assert.equal(metadata.pages, frames, format);
      assert.deepEqual([image.width, image.height], [32, 32], format);
    }
  });

  it("reduces a long animation to its first frame", async () => {
    const image = await engine.process(
      await animation(250),
      variant({ width: 32, format: "webp" }),
    );
    assert.equal((await sharp(image.bytes, { animated: true }).metadata()).pages, undefined);
  });

  it("generates WebP instead of AVIF beyond 2000 pixels", async () => {
    const original = await gradient(3000, 300).jpeg().toBuffer();
    assert.equal((await engine.process(original, variant({ format: "avif" }))).type, "image/webp");
    const small = await engine.process(original, variant({ width: 320, format: "avif" }));
    assert.equal(small.type, "image/avif");
  });

  it("rejects more than 50 megapixels by the header only", async () => {
    const wide = { width: 15_000, height: 15_000, channels: 3, background: "#fff" } as const;
    await assertRefused(await sharp({ create: wide }).png({ compressionLevel: 9 }).toBuffer());
    await assertRefused(lyingPng(60_000, 60_000));
  });

  it("rejects every truncated image", async () => {
    for (const format of ["jpeg", "png", "gif", "webp", "avif", "tiff"] as const) {
      const whole = await gradient(300, 200).toFormat(format).toBuffer();
      await assertRefused(whole.subarray(0, Math.floor(whole.length / 2)));
    }
  });

  it("returns an image or a rejection for damaged images, never another error", async () => {
    const originals = await Promise.all(
      (["jpeg", "png", "gif", "webp", "tiff"] as const).map((format) =>
        gradient(60, 40).toFormat(format).toBuffer(),
      ),
    );
    const damage = check.array(
      check.tuple(check.double({ min: 0, max: 1, noNaN: true }), check.nat(255)),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    await check.assert(
      check.asyncProperty(check.constantFrom(...originals), damage, async (original, changes) => {
        const bytes = Buffer.from(original);
        for (const [place, value] of changes) bytes[Math.floor(place * (bytes.length - 1))] = value;
        await processOrRefuse(bytes);
      }),
      { numRuns: 150 },
    );
  });

  it("rejects a corpus of files that are not images", async () => {
    const folder = "node_modules/sharp/lib";
    for (const name of readdirSync(folder).slice(0, 20))
      await assertRefused(readFileSync(join(folder, name)));
  });

  async function processOrRefuse(bytes: Buffer): Promise<void> {
    const formats: ImageFormat[] = ["jpeg", "webp", "gif"];
    for (const format of formats) {
      try {
        const image = await engine.process(bytes, variant({ width: 32, format }));
        assert.ok(image.bytes.length > 0);
      } catch (error) {
        assert.ok(error instanceof SiteError, String(error));
        assert.equal(error.code, "ERR_MEDIA_IMAGE");
      }
    }
  }
});

describe("the size of an image", () => {
  const folder = useFolder();

  it("is the displayed size of one frame, after the orientation", async () => {
    const turned = join(folder.path, "turned.jpg");
    await writeFile(
      turned,
      await gradient(400, 200).jpeg().withMetadata({ orientation: 8 }).toBuffer(),
    );
    assert.deepEqual(await engine.size(turned), { width: 200, height: 400 });
    assert.equal(await engine.size(join(folder.path, "none.jpg")), null);
    const text = join(folder.path, "text.jpg");
    await writeFile(text, "no image");
    assert.equal(await engine.size(text), null);
  });

  it("comes with a problem for a file of more than 25 MB, which is not decoded", async () => {
    const large = join(folder.path, "large.jpg");
    await writeFile(large, await gradient(400, 200).jpeg().toBuffer());
    await truncate(large, 26 * 1024 * 1024);
    const header = await engine.size(large);
    assert.deepEqual([header?.width, header?.height], [400, 200]);
    assert.match(header?.problem ?? "", /larger than 25 MB/);
  });

  it("comes without decoding an AVIF or TIFF, whose parts stand anywhere", async () => {
    for (const format of ["avif", "tiff"] as const) {
      const broken = join(folder.path, `broken.${format}`);
      const whole = await gradient(400, 200).toFormat(format).toBuffer();
      const middle = Math.ceil(whole.length / 2);
      await writeFile(broken, whole.fill(0xff, middle, middle + 20));
      assert.deepEqual(await engine.size(broken), { width: 400, height: 200 }, format);
    }
  });

  it("is null for a GIF that is cut behind a byte like its last one", async () => {
    const cut = join(folder.path, "cut.gif");
    const whole = await gradient(400, 200).gif().toBuffer();
    const bytes = whole.subarray(0, Math.ceil(whole.length / 2));
    bytes[bytes.length - 1] = 0x3b;
    await writeFile(cut, bytes);
    assert.equal(await engine.size(cut), null);
  });
});

/** A PNG whose header declares more data than it contains. */
function lyingPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(1_000));
  const chunks = [
    ["IHDR", header],
    ["IDAT", data],
    ["IEND", Buffer.alloc(0)],
  ] as const;
  const parts = chunks.map(([type, body]) => {
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), body, Buffer.alloc(4)]);
    chunk.writeUInt32BE(body.length, 0);
    chunk.writeUInt32BE(crc(chunk.subarray(4, 8 + body.length)), 8 + body.length);
    return chunk;
  });
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
