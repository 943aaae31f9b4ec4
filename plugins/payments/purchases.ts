import type { ProductSection } from "./contract.js";
import type { FailedEvent, SubscriptionEvent } from "./provider.js";

/** A product paid for once. */
export interface Purchase {
  readonly product: string;
  readonly checkoutId: string;
  /** Unix ms. */
  readonly paidAt: number;
}
/** A subscription as of its newest event. */
export interface Subscription {
  readonly priceIds: readonly string[];
  readonly isActive: boolean;
  /** True: later events have no effect. */
  readonly isOver: boolean;
  /** Unix ms of the newest event. */
  readonly changedAt: number;
}
/** The purchases of a visitor. */
export interface Purchases {
  readonly userId: string;
  readonly customerId: string | null;
  readonly purchases: readonly Purchase[];
  /** By the provider's id. */
  readonly subscriptions: Readonly<Record<string, Subscription>>;
  /** Ids of the newest events, so that a resent one has no effect. */
  readonly events: readonly string[];
}

/** Remembered events per visitor: a provider retries for some days, not for years. */
const MAX_EVENTS = 200;

/** The record of a visitor without purchases. */
export function noPurchases(userId: string): Purchases {
  return { userId, customerId: null, purchases: [], subscriptions: {}, events: [] };
}

/** The roles granted by all purchases, according to the configured products. */
export function paidRoles(
  { purchases, subscriptions }: Purchases,
  products: readonly ProductSection[],
): ReadonlySet<string> {
  const prices = new Set(
    Object.values(subscriptions).flatMap(({ isActive, priceIds }) => (isActive ? priceIds : [])),
  );
  const bought = new Set(purchases.map(({ product }) => product));
  const paid = products.filter(
    ({ id, price_id, mode }) => bought.has(id) || (mode === "subscription" && prices.has(price_id)),
  );
  return new Set(paid.map(({ role }) => role));
}

/** True when a product is already paid for. */
export function hasProduct(record: Purchases, product: ProductSection): boolean {
  const { id, price_id, mode } = product;
  if (mode === "payment") return record.purchases.some((purchase) => purchase.product === id);
  return Object.values(record.subscriptions).some(
    ({ isActive, priceIds }) => isActive && priceIds.includes(price_id),
  );
}

/** Records that an event was applied. */
export function withEvent(record: Purchases, id: string): Purchases {
  return { ...record, events: [...record.events, id].slice(-MAX_EVENTS) };
}

/** Records a single payment, once per checkout. */
export function withPurchase(record: Purchases, purchase: Purchase): Purchases {
  const isKnown = record.purchases.some(({ checkoutId }) => checkoutId === purchase.checkoutId);
  return isKnown ? record : { ...record, purchases: [...record.purchases, purchase] };
}

/**
 * Records the state of a subscription. Events arrive in any order: an older one changes nothing.
 */
export function withSubscription(
  record: Purchases,
  { subscriptionId, isActive, isOver, priceIds, createdAt }: Omit<SubscriptionEvent, "kind" | "id">,
): Purchases {
  const existing = subscriptionOf(record, subscriptionId);
  if (existing !== null && (existing.isOver || existing.changedAt > createdAt)) return record;
  const next: Subscription = { priceIds, isActive, isOver, changedAt: createdAt };
  return { ...record, subscriptions: { ...record.subscriptions, [subscriptionId]: next } };
}

/** Records that a subscription was not paid: it grants nothing until a later event. */
export function withFailure(
  record: Purchases,
  { subscriptionId, createdAt, customerId }: FailedEvent,
): Purchases {
  const existing = subscriptionOf(record, subscriptionId);
  if (existing === null) return record;
  const { priceIds, isOver } = existing;
  const event = { subscriptionId, customerId, createdAt, priceIds, isOver, isActive: false };
  return withSubscription(record, event);
}

function subscriptionOf({ subscriptions }: Purchases, id: string): Subscription | null {
  return (Object.hasOwn(subscriptions, id) ? subscriptions[id] : undefined) ?? null;
}
