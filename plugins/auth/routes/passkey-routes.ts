/** Passkeys of visitors: adding, renaming and removing them, and logging in with one. */
import type { Request } from "express";
import { z } from "zod";
import { AttemptLimiter } from "#lib/concurrency";
import { engineFailureFields, HttpError, type SiteContext } from "#kernel";
import type { EmailTemplate } from "../../email/contract.js";
import type { PasskeyLogin, User } from "../../users/contract.js";
import { nextParam } from "../next-address.js";
import {
  assertOwnSite,
  changedAccount,
  isFresh,
  requireStored,
  type OwnAccount,
} from "./account-guard.js";
import { redirect, type AuthContext, type VisitorPasskeys } from "./auth-context.js";
import { beginSession } from "./login-routes.js";

const MAX_BODY_BYTES = 131_072;
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
export function passkeyRoutes(context: AuthContext, passkeys: VisitorPasskeys): void {
  addRoutes(context, passkeys);
  changeRoutes(context, passkeys);
}

function addRoutes(context: AuthContext, { passkeys }: VisitorPasskeys): void {
  const { http, log, use } = context.site;
  const created = z.object({ ...csrf, name, response: use("passkeys").shapes.created });
  http.route({
    method: "post",
    path: `${PREFIX}/options`,
    summary: "Options for `navigator.credentials.create`, shortly after a login",
    responses: { 200: z.looseObject({ challenge: z.string() }), ...problems },
    body: { as: "json", limit: MAX_BODY_BYTES, schema: z.object(csrf) },
    handler: async (req, res, { body }) => {
      const { user, session } = await freshAccount(context, req, body._csrf);
      const options = await passkeys.creationOptions({ req, res }, { user, session: session.id });
      await http.json(req, res, options, { cache: { private: true } });
    },
  });
  http.route({
    method: "post",
    path: PREFIX,
    summary: "Add the passkey that the browser created",
    responses: { 201: passkey, ...problems },
    body: { as: "json", limit: MAX_BODY_BYTES, schema: created },
    handler: async (req, res, { body }) => {
      const { user, session } = await freshAccount(context, req, body._csrf);
      const added = await passkeys.add(
        { req, res },
        { userId: user.id, session: session.id, name: body.name, response: body.response },
      );
      log.info("auth.passkey_added", { user: user.id });
      await notifyOfPasskey(context.site, user.email, added.name);
      await http.json(
        req,
        res,
        { id: added.id, name: added.name },
        { status: 201, cache: { private: true } },
      );
    },
  });
}

function changeRoutes(context: AuthContext, { passkeys }: VisitorPasskeys): void {
  const { http, log } = context.site;
  const as = { as: "form", limit: 8_192 } as const;
  http.route({
    method: "post",
    path: `${PAGE}/passkeys`,
    summary: "Rename a passkey",
    hidden: true,
    body: { ...as, schema: z.object({ ...csrf, id, name }) },
    handler: async (req, res, { body }) => {
      const { user } = await changedAccount(context, req, body._csrf);
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
      const { user } = await changedAccount(context, req, body._csrf);
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
async function freshAccount(
  context: AuthContext,
  req: Request,
  token: unknown,
): Promise<OwnAccount> {
  const account = await changedAccount(context, req, token);
  requireStored(context, req);
  if (isFresh(context, account.session)) return account;
  throw new HttpError(403, "log in again before you add a passkey", { code: "ERR_AUTH_FRESH" });
}

function unknown(): HttpError {
  return new HttpError(404, "the account has no such passkey");
}

const TEMPLATE = "passkey-added";
/** A notice that is days late is still of use. */
const NOTICE_SECONDS = 7 * 86_400;

/** Values: `site`, `name`, `time`, `link`. */
const BUILT_IN: EmailTemplate = {
  subject: "New passkey for your account at {{site}}",
  text: `The passkey "{{name}}" was added to your account at {{site}}. Time: {{time}}.
If this was you, there is nothing to do. If it was not you, log in and remove it:

{{link}}

Then end the sessions that you do not know.
`,
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>New passkey for your account at {{site}}</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>The passkey "{{name}}" was added to your account at {{site}}. Time: {{time}}.
If this was you, there is nothing to do. If it was not you, log in and remove it:</p>
<p><a href="{{link}}">{{link}}</a></p>
<p>Then end the sessions that you do not know.</p>
</body>
</html>
`,
};

/** Registers the mail, which a theme can override. */
export function addPasskeyNotice(site: SiteContext): void {
  site.use("email", { optional: true })?.addTemplate(TEMPLATE, BUILT_IN);
}

/**
 * Mails the owner of an account that a passkey was added. A mail that cannot be queued is logged and
 * fails nothing.
 */
async function notifyOfPasskey(site: SiteContext, to: string, name: string): Promise<void> {
  const email = site.use("email", { optional: true });
  if (email === undefined || site.engines.slot("mailer").activeName === "none") return;
  if (email.parseAddress(to) === null) return;
  const { title, url } = site.settings.site;
  const time = new Date(site.runtime.clock.now()).toISOString();
  const values = { site: title, name, time, link: `${url}/auth/account` };
  try {
    await email.sendTemplate({ template: TEMPLATE, to, values, usefulSeconds: NOTICE_SECONDS });
  } catch (error) {
    site.log.warn("auth.notice_failed", engineFailureFields(error));
  }
}

const MAX_LOGIN_BYTES = 65_536;
const loginProblems = { 400: problem, 401: problem, 403: problem, 429: problem };

/** Declares the routes of logins below `/auth/passkeys`. */
export function passkeyLoginRoutes(
  context: AuthContext,
  { script, passkeys }: VisitorPasskeys,
): void {
  const { http, use } = context.site;
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
    responses: { 200: z.looseObject({ challenge: z.string() }), ...loginProblems },
    body: { as: "json", limit: MAX_LOGIN_BYTES, schema: z.looseObject({}) },
    handler: async (req, res) => {
      assertOwnSite(context, req);
      const options = await passkeys.requestOptions({ req, res });
      await http.json(req, res, options, { cache: { private: true } });
    },
  });
  const attempts = new AttemptLimiter(context.site.use("security").attempts);
  http.route({
    method: "post",
    path: `${PREFIX}/login`,
    summary: "Log in with the response of a passkey",
    responses: { 200: z.object({ location: z.string() }), ...loginProblems },
    body: { as: "json", limit: MAX_LOGIN_BYTES, schema: body },
    handler: async (req, res, { body: { response, next } }) => {
      assertOwnSite(context, req);
      const login = await passkeys.open({ req, res }, response);
      const user = await findUser(context, attempts, req, login);
      await beginSession(context, { req, res }, user, "passkey");
      await http.json(req, res, { location: next }, { cache: { private: true } });
    },
  });
}

/** @throws HttpError 400, 401, 409, 429. */
async function findUser(
  { site, users }: AuthContext,
  attempts: AttemptLimiter,
  req: Request,
  login: PasskeyLogin,
): Promise<User> {
  const { userId } = login;
  const address = site.use("security").clientKey(req.ctx.ip);
  const attempt = await beginAttempt(attempts, address, userId);
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
  attempt.failed();
  site.log.info("auth.passkey_login_failed", { user: userId });
  throw new HttpError(401, "the passkey is unknown or wrong", { code: "ERR_AUTH_PASSKEY" });
}

const WINDOW_MS = 15 * 60_000;
/** Failed logins with passkeys per window: from an address, for an account. */
const PER_ADDRESS = 30;
const PER_ACCOUNT = 100;

/** A login that counts as failed until it is checked. */
interface PasskeyAttempt {
  /** Seconds to wait; 0: proceed. */
  readonly wait: number;
  /** The login failed: the attempt stays counted. */
  failed(): void;
  /** Takes the attempt back: it succeeded, or was not checked. */
  withdraw(): Promise<void>;
}

/** Counts a login before it is checked, so that concurrent ones cannot exceed the limit. */
async function beginAttempt(
  attempts: AttemptLimiter,
  address: string,
  userId: string | null,
): Promise<PasskeyAttempt> {
  const limits: [string, number][] = [[`passkey:address:${address}`, PER_ADDRESS]];
  if (userId !== null) limits.push([`passkey:account:${userId}`, PER_ACCOUNT]);
  const taken: string[] = [];
  const failed = (): void => taken.forEach((key) => attempts.failed(key));
  const withdraw = async (): Promise<void> => {
    for (const key of taken) await attempts.release(key, WINDOW_MS);
  };
  for (const [key, limit] of limits) {
    const { allowed, retryAfterSeconds } = await attempts.take(key, limit, WINDOW_MS);
    if (!allowed) {
      await withdraw();
      taken.length = 0;
      return { wait: Math.max(1, retryAfterSeconds), failed, withdraw };
    }
    taken.push(key);
  }
  return { wait: 0, failed, withdraw };
}
