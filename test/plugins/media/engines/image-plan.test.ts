import assert from "node:assert/strict";
import check from "fast-check";
import type { ImageVariant } from "../../../../plugins/media/contract.js";
import { cropAround, planImage } from "../../../../plugins/media/engines/process-image.js";
import { FITS } from "../../../../plugins/media/variants/variant.js";

const photo = { width: 4000, height: 3000 };
function variant(wanted: Partial<ImageVariant>): ImageVariant {
  return {
    width: null,
    height: null,
    quality: 80,
    format: "jpeg",
    fit: "cover",
    focal: null,
    ...wanted,
  };
}

describe("planImage", () => {
  it("keeps proportions when one side is given", () => {
    assert.deepEqual(planImage(photo, variant({ width: 640 })).size, { width: 640, height: 480 });
    assert.deepEqual(planImage(photo, variant({ height: 320 })).size, { width: 427, height: 320 });
  });

  it("never enlarges", () => {
    const small = { width: 200, height: 100 };
    assert.deepEqual(planImage(small, variant({ width: 640 })), {
      resize: null,
      crop: null,
      size: small,
    });
    assert.deepEqual(planImage(small, variant({ width: 640, height: 640 })).size, {
      width: 100,
      height: 100,
    });
    assert.deepEqual(
      planImage(small, variant({ width: 640, height: 640, fit: "fill" })).size,
      small,
    );
    assert.deepEqual(
      planImage(small, variant({ width: 640, height: 640, fit: "outside" })).size,
      small,
    );
  });

  it("limits every result to 4096 pixels a side", () => {
    const panorama = { width: 20_000, height: 1_000 };
    assert.deepEqual(planImage(panorama, variant({})).size, { width: 4096, height: 205 });
    const outside = planImage(panorama, variant({ width: 320, height: 900, fit: "outside" }));
    assert.equal(outside.size.width, 4096);
  });

  it("covers, contains and fits a box", () => {
    const box = { width: 640, height: 640 };
    const sizes = Object.fromEntries(
      FITS.map((fit) => [fit, planImage(photo, variant({ ...box, fit })).size]),
    );
    assert.deepEqual(sizes, {
      cover: box,
      contain: box,
      fill: box,
      inside: { width: 640, height: 480 },
      outside: { width: 853, height: 640 },
    });
  });

  it("scales before it crops", () => {
    const plan = planImage(photo, variant({ width: 640, height: 640, focal: { x: 100, y: 50 } }));
    assert.deepEqual(plan.resize, { width: 853, height: 640, fit: "fill" });
    assert.deepEqual(plan.crop, { left: 213, top: 0, width: 640, height: 640 });
  });

  it("crops inside the picture, for any sizes and focal point", () => {
    const side = check.integer({ min: 1, max: 9_000 });
    const percent = check.integer({ min: 0, max: 100 });
    check.assert(
      check.property(
        side,
        side,
        check.tuple(side, side),
        check.tuple(percent, percent),
        (w, h, box, focal) => {
          const wanted = variant({
            width: box[0],
            height: box[1],
            focal: { x: focal[0], y: focal[1] },
          });
          const { resize, crop, size } = planImage({ width: w, height: h }, wanted);
          const whole = resize ?? { width: w, height: h };
          assert.ok(whole.width <= w && whole.height <= h);
          assert.ok(size.width >= 1 && size.height >= 1);
          const { left, top, width, height } = crop ?? { left: 0, top: 0, ...size };
          assert.ok(
            left >= 0 && top >= 0 && left + width <= whole.width && top + height <= whole.height,
          );
          assert.deepEqual({ width, height }, size);
        },
      ),
    );
  });
});

describe("cropAround", () => {
  const whole = { width: 1000, height: 500 };
  const size = { width: 200, height: 500 };

  it("centres on the focal point as far as possible", () => {
    assert.equal(cropAround(whole, size, { x: 50, y: 50 })?.left, 400);
    assert.equal(cropAround(whole, size, { x: 30, y: 50 })?.left, 200);
    assert.equal(cropAround(whole, size, { x: 0, y: 50 })?.left, 0);
    assert.equal(cropAround(whole, size, { x: 100, y: 50 })?.left, 800);
  });

  it("crops nothing when everything fits", () => {
    assert.equal(cropAround(whole, whole, { x: 0, y: 0 }), null);
  });
});
