import assert from "node:assert/strict";
import check from "fast-check";
import type { ImageVariant } from "../../../../plugins/media/contract.js";
import { planImage } from "../../../../plugins/media/engines/process-image.js";

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
