/** Passkeys of the own account: adding, renaming, removing. */
import type { Request } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { changedAccount, isFresh, type OwnAccount } from "./account-guard.js";
import { redirect } from "./answers.js";
import type { AuthParts, PasskeyParts } from "./auth-parts.js";
import { notifyOfPasskey } from "../visitors/passkey-notice.js";
import { requireStored } from "./link-routes.js";

const LIMIT = 131_072;
const PREFIX = "/auth/passkeys";
const PAGE = "/auth/account";
const csrf = { _csrf: z.string().max(100).optional() };
const name = z
  .string()
  .max(400)
  .transform((text) => text.replaceAll(/\p{C}+/gu, " ").trim())
  .pipe(z.string().min(1).max(100));
const id = z.string().regex(/^[\w-]{1,2048}$/);
const problem = z.object({ error: z.string() });
const problems = { 400: problem, 401: problem, 403: problem, 409: problem, 429: problem };
const passkey = z.object({ id: z.string(), name: z.string() });

/** Declares the routes that change the own passkeys. */
export function passkeyRoutes(parts: AuthParts, own: PasskeyParts): void {
  addRoutes(parts, own);
  changeRoutes(parts, own);
}

function addRoutes(parts: AuthParts, { passkeys }: PasskeyParts): void {
  const { http, log, use } = parts.site;
  const created = z.object({ ...csrf, name, response: use("passkeys").shapes.created });
  http.route({
    method: "post",
    path: `${PREFIX}/options`,
    summary: "Options for `navigator.credentials.create`, shortly after a login",
    responses: { 200: z.looseObject({ challenge: z.string() }), ...problems },
    body: { as: "json", limit: LIMIT, schema: z.object(csrf) },
    handler: async (req, res, { body }) => {
      const { user, session } = await freshAccount(parts, req, body._csrf);
      const options = await passkeys.creationOptions({ req, res }, { user, session: session.id });
      await http.json(req, res, options, { cache: { private: true } });
    },
  });
  http.route({
    method: "post",
    path: PREFIX,
    summary: "Add the passkey that the browser created",
    responses: { 201: passkey, ...problems },
    body: { as: "json", limit: LIMIT, schema: created },
    handler: async (req, res, { body }) => {
      const { user, session } = await freshAccount(parts, req, body._csrf);
      const added = await passkeys.add(
        { req, res },
        { userId: user.id, session: session.id, name: body.name, response: body.response },
      );
      log.info("auth.passkey_added", { user: user.id });
      await notifyOfPasskey(parts.site, user.email, added.name);
      await http.json(
        req,
        res,
        { id: added.id, name: added.name },
        { status: 201, cache: { private: true } },
      );
    },
  });
}

function changeRoutes(parts: AuthParts, { passkeys }: PasskeyParts): void {
  const { http, log } = parts.site;
  const as = { as: "form", limit: 8_192 } as const;
  http.route({
    method: "post",
    path: `${PAGE}/passkeys`,
    summary: "Rename a passkey",
    hidden: true,
    body: { ...as, schema: z.object({ ...csrf, id, name }) },
    handler: async (req, res, { body }) => {
      const { user } = await changedAccount(parts, req, body._csrf);
      if ((await passkeys.rename(user.id, body.id, body.name)) === null) throw unknown();
      redirect(http, { req, res }, `${PAGE}?message=passkey_renamed`);
    },
  });
  http.route({
    method: "post",
    path: `${PAGE}/passkeys/remove`,
    hidden: true,
    summary: "Remove a passkey",
    body: { ...as, schema: z.object({ ...csrf, id }) },
    handler: async (req, res, { body }) => {
      const { user } = await changedAccount(parts, req, body._csrf);
      if (!(await passkeys.remove(user.id, body.id))) throw unknown();
      log.info("auth.passkey_removed", { user: user.id });
      redirect(http, { req, res }, `${PAGE}?message=passkey_removed`);
    },
  });
}

/**
 * A stolen or forgotten session must not add a way to log in.
 * @throws HttpError 400 when no store keeps the account, 401, 403, 429, 503.
 */
async function freshAccount(parts: AuthParts, req: Request, token: unknown): Promise<OwnAccount> {
  const own = await changedAccount(parts, req, token);
  requireStored(parts, req);
  if (isFresh(parts, own.session)) return own;
  throw new HttpError(403, "log in again before you add a passkey", { code: "ERR_AUTH_FRESH" });
}

function unknown(): HttpError {
  return new HttpError(404, "the account has no such passkey");
}
