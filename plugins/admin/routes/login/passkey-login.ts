import { z } from "zod";
import { HttpError } from "#kernel";
import type { SignedPasskey, User } from "../../../users/contract.js";
import { refusal } from "../../errors.js";
import { assertOwnPage } from "./forms.js";
import { auditFailure, loginResponses, signIn, welcome } from "./sign-in.js";
import { assertAvailable } from "../account/passkeys.js";
import type { Exchange } from "../account/session.js";
import type { RouteParts } from "../route-parts.js";

const LIMIT = 16_384;
const text = z.string();
const error = z.object({ error: text });
/** Signing in with a passkey. */
export function passkeyLoginRoutes(parts: RouteParts): void {
  const { admin, site, account } = parts;
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
    body: { as: "json", limit: LIMIT, schema: z.looseObject({}) },
    handler: async (req, res) => {
      assertOwnPage(parts, req);
      assertAvailable(parts);
      await site.http.json(req, res, await account.passkeys.requestOptions({ req, res }));
    },
  });
  admin.panel({
    method: "post",
    path: "/login/passkey",
    permission: "none",
    summary: "Sign in with the response of a passkey",
    responses: { ...loginResponses, 409: error },
    body: { as: "json", limit: LIMIT, schema: loginBody },
    handler: async (req, res, { body }) => {
      assertOwnPage(parts, req);
      const user = await passkeyUser(parts, { req, res }, body.response);
      await signIn(parts, { req, res }, user);
      await welcome(parts, { req, res }, { next: body.next, method: "passkey" });
    },
  });
}

/** @throws HttpError 400, 401, 403, 429. */
async function passkeyUser(
  parts: RouteParts,
  exchange: Exchange,
  response: SignedPasskey,
): Promise<User> {
  const { site, account, attempts } = parts;
  const login = await account.passkeys.open(exchange, response);
  const user = login.userId === null ? null : await site.use("users").get(login.userId);
  const name = user?.email ?? "passkey";
  const address = site.use("security").clientKey(exchange.req.ctx.ip);
  const wait = await attempts.begin(name, address);
  if (wait > 0) {
    const headers = { "Retry-After": String(wait) };
    const message = `too many failed logins, try again in ${wait} seconds`;
    throw refusal(429, "ERR_ADMIN_LOCKED", { message, headers });
  }
  const isProven = await login.isProven().catch(async (cause: unknown) => {
    await attempts.withdraw(name, address);
    throw cause;
  });
  if (!isProven || user === null || user.enabled === false) {
    auditFailure(parts, exchange.req, { name, why: "passkey" });
    throw refusal(401, "ERR_ADMIN_LOGIN", { message: "the passkey is unknown or wrong" });
  }
  await attempts.succeeded(name, address);
  if (!account.roles.open(await site.use("users").rolesOf(user))) {
    throw new HttpError(403, "this account has no role for the admin panel");
  }
  return user;
}
