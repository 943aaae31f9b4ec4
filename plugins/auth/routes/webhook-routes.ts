import { createHmac } from "node:crypto";
import type { Request } from "express";
import { z } from "zod";
import { HttpError, jsonBody, type SiteContext, constantTimeEqual } from "#kernel";
import { sha256 } from "#lib/secrets";
import { userId } from "../tokens/claims.js";
import type { AuthWebhookSection, JwtSection } from "../contract.js";

const PATH = "/auth/webhook";
const BODY_BYTES = 262_144;
const problem = z.object({ error: z.string() });

/** `POST /auth/webhook`: the identity provider reports a deleted user. */
export function webhookRoutes(
  site: SiteContext,
  webhook: AuthWebhookSection,
  jwt: JwtSection,
): void {
  const { http } = site;
  const authz = site.use("authz");
  http.jsonPrefix(PATH);
  http.route({
    method: "post",
    path: PATH,
    summary: "Reports of deleted users from the identity provider",
    body: { as: "raw", limit: BODY_BYTES },
    responses: {
      200: z.object({ ok: z.boolean(), revoked: z.number().optional() }),
      400: problem,
      401: problem,
    },
    handler: async (req, res) => {
      const now = site.runtime.clock.now();
      const body = verifiedBody(webhook, req, now);
      const subject = deletedUser(jsonBody(body));
      if (subject === null) return http.json(req, res, { ok: true });
      const sentAt = readReportTime(webhook, { headers: req.headers, now });
      const digest = sha256(body);
      const revoked = await authz.endUser(userId(subject, jwt), sentAt, digest);
      site.log.info("auth.user_deleted", { revoked });
      return http.json(req, res, { ok: true, revoked });
    },
  });
}

/**
 * Verifies the signature before the body is parsed.
 * @throws HttpError 401.
 */
function verifiedBody(webhook: AuthWebhookSection, req: Request, now: number): Buffer {
  const body: unknown = req.body;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (isSigned(webhook, { headers: req.headers, body: bytes, now })) return bytes;
  throw new HttpError(401, "the signature is invalid", { code: "ERR_AUTH_SIGNATURE" });
}

type Fields = Readonly<Record<string, unknown>>;

const DELETED: readonly unknown[] = ["user.deleted", "user_deleted"];
const ID = /^[^\p{Cc}]{1,255}$/u;

/**
 * The provider's id of the deleted user; null for any other event.
 * @throws HttpError 400 when the id is missing.
 */
export function deletedUser(report: Fields): string | null {
  if (!DELETED.includes(own(report, "type")) && !DELETED.includes(own(report, "event")))
    return null;
  const data = own(report, "data");
  const fields = typeof data === "object" && data !== null ? [{ ...data }, report] : [report];
  for (const source of fields) {
    const id = own(source, "id") ?? own(source, "user_id");
    if (typeof id === "string" && ID.test(id)) return id;
  }
  throw new HttpError(400, "the report names no user");
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;
/** A webhook report as received. */
interface Report {
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
  const sent = readHeader(headers, name.toLowerCase())
    ?.replace(/^sha256=/i, "")
    .toLowerCase();
  const at = readHeader(headers, isAuth0 ? "x-auth0-timestamp" : "x-timestamp");
  const isTimely = at === null ? !isAuth0 : isRecent(at, now);
  const expected = createHmac("sha256", webhook.secret).update(body).digest("hex");
  return sent !== undefined && constantTimeEqual(sent, expected) && isTimely;
}

/** The time of a report that passed `isSigned`, Unix ms; at most now. */
export function readReportTime(
  { provider }: AuthWebhookSection,
  { headers, now }: Omit<Report, "body">,
): number {
  const at = {
    clerk: () => readHeader(headers, "svix-timestamp") ?? readHeader(headers, "webhook-timestamp"),
    auth0: () => readHeader(headers, "x-auth0-timestamp"),
    generic: () => readHeader(headers, "x-timestamp"),
  }[provider]();
  return at === null ? now : Math.min(now, Number(at) * 1000);
}

/** Standard Webhooks: any one `v1` signature of `id.timestamp.body`. */
function isStandard(secret: string, { headers, body, now }: Report): boolean {
  const [id, at, signatures] = ["id", "timestamp", "signature"].map(
    (part) => readHeader(headers, `svix-${part}`) ?? readHeader(headers, `webhook-${part}`),
  );
  const key = standardKey(secret);
  // A bare `whsec_` would be a publicly known key.
  if (key.length === 0 || !id || !at || !signatures || !isRecent(at, now)) return false;
  const expected = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest("base64");
  return signatures
    .split(" ")
    .some((one) => one.startsWith("v1,") && constantTimeEqual(one.slice(3), expected));
}

function standardKey(secret: string): Buffer {
  const isEncoded = secret.startsWith("whsec_");
  return isEncoded ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
}

function isRecent(seconds: string, now: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= TOLERANCE_MS;
}

function readHeader(headers: Headers, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}
