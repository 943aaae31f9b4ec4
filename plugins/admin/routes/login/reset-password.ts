import { z } from "zod";
import { HttpError } from "#kernel";
import { notifyOwner } from "../../accounts/account-mail.js";
import { isCurrentReset, type PasswordReset } from "../../accounts/password-resets.js";
import { assertOwnPage, FORM_BYTES, handleForm, isForm, sendForm } from "./forms.js";
import { MAX_PASSWORD } from "../account/assert-password.js";
import type { AccountFormProps } from "../../templates/account-form.js";
import type { Exchange } from "../account/session.js";
import type { RouteParts } from "../route-parts.js";

const passwordBody = z.object({ password: z.string().max(MAX_PASSWORD).default("") });
const ok = z.object({ ok: z.literal(true) });
const error = z.object({ error: z.string() });
const INVALID = "This link has expired or was already used. Request another one.";

/** Setting a new password with a link from a mail. */
export function resetRoutes(parts: RouteParts): void {
  const { admin, account } = parts;
  admin.panel({
    method: "get",
    path: "/reset/:token",
    permission: "none",
    summary: "Page that sets a new password",
    handler: async (req, res, { params }) => {
      const { token = "" } = params;
      const isValid = (await account.resets.find(token)) !== null;
      showPassword(parts, { req, res }, { token, isValid, error: null });
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
        () => setPassword(parts, { req, res }, { token, password }),
        async (failure) => {
          const isValid = (await account.resets.find(token)) !== null;
          showPassword(parts, { req, res }, { token, isValid, error: failure });
        },
      );
    },
  });
}

async function setPassword(
  parts: RouteParts,
  { req, res }: Exchange,
  { token, password }: { token: string; password: string },
): Promise<void> {
  assertOwnPage(parts, req);
  const { site, admin, account } = parts;
  const email = await account.resets.use(token, (reset) => replace(parts, reset, password));
  if (email === null) throw new HttpError(404, INVALID);
  if (!isForm(req)) return site.http.json(req, res, { ok: true });
  sendForm(
    parts,
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
  { site, admin }: RouteParts,
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

function showPassword(
  parts: RouteParts,
  exchange: Exchange,
  shown: { token: string; isValid: boolean; error: HttpError | null },
): void {
  const { token, isValid, error: failure } = shown;
  const { admin } = parts;
  if (!isValid) {
    const link = { href: `${admin.path}/reset`, label: "Request another link" };
    const page = { heading: "New password", text: INVALID, error: null, form: null, link };
    return sendForm(parts, exchange, { ...page, status: 404 });
  }
  sendForm(parts, exchange, {
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
