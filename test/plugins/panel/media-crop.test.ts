import assert from "node:assert/strict";
import fc from "fast-check";
import { planImage } from "../../../plugins/media/engines/process-image.js";
import { cropPosition, readFocal } from "../../../plugins/panel/client/screens/media/crop.js";

describe("the crops that the media library shows", () => {
  it("are those of the image pipeline", () => {
    const side = fc.integer({ min: 50, max: 3_000 });
    const percent = fc.integer({ min: 0, max: 100 });
    const sizes = fc.constantFrom([320, 320], [640, 360], [640, 800]);
    const size = fc.record({ width: side, height: side });
    const point = fc.record({ x: percent, y: percent });
    const property = fc.property(size, point, sizes, ({ width, height }, { x, y }, box) => {
      const [boxWidth = 1, boxHeight = 1] = box;
      const shown = cropPosition({ width, height }, boxWidth / boxHeight, { x, y });
      const {
        crop,
        resize,
        size: made,
      } = planImage(
        { width, height },
        {
          width: boxWidth,
          height: boxHeight,
          fit: "cover",
          focal: { x, y },
          quality: 80,
          format: "webp",
        },
      );
      const whole = resize ?? { width, height };
      if (crop === null) return;
      const spare = { x: whole.width - made.width, y: whole.height - made.height };
      // Both round to whole pixels of the variant, at most 1.5 apart.
      if (spare.x > 0) assert.ok(Math.abs(shown.x * spare.x - crop.left) <= 2);
      if (spare.y > 0) assert.ok(Math.abs(shown.y * spare.y - crop.top) <= 2);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("read the focal point of a sidecar, and take the centre for anything else", () => {
    assert.deepEqual(readFocal({ focal_point: [20, 80] }), { x: 20, y: 80 });
    assert.deepEqual(readFocal({ focal_point: [-5, 180] }), { x: 0, y: 100 });
    for (const meta of [{}, { focal_point: "left" }, { focal_point: [1] }, { focal_point: null }]) {
      assert.deepEqual(readFocal(meta), { x: 50, y: 50 });
    }
  });
});
