/** One attempt of a delivery. */
import { createHmac } from "node:crypto";
import { SiteError } from "#kernel";
import type { OutboundService } from "../outbound/contract.js";
import type { DeliveryAttempt, DeliveryRecord, WebhookSection } from "./contract.js";
import { toBody } from "./delivery-log.js";

/** The outcome of one attempt. */
export type AttemptOutcome = Omit<DeliveryAttempt, "attemptNumber" | "timestamp">;
/** Makes one attempt; never throws. */
export type Attempt = (record: DeliveryRecord, endpoint: WebhookSection) => Promise<AttemptOutcome>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;

/** Attempts through the outbound client: any 2xx is a success, redirects are not followed. */
export function createAttempt(outbound: OutboundService, now: () => number): Attempt {
  return async (record, { url, secret }) => {
    const body = toBody(record);
    const headers = deliveryHeaders({ id: record.id, now: now(), body, secret });
    try {
      const { status } = await outbound.request(url, {
        method: "POST",
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        overflow: "discard",
        policy: "operator",
      });
      return { statusCode: status, success: status >= 200 && status < 300 };
    } catch (error) {
      const errorMessage =
        error instanceof SiteError ? error.message : "the request could not be made";
      return { statusCode: 0, success: false, errorMessage };
    }
  };
}

/** The signed data. */
interface Signed {
  id: string;
  /** Unix ms of the attempt. */
  now: number;
  body: Buffer;
  secret: string | undefined;
}

/** Headers of one attempt, plus those of Standard Webhooks. */
export function deliveryHeaders({ id, now, body, secret }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const headers: Record<string, string> = {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Site/0.4",
    "X-Site-Delivery": id,
    "X-Site-Timestamp": timestamp,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
  };
  if (secret === undefined) return headers;
  const standard = createHmac("sha256", standardKey(secret))
    .update(`${id}.${timestamp}.`)
    .update(body);
  return {
    ...headers,
    "X-Site-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "webhook-signature": `v1,${standard.digest("base64")}`,
  };
}

/** Standard Webhooks encodes keys as `whsec_` and base64. */
function standardKey(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
}
