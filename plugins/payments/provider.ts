/** What a payment provider does for the site, whichever it is. */

/** A checkout to begin. */
export interface CheckoutRequest {
  readonly priceId: string;
  readonly mode: "subscription" | "payment";
  /** Our id of the visitor, shown to the owner at the provider; nothing is concluded from it. */
  readonly reference: string;
  readonly email: string;
  /** The provider's id of the visitor, from an earlier payment. */
  readonly customerId: string | null;
  /** Where the visitor comes back to. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}
/** A checkout that has begun. */
export interface Checkout {
  /** The provider's id. */
  readonly id: string;
  /** Where the visitor pays. */
  readonly url: string;
}

interface EventBase {
  /** The provider's id of the event: the same when it is sent again. */
  readonly id: string;
  /** Unix ms. */
  readonly createdAt: number;
}
/** A checkout has been paid, or its subscription has begun. */
export interface PaidEvent extends EventBase {
  readonly kind: "paid";
  readonly checkoutId: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
}
/** How a subscription stands now. */
export interface SubscriptionEvent extends EventBase {
  readonly kind: "subscription";
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly isActive: boolean;
  /** True: it will never be active again. */
  readonly isOver: boolean;
  readonly priceIds: readonly string[];
}
/** A payment of a subscription has failed. */
export interface FailedEvent extends EventBase {
  readonly kind: "failed";
  readonly subscriptionId: string;
  readonly customerId: string;
}
/** Anything else: of no effect. */
export interface OtherEvent extends EventBase {
  readonly kind: "other";
}
/** What a provider reports. */
export type PaymentEvent = PaidEvent | SubscriptionEvent | FailedEvent | OtherEvent;

/** A signed report as it arrived. */
export interface Report {
  readonly body: Buffer;
  readonly signature: string | undefined;
  /** Unix ms. */
  readonly now: number;
}
/** A payment provider. */
export interface PaymentProvider {
  /** Throws HttpError 502 ERR_PAYMENTS_PROVIDER, 503 ERR_PAYMENTS_AWAY. */
  checkout(request: CheckoutRequest): Promise<Checkout>;
  /**
   * What a report says, once its signature over the raw bytes and its time (five minutes) are right.
   * Throws HttpError 400.
   */
  read(report: Report): Promise<PaymentEvent>;
}
