import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import type { User } from "../../users/contract.js";
import type { AdminIdentity } from "../contract.js";
import { refusal } from "../refusals.js";
import { answers } from "./answers.js";
import { note, notFound, type RouteParts } from "./route-parts.js";
import { shown } from "./users.js";

const LIMIT = 16_384;
const password = z.string().max(1_024);
const passwordBody = z.object({ current: password, next: password });

/** The signed-in account. */
export function ownAccountRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.route({
    method: "get",
    path: "/me",
    permission: "any",
    summary: "The own account with its permissions",
    responses: answers.me,
    handler: async (req, res, { identity }) => {
      const user = await ownAccount(parts, identity);
      const permissions = [...identity.permissions];
      await site.http.json(req, res, { ...shown(user), permissions });
    },
  });
  admin.route({
    method: "post",
    path: "/me/password",
    permission: "any",
    summary: "Change the own password and end all other sessions of the account",
    responses: answers.ownPassword,
    body: { as: "json", limit: LIMIT, schema: passwordBody },
    handler: (req, res, { body, identity }) => setPassword(parts, { req, res, identity }, body),
  });
}

/** @throws HttpError 404 for a token without an account. */
async function ownAccount({ site }: RouteParts, { id }: AdminIdentity): Promise<User> {
  const user = await site.use("users").get(id);
  if (user === null) throw notFound("the token does not belong to an account");
  return user;
}

async function setPassword(
  parts: RouteParts,
  { req, res, identity }: { req: Request; res: Response; identity: AdminIdentity },
  { current, next }: z.infer<typeof passwordBody>,
): Promise<void> {
  const { site, identities } = parts;
  if (identity.kind !== "session") {
    const message = "a token cannot change a password: sign in";
    throw refusal(403, "ERR_ADMIN_FORBIDDEN", { message });
  }
  const user = await ownAccount(parts, identity);
  await assertCurrent(parts, { req, identity, user }, current);
  await site.use("users").setPassword(user.id, next);
  // Setting a password ends all sessions; this one continues under a new id.
  const lifetimeSeconds = site.settings.admin.sessionLifetime;
  await site.use("session").login(req, res, { kind: "admin", userId: user.id, lifetimeSeconds });
  const target = { type: "user", id: user.id };
  note(parts, req, { event: "user.password", actor: identity, target });
  const csrfToken = (await identities.signedIn(req))?.csrfToken ?? null;
  await site.http.json(req, res, { updated: true, csrfToken });
}

/**
 * Guesses count as failed logins.
 * @throws HttpError 403 for a wrong password, 429.
 */
async function assertCurrent(
  parts: RouteParts,
  { req, identity, user }: { req: Request; identity: AdminIdentity; user: User },
  current: string,
): Promise<void> {
  const { site, attempts } = parts;
  const address = site.use("security").clientKey(req.ctx.ip);
  const target = { type: "user", id: user.id };
  const failed = (why: string): void => {
    const failure = { outcome: "failure", detail: { why } } as const;
    note(parts, req, { event: "user.password", actor: identity, target, ...failure });
  };
  const wait = await attempts.begin(user.email, address);
  if (wait > 0) {
    failed("locked");
    const headers = { "Retry-After": String(wait) };
    const message = `too many failed attempts, try again in ${wait} seconds`;
    throw new HttpError(429, message, { code: "ERR_ADMIN_LOCKED", headers });
  }
  const found = await site.use("users").verifyPassword(user.email, current);
  if (found?.id !== user.id) {
    failed("current password is wrong");
    throw refusal(403, "ERR_ADMIN_LOGIN", { message: "the current password is wrong" });
  }
  await attempts.succeeded(user.email, address);
}
