import assert from "node:assert/strict";
import { settings } from "../../../plugins/payments/settings.js";

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
