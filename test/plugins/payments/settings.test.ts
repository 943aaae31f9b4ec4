import assert from "node:assert/strict";
import type { Settings } from "#kernel";
import { checkPayments, settings } from "../../../plugins/payments/settings.js";

const parse = (payments?: unknown) => settings.site.parse({ payments }).payments;
const KEYS = { secret_key: "sk", webhook_secret: "whsec" };
const CLUB = { id: "club", name: "Club", price_id: "price_1", role: "member" };

describe("settings of payments", () => {
  it("are absent without the block", () => assert.equal(parse(), undefined));

  it("default to subscriptions through Stripe", () => {
    assert.deepEqual(parse({ ...KEYS, products: [CLUB] }), {
      ...KEYS,
      provider: "stripe",
      products: [{ ...CLUB, mode: "subscription" }],
    });
    assert.deepEqual(parse(KEYS)?.products, []);
  });

  for (const payments of [
    {},
    { ...KEYS, secret_key: "" },
    { ...KEYS, webhook_secret: "" },
    { ...KEYS, provider: "paypal" },
    { ...KEYS, api_url: "ftp://x" },
    { ...KEYS, products: [CLUB, CLUB] },
    { ...KEYS, products: [{ ...CLUB, id: "a/b" }] },
    { ...KEYS, products: [{ ...CLUB, role: "two words" }] },
    { ...KEYS, products: [{ ...CLUB, mode: "gift" }] },
    { ...KEYS, products: [{ ...CLUB, price_id: "" }] },
    { ...KEYS, secretKey: "x" },
  ]) {
    it(`reject ${JSON.stringify(payments)}`, () => assert.throws(() => parse(payments)));
  }
});

const payments = { provider: "stripe", secret_key: "k", webhook_secret: "w", products: [] };

/** The invalid keys. */
function keys(site: Record<string, unknown>): string[] {
  // Only these two sections are read.
  const settings = { site } as unknown as Settings;
  return checkPayments(settings).map(({ key }) => key);
}

describe("settings of payments with others", () => {
  it("are valid without the block, and with visitor accounts", () => {
    assert.deepEqual(keys({}), []);
    assert.deepEqual(keys({ payments, auth: { mode: "dune", authzStore: "local" } }), []);
    assert.deepEqual(keys({ payments, auth: { mode: "external-jwt", authzStore: "local" } }), []);
  });

  it("require a store for roles of token users", () => {
    assert.deepEqual(keys({ payments, auth: { mode: "external-jwt" } }), ["auth.authzStore"]);
  });

  for (const [address, isWrong] of [
    ["https://api.example", false],
    ["http://127.0.0.1:9000", false],
    ["http://api.example", true],
    ["http://10.0.0.1", true],
  ] as const) {
    it(`${isWrong ? "reject" : "accept"} ${address} as address for the secret key`, () => {
      const section = { ...payments, api_url: address };
      assert.deepEqual(keys({ payments: section }), isWrong ? ["payments.api_url"] : []);
    });
  }
});
