import assert from "node:assert/strict";
import {
  isCallbackOf,
  newPendingLogin,
  openLogin,
  sealLogin,
  STATE_SECONDS,
  stateCookieHeader,
  stateCookieName,
  stateCookies,
  surplusCookies,
  type StateCookie,
} from "../../../../plugins/auth/providers/login-state.js";

const NOW = 1_800_000_000_000;
const KEY = Buffer.alloc(32, 7);
const start = (next = "/account") => newPendingLogin({ provider: "github", link: null, next }, NOW);

describe("pending logins", () => {
  it("have random state, verifier and nonce of 256 bits each", () => {
    const [a, b] = [start(), start()];
    const values = [a.state, a.verifier, a.nonce, b.state, b.verifier, b.nonce];
    assert.equal(new Set(values).size, 6);
    for (const value of values) assert.match(value, /^[A-Za-z0-9_-]{43}$/);
  });

  it("survive the cookie unchanged, and cannot be read in it", () => {
    const login = { ...start(), link: { userId: "ann", sessionId: "s" } };
    const sealed = sealLogin(login, KEY);
    assert.deepEqual(openLogin(sealed, KEY, NOW), login);
    assert.ok(!Buffer.from(sealed, "base64url").toString("latin1").includes(login.verifier));
    assert.notEqual(sealLogin(login, KEY), sealed);
  });

  it("cannot be changed in any byte", () => {
    const bytes = Buffer.from(sealLogin(start(), KEY), "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(openLogin(changed.toString("base64url"), KEY, NOW), null, `at ${at}`);
    }
  });

  for (const value of ["", "x", "A".repeat(38), "A".repeat(39), "A".repeat(5_000), "../..", "\0"]) {
    it(`do not open from ${JSON.stringify(value.slice(0, 20))} (${value.length})`, () => {
      assert.equal(openLogin(value, KEY, NOW), null);
    });
  }

  it("expire after ten minutes, and do not open with another key", () => {
    const sealed = sealLogin(start(), KEY);
    assert.notEqual(openLogin(sealed, KEY, NOW + 599_999), null);
    assert.equal(openLogin(sealed, KEY, NOW + 600_000), null);
    assert.equal(openLogin(sealed, Buffer.alloc(32, 8), NOW), null);
  });

  it("only accept callbacks of their own provider and state", () => {
    const login = start();
    const { state } = login;
    assert.equal(isCallbackOf(login, "github", state), true);
    assert.equal(isCallbackOf(login, "google", state), false);
    assert.equal(isCallbackOf(login, "github", start().state), false);
    assert.equal(isCallbackOf(login, "github", ""), false);
    assert.equal(isCallbackOf(login, "github", `${state}x`), false);
  });

  it("replace a path too long for a cookie with the home page", () => {
    assert.equal(start(`/${"a".repeat(1_799)}`).next.length, 1_800);
    assert.equal(start(`/${"a".repeat(1_800)}`).next, "/");
    assert.ok(sealLogin(start(`/${"a".repeat(1_799)}`), KEY).length < 3_900);
  });
});

describe("login cookies", () => {
  const state = "a state";
  const name = stateCookieName(state);

  it("have a name of their own that does not reveal the state", () => {
    assert.match(name, /^site_auth_state_[\w-]{12}$/);
    assert.notEqual(stateCookieName("another state"), name);
    assert.ok(!name.includes(state));
  });

  for (const [header, found] of [
    [undefined, []],
    ["", []],
    [`${name}=abc`, ["abc"]],
    [`a=b; ${name}=abc; c=d; site_auth_state_x=e`, ["abc", "e"]],
    [`${name}=`, [""]],
    [name, []],
    ["site_auth_state=old", ["old"]],
    ["site_auth_state2=abc; xsite_auth_state_a=abc; site_auth=x", []],
    [`${name}=a=b`, ["a=b"]],
  ] as const) {
    it(`of ${JSON.stringify(header)} are ${JSON.stringify(found)}`, () => {
      assert.deepEqual(
        stateCookies(header).map(({ value }) => value),
        found,
      );
    });
  }

  it("are limited to /auth, HttpOnly, and Secure outside dev", () => {
    assert.equal(
      stateCookieHeader({ name, value: "v" }, true),
      `${name}=v; Path=/auth; Max-Age=600; HttpOnly; SameSite=Lax; Secure`,
    );
    assert.ok(!stateCookieHeader({ name, value: "v" }, false).includes("Secure"));
    const cleared = stateCookieHeader({ name, value: "" }, true);
    assert.ok(cleared.startsWith(`${name}=; Path=/auth; Max-Age=0;`));
  });

  describe("login cookies when another login starts", () => {
    const sealed = (ageMs: number, next = "/"): StateCookie => {
      const login = newPendingLogin({ provider: "github", link: null, next }, NOW - ageMs);
      return { name: stateCookieName(login.state), value: sealLogin(login, KEY) };
    };
    const surplus = (cookies: StateCookie[]): StateCookie[] =>
      surplusCookies(cookies, KEY, NOW, 600);

    it("stay, up to four others", () => {
      const cookies = [sealed(1), sealed(2), sealed(3), sealed(4)];
      assert.deepEqual(surplus(cookies), []);
    });

    it("are removed, invalid ones first, then the oldest", () => {
      const [old, older] = [sealed(50_000), sealed(60_000)];
      const broken = { name: "site_auth_state", value: "abc" };
      const cookies = [older, sealed(3), old, sealed(2), sealed(1), broken, sealed(4)];
      assert.deepEqual(new Set(surplus(cookies)), new Set([broken, old, older]));
      assert.deepEqual(surplus([sealed(STATE_SECONDS * 1000)]).length, 1);
    });

    it("leave space for the other request headers", () => {
      const cookies = Array.from({ length: 4 }, (_, at) => sealed(at, `/${"x".repeat(1_700)}`));
      const gone = new Set(surplus(cookies).map(({ name: one }) => one));
      const left = cookies.filter((cookie) => !gone.has(cookie.name));
      assert.ok(gone.size > 0);
      assert.ok(left.reduce((sum, { value }) => sum + value.length, 600) <= 8_192);
    });
  });
});
