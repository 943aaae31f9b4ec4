import assert from "node:assert/strict";
import check from "fast-check";
import type { ImageFormat } from "../../../../plugins/media/contract.js";
import {
  canonicalVariant,
  FITS,
  normaliseVariant,
  OUTPUT_FORMATS,
  type WantedVariant,
} from "../../../../plugins/media/variants/variant.js";

const nothing: WantedVariant = {
  width: null,
  height: null,
  quality: null,
  format: null,
  fit: null,
  focal: null,
};
const jpeg = { format: "jpeg", quality: 80 } as const;

function key(
  wanted: Partial<WantedVariant>,
  original: { format: ImageFormat; quality: number } = jpeg,
) {
  return canonicalVariant(normaliseVariant({ ...nothing, ...wanted }, original));
}

describe("normaliseVariant", () => {
  it("fills in the default quality and the original's format", () => {
    assert.equal(key({ width: 640 }), "w640-h0-q80-jpeg");
    assert.equal(key({ width: 640 }), key({ width: 640, quality: 80, format: "jpeg" }));
  });

  it("drops a fit and a focal point without effect", () => {
    assert.equal(key({ width: 640, fit: "inside", focal: { x: 1, y: 2 } }), key({ width: 640 }));
    const box = { width: 640, height: 320 };
    assert.equal(key({ ...box, fit: "cover" }), key(box));
    assert.equal(key({ ...box, focal: { x: 50, y: 50 } }), key(box));
    assert.equal(key({ ...box, fit: "fill", focal: { x: 0, y: 0 } }), key({ ...box, fit: "fill" }));
  });

  it("rounds a focal point to 5 %", () => {
    const box = { width: 640, height: 320 };
    assert.equal(
      key({ ...box, focal: { x: 12, y: 98 } }),
      key({ ...box, focal: { x: 10, y: 100 } }),
    );
    assert.notEqual(
      key({ ...box, focal: { x: 10, y: 0 } }),
      key({ ...box, focal: { x: 0, y: 10 } }),
    );
  });

  it("has one quality for lossless formats", () => {
    assert.equal(key({ format: "png", quality: 3 }), key({ format: "png" }));
    assert.notEqual(key({ quality: 3 }), key({ quality: 4 }));
  });

  it("has distinct plain keys for distinct variants", () => {
    const side = check.option(check.constantFrom(320, 640, 1280));
    const variants = check.record<WantedVariant>({
      width: side,
      height: side,
      quality: check.option(check.integer({ min: 1, max: 100 })),
      format: check.option(check.constantFrom<ImageFormat>(...OUTPUT_FORMATS)),
      fit: check.option(check.constantFrom(...FITS)),
      focal: check.option(
        check.record({
          x: check.integer({ min: 0, max: 100 }),
          y: check.integer({ min: 0, max: 100 }),
        }),
      ),
    });
    check.assert(
      check.property(variants, variants, (a, b) => {
        const [first, second] = [a, b].map((one) => normaliseVariant(one, jpeg));
        assert.ok(first && second);
        const keys = [canonicalVariant(first), canonicalVariant(second)];
        assert.match(keys[0] ?? "", /^[a-z0-9-]+$/);
        assert.equal(keys[0] === keys[1], JSON.stringify(first) === JSON.stringify(second));
      }),
    );
  });
});
