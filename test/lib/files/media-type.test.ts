import assert from "node:assert/strict";
import { imageFormatOf, mediaTypeOf } from "#lib/files";

describe("the type of a file by its name", () => {
  for (const [name, type] of [
    ["a.jpg", "image/jpeg"],
    ["a.JPEG", "image/jpeg"],
    ["a.jpe", "image/jpeg"],
    ["a.jfif", "image/jpeg"],
    ["a.JFIF", "image/jpeg"],
    ["a.jif", "image/jpeg"],
    ["a.jfi", "image/jpeg"],
    ["a.pjpeg", "image/jpeg"],
    ["a.pjp", "image/jpeg"],
    ["a.svg", "image/svg+xml"],
    ["a.html", "text/html"],
    ["a.txt", "text/plain"],
    ["a.json", "application/json"],
    ["a.js", "application/octet-stream"],
    ["a.MJS", "application/octet-stream"],
    ["a.css", "application/octet-stream"],
    ["a.wasm", "application/octet-stream"],
    ["a.jsx", "application/octet-stream"],
    ["a.ts", "application/octet-stream"],
    ["a.mts", "application/octet-stream"],
    ["a.mp4", "video/mp4"],
    ["a.less", "application/octet-stream"],
    ["js", "application/octet-stream"],
    ["a.", "application/octet-stream"],
    ["a.unknown", "application/octet-stream"],
    ["a.constructor", "application/octet-stream"],
  ] as const) {
    it(`is ${type} for ${name}`, () => assert.equal(mediaTypeOf(name), type));
  }
});

describe("the format of an image's variants", () => {
  for (const [name, format] of [
    ["a.jpg", "jpeg"],
    ["a.jpeg", "jpeg"],
    ["A.JPG", "jpeg"],
    ["a.jpe", "jpeg"],
    ["a.jfif", "jpeg"],
    ["a.pjpeg", "jpeg"],
    ["a.png", "png"],
    ["a.b.png", "png"],
    ["a.webp", "webp"],
    ["a.avif", "avif"],
    ["a.gif", "gif"],
    ["a.tif", "jpeg"],
    ["a.tiff", "jpeg"],
    ["a.svg", null],
    ["a.apng", null],
    ["a.bmp", null],
    ["a.ico", null],
    ["a.pdf", null],
    ["a.jpg.meta.yaml", null],
    [".jpg", null],
    ["jpg", null],
    ["a", null],
  ] as const) {
    it(`is ${format} for ${name}`, () => assert.equal(imageFormatOf(name), format));
  }
});
