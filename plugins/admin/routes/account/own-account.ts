import type { z } from "zod";
import { HttpError, SiteError } from "#kernel";
import { parseEmailAddress } from "#lib/text";
import type { User } from "../../../users/contract.js";
import type { AdminIdentity } from "../../contract.js";
import { findMailer, mailNewEmail, notifyOwner } from "../../accounts/account-mail.js";
import { EMAIL_CHANGE_HOURS } from "../../accounts/mailed-links.js";
import { refusal } from "../../errors.js";
import { note, type AdminContext, type IdentifiedExchange } from "../admin-context.js";
import { shown } from "../accounts/users.js";
import { assertPassword, type Owner, ownUser, startSession } from "./sessions.js";
import { ownAccountApi } from "../../schemas/accounts.js";

const LIMIT = 16_384;
/** Addresses that an account may request in an hour. */
const MAX_REQUESTS = 5;
const WINDOW_MS = 3_600_000;

/** The signed-in account. */
export function ownAccountRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/me",
    permission: "any",
    sessionOnly: true,
    summary: "The own account with its permissions",
    responses: ownAccountApi["GET /me"].responses,
    handler: async (req, res, { identity }) => {
      const user = await ownUser(context, identity);
      await site.http.json(req, res, await accountView(context, user, identity));
    },
  });
  admin.route({
    method: "patch",
    path: "/me",
    permission: "any",
    sessionOnly: true,
    summary: "Change the own name, or request another e-mail address",
    responses: ownAccountApi["PATCH /me"].responses,
    body: { as: "json", limit: LIMIT, schema: ownAccountApi["PATCH /me"].body },
    handler: async (req, res, { body, identity }) => {
      const user = await change(context, { req, res, identity }, body);
      await site.http.json(req, res, await accountView(context, user, identity));
    },
  });
  admin.route({
    method: "post",
    path: "/me/password",
    permission: "any",
    sessionOnly: true,
    summary: "Change the own password and end all other sessions of the account",
    responses: ownAccountApi["POST /me/password"].responses,
    body: { as: "json", limit: LIMIT, schema: ownAccountApi["POST /me/password"].body },
    handler: (req, res, { body, identity }) => setPassword(context, { req, res, identity }, body),
  });
}

async function accountView(
  { account, site }: AdminContext,
  user: User,
  { permissions, paths, ownPages }: AdminIdentity,
): Promise<Record<string, unknown>> {
  const pendingEmail = await account.emailChanges.pending(user).catch((error: unknown) => {
    if (!(error instanceof SiteError) || error.status !== 503) throw error;
    // The account can be seen while the records of links cannot.
    site.log.warn("admin.email_changes_unread", { error: error.message });
    return null;
  });
  return {
    ...shown(user),
    permissions: [...permissions],
    paths: Object.fromEntries(paths),
    ownPages: [...(ownPages?.permissions.keys() ?? [])],
    pendingEmail,
    oidc: account.oidc?.linkOf(user) ?? null,
  };
}

/**
 * The address receives links that reset the password, and belongs to the visitor who logs in with a link to it:
 * another one needs the password, and holds once its owner has confirmed it.
 */
async function change(
  context: AdminContext,
  { req, identity }: IdentifiedExchange,
  { name, email, current }: z.infer<(typeof ownAccountApi)["PATCH /me"]["body"]>,
): Promise<User> {
  const user = await ownUser(context, identity);
  const event = "user.update";
  const next = email === undefined ? user.email : email.trim().toLowerCase();
  if (next !== user.email) {
    await requestEmail(context, { req, identity, user, event }, next, current);
  } else if (email !== undefined) await context.account.emailChanges.forget(user.id);
  if (name === undefined) return user;
  const updated = await context.site
    .use("users")
    .update(user.id, (stored) => ({ ...stored, name }));
  const target = { type: "user", id: user.id };
  note(context, req, { event, actor: identity, target, detail: { fields: "name" } });
  return updated;
}

/**
 * Sends a link to the new address; the present one stays until it is opened.
 * @throws HttpError 400, 403, 409, 429.
 */
async function requestEmail(
  context: AdminContext,
  owner: Owner,
  email: string,
  current: string | undefined,
): Promise<void> {
  const { site, admin, account } = context;
  const { req, identity, user } = owner;
  if (user.passwordHash === undefined) {
    const message = "the account has no password: an admin changes its e-mail address";
    throw refusal(403, "ERR_ADMIN_FORBIDDEN", message);
  }
  if (current === undefined) {
    throw new HttpError(400, "current: changing the e-mail address needs the current password");
  }
  await assertPassword(context, owner, current);
  const mailer = findMailer(site);
  if (mailer === null) {
    const message =
      "this site sends no mail, so a new address cannot be confirmed: an account with users.manage changes it, or add an email block to site.yaml";
    throw refusal(409, "ERR_ADMIN_NO_MAIL", message);
  }
  const to = await freeAddress(context, email);
  await countRequest(context, user.id);
  const token = await account.emailChanges.create(user, to);
  const { title, url } = site.settings.site;
  const link = `${url}${admin.path}/email/${token}`;
  await mailNewEmail(mailer, to, { site: title, link, hours: String(EMAIL_CHANGE_HOURS) });
  await notifyOwner(site, user.email, "emailRequested");
  const target = { type: "user", id: user.id };
  note(context, req, { event: "user.email_requested", actor: identity, target });
}

/** @throws HttpError 400, 409. */
async function freeAddress({ site }: AdminContext, value: string): Promise<string> {
  const email = parseEmailAddress(value);
  if (email === null) {
    throw new HttpError(400, "email: expected an address like name@example.org");
  }
  if ((await site.use("users").findByEmail(email)) === null) return email;
  throw new HttpError(409, "another account has this address: use another one", {
    code: "ERR_USER_EMAIL_TAKEN",
  });
}

/**
 * An account must not send mails to strangers in bulk.
 * @throws HttpError 429.
 */
async function countRequest({ site }: AdminContext, userId: string): Promise<void> {
  const key = `panel-email:${userId}`;
  const verdict = await site.use("security").limit(key, MAX_REQUESTS, WINDOW_MS);
  if (verdict.allowed) return;
  const headers = { "Retry-After": String(verdict.retryAfterSeconds) };
  throw refusal(429, "ERR_ADMIN_LOCKED", "too many links were requested", headers);
}

async function setPassword(
  context: AdminContext,
  { req, res, identity }: IdentifiedExchange,
  { current, next }: z.infer<(typeof ownAccountApi)["POST /me/password"]["body"]>,
): Promise<void> {
  const { site, identities, account } = context;
  const user = await ownUser(context, identity);
  const event = "user.password";
  await assertPassword(context, { req, identity, user, event }, current);
  await site.use("users").setPassword(user.id, next);
  await account.firstSteps.passwordChanged(current);
  await notifyOwner(site, user.email, "password");
  // Setting a password ends all sessions; this one continues under a new id.
  await startSession(context, { req, res }, user);
  note(context, req, { event, actor: identity, target: { type: "user", id: user.id } });
  const csrfToken = (await identities.signedIn(req))?.csrfToken ?? null;
  await site.http.json(req, res, { updated: true, csrfToken });
}

/** The guide for new accounts, remembered for each. */
export function firstStepRoutes(context: AdminContext): void {
  const { admin, site, account } = context;
  admin.route({
    method: "get",
    path: "/me/first-steps",
    permission: "any",
    sessionOnly: true,
    summary: "First steps of a new account, and which are done",
    responses: ownAccountApi["GET /me/first-steps"].responses,
    handler: async (req, res, { identity }) => {
      const { username } = await ownUser(context, identity);
      await site.http.json(req, res, await account.firstSteps.of(identity, username));
    },
  });
  admin.route({
    method: "delete",
    path: "/me/first-steps",
    permission: "any",
    sessionOnly: true,
    summary: "Hide the first steps for good",
    responses: ownAccountApi["DELETE /me/first-steps"].responses,
    handler: async (req, res, { identity }) => {
      await ownUser(context, identity);
      await account.firstSteps.dismiss(identity.id);
      await site.http.json(req, res, { dismissed: true });
    },
  });
}
