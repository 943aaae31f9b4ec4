import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Stripe } from "stripe";

/** The behaviour of the stand-in. */
export type StripeMood =
  | "well"
  | "hang"
  | "html"
  | "nonsense"
  | "no-url"
  | "endless"
  | "redirect"
  | "status401"
  | "status429"
  | "status500"
  | "unknown-price"
  | "unknown-customer";

/** Stripe's API, as far as a checkout uses it, and its webhooks. */
export interface StripeStandIn {
  url: string;
  mood: StripeMood;
  /** Forms of the created checkouts, in order. */
  checkouts: URLSearchParams[];
  /** The `payments` block for this server. */
  section(products?: readonly Record<string, unknown>[]): Record<string, unknown>;
  close(): Promise<void>;
}

/** Secret of the webhooks of every stand-in. */
export const WEBHOOK_SECRET = "whsec_a_secret_of_the_webhook";

/** Products of which one is a subscription. */
export const PRODUCTS = [
  { id: "club", name: "The club", price_id: "price_club", role: "member" },
  { id: "gold", name: "Gold", price_id: "price_gold", role: "gold" },
  { id: "book", name: "A book", price_id: "price_book", role: "reader", mode: "payment" },
] as const;

/** Starts the API on loopback. */
export async function startStripeStandIn(): Promise<StripeStandIn> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle: StripeStandIn = {
    url,
    mood: "well",
    checkouts: [],
    section: (products = PRODUCTS) => ({
      secret_key: "sk_test_of_the_stand_in",
      webhook_secret: WEBHOOK_SECRET,
      api_url: url,
      products,
    }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  server.on("request", (req, res) => void answer(handle, req, res));
  return handle;
}

async function answer(
  handle: StripeStandIn,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  if (req.headers.authorization !== "Bearer sk_test_of_the_stand_in") {
    return refuse(res, 401, { type: "invalid_request_error", message: "No such API key" });
  }
  if (req.method !== "POST" || req.url !== "/v1/checkout/sessions") {
    return refuse(res, 404, { type: "invalid_request_error", message: "Unrecognized request URL" });
  }
  handle.checkouts.push(form);
  misbehave(handle, form, res);
}

function misbehave(handle: StripeStandIn, form: URLSearchParams, res: ServerResponse): void {
  switch (handle.mood) {
    case "hang":
      return;
    case "html":
      return void res.writeHead(200, { "content-type": "text/html" }).end("<h1>hello</h1>");
    case "nonsense":
      return json(res, 200, [1, 2, 3]);
    case "no-url":
      return json(res, 200, { id: "cs_1", url: "javascript:alert(1)" });
    case "endless":
      return endless(res);
    case "redirect":
      return void res.writeHead(302, { location: "http://169.254.169.254/" }).end();
    case "status401":
      return refuse(res, 401, {
        type: "invalid_request_error",
        message: "Invalid API Key: sk_test",
      });
    case "status429":
      return refuse(res, 429, { type: "rate_limit_error", message: "Too many requests" });
    case "status500":
      return refuse(res, 500, { type: "api_error", message: "provider text" });
    case "unknown-price":
      return refuse(res, 400, { type: "invalid_request_error", param: "line_items[0][price]" });
    case "unknown-customer":
      if (form.has("customer")) {
        return refuse(res, 400, { type: "invalid_request_error", param: "customer" });
      }
      return begin(handle, res);
    case "well":
      return begin(handle, res);
  }
}

function begin({ checkouts }: StripeStandIn, res: ServerResponse): void {
  const id = `cs_test_${checkouts.length}`;
  json(res, 200, { id, object: "checkout.session", url: `https://checkout.example/c/${id}` });
}

function endless(res: ServerResponse): void {
  res.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(65_536, " ");
  const more = (): void => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once("drain", more);
  };
  more();
}

function refuse(res: ServerResponse, status: number, error: Record<string, unknown>): void {
  json(res, status, { error });
}

function json(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const library = new Stripe("sk_test_none");

/** An event and its signature, created by the provider's own library. */
export function signedReport(
  event: Record<string, unknown> | string,
  { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1000) } = {},
): { body: string; headers: Record<string, string> } {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const signature = library.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return { body, headers: { "content-type": "application/json", "stripe-signature": signature } };
}

/** Events in Stripe's format. `at`: Unix seconds. */
export const stripeEvent = {
  completed: (
    session: Record<string, unknown>,
    { id = "evt_1", at = 1_800_000_000, type = "checkout.session.completed" } = {},
  ) =>
    event(
      type,
      { payment_status: "paid", customer: null, subscription: null, ...session },
      { id, at },
    ),
  subscription: (
    type: "updated" | "deleted",
    { prices = ["price_club"], ...subscription }: { prices?: string[] } & Record<string, unknown>,
    { id = "evt_2", at = 1_800_000_000 } = {},
  ) => {
    const items = { data: prices.map((price) => ({ price: { id: price } })) };
    return event(
      `customer.subscription.${type}`,
      { items, status: "active", ...subscription },
      { id, at },
    );
  },
  failed: (invoice: Record<string, unknown>, { id = "evt_3", at = 1_800_000_000 } = {}) =>
    event("invoice.payment_failed", invoice, { id, at }),
};

function event(
  type: string,
  object: Record<string, unknown>,
  { id, at }: { id: string; at: number },
): Record<string, unknown> {
  return { id, object: "event", type, created: at, data: { object } };
}
