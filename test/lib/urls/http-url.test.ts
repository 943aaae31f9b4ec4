import assert from "node:assert/strict";
import { httpUrl, isExposedUrl, isHttpUrl, isLoopbackUrl } from "../../../lib/urls/urls.js";

describe("an http URL of the configuration", () => {
  for (const url of [
    "https://example.org",
    "http://127.0.0.1:8000/a?b=c",
    "https://ä.example/ü",
    "http://[::1]:1/",
  ]) {
    it(`may be ${url}`, () => assert.ok(isHttpUrl(url)));
  }
  const refused = [
    "",
    "example.org",
    "//example.org",
    "ftp://x",
    "file:///etc/passwd",
    "gopher://x",
    "javascript:alert(1)",
    "http://u:p@h",
    "http://u@h",
    "http://",
    "http:///x",
    "https://a b",
    "https://x\\@y",
    "https://x/#a",
    "https://x/\r\nY",
    " https://x",
  ];
  for (const url of refused) {
    it(`may not be ${JSON.stringify(url)}`, () => assert.equal(isHttpUrl(url), false));
  }

  it("explains the expected form", () => {
    const { error } = httpUrl().safeParse("ftp://x");
    const [issue] = error?.issues ?? [];
    assert.ok(issue?.code === "custom" && typeof issue.params?.["fix"] === "string");
  });
});

describe("addresses of this machine", () => {
  for (const [address, expected] of [
    ["http://localhost:8080/x", true],
    ["http://LOCALHOST", true],
    ["http://127.0.0.1", true],
    ["http://127.1.2.3", true],
    ["http://2130706433", true],
    ["http://[::1]:1", true],
    ["http://localhost.evil.example", false],
    ["http://127.0.0.1.evil.example", false],
    ["http://evil.example/127.0.0.1", false],
    ["http://127.0.0.1@evil.example", false],
    ["http://10.0.0.1", false],
    ["http://0.0.0.0", false],
    ["http://[::2]", false],
  ] as const) {
    it(`${address}: ${expected}`, () => {
      assert.equal(isLoopbackUrl(address), expected);
    });
  }
});

describe("addresses that secrets are not sent to", () => {
  for (const value of ["http://example.org", "http://10.0.0.1/x", "HTTP://EXAMPLE.ORG"]) {
    it(`include ${value}`, () => assert.equal(isExposedUrl(value), true));
  }
  for (const value of [
    "https://example.org",
    "http://127.0.0.1:1",
    "none",
    "",
    null,
    1,
    undefined,
  ]) {
    it(`do not include ${JSON.stringify(value)}`, () => assert.equal(isExposedUrl(value), false));
  }
});
