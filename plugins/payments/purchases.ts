import type { ProductSection } from "./contract.js";
import type { FailedEvent, SubscriptionEvent } from "./provider.js";

/** A product that was paid for once. */
export interface Purchase {
  readonly product: string;
  readonly checkoutId: string;
  /** Unix ms. */
  readonly paidAt: number;
}
/** A subscription as its newest event leaves it. */
export interface Subscription {
  readonly priceIds: readonly string[];
  readonly isActive: boolean;
  /** True: whatever comes later is old news. */
  readonly isOver: boolean;
  /** Unix ms of the newest event. */
  readonly changedAt: number;
}
/** What one visitor has paid for. */
export interface Purchases {
  readonly userId: string;
  readonly customerId: string | null;
  readonly purchases: readonly Purchase[];
  /** By the provider's id. */
  readonly subscriptions: Readonly<Record<string, Subscription>>;
  /** Ids of the newest events, so that one that is sent again has no effect. */
  readonly events: readonly string[];
}

/** Events remembered per visitor: a provider tries again for some days, not for years. */
const MOST_EVENTS = 200;

/** Of a visitor who has paid for nothing yet. */
export function noPurchases(userId: string): Purchases {
  return { userId, customerId: null, purchases: [], subscriptions: {}, events: [] };
}

/** The roles that all of it together gives, by the products of the configuration alone. */
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

/** True when a product is paid for already. */
export function hasProduct(record: Purchases, product: ProductSection): boolean {
  const { id, price_id, mode } = product;
  if (mode === "payment") return record.purchases.some((purchase) => purchase.product === id);
  return Object.values(record.subscriptions).some(
    ({ isActive, priceIds }) => isActive && priceIds.includes(price_id),
  );
}

/** Notes that an event has had its effect. */
export function withEvent(record: Purchases, id: string): Purchases {
  return { ...record, events: [...record.events, id].slice(-MOST_EVENTS) };
}

/** Notes a single payment; the same checkout twice is one. */
export function withPurchase(record: Purchases, purchase: Purchase): Purchases {
  const isKnown = record.purchases.some(({ checkoutId }) => checkoutId === purchase.checkoutId);
  return isKnown ? record : { ...record, purchases: [...record.purchases, purchase] };
}

/** Notes how a subscription stands. Events come in any order: an older one changes nothing. */
export function withSubscription(
  record: Purchases,
  { subscriptionId, isActive, isOver, priceIds, createdAt }: Omit<SubscriptionEvent, "kind" | "id">,
): Purchases {
  const known = subscriptionOf(record, subscriptionId);
  if (known !== null && (known.isOver || known.changedAt > createdAt)) return record;
  const next: Subscription = { priceIds, isActive, isOver, changedAt: createdAt };
  return { ...record, subscriptions: { ...record.subscriptions, [subscriptionId]: next } };
}

/** Notes that a subscription was not paid: it gives nothing until an event says that it does. */
export function withFailure(
  record: Purchases,
  { subscriptionId, createdAt, customerId }: FailedEvent,
): Purchases {
  const known = subscriptionOf(record, subscriptionId);
  if (known === null) return record;
  const { priceIds, isOver } = known;
  const event = { subscriptionId, customerId, createdAt, priceIds, isOver, isActive: false };
  return withSubscription(record, event);
}

function subscriptionOf({ subscriptions }: Purchases, id: string): Subscription | null {
  return (Object.hasOwn(subscriptions, id) ? subscriptions[id] : undefined) ?? null;
}
