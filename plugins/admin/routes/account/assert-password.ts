import type { Request } from "express";
import { HttpError } from "#kernel";
import type { User } from "../../../users/contract.js";
import type { AdminIdentity } from "../../contract.js";
import { refusal } from "../../errors.js";
import { note, type RouteParts } from "../route-parts.js";

/** Longest password that is read, in characters. */
export const MAX_PASSWORD = 1_024;

/** A signed-in account that confirms a change. */
export interface Owner {
  req: Request;
  identity: AdminIdentity;
  user: User;
  /** What is changed, in the audit log. */
  event: string;
}

/**
 * Checks the password of an account that is signed in. Guesses count as failed logins.
 * @throws HttpError 403 for a wrong password, 429.
 */
export async function assertPassword(
  parts: RouteParts,
  { req, identity, user, event }: Owner,
  password: string,
): Promise<void> {
  const { site, attempts } = parts;
  const address = site.use("security").clientKey(req.ctx.ip);
  const target = { type: "user", id: user.id };
  const failed = (why: string): void => {
    note(parts, req, { event, actor: identity, target, outcome: "failure", detail: { why } });
  };
  const wait = await attempts.begin(user.email, address);
  if (wait > 0) {
    failed("locked");
    const headers = { "Retry-After": String(wait) };
    const message = `too many failed attempts, try again in ${wait} seconds`;
    throw new HttpError(429, message, { code: "ERR_ADMIN_LOCKED", headers });
  }
  let found: User | null;
  try {
    found = await site.use("users").verifyPassword(user.email, password);
  } catch (error) {
    await attempts.withdraw(user.email, address);
    throw error;
  }
  if (found?.id !== user.id) {
    failed("current password is wrong");
    throw refusal(403, "ERR_ADMIN_LOGIN", { message: "the current password is wrong" });
  }
  await attempts.succeeded(user.email, address);
}
