import type { Request, Response } from "express";
import { HttpError } from "#kernel";
import type { ProviderProfile, UpsertOutcome, User } from "../../users/contract.js";
import type { AuthParts } from "./auth-parts.js";

/**
 * Logs in the person of a verified profile.
 * @throws HttpError 409 ERR_AUTH_EMAIL_TAKEN, 403 ERR_AUTH_DISABLED, 503 when a store is down.
 */
export async function signIn(
  parts: AuthParts,
  { req, res }: { req: Request; res: Response },
  profile: ProviderProfile,
): Promise<void> {
  const user = accountOf(await parts.users.upsertFromProvider(profile));
  await beginSession(parts, { req, res }, { user, provider: profile.provider });
}

/** Starts the session of an account under a new id, and emits `onLogin`. */
export async function beginSession(
  { site, sessions, section, users, visitors }: AuthParts,
  { req, res }: { req: Request; res: Response },
  { user, provider }: { user: User; provider: string },
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

function accountOf(outcome: UpsertOutcome): User {
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
