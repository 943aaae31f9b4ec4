import assert from "node:assert/strict";
import { assertFileType } from "../../../plugins/media/file-signature.js";

const PDF = Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n");
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const SVG = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>");

describe("the signature of a file", () => {
  for (const [name, bytes] of [
    ["a.pdf", PDF],
    ["a.PDF", PDF],
    ["a.svg", SVG],
    ["a.csv", Buffer.from("a,b\n")],
    ["a.jpeg", Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex")],
    ["a.docx", Buffer.from("504b0304140000000800", "hex")],
  ] as const) {
    it(`matches ${name}`, async () => {
      await assertFileType(name, bytes);
    });
  }
  for (const [name, bytes] of [
    ["a.png", PDF],
    ["a.txt", PDF],
    ["a.jpg", PNG],
    ["a.jpg", Buffer.from("<html><script>alert(1)</script>")],
    ["a.png", SVG],
    ["a.unknown", Buffer.from("x")],
    ["a.txt", Buffer.from("a\0b")],
    ["a", PNG],
    ["a.png", Buffer.alloc(0)],
    ["a.constructor", Buffer.from("x")],
  ] as const) {
    it(`${bytes.subarray(0, 8).toString("latin1").trim()} in ${name} is 415`, async () => {
      await assert.rejects(assertFileType(name, bytes), { status: 415 });
    });
  }
});
