/** One attempt of a delivery. */
import { SiteError } from "#kernel";
import type { OutboundService } from "../outbound/contract.js";
import type { DeliveryAttempt, DeliveryRecord, WebhookSection } from "./contract.js";
import { bodyOf } from "./delivery-record.js";
import { deliveryHeaders } from "./signature.js";

/** The outcome of one attempt. */
export type AttemptOutcome = Omit<DeliveryAttempt, "attemptNumber" | "timestamp">;
/** Makes one attempt; never throws. */
export type Attempt = (record: DeliveryRecord, endpoint: WebhookSection) => Promise<AttemptOutcome>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;

/** Attempts through the outbound client: any 2xx is a success, redirects are not followed. */
export function createAttempt(outbound: OutboundService, now: () => number): Attempt {
  return async (record, { url, secret }) => {
    const body = bodyOf(record);
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
