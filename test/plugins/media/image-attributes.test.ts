import assert from "node:assert/strict";
import { imageAttributes } from "../../../plugins/media/variants/image-sources.js";

describe("imageAttributes", () => {
  it("returns the dimensions of an image and its smaller variants", () => {
    const { width, height, srcset, sizes } = imageAttributes(
      "/a.jpg",
      { width: 800, height: 600 },
      [320, 1280],
    );
    assert.deepEqual([width, height, srcset], ["800", "600", "/a.jpg?width=320 320w, /a.jpg 800w"]);
    assert.match(sizes ?? "", /100vw/);
  });

  it("returns only the dimensions for files without variants", () => {
    const attributes = imageAttributes("/a.svg", { width: 80, height: 60 }, [320]);
    assert.deepEqual(attributes, { width: "80", height: "60" });
  });

  it("returns nothing for an image of unknown size", () => {
    assert.deepEqual(imageAttributes("/a.jpg", null, [320]), {});
  });
});
