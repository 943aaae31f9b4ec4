import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import jwt from "jsonwebtoken";
import { definePlugin } from "#kernel";
import { bootAuthSite, type AuthSite } from "../../../support/sites/auth-site.js";
import {
  createKey,
  signToken,
  startKeyServer,
  type KeyServer,
} from "../../../support/hostile/json-web-keys.js";

const SECRET = "a secret that both sides know, 32 bytes or more";
const HS256 = { mode: "external-jwt", jwt: { secret: SECRET } };
const NOW = 1_800_000_000;
const files = {
  "content/01.home/default.md": "# Home",
  "content/02.admins/default.md": "---\ntitle: Admins\nroles: [admin]\n---\ncanary",
};
const echo = definePlugin({
  name: "echo",
  version: "1.0.0",
  setup(site) {
    site.http.jsonPrefix("/echo");
    site.http.route({
      method: "get",
      path: "/echo",
      summary: "the current visitor",
      handler: (req, res) => site.http.json(req, res, { user: req.ctx.state.siteUser ?? null }),
    });
  },
});
interface Said {
  id: string;
  email: string;
  roles: string[];
  provider: string;
}

describe("tokens of an identity provider", () => {
  /** Sites of several tests: one with a shared secret, later one with published keys. */
  const shared: AuthSite[] = [];
  let site: AuthSite;
  let nowMs = NOW * 1000;
  before(async () => void shared.push(await open(HS256)));
  after(async () => {
    for (const one of shared) await one.close();
  });
  beforeEach(() => {
    nowMs = NOW * 1000;
    site = shared.at(-1) ?? assert.fail();
  });
  afterEach(async () => {
    if (!shared.includes(site)) await site.close();
  });

  const open = (auth: Record<string, unknown>): Promise<AuthSite> =>
    bootAuthSite(auth, { files, extraPlugins: [echo], clock: { now: () => nowMs } });
  async function boot(auth: Record<string, unknown> = HS256): Promise<void> {
    site = await open(auth);
  }
  async function who(token: string, scheme = "Bearer"): Promise<Said | null> {
    const res = await site.fetch("/echo", { headers: { authorization: `${scheme} ${token}` } });
    assert.equal(res.status, 200);
    return (await res.json()).user;
  }
  const sign = (claims: object, header: object = {}): string =>
    jwt.sign(claims, SECRET, { noTimestamp: true, header: { alg: "HS256", ...header } });
  const encode = (value: unknown): string =>
    Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  /** Any header and payload, with a valid signature. */
  function forge(header: unknown, payload: unknown): string {
    const text = `${encode(header)}.${encode(payload)}`;
    return `${text}.${createHmac("sha256", SECRET).update(text).digest("base64url")}`;
  }
  const ann = { sub: "ann", email: "Ann@Example.org", roles: ["admin", "member"] };

  describe("HS256", () => {
    it("maps claims to the user", async () => {
      const user = await who(sign({ ...ann, name: "Ann" }));
      assert.deepEqual(
        [user?.id, user?.email, user?.roles, user?.provider],
        ["ann", "ann@example.org", ["admin", "member"], "jwt"],
      );
      assert.ok(await who(sign(ann), "bearer"));
      assert.equal(await who(sign(ann), "Basic"), null);
    });

    it("finds claims by path and by full name, and accepts a single role", async () => {
      await boot({
        mode: "external-jwt",
        jwt: {
          secret: SECRET,
          userIdClaim: "user.id",
          emailClaim: "https://my.app/email",
          rolesClaim: "realm_access.roles",
        },
      });
      const claims = {
        user: { id: 42 },
        "https://my.app/email": "a@b.org",
        realm_access: { roles: "editor" },
      };
      const user = await who(sign(claims));
      assert.deepEqual([user?.id, user?.email, user?.roles], ["42", "a@b.org", ["editor"]]);
      assert.equal(await who(sign({ sub: "ann" })), null);
      assert.equal(await who(sign({ user: "x" })), null);
    });

    it("responds 401 with WWW-Authenticate to anonymous visitors, 403 to the wrong role, 200 to the right one", async () => {
      const read = (token?: string, path = "/admins") =>
        site.fetch(path, token ? { headers: { authorization: `Bearer ${token}` } } : {});
      for (const path of ["/admins", "/api/pages/admins"]) {
        const none = await read(undefined, path);
        assert.equal(none.status, 401);
        assert.equal(none.headers.get("www-authenticate"), 'Bearer realm="site"');
        const bad = await read("x.y.z", path);
        assert.equal(bad.status, 401);
        assert.match(bad.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
        assert.equal((await read(sign({ sub: "bob" }), path)).status, 403);
        const good = await read(sign(ann), path);
        assert.equal(good.status, 200);
        assert.equal(good.headers.get("cache-control"), "private, no-store");
        assert.ok((await good.text()).includes("canary"));
      }
      assert.equal((await read("x.y.z", "/")).status, 200, "an invalid token is anonymous");
      assert.ok(!(await (await read(undefined, "/api/pages")).text()).includes("/admins"));
    });

    it("rejects forged tokens, all of which are in token-users.test.ts", async () => {
      const unsigned = `${encode({ alg: "none" })}.${encode(ann)}.`;
      for (const token of [unsigned, forge({ alg: "none" }, ann), `${sign(ann)}=`, "..", ""])
        assert.equal(await who(token), null, token);
      assert.equal(await who(forge({ alg: "HS256", cty: "JWT" }, sign(ann))), null);
      assert.ok(await who(forge({ alg: "HS256" }, ann)), "the forge itself works");
      assert.ok(await who(forge({ alg: "HS256" }, '{"sub":"ann","a":"\\"b\\":","c":{"a":1}}')));
    });

    it("tolerates a minute of clock skew, and only accepts numbers as times", async () => {
      const cases: [object, boolean][] = [
        [{ exp: NOW - 61 }, false],
        [{ exp: NOW - 30 }, true],
        [{ exp: NOW + 1 }, true],
        [{ nbf: NOW + 61 }, false],
        [{ nbf: NOW + 30 }, true],
        [{ exp: -1 }, false],
        [{ exp: 0 }, false],
      ];
      for (const [claims, isGood] of cases) {
        assert.equal(
          (await who(sign({ ...ann, ...claims }))) !== null,
          isGood,
          JSON.stringify(claims),
        );
      }
      const issued = (iat: number) => who(forge({ alg: "HS256" }, { ...ann, iat }));
      assert.ok(await issued(NOW + 60));
      assert.equal(await issued(NOW + 61), null);
      for (const times of [
        '"exp":"9999999999"',
        '"exp":1e400',
        '"exp":null',
        '"nbf":"1"',
        '"nbf":null',
        '"iat":"x"',
        '"iat":1e999',
        '"exp":{}',
      ]) {
        assert.equal(await who(forge({ alg: "HS256" }, `{"sub":"ann",${times}}`)), null, times);
      }
    });

    it("rejects tokens without exp if requireExp is set", async () => {
      await boot({ mode: "external-jwt", jwt: { secret: SECRET, requireExp: true } });
      assert.equal(await who(sign(ann)), null);
      assert.ok(await who(sign({ ...ann, exp: NOW + 60 })));
    });

    it("expires a cached token with its exp", async () => {
      await boot();
      const token = sign({ ...ann, exp: NOW + 100 });
      assert.ok(await who(token));
      nowMs += 161_000;
      assert.equal(await who(token), null);
    });

    it("checks issuer and audience, and separates users of two issuers", async () => {
      await boot({
        mode: "external-jwt",
        jwt: { secret: SECRET, issuer: "https://idp", audience: ["site", "other"] },
      });
      const good = { ...ann, iss: "https://idp", aud: "site" };
      assert.equal((await who(sign(good)))?.id, "https://idp|ann");
      assert.ok(await who(sign({ ...good, aud: ["x", "other"] })));
      for (const wrong of [
        { iss: "https://evil" },
        { iss: "https://idp/" },
        { iss: "" },
        { iss: undefined },
        { iss: ["https://idp"] },
        { aud: "x" },
        { aud: "sites" },
        { aud: ["x"] },
        { aud: undefined },
      ]) {
        assert.equal(
          await who(forge({ alg: "HS256" }, { ...good, ...wrong })),
          null,
          JSON.stringify(wrong),
        );
      }
    });

    it("warns at startup about missing checks", async () => {
      await boot({ mode: "external-jwt", jwt: { secret: "short" } });
      const warned = site.log.filter((line) => line.startsWith("auth.settings")).join();
      for (const key of ["requireExp", "issuer", "audience", "auth.jwt.secret"])
        assert.ok(warned.includes(key), key);
      assert.ok(!warned.includes('"short"'));
    });

    it("ignores invalid roles", async () => {
      const cases: [unknown, string[]][] = [
        ["editor", ["editor"]],
        [
          ["a", 1, null, { b: 1 }, ["x"], "c", "a", "", " ", "x y", "a\nb", "a\0"],
          ["a", "c"],
        ],
        [["a".repeat(128), "a".repeat(129)], ["a".repeat(128)]],
        [
          ["__proto__", "constructor"],
          ["__proto__", "constructor"],
        ],
        [{ admin: true }, []],
        [null, []],
        [7, []],
        [undefined, []],
      ];
      for (const [roles, expected] of cases) {
        assert.deepEqual(
          (await who(sign({ sub: "ann", roles })))?.roles,
          expected,
          JSON.stringify(roles),
        );
      }
      const many = await who(
        sign({ sub: "ann", roles: Array.from({ length: 200 }, (_, n) => `r${n}`) }),
      );
      assert.equal(many?.roles.length, 64);
      assert.deepEqual(
        (
          await who(
            forge(
              { alg: "HS256" },
              '{"sub":"ann","__proto__":{"roles":["admin"]},"roles":["__proto__"]}',
            ),
          )
        )?.roles,
        ["__proto__"],
      );
    });

    it("rejects invalid ids", async () => {
      const invalid = ["", null, {}, { id: "ann" }, [], ["ann"], true, 1.5, 2 ** 60, undefined];
      for (const sub of [...invalid, "x".repeat(256)]) {
        assert.equal(await who(forge({ alg: "HS256" }, { sub })), null, JSON.stringify(sub));
      }
      for (const sub of [42, "x".repeat(255)])
        assert.equal((await who(forge({ alg: "HS256" }, { sub })))?.id, String(sub));
    });

    it("has no login of its own and ignores session cookies", async () => {
      for (const path of [
        "/auth/login",
        "/auth/me",
        "/auth/logout",
        "/auth/magic",
        "/auth/github",
      ]) {
        assert.equal((await site.fetch(path)).status, 404, path);
      }
      const res = await site.fetch("/echo", { headers: { cookie: `site_auth=${"A".repeat(86)}` } });
      assert.deepEqual(await res.json(), { user: null });
      assert.deepEqual(res.headers.getSetCookie(), []);
    });

    it("rejects headers above 16 KB", async () => {
      const res = await site.fetch("/echo", {
        headers: { authorization: `Bearer ${"x".repeat(20_000)}` },
      });
      assert.equal(res.status, 431);
    });
  });

  describe("with authzStore local", () => {
    const STORED = { ...HS256, authzStore: "local" };

    it("removes a role as soon as the token omits it", async () => {
      await boot(STORED);
      assert.deepEqual((await who(forge({ alg: "HS256" }, { ...ann, iat: NOW })))?.roles, [
        "admin",
        "member",
      ]);
      assert.deepEqual(
        (await who(forge({ alg: "HS256" }, { ...ann, roles: ["member"], iat: NOW + 1 })))?.roles,
        ["member"],
      );
    });

    it("takes the roles of the token issued last, among concurrent ones", async () => {
      await boot(STORED);
      const older = forge({ alg: "HS256" }, { ...ann, iat: NOW - 10 });
      const newer = forge({ alg: "HS256" }, { ...ann, roles: ["member"], iat: NOW });
      await Promise.all(Array.from({ length: 100 }, (_, n) => who(n % 2 === 0 ? older : newer)));
      assert.deepEqual(await site.site.use("authz").rolesOf({ id: "ann", roles: ["member"] }), [
        "member",
      ]);
      assert.deepEqual((await who(older))?.roles, ["member"]);
    });

    it("keeps a role revoked until the token's roles change", async () => {
      await boot(STORED);
      const token = sign(ann);
      await who(token);
      await site.site
        .use("authz")
        .revoke({ user: "ann", relation: "member", object: "role:admin" });
      assert.deepEqual((await who(token))?.roles, ["member"]);
    });
  });

  describe("RS256 by JWKS", () => {
    const [key, other] = [createKey("one"), createKey("two")];
    const DAY_MS = 86_400_000;
    let server: KeyServer;
    let days = 0;
    const openKeys = () => open({ mode: "external-jwt", jwt: { jwksUrl: server.url } });
    before(async () => {
      server = await startKeyServer([key.jwk]);
      shared.push(await openKeys());
    });
    after(() => server.close());
    beforeEach(() => {
      Object.assign(server, { keys: [key.jwk], mood: "well", headers: {}, fetches: 0 });
      // The keys of earlier tests are too old for use.
      days += 2;
      nowMs += days * DAY_MS;
    });

    it("verifies with the published key, fetched once for many requests", async () => {
      const users = await Promise.all(
        Array.from({ length: 20 }, (_, n) => who(signToken(key, { sub: `u${n}` }))),
      );
      assert.ok(users.every((user) => user !== null));
      assert.equal(server.fetches, 1);
      assert.equal(await who(signToken({ ...other, kid: "one" }, ann)), null);
    });

    it("ignores addresses and keys in a token", async () => {
      let connections = 0;
      const listener = createServer(() => void (connections += 1));
      await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
      for (const header of [{ jku: url }, { x5u: url }, { jwk: other.jwk }, { x5c: ["MII"] }]) {
        assert.equal(await who(signToken(other, ann, { ...header, kid: "one" })), null);
      }
      assert.equal(connections, 0);
      listener.close();
    });

    it("refetches at most once for unknown and odd key ids", async () => {
      await who(signToken(key, ann));
      const kids = [
        "../../dev/null",
        "' OR 1=1",
        "__proto__",
        "constructor",
        "x".repeat(5_000),
        "",
        ...Array.from({ length: 500 }, (_, n) => `k${n}`),
      ];
      for (const kid of kids)
        assert.equal(await who(signToken(key, ann, { kid })), null, kid.slice(0, 20));
      for (const kid of [["one"], 1, { a: 1 }]) {
        const text = `${encode({ alg: "RS256", kid })}.${encode(ann)}`;
        assert.equal(await who(`${text}.${"A".repeat(342)}`), null);
      }
      assert.ok(server.fetches <= 2, String(server.fetches));
      assert.ok(await who(signToken(key, { sub: "still" })));
    });

    it("ignores weak keys and keys for other uses", async () => {
      const weak = createKey("weak", 1024);
      server.keys = [
        { ...key.jwk, kid: "enc", use: "enc" },
        { ...key.jwk, kid: "ops", use: undefined, key_ops: ["encrypt"] },
        { ...key.jwk, kid: "alg", alg: "RS512" },
        { ...key.jwk, kid: "kty", kty: "EC" },
        { ...key.jwk, kid: 1 },
        { ...key.jwk, kid: "n", n: undefined },
        weak.jwk,
        other.jwk,
      ];
      for (const kid of ["enc", "ops", "alg", "kty", "n"])
        assert.equal(await who(signToken({ ...key, kid }, ann)), null, kid);
      assert.equal(await who(signToken(weak, ann)), null);
      assert.ok(await who(signToken(other, ann)));
    });

    it("accepts a token without kid if there is exactly one key", async () => {
      const bare = () => signToken(key, { sub: "x" }, { kid: undefined });
      assert.ok(await who(bare()));
      server.keys = [key.jwk, other.jwk];
      nowMs += 601_000;
      assert.equal(await who(signToken(key, { sub: "y" }, { kid: undefined })), null);
    });

    it("survives an outage of the JWKS address", async () => {
      assert.ok(await who(signToken(key, ann)));
      for (const mood of ["status500", "html", "endless"] as const) {
        server.mood = mood;
        nowMs += 700_000;
        assert.ok(await who(signToken(key, { sub: mood })), mood);
      }
      assert.match(site.log.join("\n"), /auth\.jwks_failed .*"cached":1/);
      server.mood = "well";
      server.keys = Array.from({ length: 101 }, () => other.jwk);
      nowMs += 700_000;
      assert.ok(await who(signToken(key, { sub: "too many" })), "no set of more than 100 keys");
      const { fetches } = server;
      for (let n = 0; n < 50; n += 1) await who(signToken(key, { sub: "x", n }));
      assert.equal(server.fetches, fetches, "no further try within half a minute");
    });

    it("times out when the address hangs", async () => {
      server.mood = "hang";
      site = await openKeys();
      assert.equal(await who(signToken(key, ann)), null);
      assert.equal(await who(signToken(key, ann)), null, "at once: it is not asked again so soon");
      assert.equal((await site.fetch("/")).status, 200);
      assert.equal(server.fetches, 1);
    });

    it("accepts a new key after one fetch, and drops an old one at the next", async () => {
      const token = signToken(key, ann);
      assert.ok(await who(token));
      server.keys = [other.jwk];
      assert.ok(await who(signToken(other, ann)));
      assert.equal(server.fetches, 2);
      assert.equal(await who(signToken(key, { sub: "later" })), null);
      nowMs += 601_000;
      assert.equal(await who(token), null, "also a token that was remembered");
    });

    for (const [header, minutes] of [
      ["public, max-age=3600", 60],
      ["max-age=999999999", 24 * 60],
      ["max-age=5", 10],
      ["max-age=-1", 10],
      ["s-maxage=3600", 10],
      ["no-store", 10],
    ] as const) {
      it(`caches keys for ${minutes} minutes with ${header}`, async () => {
        server.headers = { "cache-control": header };
        const ask = async (sub: string): Promise<number> => {
          assert.ok(await who(signToken(key, { sub })));
          return server.fetches;
        };
        assert.equal(await ask("a"), 1);
        nowMs += minutes * 60_000 - 1;
        assert.equal(await ask("b"), 1);
        nowMs += 1;
        assert.equal(await ask("c"), 2);
      });
    }

    it("fetches again a minute after an unknown id, and half a minute after a failure", async () => {
      const ask = async (kid: string): Promise<number> => {
        await who(signToken(key, ann, { kid }));
        return server.fetches;
      };
      assert.equal(await ask("one"), 1);
      assert.deepEqual([await ask("none"), await ask("neither")], [2, 2]);
      nowMs += 59_999;
      assert.equal(await ask("no"), 2);
      nowMs += 1;
      assert.equal(await ask("unknown"), 3);
      server.mood = "status500";
      nowMs += 600_000;
      assert.equal(await ask("one"), 4);
      nowMs += 29_999;
      assert.equal(await ask("one"), 4);
      nowMs += 1;
      assert.equal(await ask("one"), 5);
    });
  });

  it("rejects an unset secret at startup", async () => {
    await assert.rejects(
      bootAuthSite({ mode: "external-jwt", jwt: { secret: "$NOBODY_SETS_THIS" } }),
      /auth\.jwt\.secret/,
    );
    await assert.rejects(
      bootAuthSite({ mode: "external-jwt", jwt: { secret: "" } }),
      /auth\.jwt\.secret/,
    );
  });
});
