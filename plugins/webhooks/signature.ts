/** Headers that identify the sender and the delivery, and prove its integrity. */
import { createHmac } from "node:crypto";

/** The signed data. */
export interface Signed {
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
