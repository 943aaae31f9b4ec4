import assert from "node:assert/strict";
import type { OutboundService } from "../../../../plugins/outbound/contract.js";
import { OutboundClient } from "../../../../plugins/outbound/client.js";
import { StripeProvider } from "../../../../plugins/payments/engines/stripe.js";
import {
  signedReport,
  startStripeStandIn,
  stripeEvent,
  WEBHOOK_SECRET,
  type StripeMood,
  type StripeStandIn,
} from "../../../support/servers/stripe-stand-in.js";

const NOW = 1_800_000_000_000;
const AT = NOW / 1_000;
const REQUEST = {
  priceId: "price_club",
  mode: "subscription",
  reference: "ann",
  email: "ann@example.org",
  customerId: null,
  successUrl: "https://site.example/?payment=success",
  cancelUrl: "https://site.example/?payment=cancelled",
} as const;

describe("Stripe", () => {
  let api: StripeStandIn;
  before(async () => {
    api = await startStripeStandIn();
  });
  beforeEach(() => {
    api.mood = "well";
    api.checkouts.length = 0;
  });
  after(() => api.close());

  const outbound = new OutboundClient({ denyPrivate: false });
  const open = (parts: { apiUrl?: string; outbound?: OutboundService } = {}): StripeProvider =>
    new StripeProvider({
      secretKey: "sk_test_of_the_stand_in",
      webhookSecret: WEBHOOK_SECRET,
      apiUrl: api.url,
      outbound,
      ...parts,
    });

  describe("starts a checkout", () => {
    it("with the price, the reference and the return URLs", async () => {
      const begun = await open().checkout(REQUEST);
      assert.deepEqual(begun, { id: "cs_test_1", url: "https://checkout.example/c/cs_test_1" });
      assert.deepEqual(Object.fromEntries(api.checkouts[0] ?? []), {
        mode: "subscription",
        "line_items[0][price]": "price_club",
        "line_items[0][quantity]": "1",
        client_reference_id: "ann",
        customer_email: "ann@example.org",
        success_url: REQUEST.successUrl,
        cancel_url: REQUEST.cancelUrl,
      });
    });

    it("of a single payment with a new customer", async () => {
      await open().checkout({ ...REQUEST, mode: "payment" });
      await open().checkout({ ...REQUEST, mode: "payment", customerId: "cus_1" });
      const [first, second] = api.checkouts.map((form) => Object.fromEntries(form));
      assert.equal(first?.["customer_creation"], "always");
      assert.deepEqual(
        [second?.["customer"], second?.["customer_email"], second?.["customer_creation"]],
        ["cus_1", undefined, undefined],
      );
    });

    it("again for a customer that the provider has deleted", async () => {
      api.mood = "unknown-customer";
      assert.equal((await open().checkout({ ...REQUEST, customerId: "cus_1" })).id, "cs_test_2");
    });

    for (const [mood, status, code] of [
      ["html", 502, "ERR_PAYMENTS_PROVIDER"],
      ["nonsense", 502, "ERR_PAYMENTS_PROVIDER"],
      ["no-url", 502, "ERR_PAYMENTS_PROVIDER"],
      ["redirect", 502, "ERR_PAYMENTS_PROVIDER"],
      ["status401", 502, "ERR_PAYMENTS_PROVIDER"],
      ["unknown-price", 502, "ERR_PAYMENTS_PROVIDER"],
      ["endless", 503, "ERR_PAYMENTS_AWAY"],
      ["status429", 503, "ERR_PAYMENTS_AWAY"],
      ["status500", 503, "ERR_PAYMENTS_AWAY"],
    ] as const satisfies readonly (readonly [StripeMood, number, string])[]) {
      it(`and responds ${status} for an API that is "${mood}", in our own words`, async () => {
        api.mood = mood;
        await assert.rejects(open().checkout({ ...REQUEST, customerId: "cus_1" }), (error) => {
          assert.ok(error instanceof Error && "status" in error && "code" in error);
          assert.deepEqual([error.status, error.code], [status, code]);
          assert.doesNotMatch(error.message, /sk_test|provider text|hello/);
          return true;
        });
      });
    }

    it("and responds 503 for an API that is down or times out", async () => {
      await assert.rejects(open({ apiUrl: "http://127.0.0.1:1" }).checkout(REQUEST), {
        status: 503,
      });
      api.mood = "hang";
      const hasty: OutboundService = {
        request: (url, request) => outbound.request(url, { ...request, timeoutMs: 50 }),
        refusal: () => Promise.resolve(null),
      };
      await assert.rejects(open({ outbound: hasty }).checkout(REQUEST), { status: 503 });
    });

    it("through the guarded client, which must allow a private API", async () => {
      const strict = new OutboundClient({ denyPrivate: true });
      await assert.rejects(open({ outbound: strict }).checkout(REQUEST), { status: 503 });
      assert.equal(api.checkouts.length, 0);
    });
  });

  describe("parses a report", () => {
    const event = stripeEvent.completed({ id: "cs_1" });
    const read = (
      { body, headers }: { body: string; headers: Record<string, string> },
      now = NOW,
    ): Promise<unknown> => {
      const signature = headers["stripe-signature"];
      return open().read({ body: Buffer.from(body), signature, now });
    };
    const wrong = { status: 400, code: "ERR_PAYMENTS_SIGNATURE" };

    it("signed over its bytes with the secret, by any of several signatures", async () => {
      const { body, headers } = signedReport(event, { timestamp: AT });
      assert.ok(await read({ body, headers }));
      const signature = headers["stripe-signature"]?.replace("v1=", "v1=00,v1=");
      assert.ok(await read({ body, headers: { "stripe-signature": signature ?? "" } }));
    });

    it("within five minutes in both directions", async () => {
      for (const timestamp of [AT - 300, AT + 300]) await read(signedReport(event, { timestamp }));
      for (const timestamp of [AT - 301, AT + 301, 0]) {
        await assert.rejects(read(signedReport(event, { timestamp })), wrong, `${timestamp}`);
      }
    });

    it("and rejects any other signature", async () => {
      const { body, headers } = signedReport(event, { timestamp: AT });
      const good = headers["stripe-signature"] ?? "";
      for (const secret of ["", "whsec_", "whsec_another"]) {
        await assert.rejects(read(signedReport(event, { secret, timestamp: AT })), wrong);
      }
      for (const signature of [
        "",
        "t=,v1=",
        `t=${AT}`,
        `t=${AT},v1=`,
        good.replace("v1=", "v0="),
        good.replace(/t=\d+,/, ""),
        good.replace(/t=\d+/, `t=${AT + 1}`),
        good.slice(0, -1),
      ]) {
        await assert.rejects(
          read({ body, headers: { "stripe-signature": signature } }),
          wrong,
          signature,
        );
      }
      await assert.rejects(read({ body: body.replace(":", ": "), headers }), wrong);
      await assert.rejects(read({ body, headers: {} }), wrong);
    });

    it("and responds 400 to signed nonsense", async () => {
      for (const body of ["", "{", "[]", "null", "{}"]) {
        const report = signedReport(body, { timestamp: AT });
        await assert.rejects(read(report), { status: 400 }, body);
      }
    });
  });
});
