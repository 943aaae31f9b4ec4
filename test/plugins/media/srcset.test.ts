import assert from "node:assert/strict";
import { srcset } from "../../../plugins/media/variants/image-sources.js";

const sizes = [1280, 320, 640];

describe("srcset", () => {
  it("lists the allowed sizes up to the original's width in order, then the original", () => {
    assert.equal(
      srcset("/content-media/a/b.jpg", sizes, { width: 700 }),
      "/content-media/a/b.jpg?width=320 320w, /content-media/a/b.jpg?width=640 640w, /content-media/a/b.jpg 700w",
    );
    assert.match(
      srcset("/a.jpg", sizes, { width: 700, format: "webp" }),
      /, \/a.jpg\?format=webp 700w$/,
    );
  });

  it("omits an original that is as wide as an allowed size, or wider than all", () => {
    for (const width of [640, 1280, 4000])
      assert.doesNotMatch(srcset("/a.jpg", sizes, { width }), /\/a.jpg /);
  });

  it("lists all sizes for an original of unknown width", () => {
    assert.equal(srcset("/a.png", sizes).split(", ").length, 3);
  });

  it("includes format and quality, and drops an existing query", () => {
    assert.equal(
      srcset("/a.png?width=5#x", [320], { format: "webp", quality: 60 }),
      "/a.png?width=320&format=webp&quality=60 320w",
    );
  });

  it("is empty for unprocessed or small files and for animations", () => {
    assert.equal(srcset("/a.svg", sizes), "");
    assert.equal(srcset("/a.pdf", sizes), "");
    assert.equal(srcset("/a.gif", sizes), "");
    assert.equal(srcset("/a.jpg", sizes, { width: 300 }), "");
    assert.notEqual(srcset("/a.gif", sizes, { format: "webp" }), "");
  });
});
