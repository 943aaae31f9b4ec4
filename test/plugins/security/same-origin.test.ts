import assert from "node:assert/strict";
import { isFromElsewhere, isSameOrigin, senderOf } from "../../../plugins/security/same-origin.js";

describe("isSameOrigin", () => {
  const own = new Set(["https://site.example"]);
  const host = "localhost:8000";
  for (const headers of [
    { origin: "https://site.example", host },
    { origin: "http://localhost:8000", host },
    { "sec-fetch-site": "same-origin", host },
    { "sec-fetch-site": "none", host },
  ]) {
    it(`is true for ${JSON.stringify(headers)}`, () =>
      assert.equal(isSameOrigin(headers, own), true));
  }
  for (const headers of [
    {},
    { origin: "https://evil.example", host },
    { origin: "https://evil.example", host, "sec-fetch-site": "same-origin" },
    { origin: "null", host },
    { origin: "not a url", host },
    { origin: "https://site.example.evil.example", host },
    { origin: "http://site.example", host },
    { origin: ["https://site.example"], host },
    { "sec-fetch-site": "cross-site", host },
    { "sec-fetch-site": "same-site", host },
  ]) {
    it(`is false for ${JSON.stringify(headers)}`, () =>
      assert.equal(isSameOrigin(headers, own), false));
  }
});

describe("isFromElsewhere", () => {
  const own = new Set(["https://site.example"]);
  const host = "localhost:8000";
  for (const headers of [
    { origin: "https://evil.example", host },
    { origin: "https://evil.example", host, "sec-fetch-site": "same-origin" },
    { origin: "null", host },
    { origin: "null", host, "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "cross-site", host },
    { "sec-fetch-site": "same-site", host },
  ]) {
    it(`is true for ${JSON.stringify(headers)}`, () =>
      assert.equal(isFromElsewhere(headers, own), true));
  }
  for (const headers of [
    { host },
    { origin: "https://site.example", host },
    { origin: "http://localhost:8000", host },
    { origin: "null", host, "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none", host },
  ]) {
    it(`is false for ${JSON.stringify(headers)}`, () =>
      assert.equal(isFromElsewhere(headers, own), false));
  }
});

describe("senderOf", () => {
  const cases: readonly (readonly [headers: Record<string, string>, text: string])[] = [
    [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      'Origin is "https://evil.example", `url` of this site is "https://site.example"',
    ],
    [{ "sec-fetch-site": "cross-site" }, 'Sec-Fetch-Site is "cross-site"'],
    [{}, "neither Origin nor Sec-Fetch-Site was sent"],
  ];
  for (const [headers, text] of cases) {
    it(`names the header of ${JSON.stringify(headers)}`, () =>
      assert.equal(senderOf(headers, "https://site.example"), text));
  }
  it("shortens a long Origin", () =>
    assert.ok(senderOf({ origin: "x".repeat(9_000) }, "https://site.example").length < 300));
});
