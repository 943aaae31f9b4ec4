import type { Request } from "express";
import { z } from "zod";
import { HttpError, safeNext, type SiteContext } from "#kernel";
import type { SiteUser } from "../auth/contract.js";
import type { ProductSection } from "./contract.js";
import type { Payments } from "./payments.js";
import type { PaymentProvider } from "./provider.js";
import { hasProduct } from "./purchases.js";

const WEBHOOK = "/payments/webhook";
const EVENT_BYTES = 1_048_576;
/** Limit of checkouts that a visitor may start per window. */
const MAX_CHECKOUTS = 20;
const WINDOW_MS = 10 * 60_000;

const checkoutBody = z.object({ next: z.unknown().transform(safeNext).default("/") });
const problem = z.object({ error: z.string() });

/** Dependencies of the routes. */
export interface PaymentRoutesOptions {
  readonly products: readonly ProductSection[];
  readonly payments: Payments;
  readonly provider: PaymentProvider;
}

/** `POST /payments/checkout/{product}` and `POST /payments/webhook`. */
export function paymentRoutes(site: SiteContext, options: PaymentRoutesOptions): void {
  const { http } = site;
  http.jsonPrefix(WEBHOOK);
  http.route({
    method: "post",
    path: "/payments/checkout/:product",
    summary: "Start paying for a product; 303 to the payment provider",
    body: { as: "form", limit: 4_096, schema: checkoutBody },
    responses: {
      303: null,
      401: problem,
      403: problem,
      404: problem,
      409: problem,
      502: problem,
      503: problem,
    },
    handler: async (req, res, { params, body: { next } }) => {
      const user = assertMay(site, req);
      const product = options.products.find(({ id }) => id === params["product"]);
      if (product === undefined) {
        throw new HttpError(404, "there is no such product", { code: "ERR_PAYMENTS_PRODUCT" });
      }
      const url = await begin(site, options, { user, product, next });
      http.send(req, res, {
        status: 303,
        type: "text/plain; charset=utf-8",
        body: "",
        headers: { Location: url, "Cache-Control": "no-store" },
        cache: { private: true },
      });
    },
  });
  http.route({
    method: "post",
    path: WEBHOOK,
    summary: "Reports of the payment provider",
    body: { as: "raw", limit: EVENT_BYTES },
    responses: { 200: z.object({ received: z.boolean() }), 400: problem },
    handler: async (req, res) => {
      const body: unknown = req.body;
      const signature = req.headers["stripe-signature"];
      const event = await options.provider.read({
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        signature: typeof signature === "string" ? signature : undefined,
        now: site.runtime.clock.now(),
      });
      await options.payments.handle(event);
      await http.json(req, res, { received: true }, { cache: { private: true } });
    },
  });
}

/** @throws HttpError 401, 403, 503. */
function assertMay(site: SiteContext, req: Request): SiteUser {
  const user = req.ctx.state.siteUser;
  if (!user) throw notLoggedIn(site, req);
  // Programs send a token deliberately; browsers send a cookie with any request.
  const isByCookie = req.headers.authorization === undefined;
  const security = site.use("security");
  if (!isByCookie || !security.isFromElsewhere(req.headers)) return user;
  const message = `the checkout was started by another site: ${security.senderOf(req.headers)}`;
  throw new HttpError(403, message, { code: "ERR_PAYMENTS_ORIGIN" });
}

function notLoggedIn(site: SiteContext, req: Request): HttpError {
  site.use("session", { optional: true })?.assertAvailable(req);
  return new HttpError(401, "log in to pay", { code: "ERR_PAYMENTS_AUTH" });
}

/** A checkout that a visitor starts. */
interface CheckoutStart {
  readonly user: SiteUser;
  readonly product: ProductSection;
  /** The path that the visitor returns to. */
  readonly next: string;
}

/** Starts a checkout and returns the URL where the visitor pays. */
async function begin(
  site: SiteContext,
  { payments, provider }: PaymentRoutesOptions,
  { user, product, next }: CheckoutStart,
): Promise<string> {
  const verdict = await site.use("security").limit(`payments:${user.id}`, MAX_CHECKOUTS, WINDOW_MS);
  if (!verdict.allowed) {
    const headers = { "Retry-After": String(verdict.retryAfterSeconds) };
    throw new HttpError(429, "too many checkouts", { headers });
  }
  const record = await payments.of(user.id);
  if (hasProduct(record, product)) {
    throw new HttpError(409, `${product.name} is already paid for`, { code: "ERR_PAYMENTS_OWNED" });
  }
  const { id, url } = await provider.checkout({
    priceId: product.price_id,
    mode: product.mode,
    reference: user.id.slice(0, 200),
    email: user.email,
    customerId: record.customerId,
    successUrl: sendBack(site, next, { payment: "success", product: product.id }),
    cancelUrl: sendBack(site, next, { payment: "cancelled", product: product.id }),
  });
  // Stored before the visitor can pay: it decides what the payment grants.
  const createdAt = site.runtime.clock.now();
  await payments.begin({ checkoutId: id, userId: user.id, product: product.id, createdAt });
  return url;
}

function sendBack(
  { settings }: SiteContext,
  next: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(settings.site.url + next);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
