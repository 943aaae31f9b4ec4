import assert from "node:assert/strict";
import { canParseUrl, passedOn, splitQuery } from "#lib/urls";
import { httpUrl, isExposedUrl, isHttpUrl, isLoopbackUrl } from "../../../lib/urls/urls.js";

describe("canParseUrl", () => {
  it("returns the same result for each call, for letters of any script", () => {
    for (let at = 0; at < 50_000; at += 1) canParseUrl("https://example.org/plain");
    for (const url of ["https://ä.example/ü", "https://例え.example/", "https://example.org/é"]) {
      for (let at = 0; at < 1_000; at += 1) assert.equal(canParseUrl(url), true, url);
    }
  });

  it("accepts a base, and rejects an invalid URL", () => {
    assert.equal(canParseUrl("/ü", "http://site.invalid"), true);
    for (const url of ["", "/x", "http://", "https://a b"])
      assert.equal(canParseUrl(url), false, url);
  });
});

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

describe("splitQuery", () => {
  it("takes parameters out by name or beginning, and changes nothing else", () => {
    assert.deepEqual(splitQuery("a=1&utm_x=2&b=%20&gclid", ["utm_*", "gclid"]), {
      rest: "a=1&b=%20",
      dropped: "utm_x=2&gclid",
    });
    assert.deepEqual(splitQuery("%75tm_x=2&a+b=1", ["utm_*", "a b"]), {
      rest: "",
      dropped: "%75tm_x=2&a+b=1",
    });
    assert.deepEqual(splitQuery("%=1&a", ["a"]), { rest: "%=1", dropped: "a" });
    assert.deepEqual(splitQuery("", ["a"]), { rest: "", dropped: "" });
  });
});

describe("passedOn", () => {
  it("adds a query before the hash of an address of this site only", () => {
    assert.equal(passedOn("/a", "b=1"), "/a?b=1");
    assert.equal(passedOn("/a?c=2#d", "b=1"), "/a?c=2&b=1#d");
    assert.equal(passedOn("//evil.example/a", "b=1"), "//evil.example/a");
    assert.equal(passedOn("/a", ""), "/a");
  });
});
