import assert from "node:assert/strict";
import { expectCsp, withCspSources } from "#lib/http";

describe("expectCsp", () => {
  const valid: readonly unknown[] = [
    {},
    { "upgrade-insecure-requests": [] },
    { "style-src": ["'unsafe-inline'"], "img-src": ["https:", "data:", "*.example.com:8080/a/b"] },
    { "script-src": ["'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='"] },
  ];
  for (const sources of valid) {
    it(`accepts ${JSON.stringify(sources)}`, () => assert.equal(expectCsp(sources), null));
  }

  const invalid: readonly (readonly [unknown, RegExp])[] = [
    [null, /expected an object, received null/],
    [{ "img-src": "https:" }, /img-src: expected a list, received "https:"/],
    [{ "img-src": ["https:", 7] }, /img-src.1: expected one source .*received 7/],
    [{ "img-src": ["https://a.example; script-src *"] }, /img-src.0: expected one source/],
    [{ "img-src": ["https://a.example,"] }, /img-src.0: expected one source/],
    [{ "img-src": ["a\nb"] }, /img-src.0: expected one source/],
    [{ "img-src": ["https://m\u2026.example"] }, /in ASCII/],
    [{ "img src": [] }, /expected a directive such as "img-src", received "img src"/],
    [
      { "img-src": Array(1_000).fill("https:") },
      /at most 4096 characters of sources, received 7007/,
    ],
  ];
  for (const [sources, problem] of invalid) {
    it(`rejects ${JSON.stringify(sources).slice(0, 60)}`, () =>
      assert.match(expectCsp(sources) ?? "", problem));
  }
});

describe("withCspSources", () => {
  it("adds sources to a directive, which begins with those of default-src", () => {
    const policy = "default-src 'self'; img-src 'none'; frame-ancestors 'none'";
    assert.equal(
      withCspSources(policy, { "img-src": ["data:"], "font-src": ["https://a.example"] }),
      "default-src 'self'; img-src data:; frame-ancestors 'none'; font-src 'self' https://a.example",
    );
    assert.equal(withCspSources(policy, { "default-src": ["'self'"] }), policy);
  });
});
