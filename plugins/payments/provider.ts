/** The contract of a payment provider. */

/** A checkout to start. */
export interface CheckoutRequest {
  readonly priceId: string;
  readonly mode: "subscription" | "payment";
  /** Our id of the visitor, shown to the owner at the provider; never trusted. */
  readonly reference: string;
  readonly email: string;
  /** The provider's id of the visitor, from an earlier payment. */
  readonly customerId: string | null;
  /** The address that the visitor returns to after paying. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}
/** A started checkout. */
export interface Checkout {
  /** The provider's id. */
  readonly id: string;
  /** The page at which the visitor pays. */
  readonly url: string;
}

interface EventBase {
  /** The provider's id of the event; the same when it is resent. */
  readonly id: string;
  /** Unix ms. */
  readonly createdAt: number;
}
/** A checkout was paid, or its subscription started. */
export interface PaidEvent extends EventBase {
  readonly kind: "paid";
  readonly checkoutId: string;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
}
/** The current state of a subscription. */
export interface SubscriptionEvent extends EventBase {
  readonly kind: "subscription";
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly isActive: boolean;
  /** True: it will never be active again. */
  readonly isOver: boolean;
  readonly priceIds: readonly string[];
}
/** A payment of a subscription failed. */
export interface FailedEvent extends EventBase {
  readonly kind: "failed";
  readonly subscriptionId: string;
  readonly customerId: string;
}
/** Any other event; has no effect. */
export interface OtherEvent extends EventBase {
  readonly kind: "other";
}
/** An event reported by the provider. */
export type PaymentEvent = PaidEvent | SubscriptionEvent | FailedEvent | OtherEvent;

/** A signed report as received. */
export interface Report {
  readonly body: Buffer;
  readonly signature: string | undefined;
  /** Unix ms. */
  readonly now: number;
}
/** A payment provider. */
export interface PaymentProvider {
  /** @throws HttpError 502 ERR_PAYMENTS_PROVIDER, 503 ERR_PAYMENTS_AWAY. */
  checkout(request: CheckoutRequest): Promise<Checkout>;
  /**
   * Verifies the signature over the raw bytes and the time (five minutes), and returns the event.
   * @throws HttpError 400.
   */
  read(report: Report): Promise<PaymentEvent>;
}
