import { z } from "zod";
import { HttpError } from "#kernel";
import { readData } from "#lib/schema";
import type { PaymentEvent } from "./provider.js";

/** An id, or an object with the id. */
const reference = z
  .union([z.string().min(1), z.object({ id: z.string().min(1) }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null);

const envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  /** Unix seconds. */
  created: z.number(),
  data: z.object({ object: z.unknown() }),
});
const session = z.object({
  id: z.string().min(1),
  customer: reference,
  subscription: reference,
  payment_status: z.string(),
});
const subscription = z.object({
  id: z.string().min(1),
  customer: reference,
  status: z.string(),
  items: z.object({ data: z.array(z.object({ price: z.object({ id: z.string() }) })).max(100) }),
});
const invoice = z.object({
  customer: reference,
  subscription: reference,
  // Location since API version 2025-03-31.
  parent: z
    .object({ subscription_details: z.object({ subscription: reference }).nullish() })
    .nullish(),
});

type Base = Pick<PaymentEvent, "id" | "createdAt">;
type Reader = (object: unknown, base: Base) => PaymentEvent;

/** Statuses of a checkout that is paid. */
const PAID: readonly string[] = ["paid", "no_payment_required"];
const ACTIVE: readonly string[] = ["active", "trialing"];
const OVER: readonly string[] = ["canceled", "incomplete_expired"];

const READERS: Readonly<Record<string, Reader>> = {
  "checkout.session.completed": readSession,
  // Slow payment methods: the checkout completes first, the payment succeeds later.
  "checkout.session.async_payment_succeeded": readSession,
  "customer.subscription.updated": readSubscription,
  "customer.subscription.deleted": (object, base) => {
    const event = readSubscription(object, base);
    return event.kind === "subscription" ? { ...event, isActive: false, isOver: true } : event;
  },
  "invoice.payment_failed": readInvoice,
};

/**
 * Converts a Stripe event.
 * @throws HttpError 400 ERR_PAYMENTS_EVENT for an unknown format.
 */
export function readStripeEvent(value: unknown): PaymentEvent {
  const { id, type, created, data } = parsed(envelope, value);
  const base = { id, createdAt: created * 1000 };
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return reader === undefined ? { ...base, kind: "other" } : reader(data.object, base);
}

function readSession(object: unknown, base: Base): PaymentEvent {
  const { id, customer, subscription: subscriptionId, payment_status } = parsed(session, object);
  if (!PAID.includes(payment_status)) return { ...base, kind: "other" };
  return { ...base, kind: "paid", checkoutId: id, customerId: customer, subscriptionId };
}

function readSubscription(object: unknown, base: Base): PaymentEvent {
  const { id, customer, status, items } = parsed(subscription, object);
  if (customer === null) return { ...base, kind: "other" };
  return {
    ...base,
    kind: "subscription",
    subscriptionId: id,
    customerId: customer,
    isActive: ACTIVE.includes(status),
    isOver: OVER.includes(status),
    priceIds: items.data.map(({ price }) => price.id),
  };
}

function readInvoice(object: unknown, base: Base): PaymentEvent {
  const { customer, subscription: direct, parent } = parsed(invoice, object);
  const subscriptionId = direct ?? parent?.subscription_details?.subscription ?? null;
  if (customer === null || subscriptionId === null) return { ...base, kind: "other" };
  return { ...base, kind: "failed", customerId: customer, subscriptionId };
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, mistakes } = readData(schema, value);
  if (mistakes === null) return data;
  const where = mistakes.map(({ path }) => path.join(".")).join(", ");
  throw new HttpError(400, `the event has an unknown format: ${where.slice(0, 200)}`, {
    code: "ERR_PAYMENTS_EVENT",
  });
}
