/** Checks of requests that change an account: by its visitor, from a page of this site, within a limit. */
import { createHmac } from "node:crypto";
import type { Request } from "express";
import { constantTimeEqual, HttpError } from "#kernel";
import type { Session } from "../../session/contract.js";
import type { SiteUser } from "../contract.js";
import type { AuthContext } from "./auth-context.js";

const WINDOW_MS = 600_000;
/** Changes and exports of an account in ten minutes. */
const MAX_CHANGES = 30;
/** How long after a login the account may be deleted, in ms. */
const FRESH_MS = 600_000;

/** The visitor of a request, with their session. */
export interface OwnAccount {
  readonly user: SiteUser;
  readonly session: Session;
}

/** @throws HttpError 401, 503. */
export function ownAccount({ sessions }: AuthContext, req: Request): OwnAccount {
  const user = req.ctx.state.siteUser;
  const session = sessions.current(req, "visitor");
  if (user && session !== null) return { user, session };
  sessions.assertAvailable(req);
  throw new HttpError(401, "log in first", { code: "ERR_AUTH_REQUIRED" });
}

/** The hidden field of forms of this session. */
export async function csrfToken({ sessions }: AuthContext, { id }: Session): Promise<string> {
  const key = await sessions.secret("visitor-csrf");
  return createHmac("sha256", key).update(id).digest("base64url");
}

/**
 * Rejects requests that another site started.
 * @throws HttpError 403.
 */
export function assertOwnSite({ site }: AuthContext, { headers }: Request): void {
  const security = site.use("security");
  if (!security.isFromElsewhere(headers)) return;
  const message = `the request comes from another site: ${security.senderOf(headers)}`;
  throw new HttpError(403, message, { code: "ERR_AUTH_ORIGIN" });
}

/**
 * The account that a request may change.
 * @throws HttpError 401, 403, 429, 503.
 */
export async function changedAccount(
  context: AuthContext,
  req: Request,
  csrf: unknown,
): Promise<OwnAccount> {
  const account = ownAccount(context, req);
  const isSent =
    typeof csrf === "string" && constantTimeEqual(csrf, await csrfToken(context, account.session));
  if (!isSent) {
    const what = csrf === undefined ? "missing" : "not that of this session";
    const message = `the hidden field csrf of the account page is ${what}: open the page again`;
    throw new HttpError(403, message, { code: "ERR_AUTH_ORIGIN" });
  }
  assertOwnSite(context, req);
  await countChange(context, account);
  return account;
}

/** @throws HttpError 429. */
export async function countChange({ site }: AuthContext, { user }: OwnAccount): Promise<void> {
  const verdict = await site.use("security").limit(`account:${user.id}`, MAX_CHANGES, WINDOW_MS);
  if (verdict.allowed) return;
  const headers = { "Retry-After": String(verdict.retryAfterSeconds) };
  throw new HttpError(429, "too many changes of the account", { headers });
}

/** True shortly after a login: a stolen or forgotten session must not delete an account. */
export function isFresh({ site }: AuthContext, { createdAt }: Session): boolean {
  return site.runtime.clock.now() - createdAt < FRESH_MS;
}

/**
 * @throws HttpError 401 without a visitor, 400 when no store keeps the account, 503 during an
 * outage.
 */
export function requireStored({ sessions, users }: AuthContext, req: Request): SiteUser {
  const user = req.ctx.state.siteUser;
  if (!user) sessions.assertAvailable(req);
  if (!user) throw new HttpError(401, "log in first", { code: "ERR_AUTH_REQUIRED" });
  if (!users.isStateless) return user;
  throw new HttpError(
    400,
    "identities cannot be linked when accounts are stored only in the session",
    {
      code: "ERR_AUTH_LINK_STORE",
    },
  );
}
