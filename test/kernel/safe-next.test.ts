import assert from "node:assert/strict";
import fc from "fast-check";
import { safeNext } from "#kernel";

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
    it(`A4: answers / to ${JSON.stringify(value)?.slice(0, 40)}`, () =>
      assert.equal(safeNext(value), "/"));
  }

  const OWN = ["/", "/a/b?x=1#y", "/ü/ä", "/a%20b", "/a//b", "/?next=//evil.example"];
  for (const value of OWN) {
    it(`keeps ${value} on this site`, () => {
      const kept = new URL(safeNext(value), "https://site.example");
      assert.equal(kept.href, new URL(value, "https://site.example").href);
    });
  }

  it("A4: never leads off the site, whatever comes", () => {
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
