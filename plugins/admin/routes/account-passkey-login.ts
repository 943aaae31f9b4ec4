import { z } from "zod";
import { HttpError } from "#kernel";
import type { User } from "../../users/contract.js";
import type { Passkey } from "../accounts/passkeys.js";
import { permissionsOf } from "../accounts/permissions.js";
import { refusal } from "../refusals.js";
import { startChallenge, takeChallenge } from "./account-challenge.js";
import { assertOwnPage } from "./account-forms.js";
import { auditFailure, loginResponses, signIn, welcome } from "./account-login.js";
import { assertRelyingParty } from "./account-passkeys.js";
import type { Exchange } from "./account-session.js";
import type { RouteParts } from "./route-parts.js";

const LIMIT = 16_384;
const PURPOSE = "login";
const text = z.string();
const error = z.object({ error: text });
const encoded = z
  .string()
  .max(8_192)
  .regex(/^[\w-]+$/, { error: "base64url" });
const loginBody = z.object({
  response: z.object({
    id: encoded,
    response: z.object({
      clientDataJSON: encoded,
      authenticatorData: encoded,
      signature: encoded,
      userHandle: encoded,
    }),
  }),
  next: z.string().max(2_000).optional(),
});
type Assertion = z.infer<typeof loginBody>["response"];

/** Signing in with a passkey. */
export function passkeyLoginRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.panel({
    method: "post",
    path: "/login/passkey/options",
    permission: "none",
    summary: "Options for `navigator.credentials.get`",
    responses: { 200: z.looseObject({ challenge: text }), 403: error, 409: error },
    body: { as: "json", limit: 1_024, schema: z.looseObject({}) },
    handler: async (req, res) => {
      assertOwnPage(parts, req);
      const { id: rpID } = assertRelyingParty(parts);
      const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
      const challenge = await startChallenge(parts, { req, res }, PURPOSE);
      const options = { rpID, challenge, userVerification: "required" } as const;
      await site.http.json(req, res, await generateAuthenticationOptions(options));
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
  assertion: Assertion,
): Promise<User> {
  const { site, account, attempts } = parts;
  const challenge = await takeChallenge(parts, exchange, PURPOSE);
  const handle = Buffer.from(assertion.response.userHandle, "base64url").toString("utf8");
  const found = await account.passkeys.find(handle, assertion.id);
  const user = found === null ? null : await site.use("users").get(found.userId);
  const name = user?.email ?? "passkey";
  const address = site.use("security").clientKey(exchange.req.ctx.ip);
  const wait = await attempts.begin(name, address);
  if (wait > 0) {
    const headers = { "Retry-After": String(wait) };
    const message = `too many failed logins, try again in ${wait} seconds`;
    throw refusal(429, "ERR_ADMIN_LOCKED", { message, headers });
  }
  const isProven = await isSigned(parts, { assertion, challenge, found }).catch(
    async (cause: unknown) => {
      await attempts.withdraw(name, address);
      throw cause;
    },
  );
  if (!isProven || user === null || user.enabled === false) {
    auditFailure(parts, exchange.req, { name, why: "passkey" });
    throw refusal(401, "ERR_ADMIN_LOGIN", { message: "the passkey is unknown or wrong" });
  }
  await attempts.succeeded(name, address);
  if (permissionsOf(await site.use("users").rolesOf(user)).size === 0) {
    throw new HttpError(403, "this account has no role for the admin panel");
  }
  return user;
}

/** True when the passkey signed this challenge, and its counter grew. */
async function isSigned(
  parts: RouteParts,
  login: {
    assertion: Assertion;
    challenge: string;
    found: { userId: string; passkey: Passkey } | null;
  },
): Promise<boolean> {
  const { assertion, challenge, found } = login;
  if (found === null) return false;
  const { userId, passkey } = found;
  const { id, response } = assertion;
  const party = assertRelyingParty(parts);
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { publicKey, counter, transports } = passkey;
  const result = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      ...{ id, counter, transports },
      publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
    },
  }).catch((cause: unknown) => {
    parts.site.log.info("admin.passkey_refused", { error: String(cause) });
    return null;
  });
  if (result?.verified !== true) return false;
  return parts.account.passkeys.use(userId, id, result.authenticationInfo.newCounter);
}
