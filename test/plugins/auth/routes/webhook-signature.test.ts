import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { AuthWebhookSection } from "../../../../plugins/auth/contract.js";
import { isSigned, readReportTime } from "../../../../plugins/auth/routes/webhook-routes.js";

const NOW = 1_800_000_000_000;
const AT = String(NOW / 1000);
const BODY = Buffer.from('{"type":"user.deleted","data":{"id":"ann"}}');
const hex = (secret: string, body = BODY): string =>
  createHmac("sha256", secret).update(body).digest("hex");

describe("webhook signatures", () => {
  const signed = (
    webhook: AuthWebhookSection,
    headers: Record<string, string | string[] | undefined>,
    body = BODY,
  ): boolean => isSigned(webhook, { headers, body, now: NOW });

  describe("generic", () => {
    const webhook: AuthWebhookSection = { provider: "generic", secret: "s3cret" };
    const good = hex("s3cret");

    it("is the hex HMAC-SHA256 of the bytes, with or without sha256=, in any case", () => {
      for (const value of [good, `sha256=${good}`, `SHA256=${good.toUpperCase()}`]) {
        assert.equal(signed(webhook, { "x-site-signature": value }), true, value);
      }
    });

    it("is only read from the configured header", () => {
      const own = { ...webhook, signatureHeader: "X-My-Signature" };
      assert.equal(signed(own, { "x-my-signature": good }), true);
      assert.equal(signed(own, { "x-site-signature": good }), false);
    });

    for (const [what, headers] of [
      ["none", {}],
      ["an empty one", { "x-site-signature": "" }],
      ["only the scheme", { "x-site-signature": "sha256=" }],
      ["one of an empty secret", { "x-site-signature": hex("") }],
      ["one of another secret", { "x-site-signature": hex("S3cret") }],
      ["a cut one", { "x-site-signature": good.slice(0, -1) }],
      ["a longer one", { "x-site-signature": `${good}0` }],
      ["two headers in one", { "x-site-signature": `${good}, ${good}` }],
      ["one in base64", { "x-site-signature": Buffer.from(good, "hex").toString("base64") }],
      ["another provider's header", { "x-hub-signature-256": good }],
    ] as const) {
      it(`rejects ${what}`, () => {
        assert.equal(signed(webhook, { ...headers, "x-timestamp": AT }), false);
      });
    }

    it("rejects a body with an extra space", () => {
      assert.equal(signed(webhook, { "x-site-signature": good }, Buffer.from(`${BODY} `)), false);
    });
  });

  describe("auth0", () => {
    const webhook: AuthWebhookSection = { provider: "auth0", secret: "s3cret" };
    const sent = { "x-hub-signature-256": `sha256=${hex("s3cret")}` };
    for (const [at, expected] of [
      [AT, true],
      [String(NOW / 1000 - 300), true],
      [String(NOW / 1000 + 300), true],
      [String(NOW / 1000 - 301), false],
      [String(NOW / 1000 + 301), false],
      ["NaN", false],
      ["1e99", false],
      ["-1", false],
      ["", false],
      [" 1800000000", false],
      [`${AT}.0`, false],
      [String(NOW), false],
      [undefined, false],
    ] as const) {
      it(`${expected ? "accepts" : "rejects"} the time ${JSON.stringify(at)}`, () => {
        assert.equal(signed(webhook, { ...sent, "x-auth0-timestamp": at }), expected);
      });
    }
  });

  describe("clerk", () => {
    const key = Buffer.from("a key of some thirty-two bytes !");
    const webhook: AuthWebhookSection = {
      provider: "clerk",
      secret: `whsec_${key.toString("base64")}`,
    };
    const sign = (by: Buffer | string, at = AT, id = "msg_1"): string =>
      `v1,${createHmac("sha256", by).update(`${id}.${at}.`).update(BODY).digest("base64")}`;
    const report = (signature: string, part: Record<string, string> = {}) => ({
      "svix-id": "msg_1",
      "svix-timestamp": AT,
      "svix-signature": signature,
      ...part,
    });

    it("is v1 over id, time and bytes, with either family of headers", () => {
      assert.equal(signed(webhook, report(sign(key))), true);
      const names = { "webhook-id": "msg_1", "webhook-timestamp": AT };
      assert.equal(signed(webhook, { ...names, "webhook-signature": sign(key) }), true);
    });

    it("accepts any valid v1 signature, and no other schemes", () => {
      const good = sign(key);
      assert.equal(signed(webhook, report(`v1a,AAAA v1,AAAA ${good}`)), true);
      assert.equal(signed(webhook, report(good.replace("v1,", "v2,"))), false);
      assert.equal(signed(webhook, report(good.replace("v1,", ""))), false);
      assert.equal(signed(webhook, report(good, { "svix-id": "msg_2" })), false);
    });

    it("rejects an old report, and one with a changed time", () => {
      const old = String(NOW / 1000 - 301);
      assert.equal(signed(webhook, report(sign(key, old), { "svix-timestamp": old })), false);
      assert.equal(
        signed(webhook, report(sign(key), { "svix-timestamp": String(NOW / 1000 + 1) })),
        false,
      );
    });

    it("accepts a secret without the prefix", () => {
      assert.equal(signed({ provider: "clerk", secret: "plain" }, report(sign("plain"))), true);
    });

    for (const secret of ["whsec_", "whsec_!!!", "whsec_=="]) {
      it(`accepts no signature with a secret without a key: ${secret}`, () => {
        assert.equal(signed({ provider: "clerk", secret }, report(sign(""))), false);
      });
    }
  });
});

describe("the time of a report", () => {
  const at = (provider: AuthWebhookSection["provider"], headers: Record<string, string>): number =>
    readReportTime({ provider, secret: "s" }, { headers, now: NOW });

  it("is read from the provider's own header", () => {
    const seconds = String(NOW / 1000 - 9);
    assert.equal(at("clerk", { "svix-timestamp": seconds }), NOW - 9_000);
    assert.equal(at("clerk", { "webhook-timestamp": seconds }), NOW - 9_000);
    assert.equal(at("auth0", { "x-auth0-timestamp": seconds }), NOW - 9_000);
    assert.equal(at("generic", { "x-timestamp": seconds }), NOW - 9_000);
  });

  it("is now if absent, and never in the future", () => {
    assert.equal(at("generic", {}), NOW);
    assert.equal(at("generic", { "x-timestamp": String(NOW / 1000 + 200) }), NOW);
  });
});
