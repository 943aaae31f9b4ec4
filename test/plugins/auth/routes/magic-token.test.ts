import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import {
  createMagicToken,
  magicClaim,
  readMagicToken,
} from "../../../../plugins/auth/routes/magic-routes.js";

const NOW = 1_800_000_000_000;
const KEY = Buffer.alloc(32, 7);
const SITE = "https://site.example";
const LINK = { site: SITE, email: "ann@example.org", next: "/account" };

const create = (part: Partial<typeof LINK> = {}): string =>
  createMagicToken({ ...LINK, ...part }, KEY, NOW);
const read = (token: string, part: { key?: Buffer; now?: number; site?: string } = {}) =>
  readMagicToken(token, part.key ?? KEY, part.now ?? NOW, part.site ?? SITE);
/** A token with any payload and a valid signature. */
const sealed = (said: unknown): string => {
  const text = Buffer.from(JSON.stringify(said)).toString("base64url");
  return `${text}.${createHmac("sha256", KEY).update(`magic.${text}`).digest("base64url")}`;
};
const GOOD = { purpose: "magic", ...LINK, nonce: "n", expiresAt: NOW + 1 };

describe("magic tokens", () => {
  it("are invalid if any character changes", () => {
    const token = create();
    for (let at = 0; at < token.length; at += 1) {
      // Including the last one, whose low bits are unused.
      for (const other of ["A", "B", "_", "."].filter((one) => one !== token[at])) {
        assert.equal(read(token.slice(0, at) + other + token.slice(at + 1)), null, `at ${at}`);
      }
    }
  });

  for (const [what, said] of [
    ["another purpose", { ...GOOD, purpose: "reset" }],
    ["no purpose", { ...GOOD, purpose: undefined }],
    ["an end that is text", { ...GOOD, expiresAt: "9999999999999" }],
    ["no end", { ...GOOD, expiresAt: null }],
    ["a list as address", { ...GOOD, email: ["ann@example.org"] }],
    ["null", null],
    ["a list", []],
  ] as const) {
    it(`reject ${what}, even with a valid signature`, () => {
      assert.notEqual(read(sealed(GOOD)), null);
      assert.equal(read(sealed(said)), null);
    });
  }

  it("have unique claim names that do not reveal them", () => {
    const token = create();
    assert.notEqual(create(), token);
    assert.equal(magicClaim(token), magicClaim(token));
    assert.notEqual(magicClaim(token), magicClaim(create()));
    assert.match(magicClaim(token), /^magic:[0-9a-f]{64}$/);
  });
});
