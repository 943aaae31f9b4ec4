import { z } from "zod";
import { HttpError } from "#kernel";
import { parseEmailAddress } from "#kernel/internal";
import { mailerOf, mailReset } from "../../accounts/account-mail.js";
import { RESET_MINUTES } from "../../accounts/password-resets.js";
import { refusal } from "../../errors.js";
import { assertOwnPage, FORM_BYTES, handleForm, isForm, sendForm } from "./forms.js";
import type { Exchange } from "../account/session.js";
import type { RouteParts } from "../route-parts.js";

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
export function resetRequestRoutes(parts: RouteParts): void {
  addRequest(parts, "/api/password-reset");
  addRequest(parts, "/reset");
  parts.admin.panel({
    method: "get",
    path: "/reset",
    permission: "none",
    summary: "Page that requests a link for a new password",
    handler: (req, res) => showRequest(parts, { req, res }, { error: null }),
  });
}

function addRequest(parts: RouteParts, path: string): void {
  const { admin, site } = parts;
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
            return showRequest(parts, { req, res }, { error: null });
          }
          await requestLink(parts, { req, res }, email);
          if (!isForm(req)) await site.http.json(req, res, { ok: true });
          else showRequest(parts, { req, res }, { error: null, isSent: true });
        },
        (failure) => showRequest(parts, { req, res }, { error: failure }),
      ),
  });
}

/** @throws HttpError 400, 429, 503. */
async function requestLink(parts: RouteParts, { req }: Exchange, value: string): Promise<void> {
  assertOwnPage(parts, req);
  const { site } = parts;
  const email = parseEmailAddress(value.trim());
  if (email === null) {
    throw new HttpError(400, "email: expected an address like name@example.org");
  }
  await countRequest(parts, req.ctx.ip, email);
  if (mailerOf(site) === null) {
    const fix = "add an email block to site.yaml, or set the password with site users:set-password";
    site.log.warn("admin.reset_unavailable", { reason: "the site has no mailer", fix });
    const message = "this site sends no mail: an admin can set a new password";
    throw refusal(503, "ERR_ADMIN_NO_MAIL", { message });
  }
  // Not awaited: the time of the answer would tell known addresses from unknown ones.
  sendLink(parts, req.ctx.ip, email).catch((cause: unknown) => {
    site.log.error("admin.reset_failed", { error: String(cause) });
  });
}

/** @throws HttpError 429. */
async function countRequest({ site }: RouteParts, ip: string, email: string): Promise<void> {
  const security = site.use("security");
  for (const [key, limit] of [
    [`panel-reset:client:${security.clientKey(ip)}`, PER_CLIENT],
    [`panel-reset:address:${email}`, PER_ADDRESS],
  ] as const) {
    const verdict = await security.limit(key, limit, WINDOW_MS);
    if (verdict.allowed) continue;
    const headers = { "Retry-After": String(verdict.retryAfterSeconds) };
    throw refusal(429, "ERR_ADMIN_LOCKED", { message: "too many links were requested", headers });
  }
}

async function sendLink(parts: RouteParts, ip: string, email: string): Promise<void> {
  const { site, admin, account } = parts;
  const users = site.use("users");
  const user = await users.findByEmail(email);
  const mailer = mailerOf(site);
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

function showRequest(
  parts: RouteParts,
  exchange: Exchange,
  { error: failure, isSent = false }: { error: HttpError | null; isSent?: boolean },
): void {
  const { admin } = parts;
  sendForm(parts, exchange, {
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
