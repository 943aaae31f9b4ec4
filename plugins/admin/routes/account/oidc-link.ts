import { z } from "zod";
import { HttpError } from "#kernel";
import type { User } from "../../../users/contract.js";
import { passwordDigest } from "../../accounts/login-step.js";
import type { PanelOidc } from "../../accounts/panel-oidc.js";
import type { AdminIdentity } from "../../contract.js";
import { start } from "../login/oidc.js";
import { assertPassword, MAX_PASSWORD } from "./assert-password.js";
import { ownUser, type Exchange } from "./session.js";
import { note, notFound, type RouteParts } from "../route-parts.js";

const LIMIT = 16_384;
const schema = z.object({ current: z.string().max(MAX_PASSWORD) });
const error = z.object({ error: z.string() });
const refused = { 403: error, 404: error, 409: error, 429: error };

/** Connects the own account with the OpenID provider, confirmed by its password. */
export function oidcLinkRoutes(parts: RouteParts): void {
  const { admin, site, account } = parts;
  const { oidc } = account;
  if (oidc === null) return;
  const body = { as: "json", limit: LIMIT, schema } as const;
  admin.route({
    method: "post",
    path: "/me/oidc",
    permission: "any",
    sessionOnly: true,
    summary: "Connect the own account with the OpenID provider: returns the address to open",
    responses: { 200: z.object({ url: z.string() }), ...refused },
    body,
    handler: async (req, res, { identity, body: { current } }) => {
      const user = await confirmed(parts, { req, res, identity }, current);
      assertOpen(oidc, user);
      const link = { userId: user.id, password: passwordDigest(user) };
      const url = await start(parts, oidc, { req, res, link });
      await site.http.json(req, res, { url: url.href });
    },
  });
  admin.route({
    method: "delete",
    path: "/me/oidc",
    permission: "any",
    sessionOnly: true,
    summary: "Disconnect the own account from the OpenID provider",
    responses: { 200: z.object({ linked: z.literal(false) }), ...refused },
    body,
    handler: async (req, res, { identity, body: { current } }) => {
      const user = await confirmed(parts, { req, res, identity }, current);
      if (!(await oidc.unlink(user.id))) throw notFound("the account is not connected");
      const target = { type: "user", id: user.id };
      note(parts, req, { event: "user.oidc_unlinked", actor: identity, target });
      await site.http.json(req, res, { linked: false });
    },
  });
}

/** @throws HttpError 409 for an account that the provider made. */
function assertOpen(oidc: PanelOidc, user: User): void {
  const { linked, removable } = oidc.linkOf(user);
  if (linked && !removable) throw new HttpError(409, "the account is the provider's own");
}

/** @throws HttpError 403, 409, 429. */
async function confirmed(
  parts: RouteParts,
  { req, identity }: Exchange & { identity: AdminIdentity },
  current: string,
): Promise<User> {
  const user = await ownUser(parts, identity);
  if (user.passwordHash === undefined) throw new HttpError(409, "the account has no password");
  await assertPassword(parts, { req, identity, user, event: "user.oidc" }, current);
  return user;
}
