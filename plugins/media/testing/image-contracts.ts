import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { globalRunner, statingRules, type TestRunner } from "#testing";
import type { ImageEngine, ImageFormat, ImageVariant } from "../contract.js";
import { IMAGE_ENGINE_RULES } from "./image-rules.js";

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
      const made = await (await create()).process(RED, variant({ width: 32, format }));
      assert.deepEqual([made.type, made.width, made.height], [`image/${format}`, 32, 24]);
      assert.match(made.bytes.toString("latin1"), signature);
    });
  }

  it("follows the height when only the height is given", async () => {
    const made = await (await create()).process(RED, variant({ height: 12 }));
    assert.deepEqual([made.width, made.height], [16, 12]);
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
    const made = await (await create()).process(RED, variant({ width: 640 }));
    assert.deepEqual([made.width, made.height], [64, 48]);
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

function variant(wanted: Partial<ImageVariant>): ImageVariant {
  const rest = { width: null, height: null, quality: 80, fit: "cover", focal: null } as const;
  return { ...rest, format: "png", ...wanted };
}
