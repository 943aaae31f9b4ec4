import { z } from "zod";
import { HttpError } from "#kernel";
import { notifyOwner } from "../../accounts/account-mail.js";
import { isCurrentChange, type EmailChange } from "../../accounts/mailed-links.js";
import { assertOwnPage, FORM_BYTES, handleForm, isForm, sendForm } from "./sign-in.js";
import type { AdminContext, Exchange } from "../admin-context.js";

const PATH = "/email/:token";
const confirmed = z.object({ ok: z.literal(true), email: z.string() });
const error = z.object({ error: z.string() });
const INVALID = "This link has expired or was already used. Change the address again in the panel.";

/** Confirming the new address of an account with the link in a mail to it. */
export function confirmEmailRoutes(context: AdminContext): void {
  const { admin, account } = context;
  admin.panel({
    method: "get",
    path: PATH,
    permission: "none",
    summary: "Page that confirms a new e-mail address",
    handler: async (req, res, { params }) => {
      const { token = "" } = params;
      const change = await account.emailChanges.find(token);
      showConfirm(context, { req, res }, { token, change, error: null });
    },
  });
  admin.panel({
    method: "post",
    path: PATH,
    permission: "none",
    summary: "Confirm a new e-mail address with the link of a mail, as JSON or form",
    responses: { 200: confirmed, 404: error, 409: error },
    body: { as: "form", limit: FORM_BYTES, schema: z.looseObject({}) },
    handler: (req, res, { params }) => {
      const { token = "" } = params;
      return handleForm(
        req,
        () => confirm(context, { req, res }, token),
        async (failure) => {
          const change = await account.emailChanges.find(token);
          showConfirm(context, { req, res }, { token, change, error: failure });
        },
      );
    },
  });
}

async function confirm(
  context: AdminContext,
  { req, res }: Exchange,
  token: string,
): Promise<void> {
  assertOwnPage(context, req);
  const { site, admin, account } = context;
  const email = await account.emailChanges.use(token, (change) =>
    apply(context, req.ctx.ip, change),
  );
  if (email === null) throw new HttpError(404, INVALID);
  if (!isForm(req)) return site.http.json(req, res, { ok: true, email });
  sendForm(
    context,
    { req, res },
    {
      heading: "Address confirmed",
      text: `Your account has the address ${email} from now on.`,
      error: null,
      form: null,
      link: { href: admin.path, label: "Open the panel" },
    },
  );
}

/** The new address; null when account, address or password have changed since the link was sent. */
async function apply(
  { site, admin }: AdminContext,
  ip: string,
  change: EmailChange,
): Promise<string | null> {
  const users = site.use("users");
  const user = await users.get(change.userId);
  if (user === null || !isCurrentChange(change, user)) return null;
  const { email } = await users.update(user.id, (stored) =>
    // The account may have changed meanwhile.
    isCurrentChange(change, stored) ? { ...stored, email: change.to } : stored,
  );
  if (email !== change.to) return null;
  await notifyOwner(site, change.from, "email");
  admin.audit({
    event: "user.update",
    actor: { id: user.id, name: user.name ?? user.email },
    ip,
    target: { type: "user", id: user.id },
    detail: { fields: "email", by: "confirmation link" },
  });
  return email;
}

/** State of the page that confirms a new address. */
interface ConfirmationPage {
  readonly token: string;
  /** Null: the link is not valid. */
  readonly change: EmailChange | null;
  /** Why the address could not be confirmed. */
  readonly error: HttpError | null;
}

function showConfirm(
  context: AdminContext,
  exchange: Exchange,
  { token, change, error: failure }: ConfirmationPage,
): void {
  const { admin, site } = context;
  if (change === null) {
    const link = { href: admin.path, label: "Open the panel" };
    const page = { heading: "New address", text: INVALID, error: null, form: null, link };
    return sendForm(context, exchange, { ...page, status: 404 });
  }
  sendForm(context, exchange, {
    heading: "New address",
    text: `Use ${change.to} for your account at ${site.settings.site.title}.`,
    error: failure?.message ?? null,
    status: failure?.status ?? 200,
    form: {
      action: `${admin.path}/email/${token}`,
      fields: [],
      button: "Confirm the address",
    },
    link: null,
  });
}
