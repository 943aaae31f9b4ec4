/** Logging in with a passkey, and the script for it. */
import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import type { SignedPasskey, User } from "../../users/contract.js";
import { beginAttempt } from "../login/passkey-attempts.js";
import { nextParam } from "../login/next-param.js";
import type { AuthParts, PasskeyParts } from "./auth-parts.js";
import { assertOwnSite } from "./account-guard.js";
import { beginSession } from "./sign-in.js";

const LIMIT = 65_536;
const PREFIX = "/auth/passkeys";
const problem = z.object({ error: z.string() });
const problems = { 400: problem, 401: problem, 403: problem, 429: problem };

/** Declares the routes of logins below `/auth/passkeys`. */
export function passkeyLoginRoutes(parts: AuthParts, { script, passkeys }: PasskeyParts): void {
  const { http, use } = parts.site;
  const body = z.object({ response: use("passkeys").shapes.signed, next: nextParam });
  http.jsonPrefix(PREFIX);
  http.route({
    method: "get",
    path: script.url,
    summary: "The script of passkeys",
    hidden: true,
    handler: (req, res) =>
      http.send(req, res, {
        type: "text/javascript; charset=utf-8",
        body: script.text,
        headers: { "Cache-Control": "public, max-age=31536000, immutable" },
      }),
  });
  http.route({
    method: "post",
    path: `${PREFIX}/login/options`,
    summary: "Options for `navigator.credentials.get`",
    responses: { 200: z.looseObject({ challenge: z.string() }), ...problems },
    body: { as: "json", limit: LIMIT, schema: z.looseObject({}) },
    handler: async (req, res) => {
      assertOwnSite(parts, req);
      const options = await passkeys.requestOptions({ req, res });
      await http.json(req, res, options, { cache: { private: true } });
    },
  });
  http.route({
    method: "post",
    path: `${PREFIX}/login`,
    summary: "Log in with the response of a passkey",
    responses: { 200: z.object({ location: z.string() }), ...problems },
    body: { as: "json", limit: LIMIT, schema: body },
    handler: async (req, res, { body: { response, next } }) => {
      assertOwnSite(parts, req);
      const user = await userOf(parts, { req, res }, { passkeys, response });
      await beginSession(parts, { req, res }, { user, provider: "passkey" });
      await http.json(req, res, { location: next }, { cache: { private: true } });
    },
  });
}

/** @throws HttpError 400, 401, 409, 429. */
async function userOf(
  { site, users }: AuthParts,
  exchange: { req: Request; res: Response },
  { passkeys, response }: Pick<PasskeyParts, "passkeys"> & { response: SignedPasskey },
): Promise<User> {
  const security = site.use("security");
  const login = await passkeys.open(exchange, response);
  const { userId } = login;
  const address = security.clientKey(exchange.req.ctx.ip);
  const attempt = await beginAttempt(security.attempts, { address, userId });
  if (attempt.wait > 0) {
    const headers = { "Retry-After": String(attempt.wait) };
    const message = `too many failed logins, try again in ${attempt.wait} seconds`;
    throw new HttpError(429, message, { headers });
  }
  try {
    const isProven = await login.isProven();
    const user = isProven && userId !== null ? await users.get(userId) : null;
    if (user !== null) {
      await attempt.withdraw();
      return user;
    }
  } catch (error) {
    // A store that is down is no failed login.
    await attempt.withdraw();
    throw error;
  }
  site.log.info("auth.passkey_login_failed", { user: userId });
  throw new HttpError(401, "the passkey is unknown or wrong", { code: "ERR_AUTH_PASSKEY" });
}
