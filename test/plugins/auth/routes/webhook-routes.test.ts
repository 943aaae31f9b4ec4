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

  it("rejects invalid signatures before reading the body", async () => {
    await boot({ provider: "generic" });
    await roles();
    const spaced = DELETED.replace(":", ": ");
    const wrong: [string, Record<string, string>][] = [
      [DELETED, {}],
      [DELETED, { "x-site-signature": "" }],
      [DELETED, { "x-site-signature": "sha256=" }],
      [DELETED, { "x-site-signature": `sha256=${hex(DELETED, "")}` }],
      [DELETED, { "x-site-signature": hex(DELETED).slice(1) }],
      [DELETED, { "x-other-signature": hex(DELETED) }],
      [spaced, { "x-site-signature": hex(DELETED) }],
      ["{", { "x-site-signature": "x" }],
      ["", {}],
    ];
    for (const [body, headers] of wrong) {
      const res = await post(body, headers);
      assert.equal(res.status, 401, JSON.stringify(headers));
      assert.deepEqual(Object.keys(await res.json()), ["error"]);
    }
    assert.deepEqual(await roles(), ["admin"]);
    assert.equal(
      (await post(DELETED, { "x-site-signature": hex(DELETED) })).status,
      200,
      "the prefix may be left out",
    );
  });

  it("generic: uses the configured header, and checks x-timestamp if present", async () => {
    await boot({ provider: "generic", signatureHeader: "X-Idp-Sig" });
    const at = (time: string) => post(DELETED, { "x-idp-sig": hex(DELETED), "x-timestamp": time });
    assert.equal((await post(DELETED, { "x-site-signature": hex(DELETED) })).status, 401);
    for (const time of [String(NOW), String(NOW - 299), String(NOW + 299)])
      assert.equal((await at(time)).status, 200, time);
    for (const time of [String(NOW - 301), String(NOW + 301), "NaN", "1e99", "-1", "soon"])
      assert.equal((await at(time)).status, 401, time);
  });

  it("auth0: requires its own header and a time", async () => {
    await boot({ provider: "auth0" });
    await roles();
    const body = '{"event":"user_deleted","user_id":"ann"}';
    const signed = { "x-hub-signature-256": `sha256=${hex(body)}` };
    assert.equal((await post(body, signed)).status, 401, "without a time");
    assert.equal(
      (await post(body, { ...signed, "x-auth0-timestamp": String(NOW - 400) })).status,
      401,
    );
    const res = await post(body, { ...signed, "x-auth0-timestamp": String(NOW) });
    assert.deepEqual(await res.json(), { ok: true, revoked: 1 });
  });

  describe("clerk", () => {
    const key = Buffer.from("a key of twenty-four bytes");
    const sign = (id: string, at: string, body = DELETED, secret: Buffer | string = key): string =>
      `v1,${createHmac("sha256", secret).update(`${id}.${at}.${body}`).digest("base64")}`;
    const send = (signature: string, at = String(NOW), id = "msg_1") =>
      post(DELETED, { "svix-id": id, "svix-timestamp": at, "svix-signature": signature });

    it("accepts Standard Webhooks, with the secret in either form", async () => {
      await boot({ provider: "clerk", secret: `whsec_${key.toString("base64")}` });
      assert.equal((await send(sign("msg_1", String(NOW)))).status, 200);
      await site.close();
      await boot({ provider: "clerk", secret: "a plain secret, as it is" });
      assert.equal(
        (await send(sign("msg_1", String(NOW), DELETED, "a plain secret, as it is"))).status,
        200,
      );
    });

    it("accepts any valid v1 signature, and ignores other versions", async () => {
      await boot({ provider: "clerk", secret: `whsec_${key.toString("base64")}` });
      const good = sign("msg_1", String(NOW));
      assert.equal((await send(`v1,AAAA v2,xx ${good}`)).status, 200);
      for (const signature of [
        good.replace("v1,", "v2,"),
        good.slice(3),
        `v1${good.slice(3)}`,
        "v1,",
        "",
        "v1,=",
        `${good}x`,
      ]) {
        assert.equal((await send(signature)).status, 401, signature);
      }
    });

    it("signs id and time, and rejects old reports", async () => {
      await boot({ provider: "clerk", secret: `whsec_${key.toString("base64")}` });
      assert.equal((await send(sign("msg_1", String(NOW)), String(NOW), "msg_2")).status, 401);
      for (const at of [String(NOW - 301), String(NOW + 301), "NaN", "1e99", ""]) {
        assert.equal((await send(sign("msg_1", at), at)).status, 401, at);
      }
      assert.equal(
        (await post(DELETED, { "svix-signature": sign("msg_1", String(NOW)) })).status,
        401,
      );
    });
  });

  it("responds 200 to other events, and 400 to reports without an id", async () => {
    await boot({ provider: "generic" });
    await roles();
    for (const body of [
      '{"type":"user.created","data":{"id":"ann"}}',
      "{}",
      '{"type":["user.deleted"]}',
    ]) {
      const res = await generic(body);
      assert.deepEqual([res.status, await res.json()], [200, { ok: true }], body);
    }
    const bad = [
      '{"type":"user.deleted"}',
      '{"type":"user.deleted","data":{}}',
      '{"type":"user.deleted","data":{"id":{}}}',
      '{"type":"user.deleted","data":{"id":""}}',
      '{"type":"user.deleted","data":{"__proto__":{"id":"ann"}}}',
      `{"type":"user.deleted","data":{"id":"${"x".repeat(1_000)}"}}`,
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

  it("accepts the formats that providers send", async () => {
    await boot({ provider: "generic" });
    for (const body of [
      '{"event":"user.deleted","data":{"user_id":"ann"}}',
      '{"type":"user.deleted","user_id":"ann"}',
      '{"event":"user_deleted","id":"ann"}',
    ]) {
      assert.equal((await (await generic(body)).json()).revoked, 0, body);
    }
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
