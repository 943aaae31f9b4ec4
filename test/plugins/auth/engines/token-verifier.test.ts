import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import jwt from "jsonwebtoken";
import {
  verifyToken,
  type VerifyOptions,
} from "../../../../plugins/auth/engines/token-verifier.js";
import { createKey, signToken } from "../../../support/hostile/json-web-keys.js";

const NOW = 1_800_000_000;
const SECRET = "a secret that both sides know, 32 bytes or more";
const key = createSecretKey(Buffer.from(SECRET));
const sign = (claims: object): string => jwt.sign(claims, SECRET, { noTimestamp: true });
const verify = (token: string, part: Partial<VerifyOptions> = {}) =>
  verifyToken(token, { key, algorithm: "HS256", requireExp: false, now: NOW * 1000, ...part });

describe("verified tokens", () => {
  for (const [claims, expected] of [
    [{ exp: NOW + 1 }, true],
    [{ exp: NOW - 30 }, true],
    [{ exp: NOW - 61 }, false],
    [{ nbf: NOW + 30 }, true],
    [{ nbf: NOW + 61 }, false],
    [{}, true],
  ] as const) {
    it(`${JSON.stringify(claims)} is ${expected ? "valid now" : "invalid"}`, () => {
      assert.equal(verify(sign(claims)) !== null, expected);
    });
  }

  /** Payloads that the library would not sign: raw text. */
  const raw = (payload: string): string => jwt.sign(payload, SECRET);
  for (const payload of [
    '{"exp":"9999999999"}',
    '{"exp":1e400}',
    '{"exp":null}',
    '{"nbf":"0"}',
    '{"iat":"now"}',
    '{"iat":1e400}',
    '"text"',
    "text",
  ]) {
    it(`rejects ${payload}`, () => {
      assert.equal(verify(raw(payload)), null);
    });
  }

  it("rejects a token issued in the future, beyond the tolerated clock skew", () => {
    assert.notEqual(verify(raw(JSON.stringify({ iat: NOW + 60 }))), null);
    assert.equal(verify(raw(JSON.stringify({ iat: NOW + 61 }))), null);
  });

  it("can require an expiry", () => {
    assert.equal(verify(sign({ sub: "ann" }), { requireExp: true }), null);
    assert.notEqual(verify(sign({ exp: NOW + 1 }), { requireExp: true }), null);
  });

  for (const [aud, audience, expected] of [
    ["site", "site", true],
    [["a", "site"], "site", true],
    ["b", ["a", "b"], true],
    ["other", "site", false],
    ["sites", "site", false],
    [undefined, "site", false],
    ["other", undefined, true],
  ] as const) {
    it(`aud ${JSON.stringify(aud)} for ${JSON.stringify(audience)}: ${expected}`, () => {
      const claims = aud === undefined ? {} : { aud };
      assert.equal(verify(sign(claims), { audience }) !== null, expected);
    });
  }

  it("compares the whole issuer", () => {
    const issuer = "https://ids.example";
    assert.notEqual(verify(sign({ iss: issuer }), { issuer }), null);
    for (const iss of [`${issuer}/`, "https://ids", ""]) {
      assert.equal(verify(sign({ iss }), { issuer }), null);
    }
    assert.equal(verify(sign({}), { issuer }), null);
  });

  it("rejects another algorithm or key", () => {
    const rsa = createKey("k");
    assert.equal(verify(signToken(rsa, {})), null);
    assert.equal(verify(jwt.sign({}, SECRET, { algorithm: "HS512" })), null);
    assert.equal(verify(jwt.sign({}, "another secret")), null);
    assert.equal(verify(jwt.sign({}, "", { algorithm: "none" })), null);
    assert.equal(verify(sign({}), { key: rsa.privateKey, algorithm: "RS256" }), null);
  });

  for (const token of ["", ".", "..", "a.b.c", "x".repeat(100_000)]) {
    it(`rejects ${JSON.stringify(token.slice(0, 9))}`, () => {
      assert.equal(verify(token), null);
    });
  }
});
