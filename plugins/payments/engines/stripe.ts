import type { Stripe } from "stripe";
import { z } from "zod";
import { HttpError, isRecord } from "#kernel";
import { loadOptional } from "#lib/packages";
import { readData } from "#lib/schema";
import type { OutboundAnswer, OutboundService } from "../../outbound/contract.js";
import type {
  Checkout,
  CheckoutRequest,
  PaymentEvent,
  PaymentProvider,
  Report,
} from "../provider.js";

type Library = typeof Stripe;
type HttpClient = NonNullable<NonNullable<ConstructorParameters<Library>[1]>["httpClient"]>;
type HttpResponse = Awaited<ReturnType<HttpClient["makeRequest"]>>;

/** Time limit of an API call, in ms; a visitor waits for it. */
const API_MS = 8_000;
const API_BYTES = 1_048_576;
/** Tolerated difference between the time of a report and ours, in seconds. */
const TOLERANCE = 300;

/** Dependencies of the engine. */
export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string | undefined;
  readonly outbound: OutboundService;
}

/** Stripe, through its own library; loaded with the first checkout or report. */
export class StripeProvider implements PaymentProvider {
  readonly #options: StripeOptions;
  #client: Promise<Stripe> | null = null;

  constructor(options: StripeOptions) {
    this.#options = options;
  }

  async checkout(request: CheckoutRequest): Promise<Checkout> {
    const client = await this.#open();
    try {
      return await this.#create(client, request);
    } catch (error) {
      if (request.customerId === null || !isUnknownCustomer(error)) throw answerFor(error);
      // Deleted at the provider, or created in its test mode: create a new customer.
      return await this.#create(client, { ...request, customerId: null }).catch(
        (again: unknown) => {
          throw answerFor(again);
        },
      );
    }
  }

  async read({ body, signature, now }: Report): Promise<PaymentEvent> {
    const { webhooks } = await this.#open();
    // The library only checks for old reports.
    if (signature === undefined || isFromTheFuture(signature, now)) throw wrongSignature();
    const { webhookSecret } = this.#options;
    try {
      webhooks.signature?.verifyHeader(body, signature, webhookSecret, TOLERANCE, undefined, now);
    } catch {
      throw wrongSignature();
    }
    return readStripeEvent(parseEvent(body));
  }

  async #create(client: Stripe, request: CheckoutRequest): Promise<Checkout> {
    const { mode, priceId, reference, email, customerId, successUrl, cancelUrl } = request;
    const existing = customerId === null ? {} : { customer: customerId };
    const fresh = {
      ...(email === "" ? {} : { customer_email: email }),
      ...(mode === "payment" && { customer_creation: "always" as const }),
    };
    const { id, url } = await client.checkout.sessions.create({
      mode,
      line_items: [{ price: priceId, quantity: 1 }],
      client_reference_id: reference,
      success_url: successUrl,
      cancel_url: cancelUrl,
      ...(customerId === null ? fresh : existing),
    });
    if (typeof id === "string" && id !== "" && typeof url === "string" && isPage(url)) {
      return { id, url };
    }
    throw new HttpError(502, "the payment provider did not return a checkout", {
      code: "ERR_PAYMENTS_PROVIDER",
    });
  }

  #open(): Promise<Stripe> {
    if (this.#client === null) {
      this.#client = this.#load();
      this.#client.catch(() => (this.#client = null));
    }
    return this.#client;
  }

  async #load(): Promise<Stripe> {
    const { secretKey, apiUrl, outbound } = this.#options;
    const { Stripe: Client } = await library();
    const url = apiUrl === undefined ? null : new URL(apiUrl);
    return new Client(secretKey, {
      httpClient: outboundClient(outbound),
      timeout: API_MS,
      // The visitor can press the button again.
      maxNetworkRetries: 0,
      telemetry: false,
      ...(url !== null && {
        host: url.hostname,
        protocol: url.protocol === "http:" ? "http" : "https",
        port: url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port),
      }),
    });
  }
}

/** @throws ERR_PACKAGE_MISSING. */
function library(): Promise<{ Stripe: Library }> {
  return loadOptional(() => import("stripe"), {
    plugin: "payments",
    packages: ["stripe"],
    neededBy: "payments",
  });
}

/** An HTTP client for the library that uses the site's outbound client. */
function outboundClient(outbound: OutboundService): HttpClient {
  return {
    getClientName: () => "site",
    // oxlint-disable-next-line max-params -- the library's own signature
    makeRequest: async (host, port, path, method, headers, data, protocol) => {
      const url = `${protocol}://${host}:${port}${path}`;
      const sent = Object.entries(headers).map(([name, value]) => [name, String(value)]);
      const answer = await outbound.request(url, {
        method,
        headers: Object.fromEntries(
          sent.filter(([name]) => name?.toLowerCase() !== "content-length"),
        ),
        ...(method === "GET" ? {} : { body: data }),
        timeoutMs: API_MS,
        maxBytes: API_BYTES,
        policy: "operator",
      });
      return libraryResponse(answer);
    },
  };
}

function libraryResponse({ status, headers, body }: OutboundAnswer): HttpResponse {
  return {
    getStatusCode: () => status,
    getHeaders: () => ({ ...headers }),
    getRawResponse: () => body,
    toStream: () => {
      throw new TypeError("API responses are not streamed");
    },
    toJSON: async () => JSON.parse(body.toString("utf8")),
  };
}

function isUnknownCustomer(error: unknown): boolean {
  return (
    isRecord(error) &&
    error["type"] === "StripeInvalidRequestError" &&
    error["param"] === "customer"
  );
}

/**
 * 503 for a provider that is down or busy, 502 for one that rejects the request or returns an
 * invalid response.
 */
function answerFor(error: unknown): unknown {
  if (error instanceof HttpError) return error;
  const type = isRecord(error) ? String(error["type"]) : "";
  const status = isRecord(error) ? Number(error["statusCode"]) : 0;
  const isAway =
    type === "StripeConnectionError" || type === "StripeRateLimitError" || status >= 500;
  return isAway
    ? new HttpError(503, "the payment provider does not respond", {
        code: "ERR_PAYMENTS_AWAY",
        headers: { "Retry-After": "30" },
        cause: error,
      })
    : new HttpError(502, "the payment provider rejected the checkout", {
        code: "ERR_PAYMENTS_PROVIDER",
        cause: error,
      });
}

function isPage(url: string): boolean {
  return /^https?:\/\/[^\s\\]+$/.test(url);
}

function isFromTheFuture(signature: string, now: number): boolean {
  const at = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1];
  return at === undefined || Number(at) - now / 1000 > TOLERANCE;
}

function parseEvent(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new HttpError(400, "the event is not JSON", { code: "ERR_PAYMENTS_EVENT" });
  }
}

function wrongSignature(): HttpError {
  return new HttpError(400, "the signature is invalid", { code: "ERR_PAYMENTS_SIGNATURE" });
}

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
