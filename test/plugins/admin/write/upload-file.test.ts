import assert from "node:assert/strict";
import { mediaName } from "../../../../plugins/admin/routes/media/store-media.js";

describe("mediaName", () => {
  for (const [given, name] of [
    ["a.png", "a.png"],
    ["C:\\fakepath\\My Photo.JPG", "My-Photo.JPG"],
    ["../../x.pdf", "x.pdf"],
    [".hidden.png", "hidden.png"],
    ["Ünïcode 日本.png", "Ünïcode-日本.png"],
    ["a\0b.png", "a-b.png"],
  ] as const) {
    it(`returns ${name} for ${JSON.stringify(given)}`, () => assert.equal(mediaName(given), name));
  }
  for (const given of [
    "",
    ".",
    "..",
    "/",
    "noextension",
    "x.MD",
    "x.tsx",
    "x.html",
    "x.meta.yaml",
    `${"a".repeat(300)}.png`,
    ".png.",
  ]) {
    it(`rejects ${JSON.stringify(given.slice(0, 20))}`, () =>
      assert.throws(() => mediaName(given)));
  }
});
