import { createHmac } from "node:crypto";
import { constantTimeEqual } from "#kernel";
import type { AuthWebhookSection } from "../contract.js";

type Headers = Readonly<Record<string, string | string[] | undefined>>;
/** A webhook report as received. */
export interface Report {
  readonly headers: Headers;
  readonly body: Buffer;
  /** Unix ms. */
  readonly now: number;
}

/** Maximum age of a report in ms, and tolerated clock skew. */
const TOLERANCE_MS = 5 * 60_000;
const SIGNATURE_HEADERS = { auth0: "x-hub-signature-256", generic: "x-site-signature" } as const;

/** True when a report is signed with the secret and, if it has a timestamp, recent. */
export function isSigned(webhook: AuthWebhookSection, report: Report): boolean {
  if (webhook.provider === "clerk") return isStandard(webhook.secret, report);
  const { headers, body, now } = report;
  const isAuth0 = webhook.provider === "auth0";
  const name = webhook.signatureHeader ?? SIGNATURE_HEADERS[webhook.provider];
  const sent = textOf(headers, name.toLowerCase())
    ?.replace(/^sha256=/i, "")
    .toLowerCase();
  const at = textOf(headers, isAuth0 ? "x-auth0-timestamp" : "x-timestamp");
  const isTimely = at === null ? !isAuth0 : isRecent(at, now);
  const wanted = createHmac("sha256", webhook.secret).update(body).digest("hex");
  return sent !== undefined && constantTimeEqual(sent, wanted) && isTimely;
}

/** The time of a report that passed `isSigned`, Unix ms; at most now. */
export function reportedAt(
  { provider }: AuthWebhookSection,
  { headers, now }: Omit<Report, "body">,
): number {
  const at = {
    clerk: () => textOf(headers, "svix-timestamp") ?? textOf(headers, "webhook-timestamp"),
    auth0: () => textOf(headers, "x-auth0-timestamp"),
    generic: () => textOf(headers, "x-timestamp"),
  }[provider]();
  return at === null ? now : Math.min(now, Number(at) * 1000);
}

/** Standard Webhooks: any one `v1` signature of `id.timestamp.body`. */
function isStandard(secret: string, { headers, body, now }: Report): boolean {
  const [id, at, signatures] = ["id", "timestamp", "signature"].map(
    (part) => textOf(headers, `svix-${part}`) ?? textOf(headers, `webhook-${part}`),
  );
  const key = standardKey(secret);
  // A bare `whsec_` would be a publicly known key.
  if (key.length === 0 || !id || !at || !signatures || !isRecent(at, now)) return false;
  const wanted = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest("base64");
  return signatures
    .split(" ")
    .some((one) => one.startsWith("v1,") && constantTimeEqual(one.slice(3), wanted));
}

function standardKey(secret: string): Buffer {
  const isEncoded = secret.startsWith("whsec_");
  return isEncoded ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
}

function isRecent(seconds: string, now: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= TOLERANCE_MS;
}

function textOf(headers: Headers, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}
