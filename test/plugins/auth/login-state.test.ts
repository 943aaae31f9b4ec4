import assert from "node:assert/strict";
import {
  isAnswerTo,
  newPendingLogin,
  openLogin,
  sealLogin,
  stateCookie,
  stateCookieHeader,
} from "../../../plugins/auth/login-state.js";

const NOW = 1_800_000_000_000;
const KEY = Buffer.alloc(32, 7);
const start = (next = "/account") => newPendingLogin({ provider: "github", link: null, next }, NOW);

describe("logins on their way through a provider", () => {
  it("A1: state, verifier and nonce are 256 bits each, of their own and fresh", () => {
    const [a, b] = [start(), start()];
    const values = [a.state, a.verifier, a.nonce, b.state, b.verifier, b.nonce];
    assert.equal(new Set(values).size, 6);
    for (const value of values) assert.match(value, /^[A-Za-z0-9_-]{43}$/);
  });

  it("A5: come out of the cookie as they went in, and cannot be read in it", () => {
    const login = { ...start(), link: { userId: "ann", sessionId: "s" } };
    const sealed = sealLogin(login, KEY);
    assert.deepEqual(openLogin(sealed, KEY, NOW), login);
    assert.ok(!Buffer.from(sealed, "base64url").toString("latin1").includes(login.verifier));
    assert.notEqual(sealLogin(login, KEY), sealed);
  });

  it("A5: no byte of a sealed one can be another", () => {
    const bytes = Buffer.from(sealLogin(start(), KEY), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(openLogin(changed.toString("base64url"), KEY, NOW), null, `at ${at}`);
    }
  });

  for (const value of ["", "x", "A".repeat(38), "A".repeat(39), "A".repeat(5_000), "../..", "\0"]) {
    it(`A1: nothing opens out of ${JSON.stringify(value.slice(0, 20))} (${value.length})`, () => {
      assert.equal(openLogin(value, KEY, NOW), null);
    });
  }

  it("A1: end after ten minutes, and with another key", () => {
    const sealed = sealLogin(start(), KEY);
    assert.notEqual(openLogin(sealed, KEY, NOW + 599_999), null);
    assert.equal(openLogin(sealed, KEY, NOW + 600_000), null);
    assert.equal(openLogin(sealed, Buffer.alloc(32, 8), NOW), null);
  });

  it("A2: are answered by their own provider and state only", () => {
    const login = start();
    const { state } = login;
    assert.equal(isAnswerTo(login, { provider: "github", state }), true);
    assert.equal(isAnswerTo(login, { provider: "google", state }), false);
    assert.equal(isAnswerTo(login, { provider: "github", state: start().state }), false);
    assert.equal(isAnswerTo(login, { provider: "github", state: "" }), false);
    assert.equal(isAnswerTo(login, { provider: "github", state: `${state}x` }), false);
  });

  it("A4: a path too long for a cookie becomes the home page, and the cookie fits", () => {
    assert.equal(start(`/${"a".repeat(1_799)}`).next.length, 1_800);
    assert.equal(start(`/${"a".repeat(1_800)}`).next, "/");
    assert.ok(sealLogin(start(`/${"a".repeat(1_799)}`), KEY).length < 3_900);
  });
});

describe("the cookie of a login", () => {
  for (const [header, value] of [
    [undefined, null],
    ["", null],
    ["a=b", null],
    ["site_auth_state=abc", "abc"],
    ["a=b; site_auth_state=abc; c=d", "abc"],
    ["site_auth_state=", ""],
    ["site_auth_state", null],
    ["site_auth_state2=abc", null],
    ["xsite_auth_state=abc", null],
    ["SITE_AUTH_STATE=abc", null],
    ["site_auth_state=first; site_auth_state=second", "first"],
    ["site_auth_state=a=b", "a=b"],
  ] as const) {
    it(`of ${JSON.stringify(header)} is ${JSON.stringify(value)}`, () => {
      assert.equal(stateCookie(header), value);
    });
  }

  it("A7: is sent to /auth alone, unseen by scripts, by https outside of development", () => {
    assert.equal(
      stateCookieHeader("v", true),
      "site_auth_state=v; Path=/auth; Max-Age=600; HttpOnly; SameSite=Lax; Secure",
    );
    assert.ok(!stateCookieHeader("v", false).includes("Secure"));
    assert.match(stateCookieHeader("", true), /^site_auth_state=; Path=\/auth; Max-Age=0;/);
  });
});
