import type { Request } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import type { User, SignedPasskey } from "../../../users/contract.js";
import { notifyOwner } from "../../accounts/account-mail.js";
import { refusal } from "../../errors.js";
import {
  note,
  notFound,
  type AdminContext,
  type Exchange,
  type IdentifiedRequest,
} from "../admin-context.js";
import { assertOwnPage, auditFailure, loginResponses, signIn, welcome } from "../login/sign-in.js";
import { assertPassword, ownUser } from "./sessions.js";
import { error, text } from "../../schemas/values.js";
import { ownAccountApi } from "../../schemas/accounts.js";

const PASSKEY_BYTES = 65_536;

/** Passkeys of the signed-in account. */
export function passkeyRoutes(context: AdminContext): void {
  const { admin, site, account } = context;
  const { obstacle, shapes } = site.use("passkeys");
  const createBody = ownAccountApi["POST /me/passkeys"].body.extend({ response: shapes.created });
  admin.route({
    method: "get",
    path: "/me/passkeys",
    permission: "any",
    sessionOnly: true,
    summary: "Passkeys of the own account, and whether the site can have any",
    responses: ownAccountApi["GET /me/passkeys"].responses,
    handler: async (req, res, { identity }) => {
      const user = await ownUser(context, identity);
      const items = await account.passkeys.list(user.id);
      const { reason } = obstacle ?? {};
      const available = obstacle === null;
      await site.http.json(req, res, { items, total: items.length, available, reason });
    },
  });
  admin.route({
    method: "post",
    path: "/me/passkeys/options",
    permission: "any",
    sessionOnly: true,
    summary: "Options for `navigator.credentials.create`",
    responses: ownAccountApi["POST /me/passkeys/options"].responses,
    body: {
      as: "json",
      limit: PASSKEY_BYTES,
      schema: ownAccountApi["POST /me/passkeys/options"].body,
    },
    handler: async (req, res, { identity, body: { current } }) => {
      const user = await ownUser(context, identity);
      assertAvailable(context);
      // A stolen session must not add a way to sign in.
      await assertOwner(context, { req, identity }, user, current);
      const session = currentSessionId(context, req);
      const options = await account.passkeys.creationOptions({ req, res }, { user, session });
      await site.http.json(req, res, options);
    },
  });
  admin.route({
    method: "post",
    path: "/me/passkeys",
    permission: "any",
    sessionOnly: true,
    summary: "Add the passkey that the browser created",
    responses: ownAccountApi["POST /me/passkeys"].responses,
    body: { as: "json", limit: PASSKEY_BYTES, schema: createBody },
    handler: async (req, res, { identity, body }) => {
      const { id: userId, email } = await ownUser(context, identity);
      assertAvailable(context);
      const session = currentSessionId(context, req);
      const added = await account.passkeys.add({ req, res }, { userId, session, ...body });
      const target = { type: "user", id: identity.id };
      note(context, req, { event: "user.passkey_added", actor: identity, target });
      await notifyOwner(site, email, "passkey");
      await site.http.json(req, res, added, { status: 201 });
    },
  });
  addChanges(context);
}

function addChanges(context: AdminContext): void {
  const { admin, site, account } = context;
  admin.route({
    method: "patch",
    path: "/me/passkeys/:id",
    permission: "any",
    sessionOnly: true,
    summary: "Rename a passkey",
    responses: ownAccountApi["PATCH /me/passkeys/:id"].responses,
    body: {
      as: "json",
      limit: PASSKEY_BYTES,
      schema: ownAccountApi["PATCH /me/passkeys/:id"].body,
    },
    handler: async (req, res, { identity, params, body }) => {
      const user = await ownUser(context, identity);
      const renamed = await account.passkeys.rename(user.id, params["id"] ?? "", body.name);
      if (renamed === null) throw notFound("no such passkey");
      await site.http.json(req, res, renamed);
    },
  });
  admin.route({
    method: "delete",
    path: "/me/passkeys/:id",
    permission: "any",
    sessionOnly: true,
    summary: "Remove a passkey",
    responses: ownAccountApi["DELETE /me/passkeys/:id"].responses,
    handler: async (req, res, { identity, params }) => {
      const user = await ownUser(context, identity);
      const id = params["id"] ?? "";
      if (!(await account.passkeys.remove(user.id, id))) throw notFound("no such passkey");
      const target = { type: "user", id: user.id };
      note(context, req, { event: "user.passkey_removed", actor: identity, target });
      await site.http.json(req, res, { removed: true, id });
    },
  });
}

/** @throws ERR_ADMIN_PASSKEY (409) with the reason why the site can have no passkeys. */
export function assertAvailable({ site }: AdminContext): void {
  const { obstacle } = site.use("passkeys");
  if (obstacle === null) return;
  throw refusal(409, "ERR_ADMIN_PASSKEY", obstacle.reason);
}

/** @throws HttpError 400, 403, 429 unless `current` is the password; an account without one passes. */
async function assertOwner(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  user: User,
  current: string | undefined,
): Promise<void> {
  if (user.passwordHash === undefined) return;
  if (current === undefined) throw new HttpError(400, "current: the password is required");
  await assertPassword(context, { req, identity, user, event: "user.passkey_added" }, current);
}

function currentSessionId({ site }: AdminContext, req: Request): string {
  return site.use("session").current(req, "admin")?.id ?? "";
}

const LOGIN_BYTES = 16_384;
/** Signing in with a passkey. */
export function passkeyLoginRoutes(context: AdminContext): void {
  const { admin, site, account } = context;
  const loginBody = z.object({
    response: site.use("passkeys").shapes.signed,
    next: z.string().max(2_000).optional(),
  });
  admin.panel({
    method: "post",
    path: "/login/passkey/options",
    permission: "none",
    summary: "Options for `navigator.credentials.get`",
    responses: { 200: z.looseObject({ challenge: text }), 403: error, 409: error },
    body: { as: "json", limit: LOGIN_BYTES, schema: z.looseObject({}) },
    handler: async (req, res) => {
      assertOwnPage(context, req);
      assertAvailable(context);
      await site.http.json(req, res, await account.passkeys.requestOptions({ req, res }));
    },
  });
  admin.panel({
    method: "post",
    path: "/login/passkey",
    permission: "none",
    summary: "Sign in with the response of a passkey",
    responses: { ...loginResponses, 409: error },
    body: { as: "json", limit: LOGIN_BYTES, schema: loginBody },
    handler: async (req, res, { body }) => {
      assertOwnPage(context, req);
      const user = await passkeyUser(context, { req, res }, body.response);
      await signIn(context, { req, res }, user);
      await welcome(context, { req, res }, { next: body.next, method: "passkey" });
    },
  });
}

/** @throws HttpError 400, 401, 403, 429. */
async function passkeyUser(
  context: AdminContext,
  exchange: Exchange,
  response: SignedPasskey,
): Promise<User> {
  const { site, account, attempts } = context;
  const login = await account.passkeys.open(exchange, response);
  const user = login.userId === null ? null : await site.use("users").get(login.userId);
  const name = user?.email ?? "passkey";
  const address = site.use("security").clientKey(exchange.req.ctx.ip);
  const wait = await attempts.begin(name, address);
  if (wait > 0) {
    const headers = { "Retry-After": String(wait) };
    const message = `too many failed logins, try again in ${wait} seconds`;
    throw refusal(429, "ERR_ADMIN_LOCKED", message, headers);
  }
  const isProven = await login.isProven().catch(async (cause: unknown) => {
    await attempts.withdraw(name, address);
    throw cause;
  });
  if (!isProven || user === null || user.enabled === false) {
    attempts.failed(name, address);
    auditFailure(context, exchange.req, name, "passkey");
    throw refusal(401, "ERR_ADMIN_LOGIN", "the passkey is unknown or wrong");
  }
  await attempts.succeeded(name, address);
  if (!account.roles.open(await site.use("users").rolesOf(user))) {
    throw new HttpError(403, "this account has no role for the admin panel");
  }
  return user;
}
