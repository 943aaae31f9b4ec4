import { z } from "zod";
import { HttpError } from "#kernel";
import { parseEmailAddress } from "#lib/text";
import { findMailer, mailInvitation } from "../../accounts/account-mail.js";
import { assertMayGive } from "../../accounts/roles.js";
import { INVITATION_DAYS, type Invitation } from "../../accounts/mailed-links.js";
import { note, notFound, type AdminContext, type Exchange } from "../admin-context.js";
import type { User } from "../../../users/contract.js";
import {
  assertOwnPage,
  FORM_BYTES,
  handleForm,
  isForm,
  redirect,
  sendForm,
  loginResponses,
  sessionView,
} from "../login/sign-in.js";
import { startSession } from "../account/sessions.js";
import { error, MAX_PASSWORD } from "../../schemas/values.js";
import { accountsApi, type invitation, type sentInvitation } from "../../schemas/accounts.js";

const LIMIT = 16_384;

/** Invitations to the panel. */
export function invitationRoutes(context: AdminContext): void {
  const { admin, site, account } = context;
  admin.route({
    method: "get",
    path: "/invitations",
    permission: "users.manage",
    summary: "Open invitations, the newest first",
    responses: accountsApi["GET /invitations"].responses,
    handler: async (req, res) => {
      const items = (await account.invitations.list()).map((each) => shown(context, each));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "post",
    path: "/invitations",
    permission: "users.manage",
    summary: "Invite a person by mail; replaces an earlier invitation of the address",
    responses: accountsApi["POST /invitations"].responses,
    body: { as: "json", limit: LIMIT, schema: accountsApi["POST /invitations"].body },
    handler: async (req, res, { body: { email, role }, identity }) => {
      assertPanelRole(context, role);
      assertMayGive(context, identity, [role]);
      const address = await freeAddress(context, email);
      const { id, name } = identity;
      const created = await account.invitations.create({
        email: address,
        role,
        invitedBy: { id, name },
      });
      const target = { type: "invitation", id: created.invitation.id };
      note(context, req, { event: "invitation.create", actor: identity, target, detail: { role } });
      await site.http.json(req, res, await deliver(context, created.invitation, created.token), {
        status: 201,
      });
    },
  });
  addChanges(context);
}

function addChanges(context: AdminContext): void {
  const { admin, site, account } = context;
  admin.route({
    method: "post",
    path: "/invitations/:id/resend",
    permission: "users.manage",
    summary: "Send an invitation again, with a new link; the former link ends",
    responses: accountsApi["POST /invitations/:id/resend"].responses,
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      // A new link opens the account for its reader, so it is given like a new invitation.
      const stored = (await account.invitations.list()).find((each) => each.id === id);
      if (stored !== undefined) assertMayGive(context, identity, [stored.role]);
      const renewed = await account.invitations.renew(id);
      if (renewed === null) throw notFound("no such invitation");
      const target = { type: "invitation", id: renewed.invitation.id };
      note(context, req, { event: "invitation.resend", actor: identity, target });
      await site.http.json(req, res, await deliver(context, renewed.invitation, renewed.token));
    },
  });
  admin.route({
    method: "delete",
    path: "/invitations/:id",
    permission: "users.manage",
    summary: "Withdraw an invitation",
    responses: accountsApi["DELETE /invitations/:id"].responses,
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      if (!(await account.invitations.revoke(id))) throw notFound("no such invitation");
      const target = { type: "invitation", id };
      note(context, req, { event: "invitation.revoke", actor: identity, target });
      await site.http.json(req, res, { revoked: true, id });
    },
  });
}

/** @throws HttpError 400, 409. */
async function freeAddress({ site }: AdminContext, value: string): Promise<string> {
  const email = parseEmailAddress(value.trim());
  if (email === null) {
    throw new HttpError(400, "email: expected an address like name@example.org");
  }
  if ((await site.use("users").findByEmail(email)) === null) return email;
  throw new HttpError(409, "an account with this address exists: give it the role instead", {
    code: "ERR_USER_EMAIL_TAKEN",
  });
}

/** @throws HttpError 400. */
function assertPanelRole({ account: { roles } }: AdminContext, role: string): void {
  if (roles.open([role])) return;
  const names = roles.all.map(({ name }) => name).join(", ");
  const quoted = JSON.stringify(role);
  throw new HttpError(400, `role: ${quoted} does not open the panel; use one of ${names}`);
}

/** Queues the mail; without a mailer, the answer has the link. */
async function deliver(
  context: AdminContext,
  created: Invitation,
  token: string,
): Promise<z.infer<typeof sentInvitation>> {
  const { site, admin, account } = context;
  const { title, url } = site.settings.site;
  const link = `${url}${admin.path}/invitations/${token}`;
  const mailer = findMailer(site);
  if (mailer === null) return { ...shown(context, created), sent: false, link };
  const { email, invitedBy } = created;
  const values = { site: title, inviter: invitedBy.name, link, days: String(INVITATION_DAYS) };
  try {
    await mailInvitation(mailer, email, values);
  } catch (cause) {
    // Not sent, so the link is known to no person.
    await account.invitations.revoke(created.id);
    throw cause;
  }
  return { ...shown(context, created), sent: true };
}

function shown({ site }: AdminContext, stored: Invitation): z.infer<typeof invitation> {
  const { id, email, role, createdAt, expiresAt, invitedBy } = stored;
  const expired = expiresAt <= site.runtime.clock.now();
  return { id, email, role, createdAt, expiresAt, expired, invitedBy };
}

const acceptBody = z.object({
  name: z.string().max(200).default(""),
  password: z.string().max(MAX_PASSWORD).default(""),
});
const INVALID = "This invitation has expired, was withdrawn or was already accepted.";

/** The page of an invitation: choose a name and a password. */
export function acceptRoutes(context: AdminContext): void {
  const { admin, account } = context;
  const path = "/invitations/:token";
  admin.panel({
    method: "get",
    path,
    permission: "none",
    summary: "Page of an invitation",
    handler: async (req, res, { params }) => {
      const { token = "" } = params;
      const invitation = await account.invitations.find(token);
      showInvitation(context, { req, res }, { token, invitation, error: null, name: "" });
    },
  });
  admin.panel({
    method: "post",
    path,
    permission: "none",
    summary: "Accept an invitation with name and password, as JSON or form",
    responses: { ...loginResponses, 404: error, 409: error },
    body: { as: "form", limit: FORM_BYTES, schema: acceptBody },
    handler: (req, res, input) => {
      const { token = "" } = input.params;
      return handleForm(
        req,
        () => acceptInvitation(context, { req, res }, token, input.body),
        async (error) => {
          const invitation = await account.invitations.find(token);
          const { name } = input.body;
          showInvitation(context, { req, res }, { token, invitation, error, name });
        },
      );
    },
  });
}

async function acceptInvitation(
  context: AdminContext,
  { req, res }: Exchange,
  token: string,
  { name, password }: z.infer<typeof acceptBody>,
): Promise<void> {
  assertOwnPage(context, req);
  if (name.trim() === "") throw new HttpError(400, "name: a name is required");
  const user = await context.account.invitations.accept(token, (invitation) =>
    createAccount(context, invitation, name, password),
  );
  if (user === null) throw new HttpError(404, INVALID);
  await startSession(context, { req, res }, user);
  const identity = await context.identities.signedIn(req);
  const target = { type: "user", id: user.id };
  context.admin.audit({ event: "invitation.accept", actor: identity, ip: req.ctx.ip, target });
  if (isForm(req)) return redirect(req, res, context.admin.path);
  if (identity === null) throw new HttpError(503, "the session could not be read back");
  await context.site.http.json(req, res, {
    ...sessionView(identity),
    location: context.admin.path,
  });
}

async function createAccount(
  { site }: AdminContext,
  { email, role }: Invitation,
  name: string,
  password: string,
): Promise<User> {
  const users = site.use("users");
  const created = await users.create({ email, name, provider: "local", roles: [role] });
  try {
    return await users.setPassword(created.id, password);
  } catch (error) {
    // Do not leave behind an account without a password.
    await users.delete(created.id);
    throw error;
  }
}

/** State of the page of an invitation. */
interface InvitationPage {
  readonly token: string;
  /** Null: the link is not valid. */
  readonly invitation: Invitation | null;
  /** Why the invitation could not be accepted. */
  readonly error: HttpError | null;
  /** The name that was entered. */
  readonly name: string;
}

function showInvitation(
  context: AdminContext,
  exchange: Exchange,
  { token, invitation, error, name }: InvitationPage,
): void {
  const { admin, site } = context;
  if (invitation === null) {
    const link = { href: `${admin.path}/login`, label: "Sign in" };
    const page = { heading: "Invitation", text: INVALID, error: null, form: null, link };
    return sendForm(context, exchange, { ...page, status: 404 });
  }
  const { email } = invitation;
  sendForm(context, exchange, {
    heading: "Welcome",
    text: `Choose your name and password for ${site.settings.site.title}. You will sign in as ${email}.`,
    error: error?.message ?? null,
    status: error?.status ?? 200,
    form: {
      action: `${admin.path}/invitations/${token}`,
      fields: [
        {
          name: "name",
          label: "Name",
          type: "text",
          autocomplete: "name",
          value: name,
          isFocused: true,
        },
        {
          name: "password",
          label: "Password",
          type: "password",
          autocomplete: "new-password",
          hint: "At least 12 characters.",
        },
      ],
      button: "Create account",
    },
    link: null,
  });
}
