/** `POST /api/webhook/incoming`. */
import type { Request } from "express";
import { z } from "zod";
import { HttpError, type SiteContext, jsonBody } from "#kernel";
import type { IncomingAction } from "./contract.js";
import { GuessLimit, permittedActions, createActions } from "./incoming.js";

const BODY_LIMIT = 65_536;
const errorSchema = z.object({ error: z.string() });
const actionNames = ["rebuild", "purge-cache"] as const;

/** Declares the route. */
export function mountIncoming(site: SiteContext): void {
  const guesses = new GuessLimit(site.use("security"));
  const run = createActions(site);
  site.http.jsonPrefix("/api/webhook");
  site.http.route({
    method: "post",
    path: "/api/webhook/incoming",
    summary: "Ask for a rebuild or an empty cache, with a token",
    body: { as: "raw", limit: BODY_LIMIT },
    responses: {
      200: z.object({ ok: z.literal(true), executed: z.array(z.enum(actionNames)) }),
      400: errorSchema,
      401: errorSchema,
      429: errorSchema,
      501: errorSchema,
    },
    handler: async (req, res, { body }) => {
      const { permitted, wanted } = await authorise(site, guesses, req, body);
      const executed = [...permitted].filter((action) => wanted?.includes(action) ?? true);
      if (executed.length === 0) {
        throw new HttpError(
          400,
          `none of the actions asked for is permitted: ${[...permitted].join(", ")}`,
        );
      }
      for (const action of executed) await run(action);
      site.log.info("webhook.incoming", { executed });
      return site.http.json(
        req,
        res,
        { ok: true, executed },
        { headers: { "Cache-Control": "no-store" } },
      );
    },
  });
}

interface Authorised {
  permitted: ReadonlySet<IncomingAction>;
  wanted: readonly string[] | null;
}

/** Checks the token before the input, so that callers without a token learn nothing. */
async function authorise(
  site: SiteContext,
  guesses: GuessLimit,
  req: Request,
  bytes: unknown,
): Promise<Authorised> {
  const { incoming_webhooks: entries } = site.settings.admin;
  if (entries.length === 0) throw new HttpError(501, "no incoming webhooks are configured");
  const fromHeader = headerToken(req.headers.authorization);
  const authorised = await guesses.run(req.ctx.ip, () => {
    const fields = fromHeader === null ? parseBody(bytes) : null;
    const token = fields === null ? fromHeader : bodyToken(fields);
    const permitted = permittedActions(entries, token ?? "", site.runtime.env);
    return permitted.size === 0 ? null : { permitted, fields };
  });
  if (authorised === null) {
    throw new HttpError(401, "the token is missing or unknown", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const { permitted, fields } = authorised;
  return { permitted, wanted: parseActions(fields ?? parseBody(bytes)) };
}

/** The token of header `Authorization`; null when it is not a bearer header. */
export function headerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^bearer(?:\s+(.*))?$/is.exec(header.trim());
  return match === null ? null : (match[1] ?? "").trim();
}

/** Reads the body; an empty one has no fields. @throws HttpError 400 */
export function parseBody(bytes: unknown): Record<string, unknown> {
  return Buffer.isBuffer(bytes) && bytes.length > 0 ? jsonBody(bytes) : {};
}

/** The token of a body; empty when it is not text. */
export function bodyToken(body: Record<string, unknown>): string {
  return Object.hasOwn(body, "token") && typeof body["token"] === "string" ? body["token"] : "";
}

/** The requested actions. @throws HttpError 400 when they are not a list of names. */
export function parseActions(body: Record<string, unknown>): readonly string[] | null {
  const actions = Object.hasOwn(body, "actions") ? body["actions"] : undefined;
  if (actions === undefined) return null;
  if (!Array.isArray(actions) || !actions.every((action) => typeof action === "string")) {
    throw new HttpError(400, "actions must be a list of names: rebuild, purge-cache");
  }
  return actions;
}
