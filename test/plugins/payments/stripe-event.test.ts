import assert from "node:assert/strict";
import { readStripeEvent } from "../../../plugins/payments/engines/stripe.js";
import { stripeEvent } from "../../support/servers/stripe-stand-in.js";

const AT = 1_800_000_000_000;

describe("events of Stripe", () => {
  it("of a paid checkout name checkout, customer and subscription, by id or as objects", () => {
    const expected = {
      id: "evt_1",
      createdAt: AT,
      kind: "paid",
      checkoutId: "cs_1",
      customerId: "cus_1",
      subscriptionId: "sub_1",
    };
    const ids = { id: "cs_1", customer: "cus_1", subscription: "sub_1" };
    const objects = { id: "cs_1", customer: { id: "cus_1" }, subscription: { id: "sub_1" } };
    assert.deepEqual(readStripeEvent(stripeEvent.completed(ids)), expected);
    assert.deepEqual(readStripeEvent(stripeEvent.completed(objects)), expected);
    const type = "checkout.session.async_payment_succeeded";
    assert.deepEqual(readStripeEvent(stripeEvent.completed(ids, { type })), expected);
  });

  it("of an unpaid checkout are ignored; a free one is paid", () => {
    const of = (payment_status: string) =>
      readStripeEvent(stripeEvent.completed({ id: "cs_1", payment_status })).kind;
    assert.deepEqual(["paid", "no_payment_required", "unpaid"].map(of), ["paid", "paid", "other"]);
  });

  for (const [status, isActive, isOver] of [
    ["active", true, false],
    ["trialing", true, false],
    ["past_due", false, false],
    ["unpaid", false, false],
    ["paused", false, false],
    ["incomplete", false, false],
    ["incomplete_expired", false, true],
    ["canceled", false, true],
  ] as const) {
    it(`of a subscription that is ${status} are ${isActive ? "" : "not "}active`, () => {
      const event = stripeEvent.subscription("updated", {
        id: "sub_1",
        customer: "cus_1",
        status,
        prices: ["price_a", "price_b"],
      });
      assert.deepEqual(readStripeEvent(event), {
        id: "evt_2",
        createdAt: AT,
        kind: "subscription",
        subscriptionId: "sub_1",
        customerId: "cus_1",
        isActive,
        isOver,
        priceIds: ["price_a", "price_b"],
      });
    });
  }

  it("of a deleted subscription end it, whatever its status", () => {
    const event = stripeEvent.subscription("deleted", { id: "sub_1", customer: "cus_1" });
    const read = readStripeEvent(event);
    assert.ok(read.kind === "subscription" && !read.isActive && read.isOver);
  });

  it("of a failed payment name the subscription, in old and new API versions", () => {
    const expected = {
      id: "evt_3",
      createdAt: AT,
      kind: "failed",
      customerId: "cus_1",
      subscriptionId: "sub_1",
    };
    const old = { customer: "cus_1", subscription: "sub_1" };
    const parent = { subscription_details: { subscription: "sub_1" } };
    assert.deepEqual(readStripeEvent(stripeEvent.failed(old)), expected);
    assert.deepEqual(readStripeEvent(stripeEvent.failed({ customer: "cus_1", parent })), expected);
    assert.equal(readStripeEvent(stripeEvent.failed({ customer: "cus_1" })).kind, "other");
  });

  for (const type of ["customer.created", "charge.refunded", "__proto__", "constructor", ""]) {
    it(`of type ${JSON.stringify(type)} are ignored`, () => {
      const event = { id: "evt_1", type, created: 1, data: { object: null } };
      assert.deepEqual(readStripeEvent(event), { id: "evt_1", createdAt: 1_000, kind: "other" });
    });
  }

  const type = "checkout.session.completed";
  for (const event of [
    null,
    [],
    {},
    { id: 1, type, created: 1, data: { object: {} } },
    { id: "", type, created: 1, data: { object: {} } },
    { id: "evt_1", type, created: "now", data: { object: {} } },
    { id: "evt_1", type, created: 1 },
    { id: "evt_1", type, created: 1, data: { object: null } },
    { id: "evt_1", type, created: 1, data: { object: { id: "cs_1", payment_status: {} } } },
    {
      id: "evt_1",
      type: "customer.subscription.updated",
      created: 1,
      data: { object: { id: "s" } },
    },
  ]) {
    it(`respond 400 to ${JSON.stringify(event)?.slice(0, 60)}`, () =>
      assert.throws(() => readStripeEvent(event), { status: 400, code: "ERR_PAYMENTS_EVENT" }));
  }
});
