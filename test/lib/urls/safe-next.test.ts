import assert from "node:assert/strict";
import fc from "fast-check";
import { canParseUrl, safeNext } from "#lib/urls";
import { redirectPayloads } from "../../support/hostile/redirect-payloads.js";

const FOREIGN = [
  "//evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "/%09/evil.example\t",
  "/\tevil",
  "/ /evil",
  "/\u0000",
  "///evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "evil.example",
  "",
  "@evil.example",
  "http:evil.example",
  `/${"a".repeat(3_000)}`,
  "/\u0085evil",
];

describe("safeNext", () => {
  for (const value of [...FOREIGN, undefined, null, 7, ["/a"], {}]) {
    it(`returns / for ${JSON.stringify(value)?.slice(0, 40)}`, () =>
      assert.equal(safeNext(value), "/"));
  }

  const OWN = ["/", "/a/b?x=1#y", "/ü/ä", "/a%20b", "/a//b", "/?next=//evil.example"];
  for (const value of OWN) {
    it(`returns ${value}, a path on this site`, () => {
      const url = new URL(safeNext(value), "https://site.example");
      assert.equal(url.href, new URL(value, "https://site.example").href);
    });
  }

  it("never leaves the site, for any input", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      "//",
      ".",
      "..",
      "@",
      ":",
      "http:",
      "evil.example",
      "%2f",
      "\t",
      "?",
      "#",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const target = safeNext(pieces.join(""));
        return new URL(target, "https://site.example").origin === "https://site.example";
      }),
    );
  });
});

describe("safeNext with every kind of redirect that leaves a site", () => {
  const SITE = "https://site.example";
  const payloads = redirectPayloads("evil.example");
  const stays = (next: string): boolean => new URL(next, SITE).origin === SITE;

  it("covers many that mislead naive checks", () => {
    const leaks = (check: (value: string) => string): number =>
      payloads.filter((value) => canParseUrl(check(value), SITE) && !stays(check(value))).length;
    const startsWithSlash = (value: string): string => (value.startsWith("/") ? value : "/");
    const noDoubleSlash = (value: string): string => (/^\/(?!\/)/.test(value) ? value : "/");
    assert.ok(payloads.length > 787, `${payloads.length}`);
    assert.ok(leaks(startsWithSlash) > 100, `${leaks(startsWithSlash)}`);
    assert.ok(leaks(noDoubleSlash) > 20, `${leaks(noDoubleSlash)}`);
  });

  it("stays on the site for all, raw, decoded once or twice", () => {
    const decoded = (value: string): string => {
      try {
        return decodeURIComponent(value);
      } catch {
        return value;
      }
    };
    for (const payload of payloads) {
      for (const value of [payload, decoded(payload), decoded(decoded(payload))]) {
        const next = safeNext(value);
        assert.ok(stays(next), JSON.stringify(value));
        assert.match(next, /^\/(?![/\\])[^\s\\\p{Cc}]*$/u, JSON.stringify(value));
      }
    }
  });
});
