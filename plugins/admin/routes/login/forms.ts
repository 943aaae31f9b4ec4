/** Forms of the panel for people who are not signed in. */
import { h } from "preact";
import type { Request, Response } from "express";
import { HttpError } from "#kernel";
import type { InternalContext } from "#kernel/internal";
import { AccountForm, type AccountFormProps } from "../../templates/account-form.js";
import { frameOf, htmlAnswer } from "../panel/panel-frame.js";
import { foreign } from "../../errors.js";
import type { Exchange } from "../account/session.js";
import type { RouteParts } from "../route-parts.js";

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
export function assertOwnPage({ site }: Pick<RouteParts, "site">, req: Request): void {
  const { origin, "sec-fetch-site": from } = req.headers;
  if (origin === undefined && from === undefined) return;
  const security = site.use("security");
  if (security.isSameOrigin(req.headers)) return;
  throw foreign(req.headers, security.senderOf(req.headers));
}

/** Redirects after a form was handled. */
export function redirect(req: Request, res: Response, { to }: { to: string }): void {
  const ctx: InternalContext = req.ctx;
  const headers = { ...ctx.responseHeaders, "Cache-Control": "private, no-store" };
  res.writeHead(303, { ...headers, Location: to });
  res.end();
}

/** Responds with a page for people who are not signed in. */
export function sendForm(
  { site, admin }: RouteParts,
  { req, res }: Exchange,
  page: Omit<AccountFormProps, "frame"> & { status?: number; refresh?: string },
): void {
  const { status = 200, refresh, ...shown } = page;
  const title = shown.heading;
  const plain = frameOf(site, { path: admin.path, title, identity: null, menu: [] });
  const frame = { ...plain, refresh };
  site.http.send(req, res, { ...htmlAnswer(h(AccountForm, { ...shown, frame })), status });
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
