import type { Request } from "express";
import { z } from "zod";
import { HttpError, safeNext } from "#kernel";
import type { AdminIdentity } from "../contract.js";
import { accountKey } from "../accounts/login-attempts.js";
import { permissionsOf } from "../accounts/permissions.js";
import { assertOwnPage, isForm, redirect } from "./account-forms.js";
import { startSession, type Exchange } from "./account-session.js";
import { answers } from "./answers.js";
import { loginPage } from "./panel.js";
import type { RouteParts } from "./route-parts.js";

const LOGIN_BYTES = 256 * 1024;
const MAX_PASSWORD_BYTES = 1_024;
const MAX_NAME_LENGTH = 320;

const loginBody = z.object({
  username: z.string().max(MAX_NAME_LENGTH).optional(),
  email: z.string().max(MAX_NAME_LENGTH).optional(),
  password: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= MAX_PASSWORD_BYTES, {
      error: `longer than ${MAX_PASSWORD_BYTES} bytes`,
    })
    .default(""),
  next: z.string().max(2_000).optional(),
});
type Credentials = z.infer<typeof loginBody>;

/** Signing in and out, by form or JSON. */
export function loginRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  admin.panel({
    method: "post",
    path: "/login",
    permission: "none",
    summary: "Sign in with username or email and password, as JSON or form",
    responses: answers.login,
    body: { as: "form", limit: LOGIN_BYTES, schema: loginBody },
    handler: (req, res, { body }) => login(parts, { req, res }, body),
  });
  admin.panel({
    method: "post",
    path: "/logout",
    permission: "any",
    summary: "Sign out",
    responses: answers.logout,
    body: { as: "form", limit: 4_096 },
    handler: (req, res) => logout(parts, { req, res }),
  });
  admin.route({
    method: "get",
    path: "/session",
    permission: "any",
    summary: "The signed-in account, its permissions and the CSRF token",
    responses: answers.session,
    handler: (req, res, { identity }) => site.http.json(req, res, sessionView(identity)),
  });
}

async function login(parts: RouteParts, { req, res }: Exchange, body: Credentials): Promise<void> {
  assertOwnPage(parts, req);
  const name = body.username ?? body.email ?? "";
  if (name === "" || body.password === "") {
    await refuse(
      parts,
      { req, res },
      { status: 400, message: "a username or e-mail address, and a password are required" },
    );
    return;
  }
  const address = parts.site.use("security").clientKey(req.ctx.ip);
  const wait = await parts.attempts.begin(name, address);
  if (wait > 0) {
    audit(parts, req, { name, outcome: "failure", why: "locked" });
    const message = `too many failed logins, try again in ${wait} seconds`;
    await refuse(parts, { req, res }, { status: 429, message, retryAfter: wait });
    return;
  }
  const refused = await judged(parts, { name, address }, () =>
    enter(parts, { req, res }, { name, password: body.password }),
  );
  if (refused !== null) {
    audit(parts, req, { name, outcome: "failure", why: refused.message });
    await refuse(parts, { req, res }, refused);
    return;
  }
  await welcome(parts, { req, res }, body);
}

/**
 * Only a wrong password counts as a failed login: a full disk or a database outage must not lock an
 * account.
 */
async function judged(
  { attempts }: RouteParts,
  { name, address }: { name: string; address: string },
  work: () => Promise<Refusal | null>,
): Promise<Refusal | null> {
  let refused: Refusal | null | undefined;
  try {
    refused = await work();
    return refused;
  } finally {
    if (refused === null) await attempts.succeeded(name, address);
    else if (refused?.status !== 401) await attempts.withdraw(name, address);
  }
}

/** Null when the session was created. */
async function enter(
  parts: RouteParts,
  { req, res }: Exchange,
  { name, password }: { name: string; password: string },
): Promise<Refusal | null> {
  const { site } = parts;
  const users = site.use("users");
  const user = await users.verifyPassword(name.trim(), password);
  if (user === null || user.enabled === false)
    return { status: 401, message: "the name or password is wrong" };
  if (permissionsOf(await users.rolesOf(user)).size === 0) {
    return { status: 403, message: "this account has no role for the admin panel" };
  }
  await startSession(parts, { req, res }, user);
  // The session exists: failing to record the visit must not fail the login.
  await users.touch(user).catch((error: unknown) => {
    site.log.warn("admin.touch_failed", { user: user.id, error: String(error) });
  });
  return null;
}

async function welcome(
  parts: RouteParts,
  { req, res }: Exchange,
  body: Credentials,
): Promise<void> {
  const identity = await parts.identities.signedIn(req);
  if (identity === null) throw new HttpError(503, "the session could not be read back");
  parts.admin.audit({ event: "auth.login", actor: identity, ip: req.ctx.ip });
  if (!isForm(req)) {
    await parts.site.http.json(req, res, sessionView(identity));
    return;
  }
  redirect(req, res, { to: ownPath(parts, body.next) });
}

async function logout(parts: RouteParts, { req, res }: Exchange): Promise<void> {
  const identity = parts.admin.identity(req);
  await parts.site.use("session").logout(req, res, "admin");
  parts.admin.audit({ event: "auth.logout", actor: identity, ip: req.ctx.ip });
  if (isForm(req)) redirect(req, res, { to: `${parts.admin.path}/login` });
  else await parts.site.http.json(req, res, { ok: true });
}

interface Refusal {
  status: number;
  message: string;
  retryAfter?: number;
}

async function refuse(parts: RouteParts, { req, res }: Exchange, refusal: Refusal): Promise<void> {
  const { status, message, retryAfter } = refusal;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  const code = status === 429 ? "ERR_ADMIN_LOCKED" : "ERR_ADMIN_LOGIN";
  if (!isForm(req)) throw new HttpError(status, message, { headers, code });
  const body: unknown = req.body;
  const next = typeof body === "object" && body !== null && "next" in body ? String(body.next) : "";
  const answer = await loginPage(parts, req, { error: message, next });
  parts.site.http.send(req, res, { ...answer, status, headers });
}

function audit(
  { admin }: RouteParts,
  req: Request,
  { name, outcome, why }: { name: string; outcome: "failure"; why: string },
): void {
  const detail = { username: accountKey(name).slice(0, 100), why };
  admin.audit({ event: "auth.login_failed", actor: null, ip: req.ctx.ip, detail, outcome });
}

/** The panel page to show after login. */
function ownPath({ admin }: RouteParts, next: string | undefined): string {
  const path = safeNext(next ?? "");
  return path === admin.path || path.startsWith(`${admin.path}/`) ? path : admin.path;
}

function sessionView(identity: AdminIdentity): Record<string, unknown> {
  const { id, name, email, roles, permissions, csrfToken } = identity;
  return { user: { id, name, email, roles }, permissions: [...permissions], csrfToken };
}
