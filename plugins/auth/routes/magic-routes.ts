import { createHmac, randomBytes } from "node:crypto";
import type { Request } from "express";
import { z } from "zod";
import { constantTimeEqual, engineFailureFields, HttpError } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { MagicLinkSection } from "../contract.js";
import { magicBody, magicQuery } from "../params.js";
import {
  isSpeculative,
  nothing,
  redirect,
  type RouteContext,
  type AuthContext,
} from "./auth-context.js";
import type { AuthPages } from "./auth-pages.js";
import { signIn } from "./login-routes.js";

const SEND = "/auth/magic/send";
const WINDOW_MS = 600_000;
/** Links per ten minutes. */
const PER_ADDRESS = 5;
const PER_CLIENT = 20;
const BODY_BYTES = 4_096;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** `POST /auth/magic/send` and `/auth/magic`. */
export function magicRoutes(
  context: AuthContext,
  pages: AuthPages,
  section: MagicLinkSection,
): void {
  const { http } = context.site;
  http.jsonPrefix(SEND);
  http.route({
    method: "post",
    path: SEND,
    summary: "Send a magic link",
    body: { as: "form", limit: BODY_BYTES, schema: magicBody },
    responses: { 200: z.object({ ok: z.literal(true) }) },
    handler: (req, res, { body }) => send(context, pages, { req, res, ...body }),
  });
  http.route({
    method: "get",
    path: "/auth/magic",
    summary: "Log in with a magic link",
    hidden: true,
    query: magicQuery,
    handler: (req, res, { query: { token = "" } }) => {
      if (isSpeculative(req)) return nothing({ req, res });
      if (section.confirm) return askFirst(context, pages, { req, res, token });
      return logIn(context, pages, { req, res, token });
    },
  });
  if (!section.confirm) return;
  http.route({
    method: "post",
    path: "/auth/magic",
    summary: "Confirm a login with a magic link",
    hidden: true,
    body: { as: "form", limit: 8_192, schema: magicQuery },
    handler: (req, res, { body: { token = "" } }) => logIn(context, pages, { req, res, token }),
  });
}

interface LinkRequest extends RouteContext {
  readonly email?: unknown;
  readonly next: string;
}

/** Sends the same response for every address, without waiting for accounts or mail. */
async function send(context: AuthContext, pages: AuthPages, request: LinkRequest): Promise<void> {
  const { req, res, next } = request;
  const isForm = FORM.test(req.headers["content-type"] ?? "");
  try {
    const email = addressOf(context, request.email);
    await countRequest(context, req, email);
    await mailLink(context, email, next);
  } catch (error) {
    if (!isForm || !(error instanceof HttpError) || error.status >= 500) throw error;
    const { status, headers = {} } = error;
    return pages.login(req, res, { status, error: "failed", next, headers });
  }
  if (isForm) return pages.login(req, res, { message: "sent", next });
  await context.site.http.json(req, res, { ok: true }, { cache: { private: true } });
}

function addressOf({ site }: AuthContext, value: unknown): string {
  const trimmed = typeof value === "string" ? value.trim() : value;
  const email = site.use("email").parseAddress(trimmed);
  if (email !== null) return email;
  throw new HttpError(400, "email: expected an address like name@example.org");
}

/** @throws HttpError 429. */
async function countRequest({ site }: AuthContext, req: Request, email: string): Promise<void> {
  const security = site.use("security");
  const client = `magic:ip:${security.clientKey(req.ctx.ip)}`;
  const counted = [
    [client, PER_CLIENT],
    [`magic:address:${email}`, PER_ADDRESS],
  ] as const;
  for (const [key, limit] of counted) {
    const verdict = await security.limit(key, limit, WINDOW_MS);
    if (!verdict.allowed) {
      const headers = { "Retry-After": String(verdict.retryAfterSeconds) };
      throw new HttpError(429, "too many links were requested", { headers });
    }
  }
}

async function mailLink(
  { site, sessions }: AuthContext,
  email: string,
  next: string,
): Promise<void> {
  const { title, url } = site.settings.site;
  const key = await sessions.secret("magic");
  const token = createMagicToken({ site: url, email, next }, key, site.runtime.clock.now());
  const values = {
    site: title,
    link: `${url}/auth/magic?token=${token}`,
    minutes: String(MAGIC_SECONDS / 60),
  };
  // Not awaited: the response time would reveal known addresses, and an outage of mail would block.
  const sent = site.use("email").sendTemplate({
    template: "magic-link",
    to: email,
    values,
    usefulSeconds: MAGIC_SECONDS,
  });
  sent.catch((error: unknown) => {
    site.log.error("auth.mail_failed", engineFailureFields(error));
  });
}

interface Arrived extends RouteContext {
  readonly token: string;
}

async function askFirst(
  context: AuthContext,
  pages: AuthPages,
  { req, res, token }: Arrived,
): Promise<void> {
  if ((await readLink(context, token)) === null) return refused(pages, { req, res });
  pages.confirm(req, res, {
    title: "Log in",
    text: `Do you want to log in to ${context.site.settings.site.title}?`,
    button: "Log in",
    action: "/auth/magic",
    method: "post",
    fields: { token },
  });
}

async function logIn(
  context: AuthContext,
  pages: AuthPages,
  { req, res, token }: Arrived,
): Promise<void> {
  const said = await readLink(context, token);
  // Claimed first, so that only one of many concurrent requests succeeds.
  const isFirst = said !== null && (await context.sessions.claim(magicClaim(token), MAGIC_SECONDS));
  if (said === null || !isFirst) return refused(pages, { req, res });
  await signIn(context, { req, res }, { provider: "magic", email: said.email });
  redirect(context.site.http, { req, res }, said.next);
}

async function readLink({ site, sessions }: AuthContext, token: string) {
  const key = await sessions.secret("magic");
  return readMagicToken(token, key, site.runtime.clock.now(), site.settings.site.url);
}

/** One page for invalid, expired and used links, with the form to request a new one. */
function refused(pages: AuthPages, { req, res }: RouteContext): Promise<void> {
  return pages.login(req, res, { status: 400, error: "expired" });
}

/** How long a magic link is valid. */
const MAGIC_SECONDS = 900;
const MAX_LENGTH = 6_000;
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

const payload = z.object({
  purpose: z.literal("magic"),
  site: z.string(),
  email: z.string(),
  next: z.string(),
  nonce: z.string(),
  /** Unix ms. */
  expiresAt: z.number(),
});
/** The payload of a magic link. */
type MagicPayload = z.infer<typeof payload>;

/** A token for one login: payload and HMAC-SHA256, both base64url. */
export function createMagicToken(
  link: Pick<MagicPayload, "site" | "email" | "next">,
  key: Buffer,
  now: number,
): string {
  const nonce = randomBytes(16).toString("base64url");
  const expiresAt = now + MAGIC_SECONDS * 1000;
  const said: MagicPayload = { purpose: "magic", ...link, nonce, expiresAt };
  const text = Buffer.from(JSON.stringify(said)).toString("base64url");
  return `${text}.${sign(text, key)}`;
}

/** Verifies a token; null when it is forged, expired or of another site. */
export function readMagicToken(
  token: string,
  key: Buffer,
  now: number,
  site: string,
): MagicPayload | null {
  const [, text = "", signature = ""] = token.length > MAX_LENGTH ? [] : (SHAPE.exec(token) ?? []);
  // Compare text, not bytes: several base64url spellings decode to the same signature.
  if (!constantTimeEqual(signature, sign(text, key))) return null;
  const said = payload.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  if (!said.success || said.data.site !== site || said.data.expiresAt <= now) return null;
  return said.data;
}

/** The claim name that marks a token as used. */
export function magicClaim(token: string): string {
  return `magic:${sha256(token)}`;
}

function sign(text: string, key: Buffer): string {
  return createHmac("sha256", key).update(`magic.${text}`).digest("base64url");
}
