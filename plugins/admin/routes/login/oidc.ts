/** Signing in with an OpenID provider. */
import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { openText, sealText } from "#lib/secrets";
import type { OpenIdProfile } from "../../../auth/contract.js";
import { notifyOwner } from "../../accounts/account-mail.js";
import { isCurrentStep, passwordDigest } from "../../accounts/totp.js";
import { ADMIN_HEADERS } from "../../admin-headers.js";
import type { PanelOidc } from "../../accounts/panel-oidc.js";
import { assertPassword, ownUser } from "../account/sessions.js";
import { loginPage } from "../panel.js";
import {
  type AdminContext,
  note,
  notFound,
  type Exchange,
  type IdentifiedRequest,
} from "../admin-context.js";
import type { User } from "../../../users/contract.js";
import { sendForm, auditFailure, ownPath, signIn } from "./sign-in.js";
import { ownAccountApi } from "../../schemas/accounts.js";

const COOKIE = "site_admin_oidc";
const SECONDS = 600;
const MAX_NEXT = 1_000;
const pending = z.object({
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  next: z.string(),
  until: z.number(),
  /** The account that is linked, with the digest of its password; null: a login. */
  link: z.object({ userId: z.string(), password: z.string() }).nullable(),
});
type Pending = z.infer<typeof pending>;

/** The button of the login page, and the address that the provider redirects to. */
export function oidcRoutes(context: AdminContext): void {
  const { admin, account } = context;
  const { oidc } = account;
  if (oidc === null) return;
  admin.panel({
    method: "get",
    path: "/oidc",
    permission: "none",
    summary: "Sign in with the OpenID provider",
    handler: (req, res) =>
      withPage(context, { req, res }, async () => {
        const target = await start(context, oidc, { req, res }, null);
        const { ctx } = req;
        res.writeHead(302, { ...ctx.responseHeaders, ...ADMIN_HEADERS, Location: target.href });
        res.end();
      }),
  });
  admin.panel({
    method: "get",
    path: "/oidc/callback",
    permission: "none",
    summary: "Where the OpenID provider redirects to",
    handler: (req, res) =>
      withPage(context, { req, res }, () => finish(context, oidc, { req, res })),
  });
}

/** Prepares a login, or the linking of an account; returns the address of the provider. */
async function start(
  context: AdminContext,
  oidc: PanelOidc,
  { req, res }: Exchange,
  link: Pending["link"],
): Promise<URL> {
  const random = (): string => randomBytes(32).toString("base64url");
  const checks = { state: random(), verifier: random(), nonce: random() };
  const requested = ownPath(context, new URLSearchParams(req.ctx.search).get("next") ?? "");
  const next = requested.length > MAX_NEXT ? context.admin.path : requested;
  const target = await oidc.client().start(checks);
  const until = context.site.runtime.clock.now() + SECONDS * 1_000;
  const state: Pending = { ...checks, next, until, link };
  setCookie(context, res, sealText(JSON.stringify(state), await readKey(context)));
  return target;
}

async function finish(
  context: AdminContext,
  oidc: PanelOidc,
  { req, res }: Exchange,
): Promise<void> {
  const query = new URLSearchParams(req.ctx.search);
  const state = await openPending(context, req, query.get("state") ?? "");
  setCookie(context, res, "");
  if (state === null) {
    throw new HttpError(400, "this login was not started in this browser, or has expired");
  }
  if (query.has("error")) throw new HttpError(403, "the provider refused the login");
  // Never derived from `Host`.
  const callback = new URL(`${oidc.redirectUri}?${req.ctx.search}`);
  const profile = await oidc.client().finish(callback, state);
  if (state.link !== null)
    return finishLink(context, oidc, { req, res, link: state.link, profile });
  const user = await oidc.userOf(profile);
  await signIn(context, { req, res }, user);
  const identity = await context.identities.signedIn(req);
  const detail = { method: "oidc" };
  context.admin.audit({ event: "auth.login", actor: identity, ip: req.ctx.ip, detail });
  // The session's cookie is not sent along redirects that began at the provider (SameSite=Strict).
  sendForm(
    context,
    { req, res },
    {
      heading: "Signed in",
      text: "The panel opens.",
      error: null,
      form: null,
      link: { href: state.next, label: "Open the panel" },
      refresh: state.next,
    },
  );
}

/** The end of linking an account. */
interface LinkRequest extends Exchange {
  readonly link: NonNullable<Pending["link"]>;
  readonly profile: OpenIdProfile;
}

/** Links an account whose owner started it with the password; opens no session. */
async function finishLink(
  context: AdminContext,
  oidc: PanelOidc,
  { req, res, link, profile }: LinkRequest,
): Promise<void> {
  const { site, admin } = context;
  const user = await site.use("users").get(link.userId);
  if (user === null || user.enabled === false || !isCurrentStep(link, user)) {
    throw new HttpError(403, "the account has changed: sign in and connect it again");
  }
  await oidc.link(user.id, profile);
  await notifyOwner(site, user.email, "oidc");
  const actor = { id: user.id, name: user.name ?? user.email };
  const target = { type: "user", id: user.id };
  admin.audit({ event: "user.oidc_linked", actor, ip: req.ctx.ip, target });
  const account = `${admin.path}/account`;
  sendForm(
    context,
    { req, res },
    {
      heading: "Connected",
      text: "From now on you can also sign in with this provider.",
      error: null,
      form: null,
      link: { href: account, label: "Open your account" },
      refresh: account,
    },
  );
}

/** The login that this browser started, usable once. */
async function openPending(
  context: AdminContext,
  req: Request,
  state: string,
): Promise<Pending | null> {
  const { cookie = "" } = req.headers;
  const sealed = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(cookie)?.[1] ?? "";
  const text = openText(sealed, await readKey(context));
  const { data } = pending.safeParse(text === null ? null : JSON.parse(text));
  if (data === undefined || data.state !== state) return null;
  if (data.until <= context.site.runtime.clock.now()) return null;
  const isFirst = await context.site.use("session").claim(`panel-oidc:${state}`, SECONDS);
  return isFirst ? data : null;
}

/** Errors appear on the login page. */
async function withPage(
  context: AdminContext,
  { req, res }: Exchange,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, message } = error;
    auditFailure(context, req, "oidc", message);
    const answer = await loginPage(context, req, { error: message, next: "" });
    context.site.http.send(req, res, { ...answer, status });
  }
}

function readKey({ site }: AdminContext): Promise<Buffer> {
  return site.use("session").secret(COOKIE);
}

/** Lax: the provider's redirect comes from another site. */
function setCookie({ site, admin }: AdminContext, res: Response, value: string): void {
  const age = value === "" ? 0 : SECONDS;
  const secure = site.runtime.env.mode === "dev" ? "" : "; Secure";
  const path = `${admin.path}/oidc`;
  res.appendHeader(
    "Set-Cookie",
    `${COOKIE}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
  );
}

const LIMIT = 16_384;

/** Connects the own account with the OpenID provider, confirmed by its password. */
export function oidcLinkRoutes(context: AdminContext): void {
  const { admin, site, account } = context;
  const { oidc } = account;
  if (oidc === null) return;
  const body = { as: "json", limit: LIMIT, schema: ownAccountApi["POST /me/oidc"].body } as const;
  admin.route({
    method: "post",
    path: "/me/oidc",
    permission: "any",
    sessionOnly: true,
    summary: "Connect the own account with the OpenID provider: returns the address to open",
    responses: ownAccountApi["POST /me/oidc"].responses,
    body,
    handler: async (req, res, { identity, body: { current } }) => {
      const user = await confirmed(context, { req, identity }, current);
      assertOpen(oidc, user);
      const link = { userId: user.id, password: passwordDigest(user) };
      const url = await start(context, oidc, { req, res }, link);
      await site.http.json(req, res, { url: url.href });
    },
  });
  admin.route({
    method: "delete",
    path: "/me/oidc",
    permission: "any",
    sessionOnly: true,
    summary: "Disconnect the own account from the OpenID provider",
    responses: ownAccountApi["DELETE /me/oidc"].responses,
    body,
    handler: async (req, res, { identity, body: { current } }) => {
      const user = await confirmed(context, { req, identity }, current);
      if (!(await oidc.unlink(user.id))) throw notFound("the account is not connected");
      const target = { type: "user", id: user.id };
      note(context, req, { event: "user.oidc_unlinked", actor: identity, target });
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
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  current: string,
): Promise<User> {
  const user = await ownUser(context, identity);
  if (user.passwordHash === undefined) throw new HttpError(409, "the account has no password");
  await assertPassword(context, { req, identity, user, event: "user.oidc" }, current);
  return user;
}
