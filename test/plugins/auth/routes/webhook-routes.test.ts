import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import jwt from "jsonwebtoken";
import { definePlugin } from "#kernel";
import { bootAuthSite, type AuthSite } from "../../../support/sites/auth-site.js";

const SECRET = "a secret that both sides know, 32 bytes or more";
const HOOK = "a secret of the webhook";
const NOW = 1_800_000_000;
const DELETED = '{"type":"user.deleted","data":{"id":"ann"}}';
const echo = definePlugin({
  name: "echo",
  version: "1.0.0",
  setup(site) {
    site.http.route({
      method: "get",
      path: "/echo",
      summary: "roles",
      handler: (req, res) => site.http.json(req, res, req.ctx.state.siteUser?.roles ?? null),
    });
  },
});
const hex = (body: string, secret = HOOK): string =>
  createHmac("sha256", secret).update(body).digest("hex");

describe("POST /auth/webhook", () => {
  let site: AuthSite;
  let now = 0;
  afterEach(() => site.close());

  async function boot(webhook: Record<string, unknown>, more: Record<string, unknown> = {}) {
    now = NOW * 1000;
    site = await bootAuthSite(
      {
        mode: "external-jwt",
        authzStore: "local",
        jwt: { secret: SECRET },
        webhook: { secret: HOOK, ...webhook },
        ...more,
      },
      { extraPlugins: [echo], clock: { now: () => now } },
    );
  }
  function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
    return site.fetch("/auth/webhook", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
  }
  const generic = (body: string): Promise<Response> =>
    post(body, { "x-site-signature": `sha256=${hex(body)}` });
  async function roles(claims: Record<string, unknown> = {}): Promise<unknown> {
    const said = { sub: "ann", roles: ["admin"], ...claims };
    const token = jwt.sign(said, SECRET, { noTimestamp: !("iat" in claims) });
    return (await site.fetch("/echo", { headers: { authorization: `Bearer ${token}` } })).json();
  }

  it("removes every role of the user for a signed report, also for the same token", async () => {
    await boot({ provider: "generic" });
    assert.deepEqual(await roles(), ["admin"]);
    const res = await generic(DELETED);
    assert.deepEqual([res.status, await res.json()], [200, { ok: true, revoked: 1 }]);
    assert.deepEqual(await roles(), []);
  });

  it("grants no roles to a deleted user until the provider vouches for them later", async () => {
    await boot({ provider: "generic" });
    assert.deepEqual(await roles({ iat: NOW - 100 }), ["admin"]);
    await generic(DELETED);
    assert.deepEqual(await roles({ iat: NOW - 50, roles: ["editor"] }), []);
    assert.deepEqual(await roles({ iat: NOW, roles: ["editor", "admin"] }), []);
    assert.deepEqual(await roles({ roles: ["author"] }), [], "a token that does not say when");
    await generic('{"type":"user.deleted","data":{"id":"bob"}}');
    assert.deepEqual(await roles({ sub: "bob", iat: NOW - 5 }), [], "never seen before");
    assert.deepEqual(await roles({ sub: "eve", iat: NOW - 5 }), ["admin"], "another user");
    const later = { iat: NOW + 61, roles: ["editor"] };
    assert.equal(await roles(later), null, "issued in the future");
    now += 61_000;
    assert.deepEqual(await roles(later), ["editor"]);
    assert.deepEqual(
      await roles({ iat: NOW, roles: ["admin"] }),
      ["editor"],
      "the newest token counts",
    );
  });

  it("ignores a replayed report after the user has returned", async () => {
    await boot({ provider: "generic" });
    const report = () =>
      post(DELETED, { "x-site-signature": hex(DELETED), "x-timestamp": String(NOW - 120) });
    await report();
    assert.deepEqual(await roles({ iat: NOW, roles: ["editor"] }), ["editor"]);
    assert.deepEqual(await (await report()).json(), { ok: true, revoked: 0 });
    assert.deepEqual(await roles({ iat: NOW, roles: ["editor"] }), ["editor"]);
  });

  for (const [provider, signature, time] of [
    ["generic", "x-site-signature", null],
    ["generic", "x-site-signature", "x-timestamp"],
    ["auth0", "x-hub-signature-256", "x-auth0-timestamp"],
  ] as const) {
    it(`${provider}: applies the same bytes once a day, ${time === null ? "without a time" : "with any time"}`, async () => {
      await boot({ provider });
      const report = () =>
        post(DELETED, {
          [signature]: `sha256=${hex(DELETED)}`,
          ...(time !== null && { [time]: String(Math.floor(now / 1000)) }),
        });
      await report();
      now += 3_600_000;
      const iat = Math.floor(now / 1000);
      assert.deepEqual(await roles({ iat, roles: ["editor"] }), ["editor"]);
      now += 22 * 3_600_000;
      assert.deepEqual(await (await report()).json(), { ok: true, revoked: 0 });
      assert.deepEqual(await roles({ iat, roles: ["editor"] }), ["editor"]);
      now += 2 * 3_600_000;
      assert.deepEqual(await (await report()).json(), { ok: true, revoked: 1 });
      assert.deepEqual(await roles({ iat, roles: ["editor"] }), []);
    });
  }

  it("applies another report of the same user", async () => {
    await boot({ provider: "generic" });
    await generic(DELETED);
    now += 100_000;
    const iat = Math.floor(now / 1000);
    assert.deepEqual(await roles({ iat, roles: ["editor"] }), ["editor"]);
    const other = '{"type":"user.deleted","data":{"id":"ann"},"event_id":"2"}';
    assert.deepEqual(await (await generic(other)).json(), { ok: true, revoked: 1 });
  });

  it("applies the same report once", async () => {
    await boot({ provider: "generic" });
    await roles();
    await generic(DELETED);
    assert.deepEqual(await (await generic(DELETED)).json(), { ok: true, revoked: 0 });
  });

  it("generic: accepts the hex HMAC-SHA256 of the bytes, and rejects others before reading the body", async () => {
    await boot({ provider: "generic" });
    await roles();
    const good = hex(DELETED);
    const wrong: [string, Record<string, string>][] = [
      [DELETED, {}],
      [DELETED, { "x-site-signature": "" }],
      [DELETED, { "x-site-signature": "sha256=" }],
      [DELETED, { "x-site-signature": `sha256=${hex(DELETED, "")}` }],
      [DELETED, { "x-site-signature": hex(DELETED, HOOK.toUpperCase()) }],
      [DELETED, { "x-site-signature": good.slice(1) }],
      [DELETED, { "x-site-signature": good.slice(0, -1) }],
      [DELETED, { "x-site-signature": `${good}0` }],
      [DELETED, { "x-site-signature": `${good}, ${good}` }],
      [DELETED, { "x-site-signature": Buffer.from(good, "hex").toString("base64") }],
      [DELETED, { "x-other-signature": good }],
      [DELETED, { "x-hub-signature-256": good, "x-timestamp": String(NOW) }],
      [DELETED.replace(":", ": "), { "x-site-signature": good }],
      [`${DELETED} `, { "x-site-signature": good }],
      ["{", { "x-site-signature": "x" }],
      ["", {}],
    ];
    for (const [body, headers] of wrong) {
      const res = await post(body, headers);
      assert.equal(res.status, 401, JSON.stringify(headers));
      assert.deepEqual(Object.keys(await res.json()), ["error"]);
    }
    assert.deepEqual(await roles(), ["admin"]);
    for (const signature of [good, `sha256=${good}`, `SHA256=${good.toUpperCase()}`])
      assert.equal((await post(DELETED, { "x-site-signature": signature })).status, 200, signature);
  });

  const VALID_TIMES = [NOW, NOW - 300, NOW + 300].map(String);
  const INVALID_TIMES = [
    String(NOW - 301),
    String(NOW + 301),
    String(NOW * 1000),
    "NaN",
    "1e99",
    "-1",
    "soon",
    "1800000000.0",
  ];

  it("generic: uses the configured header, and checks x-timestamp if present", async () => {
    await boot({ provider: "generic", signatureHeader: "X-Idp-Sig" });
    const at = (time: string) => post(DELETED, { "x-idp-sig": hex(DELETED), "x-timestamp": time });
    assert.equal((await post(DELETED, { "x-site-signature": hex(DELETED) })).status, 401);
    for (const time of VALID_TIMES) assert.equal((await at(time)).status, 200, time);
    for (const time of INVALID_TIMES) assert.equal((await at(time)).status, 401, time);
  });

  it("auth0: requires its own header and a time", async () => {
    await boot({ provider: "auth0" });
    await roles();
    const body = '{"event":"user_deleted","user_id":"ann"}';
    const signed = { "x-hub-signature-256": `sha256=${hex(body)}` };
    const at = (time: string) => post(body, { ...signed, "x-auth0-timestamp": time });
    assert.equal((await post(body, signed)).status, 401, "without a time");
    for (const time of ["", ...INVALID_TIMES]) assert.equal((await at(time)).status, 401, time);
    assert.deepEqual(await (await at(String(NOW))).json(), { ok: true, revoked: 1 });
    for (const time of VALID_TIMES) assert.equal((await at(time)).status, 200, time);
  });

  describe("clerk", () => {
    const key = Buffer.from("a key of twenty-four bytes");
    const whsec = `whsec_${key.toString("base64")}`;
    const at = String(NOW);
    const sign = (id: string, time: string, secret: Buffer | string = key): string =>
      `v1,${createHmac("sha256", secret).update(`${id}.${time}.${DELETED}`).digest("base64")}`;
    const good = sign("msg_1", at);
    const sent = { "svix-id": "msg_1", "svix-timestamp": at, "svix-signature": good };

    it("accepts any valid v1 signature over id, time and bytes, with either family of headers", async () => {
      await boot({ provider: "clerk", secret: whsec });
      const statusOf = async (headers: Record<string, string>): Promise<number> =>
        (await post(DELETED, headers)).status;
      const webhook = { "webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": good };
      for (const headers of [
        sent,
        webhook,
        { ...sent, "svix-signature": `v1,AAAA v2,xx v1a,AAAA ${good}` },
      ])
        assert.equal(await statusOf(headers), 200, JSON.stringify(headers));
      const bare = good.slice(3);
      for (const signature of [`v2,${bare}`, bare, `v1${bare}`, "v1,", "", "v1,=", `${good}x`])
        assert.equal(await statusOf({ ...sent, "svix-signature": signature }), 401, signature);
      assert.equal(await statusOf({ ...sent, "svix-id": "msg_2" }), 401);
      assert.equal(await statusOf({ ...sent, "svix-timestamp": String(NOW + 1) }), 401);
      assert.equal(await statusOf({ "svix-signature": good }), 401);
      for (const time of ["", ...INVALID_TIMES]) {
        const late = { "svix-timestamp": time, "svix-signature": sign("msg_1", time) };
        assert.equal(await statusOf({ ...sent, ...late }), 401, time);
      }
    });

    it("accepts a secret without the prefix, and none that has no key", async () => {
      const plain = "a plain secret, as it is";
      for (const [secret, key, status] of [
        [plain, plain, 200],
        ["whsec_", "", 401],
        ["whsec_!!!", "", 401],
        ["whsec_==", "", 401],
      ] as const) {
        await boot({ provider: "clerk", secret });
        const signature = sign("msg_1", at, key);
        assert.equal(
          (await post(DELETED, { ...sent, "svix-signature": signature })).status,
          status,
        );
        if (secret !== "whsec_==") await site.close();
      }
    });
  });

  it("accepts the formats that providers send", async () => {
    await boot({ provider: "generic" });
    const reports = [
      { type: "user.deleted", data: { id: "USER" } },
      { event: "user.deleted", data: { user_id: "USER" } },
      { type: "user_deleted", user_id: "USER" },
      { event: "user_deleted", id: "USER" },
      { type: "other", event: "user.deleted", id: "USER" },
      { type: "user.deleted", data: {}, id: "USER" },
      { type: "user.deleted", data: null, id: "USER" },
      { type: "user.deleted", data: "text", id: "USER" },
      { type: "user.deleted", data: { id: "USER" }, id: "bob" },
    ];
    for (const [at, report] of reports.entries()) {
      const sub = `ann${at}`;
      assert.deepEqual(await roles({ sub }), ["admin"]);
      const answer = await generic(JSON.stringify(report).replace("USER", sub));
      assert.deepEqual(await answer.json(), { ok: true, revoked: 1 }, JSON.stringify(report));
    }
  });

  it("responds 200 to other events, and 400 to reports without an id", async () => {
    await boot({ provider: "generic" });
    await roles();
    for (const body of [
      '{"type":"user.created","data":{"id":"ann"}}',
      '{"type":"USER.DELETED","data":{"id":"ann"}}',
      '{"type":["user.deleted"],"data":{"id":"ann"}}',
      '{"type":null,"event":1}',
      '{"__proto__":{"type":"user.deleted","id":"ann"}}',
      "{}",
    ]) {
      const res = await generic(body);
      assert.deepEqual([res.status, await res.json()], [200, { ok: true }], body);
    }
    const ids = [null, "", 1, {}, ["ann"], "a\0b", "a\nb", "a".repeat(256), "x".repeat(1_000)];
    const bad = [
      ...ids.map((id) => JSON.stringify({ type: "user.deleted", data: { id } })),
      '{"type":"user.deleted"}',
      '{"type":"user.deleted","data":{}}',
      '{"type":"user.deleted","data":{"__proto__":{"id":"ann"}}}',
      "[]",
      "null",
      "{",
      '"x"',
      "[".repeat(50_000),
    ];
    for (const body of bad) {
      const res = await generic(body);
      assert.equal(res.status, 400, body.slice(0, 60));
      assert.deepEqual(Object.keys(await res.json()), ["error"]);
    }
    assert.equal(
      (await generic(`{"type":"user.deleted","data":{"id":"${"x".repeat(300_000)}"}}`)).status,
      413,
    );
    assert.deepEqual(await roles(), ["admin"]);
  });

  it("exists in mode external-jwt with authzStore local and a webhook, else responds 404", async () => {
    await boot({ provider: "generic" }, { authzStore: undefined });
    assert.equal((await generic(DELETED)).status, 404);
    await site.close();
    await boot({ provider: "generic" }, { webhook: undefined });
    assert.equal((await generic(DELETED)).status, 404);
    await site.close();
    await boot({ provider: "generic" }, { mode: "dune" });
    assert.equal((await generic(DELETED)).status, 404);
    assert.ok(site.log.some((line) => line.includes('"auth.webhook"')));
  });

  it("rejects an unset secret at startup, and warns about a short one", async () => {
    await boot({ provider: "generic", secret: "short" });
    assert.ok(
      site.log.some((line) => line.startsWith("auth.settings") && line.includes("webhook")),
    );
    await assert.rejects(
      bootAuthSite({
        mode: "external-jwt",
        authzStore: "local",
        jwt: { secret: SECRET },
        webhook: { provider: "generic", secret: "$NOBODY_SETS_THIS" },
      }),
      /auth\.webhook\.secret/,
    );
  });
});
