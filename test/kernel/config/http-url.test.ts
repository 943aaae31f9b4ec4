import assert from "node:assert/strict";
import { httpUrl, isHttpUrl } from "../../../kernel/config/http-url.js";

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
    it(`O4: may not be ${JSON.stringify(url)}`, () => assert.equal(isHttpUrl(url), false));
  }

  it("says what to write instead", () => {
    const { error } = httpUrl().safeParse("ftp://x");
    const [issue] = error?.issues ?? [];
    assert.ok(issue?.code === "custom" && typeof issue.params?.["fix"] === "string");
  });
});
