import { z } from "zod";
import type { User } from "../../../users/contract.js";
import {
  isCurrentStep,
  openStep,
  sealStep,
  type LoginStep,
  type StepSeal,
} from "../../accounts/totp.js";
import {
  assertOwnPage,
  isForm,
  redirect,
  auditFailure,
  loginResponses,
  refuse,
  sessionView,
  signIn,
  welcome,
  type Refusal,
} from "./sign-in.js";
import { markBrowser } from "../account/sessions.js";
import type { AdminContext, Exchange } from "../admin-context.js";
import { systemApi } from "../../schemas/system.js";

const LOGIN_BYTES = 256 * 1024;
const MAX_PASSWORD_BYTES = 1_024;
const MAX_NAME_LENGTH = 320;
const STEP_KEY = "admin-login-step";

const loginBody = z.object({
  username: z.string().max(MAX_NAME_LENGTH).optional(),
  email: z.string().max(MAX_NAME_LENGTH).optional(),
  password: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= MAX_PASSWORD_BYTES, {
      error: `longer than ${MAX_PASSWORD_BYTES} bytes`,
    })
    .default(""),
  code: z.string().max(64).optional().describe("Of the authenticator app, or a recovery code"),
  step: z.string().max(2_000).optional().describe("In place of name and password, with `code`"),
  next: z.string().max(2_000).optional(),
});
type Credentials = z.infer<typeof loginBody>;

/** Signing in and out, by form or JSON. */
export function loginRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.panel({
    method: "post",
    path: "/login",
    permission: "none",
    summary: "Sign in with username or email and password, as JSON or form",
    responses: loginResponses,
    body: { as: "form", limit: LOGIN_BYTES, schema: loginBody },
    handler: (req, res, { body }) => login(context, { req, res }, body),
  });
  admin.panel({
    method: "post",
    path: "/logout",
    permission: "any",
    summary: "Sign out",
    responses: { 200: z.object({ ok: z.literal(true) }), 303: null },
    body: { as: "form", limit: 4_096 },
    handler: (req, res) => logout(context, { req, res }),
  });
  admin.route({
    method: "get",
    path: "/session",
    permission: "any",
    summary: "The signed-in account, its permissions and the CSRF token",
    responses: systemApi["GET /session"].responses,
    handler: (req, res, { identity }) => site.http.json(req, res, sessionView(identity)),
  });
}

/** A login with what was entered so far. */
interface Attempt {
  name: string;
  password: string;
  code: string;
  step: LoginStep | null;
}

async function login(
  context: AdminContext,
  { req, res }: Exchange,
  body: Credentials,
): Promise<void> {
  assertOwnPage(context, req);
  const entered = await checkCredentials(context, body);
  if ("status" in entered) return refuse(context, { req, res }, entered);
  const { name } = entered;
  const address = context.site.use("security").clientKey(req.ctx.ip);
  const wait = await context.attempts.begin(name, address);
  if (wait > 0) {
    auditFailure(context, req, name, "locked");
    return refuse(context, { req, res }, locked(wait));
  }
  const refused = await judged(context, name, address, () => enter(context, { req, res }, entered));
  if (refused === null) {
    return welcome(context, { req, res }, { next: body.next, method: "password" });
  }
  if (refused.isFirst !== true) auditFailure(context, req, name, refused.message);
  await refuse(context, { req, res }, refused);
}

async function checkCredentials(
  context: AdminContext,
  body: Credentials,
): Promise<Attempt | Refusal> {
  const { password, code = "" } = body;
  if (body.step !== undefined && body.step !== "") {
    const step = openStep(body.step, await stepSeal(context));
    if (step === null) return { status: 401, message: "the login took too long: start again" };
    return { name: step.name, password: "", code, step };
  }
  const name = body.username ?? body.email ?? "";
  if (name !== "" && password !== "") return { name, password, code, step: null };
  return { status: 400, message: "a username or e-mail address, and a password are required" };
}

/**
 * Only a wrong password or code counts as a failed login: a full disk or a database outage must not lock
 * an account.
 */
async function judged(
  { attempts }: AdminContext,
  name: string,
  address: string,
  work: () => Promise<Refusal | null>,
): Promise<Refusal | null> {
  let refused: Refusal | null | undefined;
  try {
    refused = await work();
    return refused;
  } finally {
    const isFailure = refused?.status === 401 && refused.isFirst !== true;
    if (refused === null) await attempts.succeeded(name, address);
    else if (isFailure) attempts.failed(name, address);
    else await attempts.withdraw(name, address);
  }
}

/** Null when the session was created. */
async function enter(
  context: AdminContext,
  exchange: Exchange,
  attempt: Attempt,
): Promise<Refusal | null> {
  const users = context.site.use("users");
  const user = await proven(context, attempt);
  if (user === null || user.enabled === false)
    return { status: 401, message: "the name or password is wrong" };
  if (!context.account.roles.open(await users.rolesOf(user))) {
    return { status: 403, message: "this account has no role for the admin panel" };
  }
  const refused = await checkCode(context, user, attempt);
  if (refused !== null) return refused;
  await signIn(context, exchange, user);
  return null;
}

/** The account of the password, which was entered now or a moment ago. */
async function proven({ site }: AdminContext, attempt: Attempt): Promise<User | null> {
  const { name, password, step } = attempt;
  const users = site.use("users");
  if (step === null) return users.verifyPassword(name.trim(), password);
  const user = await users.get(step.userId);
  return user !== null && isCurrentStep(step, user) ? user : null;
}

/** Null when the account needs no code, or the code is right. */
async function checkCode(
  context: AdminContext,
  user: User,
  { name, code }: Attempt,
): Promise<Refusal | null> {
  const { account, attempts } = context;
  if (!(await account.totp.status(user.id)).enabled) return null;
  const step = sealStep(user, name, await stepSeal(context));
  if (code.trim() === "") {
    const message = "enter the code of your authenticator app";
    return { status: 401, message, step, isFirst: true };
  }
  const wait = await attempts.beginCode(user.id);
  if (wait > 0) return locked(wait);
  let isRight = false;
  try {
    isRight = await account.totp.accept(user.id, code);
  } finally {
    if (!isRight) attempts.codeFailed(user.id);
  }
  if (!isRight) {
    return { status: 401, message: "the code is wrong, expired or already used", step };
  }
  await attempts.codeSucceeded(user.id);
  return null;
}

async function logout(context: AdminContext, { req, res }: Exchange): Promise<void> {
  const identity = context.admin.identity(req);
  await context.site.use("session").logout(req, res, "admin");
  markBrowser(context.site, res, 0);
  context.admin.audit({ event: "auth.logout", actor: identity, ip: req.ctx.ip });
  if (isForm(req)) redirect(req, res, `${context.admin.path}/login`);
  else await context.site.http.json(req, res, { ok: true });
}

function locked(wait: number): Refusal {
  const message = `too many failed logins, try again in ${wait} seconds`;
  return { status: 429, message, retryAfter: wait };
}

async function stepSeal({ site }: AdminContext): Promise<StepSeal> {
  const key = await site.use("session").secret(STEP_KEY);
  return { key, now: site.runtime.clock.now() };
}
