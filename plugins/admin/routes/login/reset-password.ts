import { z } from "zod";
import { HttpError } from "#kernel";
import { parseEmailAddress } from "#lib/text";
import { notifyOwner, findMailer, mailReset } from "../../accounts/account-mail.js";
import { isCurrentReset, type PasswordReset, RESET_MINUTES } from "../../accounts/mailed-links.js";
import { MAX_PASSWORD } from "../../schemas/values.js";
import type { AccountFormProps } from "../../templates/login.js";
import type { AdminContext, Exchange } from "../admin-context.js";
import { refusal } from "../../errors.js";
import { assertOwnPage, FORM_BYTES, handleForm, isForm, sendForm } from "./sign-in.js";

const passwordBody = z.object({ password: z.string().max(MAX_PASSWORD).default("") });
const ok = z.object({ ok: z.literal(true) });
const error = z.object({ error: z.string() });
const INVALID = "This link has expired or was already used. Request another one.";

/** Setting a new password with a link from a mail. */
export function resetRoutes(context: AdminContext): void {
  const { admin, account } = context;
  admin.panel({
    method: "get",
    path: "/reset/:token",
    permission: "none",
    summary: "Page that sets a new password",
    handler: async (req, res, { params }) => {
      const { token = "" } = params;
      const isValid = (await account.resets.find(token)) !== null;
      showPassword(context, { req, res }, { token, isValid, error: null });
    },
  });
  admin.panel({
    method: "post",
    path: "/reset/:token",
    permission: "none",
    summary: "Set a new password with the link of a mail, as JSON or form",
    responses: { 200: ok, 404: error },
    body: { as: "form", limit: FORM_BYTES, schema: passwordBody },
    handler: (req, res, { params, body: { password } }) => {
      const { token = "" } = params;
      return handleForm(
        req,
        () => setPassword(context, { req, res }, token, password),
        async (failure) => {
          const isValid = (await account.resets.find(token)) !== null;
          showPassword(context, { req, res }, { token, isValid, error: failure });
        },
      );
    },
  });
}

async function setPassword(
  context: AdminContext,
  { req, res }: Exchange,
  token: string,
  password: string,
): Promise<void> {
  assertOwnPage(context, req);
  const { site, admin, account } = context;
  const email = await account.resets.use(token, (reset) => replace(context, reset, password));
  if (email === null) throw new HttpError(404, INVALID);
  if (!isForm(req)) return site.http.json(req, res, { ok: true });
  sendForm(
    context,
    { req, res },
    {
      heading: "Password changed",
      text: "Your new password is set, and all sessions of the account have ended.",
      error: null,
      form: signInForm(admin.path, email),
      link: null,
    },
  );
}

/** The login form with the address filled in; the password, and a second factor, are asked for. */
function signInForm(path: string, email: string): AccountFormProps["form"] {
  return {
    action: `${path}/login`,
    fields: [
      {
        name: "username",
        label: "E-mail address",
        type: "email",
        value: email,
        autocomplete: "username",
      },
      {
        name: "password",
        label: "Password",
        type: "password",
        isFocused: true,
        autocomplete: "current-password",
      },
    ],
    button: "Sign in",
  };
}

/** The address of the account; null when it is gone, or has another password since the link was sent. */
async function replace(
  { site, admin }: AdminContext,
  reset: PasswordReset,
  password: string,
): Promise<string | null> {
  const users = site.use("users");
  const user = await users.get(reset.userId);
  if (user === null || user.enabled === false || !isCurrentReset(reset, user)) return null;
  await users.setPassword(user.id, password);
  await notifyOwner(site, user.email, "password");
  const target = { type: "user", id: user.id };
  admin.audit({
    event: "user.password",
    actor: { id: user.id, name: user.name ?? user.email },
    target,
    detail: { by: "reset link" },
  });
  return user.email;
}

/** State of the page for a new password. */
interface PasswordPage {
  readonly token: string;
  /** False: the link is not valid. */
  readonly isValid: boolean;
  /** Why the password could not be set. */
  readonly error: HttpError | null;
}

function showPassword(
  context: AdminContext,
  exchange: Exchange,
  { token, isValid, error: failure }: PasswordPage,
): void {
  const { admin } = context;
  if (!isValid) {
    const link = { href: `${admin.path}/reset`, label: "Request another link" };
    const page = { heading: "New password", text: INVALID, error: null, form: null, link };
    return sendForm(context, exchange, { ...page, status: 404 });
  }
  sendForm(context, exchange, {
    heading: "New password",
    text: "Choose a new password. All sessions of the account end.",
    error: failure?.message ?? null,
    status: failure?.status ?? 200,
    form: {
      action: `${admin.path}/reset/${token}`,
      fields: [
        {
          name: "password",
          label: "New password",
          type: "password",
          isFocused: true,
          autocomplete: "new-password",
          hint: "At least 12 characters.",
        },
      ],
      button: "Set password",
    },
    link: null,
  });
}

const WINDOW_MS = 3_600_000;
/** Requests per hour. */
const PER_ADDRESS = 3;
const PER_CLIENT = 20;
const requestBody = z.object({
  email: z.string().max(320).default(""),
  username: z.string().max(320).default("").describe("In place of email: what the login form sent"),
});
const responses = { 200: z.object({ ok: z.literal(true) }), 503: z.object({ error: z.string() }) };
const SENT = `If an account has this address, a mail with a link is on its way. The link works for ${RESET_MINUTES} minutes.`;

/** Requesting a link that sets a new password. */
export function resetRequestRoutes(context: AdminContext): void {
  addRequest(context, "/api/password-reset");
  addRequest(context, "/reset");
  context.admin.panel({
    method: "get",
    path: "/reset",
    permission: "none",
    summary: "Page that requests a link for a new password",
    handler: (req, res) => showRequest(context, { req, res }, { error: null }),
  });
}

function addRequest(context: AdminContext, path: string): void {
  const { admin, site } = context;
  const isApi = path.startsWith("/api/");
  admin.panel({
    method: "post",
    path,
    permission: "none",
    summary: "Send a link for a new password; the answer is the same for unknown addresses",
    ...(isApi && { responses }),
    body: { as: isApi ? "json" : "form", limit: FORM_BYTES, schema: requestBody },
    handler: (req, res, { body }) =>
      handleForm(
        req,
        async () => {
          const email = body.email || body.username;
          // From the login form, with a name or with nothing in its field: the next page asks.
          if (isForm(req) && body.email === "" && !email.includes("@")) {
            return showRequest(context, { req, res }, { error: null });
          }
          await requestLink(context, { req, res }, email);
          if (!isForm(req)) await site.http.json(req, res, { ok: true });
          else showRequest(context, { req, res }, { error: null, isSent: true });
        },
        (failure) => showRequest(context, { req, res }, { error: failure }),
      ),
  });
}

/** @throws HttpError 400, 429, 503. */
async function requestLink(context: AdminContext, { req }: Exchange, value: string): Promise<void> {
  assertOwnPage(context, req);
  const { site } = context;
  const email = parseEmailAddress(value.trim());
  if (email === null) {
    throw new HttpError(400, "email: expected an address like name@example.org");
  }
  await countRequest(context, req.ctx.ip, email);
  if (findMailer(site) === null) {
    const fix = "add an email block to site.yaml, or set the password with site users:set-password";
    site.log.warn("admin.reset_unavailable", { reason: "the site has no mailer", fix });
    const message = "this site sends no mail: an admin can set a new password";
    throw refusal(503, "ERR_ADMIN_NO_MAIL", message);
  }
  // Not awaited: the time of the answer would tell known addresses from unknown ones.
  sendLink(context, req.ctx.ip, email).catch((cause: unknown) => {
    site.log.error("admin.reset_failed", { error: String(cause) });
  });
}

/** @throws HttpError 429. */
async function countRequest({ site }: AdminContext, ip: string, email: string): Promise<void> {
  const security = site.use("security");
  for (const [key, limit] of [
    [`panel-reset:client:${security.clientKey(ip)}`, PER_CLIENT],
    [`panel-reset:address:${email}`, PER_ADDRESS],
  ] as const) {
    const verdict = await security.limit(key, limit, WINDOW_MS);
    if (verdict.allowed) continue;
    const headers = { "Retry-After": String(verdict.retryAfterSeconds) };
    throw refusal(429, "ERR_ADMIN_LOCKED", "too many links were requested", headers);
  }
}

async function sendLink(context: AdminContext, ip: string, email: string): Promise<void> {
  const { site, admin, account } = context;
  const users = site.use("users");
  const user = await users.findByEmail(email);
  const mailer = findMailer(site);
  if (user === null || user.enabled === false || mailer === null) return;
  // Accounts of an identity provider have no password here to forget.
  if (user.provider !== "local" && user.passwordHash === undefined) return;
  if (!account.roles.open(await users.rolesOf(user))) return;
  const token = await account.resets.create(user);
  const { title, url } = site.settings.site;
  const link = `${url}${admin.path}/reset/${token}`;
  await mailReset(mailer, email, { site: title, link, minutes: String(RESET_MINUTES) });
  const target = { type: "user", id: user.id };
  admin.audit({ event: "user.reset_requested", actor: null, ip, target });
}

/** State of the page that requests a link. */
interface RequestPage {
  /** Why no link could be requested. */
  readonly error: HttpError | null;
  /** True once a link was requested. Default: false. */
  readonly isSent?: boolean;
}

function showRequest(
  context: AdminContext,
  exchange: Exchange,
  { error: failure, isSent = false }: RequestPage,
): void {
  const { admin } = context;
  sendForm(context, exchange, {
    heading: isSent ? "Check your mail" : "Forgot your password?",
    text: isSent ? SENT : "Enter the e-mail address of your account to get a link by mail.",
    error: failure?.message ?? null,
    status: failure?.status ?? 200,
    form: isSent
      ? null
      : {
          action: `${admin.path}/reset`,
          fields: [
            {
              name: "email",
              label: "E-mail address",
              type: "email",
              autocomplete: "username",
              isFocused: true,
            },
          ],
          button: "Send link",
        },
    link: { href: `${admin.path}/login`, label: "Sign in" },
  });
}
