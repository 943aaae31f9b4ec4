import { KeyedLock, type Logger } from "#kernel";
import type { AuthzService, UsersService } from "../users/contract.js";
import type { ProductSection } from "./contract.js";
import type { FailedEvent, PaidEvent, PaymentEvent, SubscriptionEvent } from "./provider.js";
import {
  type BegunCheckout,
  type PurchaseFiles,
  noPurchases,
  paidRoles,
  withEvent,
  withFailure,
  withPurchase,
  withSubscription,
  type Purchases,
} from "./purchases.js";

/** Dependencies of payments. */
export interface PaymentsOptions {
  readonly products: readonly ProductSection[];
  readonly files: PurchaseFiles;
  readonly holders: RoleHolders;
  readonly log: Logger;
}

/** Records payments, and the roles that follow from them. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #lock = new KeyedLock();

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  /** The purchases of a visitor. */
  async of(userId: string): Promise<Purchases> {
    return (await this.#options.files.purchases(userId)) ?? noPurchases(userId);
  }

  /**
   * Stores who started a checkout: only this record decides what its payment grants, and to whom.
   */
  begin(checkout: BegunCheckout): Promise<void> {
    return this.#options.files.addCheckout(checkout);
  }

  /**
   * Grants and revokes roles for an event of the provider. Repeated events, and events of foreign
   * customers and checkouts, have no effect.
   */
  async handle(event: PaymentEvent): Promise<void> {
    if (event.kind === "paid") return this.#paid(event);
    if (event.kind !== "other") return this.#ofCustomer(event);
  }

  async #paid(event: PaidEvent): Promise<void> {
    const { files, products } = this.#options;
    const begun = await files.checkout(event.checkoutId);
    if (begun === null) return this.#ignore(event, "a checkout that was not started here");
    const product = products.find(({ id }) => id === begun.product);
    if (product === undefined) return this.#ignore(event, "a product that is no longer sold");
    const owner = event.customerId === null ? null : await files.userOf(event.customerId);
    if (owner !== null && owner !== begun.userId) {
      return this.#ignore(event, "a customer that belongs to another visitor");
    }
    const change = paidChange(event, begun, product);
    if (change === null) return this.#ignore(event, "a subscription without its id");
    await this.#apply(begun.userId, event, change);
  }

  async #ofCustomer(event: SubscriptionEvent | FailedEvent): Promise<void> {
    const userId = await this.#options.files.userOf(event.customerId);
    if (userId === null) return this.#ignore(event, "an unknown customer");
    await this.#apply(userId, event, (record) =>
      event.kind === "failed" ? withFailure(record, event) : withSubscription(record, event),
    );
  }

  /**
   * Roles first, then the record: after a crash in between the provider sends the event again, and
   * granting or revoking a role is idempotent.
   */
  #apply(
    userId: string,
    event: PaymentEvent,
    change: (record: Purchases) => Purchases,
  ): Promise<void> {
    const { files, holders } = this.#options;
    return this.#lock.run(userId, async () => {
      const before = await this.of(userId);
      if (before.events.includes(event.id)) return;
      if (!(await holders.exists(userId))) return this.#ignore(event, "a deleted account");
      const after = withEvent(change(before), event.id);
      await this.#move(userId, before, after);
      if (after.customerId !== null && after.customerId !== before.customerId) {
        await files.setUserOf(after.customerId, userId);
        await holders.setCustomer(userId, after.customerId);
      }
      await files.setPurchases(after);
    });
  }

  async #move(userId: string, before: Purchases, after: Purchases): Promise<void> {
    const { products, holders, log } = this.#options;
    const had = paidRoles(before, products);
    const has = paidRoles(after, products);
    for (const role of [...has].filter((one) => !had.has(one))) {
      await holders.give(userId, role);
      log.info("payments.role_granted", { user: userId, role });
    }
    for (const role of [...had].filter((one) => !has.has(one))) {
      await holders.take(userId, role);
      log.info("payments.role_revoked", { user: userId, role });
    }
  }

  #ignore({ id, kind }: PaymentEvent, because: string): void {
    this.#options.log.warn("payments.event_ignored", { event: id, kind, because });
  }
}

/** The change made by a paid checkout; null when the provider names no subscription. */
function paidChange(
  { customerId, subscriptionId, checkoutId, createdAt }: PaidEvent,
  { product: id }: BegunCheckout,
  { mode, price_id }: ProductSection,
): ((record: Purchases) => Purchases) | null {
  const withCustomer = (record: Purchases): Purchases =>
    customerId === null ? record : { ...record, customerId };
  if (mode === "payment") {
    const purchase = { product: id, checkoutId, paidAt: createdAt };
    return (record) => withPurchase(withCustomer(record), purchase);
  }
  if (subscriptionId === null || customerId === null) return null;
  const state = { subscriptionId, customerId, createdAt, priceIds: [price_id] };
  return (record) =>
    withSubscription(withCustomer(record), { ...state, isActive: true, isOver: false });
}

/** Relation of roles granted in addition to an account's own (see `AuthzService.rolesOf`). */
const GRANTED = "granted";

/** Dependencies of granting and revoking roles. */
interface RoleHoldersOptions {
  readonly users: UsersService;
  readonly authz: AuthzService;
  /** True: accounts are stored records; false: they live in a session or a token. */
  isKept(): boolean;
}

/** Grants and revokes roles of visitors, wherever their accounts are stored. */
export class RoleHolders {
  readonly #options: RoleHoldersOptions;

  constructor(options: RoleHoldersOptions) {
    this.#options = options;
  }

  /** False when the account was deleted. */
  async exists(userId: string): Promise<boolean> {
    const { users, isKept } = this.#options;
    return !isKept() || (await users.get(userId)) !== null;
  }

  async give(userId: string, role: string): Promise<void> {
    const { users, authz, isKept } = this.#options;
    if (isKept()) await users.grantRole(userId, role);
    else await authz.grant({ user: userId, relation: GRANTED, object: `role:${role}` });
  }

  async take(userId: string, role: string): Promise<void> {
    const { users, authz, isKept } = this.#options;
    if (isKept()) await users.revokeRole(userId, role);
    else await authz.revoke({ user: userId, relation: GRANTED, object: `role:${role}` });
  }

  /** Stores the provider's id of the visitor in the account. */
  async setCustomer(userId: string, customerId: string): Promise<void> {
    const { users, isKept } = this.#options;
    if (!isKept()) return;
    await users.update(userId, (user) =>
      user.paymentCustomerId === customerId ? user : { ...user, paymentCustomerId: customerId },
    );
  }
}
