import assert from "node:assert/strict";
import type { ProductSection } from "../../../plugins/payments/contract.js";
import {
  hasProduct,
  noPurchases,
  paidRoles,
  withEvent,
  withFailure,
  withPurchase,
  withSubscription,
  type Purchases,
} from "../../../plugins/payments/purchases.js";

const product = (id: string, more: Partial<ProductSection> = {}): ProductSection => ({
  id,
  name: id,
  price_id: `price_${id}`,
  role: id,
  mode: "subscription",
  ...more,
});
const CLUB = product("club");
const BOOK = product("book", { mode: "payment" });
const PRODUCTS = [CLUB, product("gold"), product("club-yearly", { role: "club" }), BOOK];

const none = noPurchases("ann");
const state = (createdAt: number, isActive: boolean, priceIds = ["price_club"]) => ({
  subscriptionId: "sub_1",
  customerId: "cus_1",
  createdAt,
  isActive,
  isOver: false,
  priceIds,
});
const failed = (createdAt: number, subscriptionId = "sub_1") =>
  ({ kind: "failed", id: "evt", subscriptionId, customerId: "cus_1", createdAt }) as const;
const roles = (record: Purchases): string[] => [...paidRoles(record, PRODUCTS)].sort();

describe("what a visitor has paid for", () => {
  it("grants the roles of active subscriptions and of single payments", () => {
    const subscribed = withSubscription(none, state(1, true, ["price_club", "price_gold"]));
    const both = withPurchase(subscribed, { product: "book", checkoutId: "cs_1", paidAt: 2 });
    assert.deepEqual([roles(none), roles(both)], [[], ["book", "club", "gold"]]);
    assert.deepEqual(roles(withSubscription(both, state(3, false))), ["book"]);
  });

  it("grants nothing for prices and products that are not configured", () => {
    assert.deepEqual(roles(withSubscription(none, state(1, true, ["price_else"]))), []);
    assert.deepEqual(
      roles(withPurchase(none, { product: "else", checkoutId: "c", paidAt: 1 })),
      [],
    );
    // A subscription to the price of a single payment does not count.
    assert.deepEqual(roles(withSubscription(none, state(1, true, ["price_book"]))), []);
  });

  it("keeps a role that another subscription still grants", () => {
    const one = withSubscription(none, state(1, true));
    const two = withSubscription(one, {
      ...state(1, true, ["price_club-yearly"]),
      subscriptionId: "sub_2",
    });
    assert.deepEqual(roles(withSubscription(two, state(2, false))), ["club"]);
  });

  it("ignores older events that arrive later, and everything after the end", () => {
    const now = withSubscription(none, state(10, true));
    assert.equal(withSubscription(now, state(9, false)), now);
    assert.equal(withFailure(now, failed(9)), now);
    const over = withSubscription(now, { ...state(11, false), isOver: true });
    assert.equal(withSubscription(over, state(12, true)), over);
    assert.equal(withFailure(over, failed(12)), over);
  });

  it("revokes the role after a failed payment until the subscription is active again", () => {
    const late = withFailure(withSubscription(none, state(1, true)), failed(2));
    assert.deepEqual(roles(late), []);
    assert.deepEqual(roles(withSubscription(late, state(3, true))), ["club"]);
    assert.equal(withFailure(none, failed(2, "sub_unknown")), none);
    assert.equal(withFailure(none, failed(2, "__proto__")), none);
  });

  it("counts a checkout once, and limits remembered events", () => {
    const purchase = { product: "book", checkoutId: "cs_1", paidAt: 1 };
    const once = withPurchase(none, purchase);
    assert.equal(withPurchase(once, { ...purchase, paidAt: 2 }), once);
    let record = none;
    for (let at = 0; at < 300; at += 1) record = withEvent(record, `evt_${at}`);
    assert.deepEqual([record.events.length, record.events.at(-1)], [200, "evt_299"]);
  });

  it("tells whether a product is already paid for", () => {
    const both = withPurchase(withSubscription(none, state(1, true)), {
      product: "book",
      checkoutId: "cs_1",
      paidAt: 1,
    });
    assert.deepEqual(
      [CLUB, BOOK].map((one) => hasProduct(both, one)),
      [true, true],
    );
    assert.deepEqual(
      [CLUB, BOOK].map((one) => hasProduct(none, one)),
      [false, false],
    );
    assert.equal(hasProduct(withSubscription(both, state(2, false)), CLUB), false);
  });
});
