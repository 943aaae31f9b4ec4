import type { Request } from "express";
import { z } from "zod";
import { HttpError, jsonBody, type SiteContext } from "#kernel";
import { sha256 } from "#kernel/internal";
import { userId } from "../tokens/claims.js";
import type { AuthWebhookSection, JwtSection } from "../contract.js";
import { deletedUser } from "../visitors/deletion-report.js";
import { isSigned, reportedAt } from "../visitors/webhook-signature.js";

const PATH = "/auth/webhook";
const BODY_BYTES = 262_144;
const problem = z.object({ error: z.string() });

/** `POST /auth/webhook`: the identity provider reports a deleted user. */
export function webhookRoutes(
  site: SiteContext,
  { webhook, jwt }: { webhook: AuthWebhookSection; jwt: JwtSection },
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
      const sentAt = reportedAt(webhook, { headers: req.headers, now });
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
