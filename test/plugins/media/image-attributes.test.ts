import assert from "node:assert/strict";
import { imageAttributes } from "../../../plugins/media/image-attributes.js";

describe("imageAttributes", () => {
  it("gives the room an image takes, and its smaller variants", () => {
    const { width, height, srcset, sizes } = imageAttributes(
      "/a.jpg",
      { width: 800, height: 600 },
      [320, 1280],
    );
    assert.deepEqual([width, height, srcset], ["800", "600", "/a.jpg?width=320 320w, /a.jpg 800w"]);
    assert.match(sizes ?? "", /100vw/);
  });

  it("gives the room alone for what has no variants", () => {
    const attributes = imageAttributes("/a.svg", { width: 80, height: 60 }, [320]);
    assert.deepEqual(attributes, { width: "80", height: "60" });
  });

  it("gives nothing for an image of unknown size", () => {
    assert.deepEqual(imageAttributes("/a.jpg", null, [320]), {});
  });
});
