import { HttpError } from "#kernel";
import type { AdminIdentity } from "../../contract.js";
import { isPermission } from "../../accounts/permissions.js";
import { note, notFound, type AdminContext } from "../admin-context.js";
import { accountsApi } from "../../schemas/accounts.js";

/** API tokens of the signed-in account; with users.manage, of all accounts. */
export function tokenRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/tokens",
    permission: "any",
    summary: "API tokens without their secrets: the own ones, or all with users.manage",
    responses: accountsApi["GET /tokens"].responses,
    handler: async (req, res, { identity }) => {
      const all = await admin.tokens.list();
      const seesAll = identity.permissions.has("users.manage");
      const items = all.filter(({ userId }) => seesAll || userId === identity.id);
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "post",
    path: "/tokens",
    permission: "any",
    summary: "Create a token with some of the own permissions; its text is shown only once",
    responses: accountsApi["POST /tokens"].responses,
    body: { as: "json", limit: 16_384, schema: accountsApi["POST /tokens"].body },
    handler: async (req, res, { body, identity }) => {
      const { name, permissions, expires, paths, fields } = body;
      const expiresAt = expires === null ? null : Date.parse(expires);
      assertEndsBefore(identity, expiresAt);
      assertNoLimits(identity);
      const granted: ReadonlySet<string> = identity.permissions;
      const lacking = permissions.find((one) => isPermission(one) && !granted.has(one));
      if (lacking !== undefined) {
        throw new HttpError(403, `permission ${lacking} is needed`, {
          code: "ERR_ADMIN_FORBIDDEN",
        });
      }
      const created = await admin.tokens.create({
        name,
        permissions,
        userId: identity.id.startsWith("token:") ? null : identity.id,
        expiresAt,
        paths,
        fields,
      });
      note(context, req, {
        event: "token.create",
        actor: identity,
        target: { type: "token", id: created.token.id },
        detail: { permissions: created.token.permissions.join(" ") },
      });
      await site.http.json(req, res, { ...created.token, token: created.secret }, { status: 201 });
    },
  });
  addRevoke(context);
}

/**
 * A token with an expiry must not create one that outlives it.
 * @throws HttpError 403.
 */
function assertEndsBefore({ expiresAt: end }: AdminIdentity, expiresAt: number | null): void {
  if (end === null || (expiresAt !== null && expiresAt <= end)) return;
  const latest = new Date(end).toISOString();
  throw new HttpError(403, `this token expires: expires must be ${latest} or earlier`, {
    code: "ERR_ADMIN_FORBIDDEN",
  });
}

/**
 * A token with limits must not create one without.
 * @throws HttpError 403.
 */
function assertNoLimits({ limits }: AdminIdentity): void {
  if ((limits?.paths ?? null) === null && (limits?.fields ?? null) === null) return;
  throw new HttpError(403, "a token with limits cannot create tokens", {
    code: "ERR_ADMIN_FORBIDDEN",
  });
}

function addRevoke(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "delete",
    path: "/tokens/:id",
    permission: "any",
    summary: "Revoke a token",
    responses: accountsApi["DELETE /tokens/:id"].responses,
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      const token = (await admin.tokens.list()).find((one) => one.id === id);
      const isTheirs = token?.userId === identity.id || identity.permissions.has("users.manage");
      if (token === undefined || !isTheirs) throw notFound();
      await admin.tokens.revoke(id);
      note(context, req, { event: "token.revoke", actor: identity, target: { type: "token", id } });
      await site.http.json(req, res, { revoked: true, id });
    },
  });
}
