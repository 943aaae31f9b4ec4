/** Starting and describing sessions of the panel. */
import type { Request, Response } from "express";
import type { SiteContext } from "#kernel";
import type { User } from "../../../users/contract.js";
import type { AdminIdentity } from "../../contract.js";
import { notFound, type RouteParts } from "../route-parts.js";

const MARKER = "site_panel";

/** A request and its response. */
export interface Exchange {
  req: Request;
  res: Response;
}

/** Signs an account in: a new session with its cookie, listed for its owner. */
export async function startSession(
  { site, account }: RouteParts,
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
export function noteSessions({ site, identities, account }: RouteParts): void {
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
export async function ownUser({ site }: RouteParts, { id }: AdminIdentity): Promise<User> {
  const user = await site.use("users").get(id);
  if (user === null) throw notFound();
  return user;
}

function senderOf(req: Request): { agent: string; address: string } {
  return { agent: req.headers["user-agent"] ?? "", address: req.ctx.ip };
}
