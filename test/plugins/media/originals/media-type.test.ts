import assert from "node:assert/strict";
import { validateHeaderValue } from "node:http";
import check from "fast-check";
import { mediaHeaders } from "../../../../plugins/media/routes/serve-media.js";

describe("mediaHeaders", () => {
  for (const [name, type] of Object.entries({
    "a.jpg": "image/jpeg",
    "A.JPG": "image/jpeg",
    "a.webp": "image/webp",
    "a.mp4": "video/mp4",
    "a.mp3": "audio/mpeg",
    "a.woff2": "font/woff2",
    "a.pdf": "application/pdf",
    "notes.txt": "text/plain; charset=utf-8",
    "a.csv": "text/csv; charset=utf-8",
    "a.json": "application/json; charset=utf-8",
  })) {
    it(`displays ${name} as ${type}`, () => {
      const headers = mediaHeaders(name);
      assert.equal(headers["Content-Type"], type);
      assert.equal(headers["Content-Disposition"], undefined);
      assert.equal(headers["Content-Security-Policy"], undefined);
    });
  }

  for (const name of [
    "a.svg",
    "x.html",
    "x.htm",
    "x.xhtml",
    "x.xml",
    "x.rss",
    "x.mathml",
    "X.SVG",
  ]) {
    it(`displays ${name} in a sandbox without scripts`, () => {
      const policy = mediaHeaders(name)["Content-Security-Policy"];
      assert.equal(policy, "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    });
  }

  for (const name of ["a.js", "a.mjs", "a.css", "a.wasm", "a.xyz123", "noextension", "a."]) {
    it(`sends ${name} as a download without a specific type`, () => {
      const headers = mediaHeaders(name);
      assert.equal(headers["Content-Type"], "application/octet-stream");
      assert.match(headers["Content-Disposition"] ?? "", /^attachment; /);
    });
  }

  it("sends archives as downloads with their own type", () => {
    const headers = mediaHeaders("a.zip");
    assert.equal(headers["Content-Type"], "application/zip");
    assert.match(headers["Content-Disposition"] ?? "", /filename="a.zip"/);
  });

  it("creates valid headers for any name, always with nosniff", () => {
    check.assert(
      check.property(check.string(), (name) => {
        const headers = mediaHeaders(`${name}.bin9`);
        for (const [header, value] of Object.entries(headers)) validateHeaderValue(header, value);
        assert.equal(headers["X-Content-Type-Options"], "nosniff");
      }),
    );
  });
});
