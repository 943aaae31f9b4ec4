import assert from "node:assert/strict";
import check from "fast-check";
import sharp from "sharp";
import { imageSignature } from "../../../../plugins/media/engines/process-image.js";

const plain = sharp({ create: { width: 4, height: 4, channels: 3, background: "#369" } });

describe("imageSignature", () => {
  for (const kind of ["jpeg", "png", "gif", "webp", "avif", "tiff"] as const) {
    it(`recognizes ${kind} by its first bytes`, async () => {
      assert.equal(imageSignature(await plain.clone().toFormat(kind).toBuffer()), kind);
    });
  }

  const others = {
    "an SVG": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    "an SVG with a prologue": '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    HTML: "<!doctype html><script>alert(1)</script>",
    "a PDF": "%PDF-1.7 with some bytes behind it",
    "an MP4": "\0\0\0\x18ftypisom\0\0\0\0isomiso2",
    nothing: "",
    "three bytes": "\xff\xd8\xff",
  };
  for (const [name, text] of Object.entries(others)) {
    it(`does not recognize ${name} as an image`, () => {
      assert.equal(imageSignature(Buffer.from(text, "latin1")), null);
    });
  }

  it("accepts any bytes", () => {
    check.assert(
      check.property(check.uint8Array(), (bytes) => void imageSignature(Buffer.from(bytes))),
    );
  });
});
