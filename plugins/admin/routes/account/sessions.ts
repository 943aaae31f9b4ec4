import type { Request, Response } from "express";
import { type SiteContext, HttpError } from "#kernel";
import { note, notFound, type AdminContext, type Exchange } from "../admin-context.js";
import type { User } from "../../../users/contract.js";
import type { AdminIdentity } from "../../contract.js";
import { refusal } from "../../errors.js";
import { ownAccountApi } from "../../schemas/accounts.js";
const ID = /^[0-9a-f]{64}$/;

/** Lists and ends the sessions of the signed-in account. */
export function accountSessionRoutes(context: AdminContext): void {
  const { admin, site, account } = context;
  admin.route({
    method: "get",
    path: "/me/sessions",
    permission: "any",
    sessionOnly: true,
    summary: "Where the own account is signed in, the last seen first",
    responses: ownAccountApi["GET /me/sessions"].responses,
    handler: async (req, res, { identity }) => {
      const user = await ownUser(context, identity);
      const current = site.use("session").current(req, "admin")?.id;
      const items = (await account.sessions.list(user.id)).map((session) => ({
        ...session,
        current: current === `admin-${session.id}`,
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "delete",
    path: "/me/sessions/:id",
    permission: "any",
    sessionOnly: true,
    summary: "End one session of the own account",
    responses: ownAccountApi["DELETE /me/sessions/:id"].responses,
    handler: async (req, res, { identity, params }) => {
      const user = await ownUser(context, identity);
      const id = params["id"] ?? "";
      if (!ID.test(id) || !(await account.sessions.revoke(user.id, id))) {
        throw notFound("the account has no such session");
      }
      const target = { type: "user", id: user.id };
      note(context, req, { event: "user.session_revoked", actor: identity, target });
      await site.http.json(req, res, { revoked: true, id });
    },
  });
  addRevokeOthers(context);
}

function addRevokeOthers(context: AdminContext): void {
  const { admin, site, identities } = context;
  admin.route({
    method: "delete",
    path: "/me/sessions",
    permission: "any",
    sessionOnly: true,
    summary: "End all other sessions of the own account; this one continues under a new id",
    responses: ownAccountApi["DELETE /me/sessions"].responses,
    handler: async (req, res, { identity }) => {
      const user = await ownUser(context, identity);
      // Also those that could not be listed: all end, and this one starts again.
      const ended = await site.use("session").revokeUser(user.id);
      await startSession(context, { req, res }, user);
      const target = { type: "user", id: user.id };
      note(context, req, { event: "user.sessions_revoked", actor: identity, target });
      const csrfToken = (await identities.signedIn(req))?.csrfToken ?? null;
      await site.http.json(req, res, { revoked: Math.max(0, ended - 1), csrfToken });
    },
  });
}

const MARKER = "site_panel";

/** Signs an account in: a new session with its cookie, listed for its owner. */
export async function startSession(
  { site, account }: AdminContext,
  { req, res }: Exchange,
  user: User,
): Promise<void> {
  const lifetimeSeconds = site.settings.admin.sessionLifetime;
  const session = await site
    .use("session")
    .login(req, res, { kind: "admin", userId: user.id, lifetimeSeconds });
  await account.sessions.note(session, senderOf(req));
  markBrowser(site, res, lifetimeSeconds);
}

/**
 * A cookie that scripts of public pages can read: it says only that an account has signed in here. It opens
 * nothing, and may outlive the session.
 */
export function markBrowser(site: SiteContext, res: Response, seconds: number): void {
  const secure = site.runtime.env.mode === "dev" ? "" : "; Secure";
  const value = `${MARKER}=${seconds > 0 ? 1 : ""}; Path=/; Max-Age=${seconds}; SameSite=Strict${secure}`;
  res.appendHeader("Set-Cookie", value);
}

/** Keeps the time of the last request of each session, in the background. */
export function noteSessions({ site, identities, account }: AdminContext): void {
  const sessions = site.use("session");
  site.http.use("routes", (req, _res, next) => {
    const session = sessions.current(req, "admin");
    if (session !== null && identities.of(req)?.kind === "session") {
      void account.sessions.note(session, senderOf(req));
    }
    next();
  });
}

/** The account of a signed-in session, for routes with `sessionOnly`. */
export async function ownUser({ site }: AdminContext, { id }: AdminIdentity): Promise<User> {
  const user = await site.use("users").get(id);
  if (user === null) throw notFound();
  return user;
}

function senderOf(req: Request): { agent: string; address: string } {
  return { agent: req.headers["user-agent"] ?? "", address: req.ctx.ip };
}

/** A signed-in account that confirms a change. */
export interface Owner {
  req: Request;
  identity: AdminIdentity;
  user: User;
  /** The event of the change in the audit log. */
  event: string;
}

/**
 * Checks the password of an account that is signed in. Guesses count as failed logins.
 * @throws HttpError 403 for a wrong password, 429.
 */
export async function assertPassword(
  context: AdminContext,
  { req, identity, user, event }: Owner,
  password: string,
): Promise<void> {
  const { site, attempts } = context;
  const address = site.use("security").clientKey(req.ctx.ip);
  const target = { type: "user", id: user.id };
  const failed = (why: string): void => {
    note(context, req, { event, actor: identity, target, outcome: "failure", detail: { why } });
  };
  const wait = await attempts.begin(user.email, address);
  if (wait > 0) {
    failed("locked");
    const headers = { "Retry-After": String(wait) };
    const message = `too many failed attempts, try again in ${wait} seconds`;
    throw new HttpError(429, message, { code: "ERR_ADMIN_LOCKED", headers });
  }
  let account: User | null;
  try {
    account = await site.use("users").verifyPassword(user.email, password);
  } catch (error) {
    await attempts.withdraw(user.email, address);
    throw error;
  }
  if (account?.id !== user.id) {
    attempts.failed(user.email, address);
    failed("current password is wrong");
    throw refusal(403, "ERR_ADMIN_LOGIN", "the current password is wrong");
  }
  await attempts.succeeded(user.email, address);
}
