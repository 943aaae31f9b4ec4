import assert from "node:assert/strict";
import { uploadType } from "../../../plugins/uploads/routes.js";

const ALLOWED = ["image/jpeg", "image/png", "application/pdf"];

describe("the type of an upload", () => {
  for (const [name, extension, type] of [
    ["a.jpg", "jpg", "image/jpeg"],
    ["a.JPEG", "jpeg", "image/jpeg"],
    ["a.php.jpg", "jpg", "image/jpeg"],
    ["../../x.png", "png", "image/png"],
    ["CON.pdf", "pdf", "application/pdf"],
    [`${"a".repeat(300)}.pdf`, "pdf", "application/pdf"],
  ] as const) {
    it(`of ${name.slice(0, 12)} is ${type}`, () =>
      assert.deepEqual(uploadType(name, ALLOWED), { extension, type }));
  }
  for (const name of [
    "",
    "a",
    ".htaccess",
    ".jpg",
    "a.",
    "a.jpg\0",
    "a\0.jpg",
    "a/.jpg",
    "a.b c",
  ]) {
    it(`${JSON.stringify(name)} is 400`, () =>
      assert.throws(() => uploadType(name, ALLOWED), { status: 400, code: "ERR_UPLOAD_NAME" }));
  }
  for (const name of [
    "a.gif",
    "a.svg",
    "a.html",
    "a.exe",
    "a.jpg.php",
    "a.unknown",
    "a.toString",
  ]) {
    it(`${name} is 415`, () =>
      assert.throws(() => uploadType(name, ALLOWED), { status: 415, code: "ERR_UPLOAD_TYPE" }));
  }
  for (const name of ["a.js", "a.css", "a.unknown"]) {
    it(`${name} is 415 where application/octet-stream is allowed`, () =>
      assert.throws(() => uploadType(name, ["application/octet-stream"]), {
        status: 415,
        code: "ERR_UPLOAD_TYPE",
      }));
  }
  it("is that of the suffix for code, too", () => {
    assert.deepEqual(uploadType("a.css", ["text/css"]), { extension: "css", type: "text/css" });
    assert.deepEqual(uploadType("a.bin", ["application/octet-stream"]), {
      extension: "bin",
      type: "application/octet-stream",
    });
  });
});
