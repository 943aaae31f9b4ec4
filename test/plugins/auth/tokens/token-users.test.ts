import assert from "node:assert/strict";
import jwt from "jsonwebtoken";
import type { Caches } from "#kernel";
import type { JwtSection } from "../../../../plugins/auth/contract.js";
import { SharedSecret, type TokenKeys } from "../../../../plugins/auth/tokens/token-keys.js";
import { TokenUsers } from "../../../../plugins/auth/tokens/token-users.js";
import type { RoleClaim } from "../../../../plugins/users/contract.js";
import { createKey, signToken } from "../../../support/hostile/json-web-keys.js";
import {
  keyConfusions,
  oddContents,
  otherAlgorithms,
  publicHalf,
  spellingsOf,
  type Forgery,
} from "../../../support/hostile/token-forgeries.js";
import { testCaches } from "../../../support/test-caches.js";

const NOW = 1_800_000_000;
const SECRET = "a secret that both sides know, 32 bytes or more";
const ANN = { sub: "ann", email: "ann@example.org", roles: ["member"] };
const JWT: JwtSection = {
  requireExp: false,
  userIdClaim: "sub",
  emailClaim: "email",
  rolesClaim: "roles",
};

describe("users of tokens", () => {
  const clock = { ms: NOW * 1000, now: () => clock.ms };
  let asked: RoleClaim[];
  let lookups: number;
  beforeEach(() => {
    asked = [];
    lookups = 0;
    clock.ms = NOW * 1000;
  });
  const rolesOf = async (claim: RoleClaim): Promise<readonly string[]> => {
    asked.push(claim);
    return claim.roles;
  };
  const counted = (keys: TokenKeys): TokenKeys => ({
    algorithm: keys.algorithm,
    get: (kid) => {
      lookups += 1;
      return keys.get(kid);
    },
    validUntil: () => keys.validUntil(),
  });
  const open = (
    keys: TokenKeys,
    { cache = testCaches(clock), ...more }: Partial<JwtSection> & { cache?: Caches } = {},
  ): TokenUsers =>
    new TokenUsers({
      jwt: { ...JWT, ...more },
      keys: counted(keys),
      users: { rolesOf },
      cache,
      clock,
    });
  const shared = new SharedSecret(SECRET);
  const key = createKey("a");
  const published: TokenKeys = {
    algorithm: "RS256",
    get: async (kid) => (kid === "a" ? publicHalf(key.privateKey) : null),
    validUntil: () => Infinity,
  };
  const sign = (claims: object, options: jwt.SignOptions = {}): string =>
    jwt.sign(claims, SECRET, { noTimestamp: true, ...options });

  async function assertNobody(users: TokenUsers, forgeries: readonly Forgery[]): Promise<void> {
    for (const { what, token } of forgeries) {
      assert.equal(await users.findUser(`Bearer ${token}`), null, `${what}: ${token.slice(0, 80)}`);
    }
  }

  it("are found for a valid token, HS256 and RS256", async () => {
    assert.equal((await open(shared).findUser(`Bearer ${sign(ANN)}`))?.id, "ann");
    assert.equal((await open(published).findUser(`bearer  ${signToken(key, ANN)}`))?.id, "ann");
  });

  it("are null for any other spelling of the token", async () => {
    const forgeries = spellingsOf(sign(ANN));
    const others = spellingsOf(signToken(key, ANN));
    assert.ok(forgeries.length + others.length > 150, `${forgeries.length + others.length}`);
    await assertNobody(open(shared), forgeries);
    await assertNobody(open(published), others);
  });

  it("are null for another algorithm, signed or not", async () => {
    await assertNobody(open(shared), otherAlgorithms(ANN, SECRET, "HS256"));
    await assertNobody(open(published), otherAlgorithms(ANN, SECRET, "RS256"));
  });

  it("are null for a public key used as a secret, in any form", async () => {
    await assertNobody(open(published), keyConfusions(ANN, publicHalf(key.privateKey), "a"));
  });

  it("are null for malformed headers and claims with a valid signature", async () => {
    await assertNobody(open(shared), oddContents(ANN, SECRET));
  });

  it("are found without a key lookup for a malformed token, and with one otherwise", async () => {
    const users = open(shared);
    for (const { token } of otherAlgorithms(ANN, SECRET, "HS256")) {
      await users.findUser(`Bearer ${token}`);
    }
    for (const header of [
      undefined,
      "",
      "Bearer",
      "Bearer ",
      "Basic YTpi",
      sign(ANN),
      "Bearer a b",
    ]) {
      assert.equal(await users.findUser(header), null);
    }
    assert.equal(lookups, 0);
    const token = sign(ANN);
    for (let at = 0; at < 50; at += 1) await users.findUser(`Bearer ${token}`);
    assert.equal(lookups, 1, "a token is verified once");
    for (const kid of ["../../dev/null", "' OR 1=1", "__proto__", "k".repeat(1_000_000)])
      assert.ok(await users.findUser(`Bearer ${sign(ANN, { keyid: kid })}`), "any text is an id");
  });

  it("are verified once for simultaneous requests, and again for an invalid token", async () => {
    const users = open(shared);
    const header = `Bearer ${sign(ANN)}`;
    const found = await Promise.all(Array.from({ length: 5 }, () => users.findUser(header)));
    assert.deepEqual(
      found.map((user) => user?.id),
      Array.from({ length: 5 }, () => "ann"),
    );
    assert.equal(lookups, 1);
    const expired = `Bearer ${sign({ ...ANN, exp: NOW - 1_000 })}`;
    assert.equal(await users.findUser(expired), null);
    assert.equal(await users.findUser(expired), null);
    assert.equal(lookups, 3);
  });

  it("are verified again after the caches are cleared, with the roles of the newest token", async () => {
    const cache = testCaches(clock);
    const users = open(shared, { cache });
    const token = (iat: number, roles: string[]): string =>
      `Bearer ${sign({ ...ANN, iat, roles }, { noTimestamp: false })}`;
    const older = token(NOW - 10, ["a"]);
    await users.findUser(older);
    await users.findUser(token(NOW, ["b"]));
    cache.clear();
    assert.deepEqual((await users.findUser(older))?.roles, ["b"]);
    assert.equal(lookups, 3);
  });

  it("get roles with the time they were vouched for, newest first", async () => {
    const users = open(shared);
    const token = (iat: number, roles: string[]): string =>
      sign({ ...ANN, iat, roles }, { noTimestamp: false });
    await users.findUser(`Bearer ${token(NOW, ["b"])}`);
    await users.findUser(`Bearer ${token(NOW - 10, ["a"])}`);
    await users.findUser(`Bearer ${sign(ANN)}`);
    assert.deepEqual(asked, [
      { id: "ann", roles: ["b"], vouchedAt: NOW * 1000 },
      { id: "ann", roles: ["b"], vouchedAt: NOW * 1000 },
      { id: "ann", roles: ["member"], vouchedAt: null },
    ]);
  });
});
