import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { loginQuery } from "../params.js";
import type { ProviderProfile, UpsertOutcome, User } from "../../users/contract.js";
import {
  isSpeculative,
  isSubresource,
  nothing,
  redirect,
  type RouteContext,
  type AuthContext,
} from "./auth-context.js";
import type { AuthPages } from "./auth-pages.js";

const me = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  roles: z.array(z.string()),
  provider: z.string(),
  createdAt: z.number(),
  linkedProviders: z.array(z.string()),
});
const problem = z.object({ error: z.string() });

/** `/auth/login`, `/auth/logout` and `/auth/me`. */
export function loginRoutes(context: AuthContext, pages: AuthPages): void {
  const { http } = context.site;
  http.jsonPrefix("/auth/me");
  http.route({
    method: "get",
    path: "/auth/login",
    summary: "The login page",
    hidden: true,
    query: loginQuery,
    handler: (req, res, { query }) => {
      if (req.ctx.state.siteUser) return redirect(http, { req, res }, query.next);
      const error = query.error === undefined || query.error === "" ? null : query.error;
      return pages.login(req, res, { next: query.next, error: knownError(error) });
    },
  });
  http.route({
    method: "get",
    path: "/auth/logout",
    summary: "End the session",
    hidden: true,
    handler: (req, res) => logout(context, req, res),
  });
  http.route({
    method: "get",
    path: "/auth/me",
    summary: "The logged-in user",
    responses: { 200: me, 401: problem },
    handler: (req, res) => {
      const user = req.ctx.state.siteUser;
      if (user)
        return http.json(req, res, context.users.public(user), { cache: { private: true } });
      context.sessions.assertAvailable(req);
      throw new HttpError(401, "log in first", { code: "ERR_AUTH_REQUIRED" });
    },
  });
}

/** Only our own error codes are shown; anything else becomes a generic error. */
function knownError(error: string | null): string | null {
  return error === null || ["denied", "expired"].includes(error) ? error : "failed";
}

async function logout(
  { site, sessions, users }: AuthContext,
  req: Request,
  res: Response,
): Promise<void> {
  if (isSpeculative(req) || isSubresource(req.headers)) return nothing({ req, res });
  const user = req.ctx.state.siteUser;
  await sessions.logout(req, res, "visitor");
  if (user) site.hooks.notify("onLogout", { user: users.public(user) });
  redirect(site.http, { req, res }, "/");
}

/**
 * Logs in the person of a verified profile.
 * @throws HttpError 409 ERR_AUTH_EMAIL_TAKEN, 403 ERR_AUTH_DISABLED, 503 when a store is down.
 */
export async function signIn(
  context: AuthContext,
  exchange: RouteContext,
  profile: ProviderProfile,
): Promise<void> {
  const user = requireAccount(await context.users.upsertFromProvider(profile));
  await beginSession(context, exchange, user, profile.provider);
}

/** Starts the session of an account under a new id, and emits `onLogin`. */
export async function beginSession(
  { site, sessions, section, users, visitors }: AuthContext,
  { req, res }: RouteContext,
  user: User,
  provider: string,
): Promise<void> {
  if (user.enabled === false) throw disabled();
  const roles = await users.rolesOf(user);
  const session = await sessions.login(req, res, {
    kind: "visitor",
    userId: user.id,
    lifetimeSeconds: section.sessionLifetime,
    data: visitors.sessionData(user, roles),
  });
  const from = { agent: req.headers["user-agent"] ?? "", address: req.ctx.ip };
  await site.use("sessionLists").visitor.note(session, from);
  site.hooks.notify("onLogin", { user: users.public({ ...user, roles }), provider });
}

function requireAccount(outcome: UpsertOutcome): User {
  switch (outcome.kind) {
    case "created":
    case "found":
      return outcome.user;
    case "disabled":
      throw disabled();
    case "email_taken":
      throw new HttpError(
        409,
        "an account with this e-mail address already exists: log in with its other method, then link this one",
        { code: "ERR_AUTH_EMAIL_TAKEN" },
      );
  }
}

function disabled(): HttpError {
  return new HttpError(403, "this account is disabled", { code: "ERR_AUTH_DISABLED" });
}
