/** Forms of people who are not signed in, and the end of every way to sign in. */
import type { Request, Response } from "express";
import { z } from "zod";
import { h } from "preact";
import { engineFailureFields, HttpError, isRecord, safeNext } from "#kernel";
import type { User } from "../../../users/contract.js";
import { accountKey } from "../../accounts/login-attempts.js";
import type { AdminIdentity } from "../../contract.js";
import { startSession } from "../account/sessions.js";
import { error } from "../../schemas/values.js";
import { systemApi } from "../../schemas/system.js";
import { loginPage, buildFrame, htmlAnswer } from "../panel.js";
import type { AdminContext, Exchange } from "../admin-context.js";
import { AccountForm, type AccountFormProps } from "../../templates/login.js";
import { foreign } from "../../errors.js";

/** Responses of a login. */
export const loginResponses = {
  200: systemApi["GET /session"].responses[200].extend({
    location: z.string().describe("The page of the panel that `next` names"),
  }),
  303: null,
  403: error,
  401: error.extend({
    totp: z.literal(true).optional().describe("The password was right: send a code too"),
    step: z.string().optional().describe("Sent back with `code`, in place of name and password"),
  }),
};

/** Why a login was refused. */
export interface Refusal {
  status: number;
  message: string;
  retryAfter?: number;
  /** The password was right, and a code is needed; the sealed login that the form sends back. */
  step?: string;
  /** True when no code was given, which is no failure. */
  isFirst?: boolean;
}

/** Starts the session of an account that proved who it is, and notes the visit. */
export async function signIn(context: AdminContext, exchange: Exchange, user: User): Promise<void> {
  const { site } = context;
  await startSession(context, exchange, user);
  // The session exists: failing to record the visit must not fail the login.
  await site
    .use("users")
    .touch(user)
    .catch((error: unknown) => {
      site.log.warn("admin.touch_failed", { user: user.id, ...engineFailureFields(error) });
    });
}

/** A login that succeeded. */
interface ProvenLogin {
  /** The page that was wanted. */
  readonly next: string | undefined;
  readonly method: "password" | "passkey";
}

/** Responds to a login: the session as JSON, or a redirect to the page that was wanted. */
export async function welcome(
  context: AdminContext,
  { req, res }: Exchange,
  { next, method }: ProvenLogin,
): Promise<void> {
  const identity = await context.identities.signedIn(req);
  if (identity === null) throw new HttpError(503, "the session could not be read back");
  context.admin.audit({ event: "auth.login", actor: identity, ip: req.ctx.ip, detail: { method } });
  const location = ownPath(context, next);
  if (isForm(req) || req.method === "GET") redirect(req, res, location);
  else await context.site.http.json(req, res, { ...sessionView(identity), location });
}

/** Responds with the reason: JSON for programs, else the login page. */
export async function refuse(
  context: AdminContext,
  { req, res }: Exchange,
  { status, message, retryAfter, step, isFirst = false }: Refusal,
): Promise<void> {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  const code = status === 429 ? "ERR_ADMIN_LOCKED" : "ERR_ADMIN_LOGIN";
  if (!isForm(req)) {
    if (step === undefined) throw new HttpError(status, message, { headers, code });
    await context.site.http.json(req, res, { error: message, totp: true, step }, { status });
    return;
  }
  const error = isFirst ? null : message;
  const [next, username] = [readField(req.body, "next"), readField(req.body, "username")];
  const answer = await loginPage(context, req, { error, next, step, username });
  context.site.http.send(req, res, { ...answer, status, headers });
}

function readField(body: unknown, name: "next" | "username"): string {
  return isRecord(body) && name in body ? String(body[name]) : "";
}

/** Notes a failed login. */
export function auditFailure(
  { admin }: AdminContext,
  req: Request,
  name: string,
  why: string,
): void {
  const detail = { username: accountKey(name).slice(0, 100), why };
  const { ip } = req.ctx;
  admin.audit({ event: "auth.login_failed", actor: null, ip, detail, outcome: "failure" });
}

/** The signed-in account, its permissions and its CSRF token. */
export function sessionView(identity: AdminIdentity): Record<string, unknown> {
  const { id, name, email, roles, permissions, paths, ownPages, csrfToken } = identity;
  return {
    user: { id, name, email, roles },
    permissions: [...permissions],
    paths: Object.fromEntries(paths),
    ownPages: [...(ownPages?.permissions.keys() ?? [])],
    csrfToken,
  };
}

/** The panel page to show after login. */
export function ownPath({ admin }: AdminContext, next: string | undefined): string {
  const path = safeNext(next ?? "");
  return path === admin.path || path.startsWith(`${admin.path}/`) ? path : admin.path;
}

/** Largest form with a password, in bytes. */
export const FORM_BYTES = 16_384;

/** True for a form of the browser; false for JSON of a program. */
export function isForm(req: Request): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(req.headers["content-type"] ?? "");
}

/**
 * Prevents login CSRF: another site must not sign a visitor in to the attacker's account.
 * @throws ERR_ADMIN_ORIGIN (403).
 */
export function assertOwnPage({ site }: Pick<AdminContext, "site">, req: Request): void {
  const { origin, "sec-fetch-site": from } = req.headers;
  if (origin === undefined && from === undefined) return;
  const security = site.use("security");
  if (security.isSameOrigin(req.headers)) return;
  throw foreign(req.headers, security.senderOf(req.headers));
}

/** Redirects after a form was handled. */
export function redirect(req: Request, res: Response, to: string): void {
  const { ctx } = req;
  const headers = { ...ctx.responseHeaders, "Cache-Control": "private, no-store" };
  res.writeHead(303, { ...headers, Location: to });
  res.end();
}

/** A page for people who are not signed in. */
interface SignedOutPage extends Omit<AccountFormProps, "frame"> {
  /** Default: 200. */
  readonly status?: number;
  /** The page that the browser opens at once. */
  readonly refresh?: string;
}

/** Responds with a page for people who are not signed in. */
export function sendForm(
  { site }: AdminContext,
  { req, res }: Exchange,
  { status = 200, refresh, ...page }: SignedOutPage,
): void {
  const frame = { ...buildFrame(site, page.heading, null), refresh };
  site.http.send(req, res, { ...htmlAnswer(h(AccountForm, { ...page, frame })), status });
}

/**
 * Runs the handler of a form. Errors of the sender appear in the form, with status and code; programs,
 * and failures of the server, get JSON.
 */
export async function handleForm(
  req: Request,
  work: () => Promise<void>,
  show: (error: HttpError) => unknown,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isSender = error instanceof HttpError && error.status < 500;
    if (!isForm(req) || !isSender) throw error;
    await show(error);
  }
}
