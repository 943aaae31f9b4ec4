import assert from "node:assert/strict";
import { join } from "node:path";
import { silentLog } from "#kernel";
import type { ProductSection } from "../../../plugins/payments/contract.js";
import { Payments, type RoleHolders } from "../../../plugins/payments/payments.js";
import type { PaidEvent, SubscriptionEvent } from "../../../plugins/payments/provider.js";
import { PurchaseFiles } from "../../../plugins/payments/purchases.js";
import { useFolder } from "../../support/folder.js";

const PRODUCTS: readonly ProductSection[] = [
  { id: "club", name: "Club", price_id: "price_club", role: "member", mode: "subscription" },
  { id: "book", name: "Book", price_id: "price_book", role: "reader", mode: "payment" },
];
const paid = (more: Partial<PaidEvent> = {}): PaidEvent => ({
  kind: "paid",
  id: "evt_1",
  createdAt: 1_000,
  checkoutId: "cs_1",
  customerId: "cus_1",
  subscriptionId: "sub_1",
  ...more,
});
const changed = (more: Partial<SubscriptionEvent> = {}): SubscriptionEvent => ({
  kind: "subscription",
  id: "evt_2",
  createdAt: 2_000,
  subscriptionId: "sub_1",
  customerId: "cus_1",
  isActive: false,
  isOver: true,
  priceIds: ["price_club"],
  ...more,
});

/** Role holders that log every change. */
class Notes implements Pick<RoleHolders, "exists" | "give" | "take" | "setCustomer"> {
  readonly done: string[] = [];
  gone = new Set<string>();
  fails = 0;
  exists = async (user: string): Promise<boolean> => !this.gone.has(user);
  give = (user: string, role: string): Promise<void> => this.#note(`give ${user} ${role}`);
  take = (user: string, role: string): Promise<void> => this.#note(`take ${user} ${role}`);
  setCustomer = (user: string, id: string): Promise<void> => this.#note(`customer ${user} ${id}`);

  async #note(what: string): Promise<void> {
    this.done.push(what);
    if (this.fails > 0) {
      this.fails -= 1;
      throw new RangeError("the store is away");
    }
  }
}

describe("payments", () => {
  const folder = useFolder();
  let holders: Notes;
  let payments: Payments;
  beforeEach(async () => {
    holders = new Notes();
    payments = open();
    await payments.begin({ checkoutId: "cs_1", userId: "ann", product: "club", createdAt: 1 });
    await payments.begin({ checkoutId: "cs_2", userId: "bob", product: "book", createdAt: 1 });
  });

  function open(): Payments {
    const files = new PurchaseFiles(join(folder.path, "payments"));
    // The class has private members that the test does not need.
    const asHolders: Pick<RoleHolders, keyof RoleHolders> = holders;
    return new Payments({
      products: PRODUCTS,
      files,
      holders: asHolders as RoleHolders,
      log: silentLog,
    });
  }

  it("apply a repeated event once, also after a restart, also concurrently", async () => {
    await Promise.all([payments.handle(paid()), payments.handle(paid())]);
    await open().handle(paid());
    assert.deepEqual(holders.done, ["give ann member", "customer ann cus_1"]);
    await payments.handle(changed());
    await payments.handle(paid());
    assert.equal(holders.done.at(-1), "take ann member");
  });

  it("ignore a repeated event after another one of the same second", async () => {
    await payments.handle(paid());
    const active = changed({ id: "evt_3", createdAt: 3_000, isActive: true, isOver: false });
    await payments.handle(active);
    const subscription = { subscriptionId: "sub_1", customerId: "cus_1" };
    await payments.handle({ kind: "failed", id: "evt_4", createdAt: 3_000, ...subscription });
    await payments.handle(active);
    assert.equal(holders.done.at(-1), "take ann member");
  });

  it("complete a half-applied event when it is repeated", async () => {
    holders.fails = 1;
    await assert.rejects(payments.handle(paid()), RangeError);
    await open().handle(paid());
    assert.deepEqual(holders.done.slice(1), ["give ann member", "customer ann cus_1"]);
    holders.fails = 1;
    await assert.rejects(payments.handle(changed()), RangeError);
    await open().handle(changed());
    assert.deepEqual(holders.done.slice(-2), ["take ann member", "take ann member"]);
  });

  it("ignore foreign checkouts, customers, products and accounts", async () => {
    await payments.handle(paid({ checkoutId: "cs_of_a_payment_link" }));
    await payments.handle(changed({ isActive: true, isOver: false }));
    await payments.begin({ checkoutId: "cs_3", userId: "ann", product: "gone", createdAt: 1 });
    await payments.handle(paid({ checkoutId: "cs_3" }));
    holders.gone.add("bob");
    await payments.handle(paid({ checkoutId: "cs_2", customerId: "cus_2", subscriptionId: null }));
    assert.deepEqual(holders.done, []);
  });

  it("grant no role for another visitor's customer", async () => {
    await payments.handle(paid());
    await payments.handle(paid({ id: "evt_9", checkoutId: "cs_2", subscriptionId: null }));
    assert.deepEqual(holders.done, ["give ann member", "customer ann cus_1"]);
    assert.deepEqual((await payments.of("bob")).purchases, []);
  });

  it("require the id and customer of a subscription", async () => {
    await payments.handle(paid({ subscriptionId: null }));
    await payments.handle(paid({ id: "evt_8", customerId: null }));
    assert.deepEqual(holders.done, []);
  });

  it("accept single payments without a customer, permanently", async () => {
    const event = paid({ checkoutId: "cs_2", customerId: null, subscriptionId: null });
    await payments.handle(event);
    assert.deepEqual(holders.done, ["give bob reader"]);
  });
});
