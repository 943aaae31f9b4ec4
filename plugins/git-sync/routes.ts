/** `POST /api/git-sync`, and the conflicts in the admin API. */
import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { constantTimeEqual, HttpError, type SiteContext } from "#kernel";
import type {} from "../admin/contract.js";
import type {} from "../security/contract.js";
import type { GitSyncService } from "./contract.js";

/** Git hosts send the names of all changed files. */
const BODY_LIMIT = 5 * 1_048_576;
const CALLS = 30;
const WINDOW_MS = 60_000;
const MIN_SECRET = 16;
const errorSchema = z.object({ error: z.string() });

/** Declares the webhook; `pull` starts a run. */
export function mountWebhook(site: SiteContext, pull: () => void): void {
  site.http.jsonPrefix("/api/git-sync");
  site.http.route({
    method: "post",
    path: "/api/git-sync",
    summary: "Fetch from the git remote, with the signature or token of the git host",
    body: { as: "raw", limit: BODY_LIMIT },
    responses: {
      202: z.object({ ok: z.literal(true) }),
      401: errorSchema,
      429: errorSchema,
      501: errorSchema,
    },
    handler: async (req, res, { body }) => {
      const secret = site.runtime.env.get("SITE_GIT_SYNC_SECRET") ?? "";
      if (secret.length < MIN_SECRET) {
        throw new HttpError(501, "no secret for the webhook of the git host is configured", {
          fix: `set SITE_GIT_SYNC_SECRET to at least ${MIN_SECRET} characters`,
        });
      }
      await countCall(site, req.ctx.ip);
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      if (!isSigned(req.headers, bytes, secret)) {
        throw new HttpError(401, "the signature or token is missing or wrong");
      }
      pull();
      const headers = { "Cache-Control": "no-store" };
      await site.http.json(req, res, { ok: true }, { status: 202, headers });
    },
  });
}

/** GitHub, Gitea and Forgejo sign the body; GitLab sends the secret itself. */
function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const signature = headers["x-hub-signature-256"];
  if (typeof signature === "string") {
    const expected = createHmac("sha256", secret).update(body).digest("hex");
    return constantTimeEqual(signature, `sha256=${expected}`);
  }
  const token = headers["x-gitlab-token"];
  return typeof token === "string" && constantTimeEqual(token, secret);
}

/** @throws HttpError 429 above the limit. */
async function countCall(site: SiteContext, ip: string): Promise<void> {
  const security = site.use("security");
  const key = `git-sync:${security.clientKey(ip)}`;
  const verdict = await security.limit(key, CALLS, WINDOW_MS);
  if (verdict.allowed) return;
  throw new HttpError(429, "too many calls, wait before the next one", {
    headers: { "Retry-After": String(Math.max(verdict.retryAfterSeconds, 1)) },
  });
}

const text = z.string().nullable();
const conflict = z
  .object({
    id: z.string(),
    path: z.string(),
    sourcePath: text,
    at: z.number().describe("Unix ms"),
    author: z.object({ name: z.string(), email: z.string() }),
    ours: text.describe("The text of this site; null: deleted, or not a text"),
    theirs: text.describe("The file as it is now; null: deleted, or not a text"),
  })
  .meta({ id: "GitConflict", description: "A file changed here and in the git remote" });
const resolution = z.union([
  z.strictObject({ take: z.enum(["ours", "theirs"]) }),
  z.strictObject({ content: z.string() }),
]);

/** Declares the routes of the admin API. */
export function mountConflicts(site: SiteContext, service: GitSyncService): void {
  const admin = site.use("admin", { optional: true });
  admin?.route({
    method: "get",
    path: "/conflicts",
    permission: "pages.read",
    paths: "own",
    summary: "Files that were changed here and in the git remote, oldest first",
    responses: { 200: z.object({ items: z.array(conflict), total: z.int() }) },
    handler: async (req, res, { identity }) => {
      const all = await service.conflicts();
      const items = all.filter(({ sourcePath }) => admin.mayRead(identity, sourcePath));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin?.route({
    method: "post",
    path: "/conflicts/:id",
    permission: "pages.update",
    paths: "own",
    summary: "Resolve a conflict by the text of this site, the remote's, or another one",
    body: { as: "json", limit: BODY_LIMIT, schema: resolution },
    responses: {
      200: z.object({ resolved: z.literal(true), id: z.string() }),
      404: errorSchema,
      422: errorSchema,
    },
    handler: async (req, res, { params, identity, body }) => {
      const id = params["id"] ?? "";
      const { name, email } = identity;
      const actor = { id: identity.id, name, email };
      await service.resolve(id, body, { actor, rights: admin.rightsOf(identity) });
      const target = { type: "conflict", id };
      admin.audit({ event: "conflict.resolve", actor: identity, ip: req.ctx.ip, target });
      await site.http.json(req, res, { resolved: true, id });
    },
  });
}
