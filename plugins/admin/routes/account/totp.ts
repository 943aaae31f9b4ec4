import type { z } from "zod";
import { HttpError } from "#kernel";
import type { User } from "../../../users/contract.js";
import { assertMayManage } from "../../accounts/roles.js";
import { assertPassword, ownUser } from "./sessions.js";
import { note, notFound, type AdminContext, type IdentifiedRequest } from "../admin-context.js";
import { ownAccountApi, accountsApi } from "../../schemas/accounts.js";

const LIMIT = 16_384;

/** Codes of an authenticator app, needed beside the password. */
export function totpRoutes(context: AdminContext): void {
  const { admin, site, account } = context;
  admin.route({
    method: "get",
    path: "/me/totp",
    permission: "any",
    sessionOnly: true,
    summary: "Whether the own account needs codes of an authenticator app",
    responses: ownAccountApi["GET /me/totp"].responses,
    handler: async (req, res, { identity }) => {
      const { id } = await ownUser(context, identity);
      await site.http.json(req, res, await account.totp.status(id));
    },
  });
  admin.route({
    method: "post",
    path: "/me/totp",
    permission: "any",
    sessionOnly: true,
    summary: "Create the secret for an authenticator app; a code confirms it",
    responses: ownAccountApi["POST /me/totp"].responses,
    body: { as: "json", limit: LIMIT, schema: ownAccountApi["POST /me/totp"].body },
    handler: async (req, res, { identity, body }) => {
      const user = await confirmedOwner(context, { req, identity }, body.current);
      const base32 = await account.totp.begin(user.id);
      if (base32 === null)
        throw new HttpError(409, "the account already needs codes: remove them first");
      await site.http.json(req, res, await described(context, user, base32), { status: 201 });
    },
  });
  admin.route({
    method: "post",
    path: "/me/totp/confirm",
    permission: "any",
    sessionOnly: true,
    summary: "Confirm the secret with a code; from then on, logins need codes",
    responses: ownAccountApi["POST /me/totp/confirm"].responses,
    body: { as: "json", limit: LIMIT, schema: ownAccountApi["POST /me/totp/confirm"].body },
    handler: async (req, res, { identity, body }) => {
      const user = await ownUser(context, identity);
      const code = body.code.replaceAll(/\s/g, "");
      const recoveryCodes = await account.totp.confirm(user.id, code);
      if (recoveryCodes === null) {
        throw new HttpError(400, "the code is wrong or expired: enter the one shown now");
      }
      noteChange(context, { req, identity }, "user.totp_enabled");
      await site.http.json(req, res, { enabled: true, recoveryCodes });
    },
  });
  addChanges(context);
}

function addChanges(context: AdminContext): void {
  const { admin, site, account } = context;
  const body = {
    as: "json",
    limit: LIMIT,
    schema: ownAccountApi["POST /me/totp/recovery-codes"].body,
  } as const;
  admin.route({
    method: "post",
    path: "/me/totp/recovery-codes",
    permission: "any",
    sessionOnly: true,
    summary: "Create ten recovery codes in place of the former ones",
    responses: ownAccountApi["POST /me/totp/recovery-codes"].responses,
    body,
    handler: async (req, res, { identity, body: { current } }) => {
      const user = await confirmedOwner(context, { req, identity }, current);
      const recoveryCodes = await account.totp.renewRecovery(user.id);
      if (recoveryCodes === null) throw notFound("the account needs no codes");
      noteChange(context, { req, identity }, "user.recovery_codes");
      await site.http.json(req, res, { enabled: true, recoveryCodes });
    },
  });
  admin.route({
    method: "delete",
    path: "/me/totp",
    permission: "any",
    sessionOnly: true,
    summary: "Stop needing codes",
    responses: ownAccountApi["DELETE /me/totp"].responses,
    body,
    handler: async (req, res, { identity, body: { current } }) => {
      const user = await confirmedOwner(context, { req, identity }, current);
      if (!(await account.totp.remove(user.id))) throw notFound("the account needs no codes");
      noteChange(context, { req, identity }, "user.totp_removed");
      await site.http.json(req, res, { enabled: false });
    },
  });
  admin.route({
    method: "delete",
    path: "/users/:id/totp",
    permission: "users.manage",
    summary: "Remove the codes of an account whose owner lost them, and end its sessions",
    responses: accountsApi["DELETE /users/:id/totp"].responses,
    handler: async (req, res, { identity, params }) => {
      const id = params["id"] ?? "";
      const user = await site.use("users").get(id);
      if (user !== null) await assertMayManage(context, identity, user);
      if (!(await account.totp.remove(id))) throw notFound("the account needs no codes");
      await site.use("session").revokeUser(id);
      const target = { type: "user", id };
      note(context, req, { event: "user.totp_removed", actor: identity, target });
      await site.http.json(req, res, { enabled: false });
    },
  });
}

/** @throws HttpError 403, 429. */
async function confirmedOwner(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  current: string,
): Promise<User> {
  const user = await ownUser(context, identity);
  if (user.passwordHash === undefined) {
    throw new HttpError(409, "the account has no password, so codes would protect nothing");
  }
  await assertPassword(context, { req, identity, user, event: "user.totp" }, current);
  return user;
}

function noteChange(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  event: string,
): void {
  note(context, req, { event, actor: identity, target: { type: "user", id: identity.id } });
}

async function described(
  { site }: AdminContext,
  { email }: User,
  base32: string,
): Promise<z.infer<(typeof ownAccountApi)["POST /me/totp"]["responses"][201]>> {
  const [{ Secret, TOTP }, { renderSVG }] = await Promise.all([import("otpauth"), import("uqr")]);
  const issuer = site.settings.site.title;
  const uri = new TOTP({ issuer, label: email, secret: Secret.fromBase32(base32) }).toString();
  return { secret: base32, uri, qr: renderSVG(uri) };
}
