import assert from "node:assert/strict";
import { assertMediaType, mediaName } from "../../../plugins/admin/upload-file.js";

describe("mediaName", () => {
  for (const [given, name] of [
    ["a.png", "a.png"],
    ["C:\\fakepath\\My Photo.JPG", "My-Photo.JPG"],
    ["../../x.pdf", "x.pdf"],
    [".hidden.png", "hidden.png"],
    ["Ünïcode 日本.png", "Ünïcode-日本.png"],
    ["a\0b.png", "a-b.png"],
  ] as const) {
    it(`makes ${name} of ${JSON.stringify(given)}`, () => assert.equal(mediaName(given), name));
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
    it(`refuses ${JSON.stringify(given.slice(0, 20))}`, () =>
      assert.throws(() => mediaName(given)));
  }
});

describe("assertMediaType", () => {
  const pdf = Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n");
  it("holds bytes to the extension", async () => {
    await assertMediaType("a.pdf", pdf);
    await assert.rejects(assertMediaType("a.png", pdf));
    await assert.rejects(assertMediaType("a.txt", pdf));
    await assertMediaType("a.svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
    await assertMediaType("a.csv", Buffer.from("a,b\n"));
    await assert.rejects(assertMediaType("a.unknown", Buffer.from("x")));
  });
});
