import { z } from "zod";
import { HttpError } from "#kernel";
import { parseEmailAddress } from "#kernel/internal";
import { mailerOf, mailInvitation } from "../../accounts/account-mail.js";
import { assertMayGive } from "../../accounts/roles.js";
import { INVITATION_DAYS, type Invitation } from "../../accounts/invitations.js";
import { note, notFound, type RouteParts } from "../route-parts.js";

const LIMIT = 16_384;
const body = z.object({ email: z.string().max(320), role: z.string().max(64) });
const text = z.string();
const time = z.number().describe("Unix ms");
const error = z.object({ error: text });
const invitation = z.object({
  id: text,
  email: text,
  role: text,
  createdAt: time,
  expiresAt: time,
  expired: z.boolean(),
  invitedBy: z.object({ id: text, name: text }),
});
const sent = invitation.extend({
  sent: z.boolean().describe("False: the site sends no mail; pass `link` on"),
  link: text.optional(),
});

/** Invitations to the panel. */
export function invitationRoutes(parts: RouteParts): void {
  const { admin, site, account } = parts;
  admin.route({
    method: "get",
    path: "/invitations",
    permission: "users.manage",
    summary: "Open invitations, the newest first",
    responses: { 200: z.object({ items: z.array(invitation), total: z.int() }) },
    handler: async (req, res) => {
      const items = (await account.invitations.list()).map((each) => shown(parts, each));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "post",
    path: "/invitations",
    permission: "users.manage",
    summary: "Invite a person by mail; replaces an earlier invitation of the address",
    responses: { 201: sent, 409: error },
    body: { as: "json", limit: LIMIT, schema: body },
    handler: async (req, res, { body: { email, role }, identity }) => {
      assertPanelRole(parts, role);
      assertMayGive(parts, identity, [role]);
      const address = await freeAddress(parts, email);
      const { id, name } = identity;
      const created = await account.invitations.create({
        email: address,
        role,
        invitedBy: { id, name },
      });
      const target = { type: "invitation", id: created.invitation.id };
      note(parts, req, { event: "invitation.create", actor: identity, target, detail: { role } });
      await site.http.json(req, res, await deliver(parts, created), { status: 201 });
    },
  });
  addChanges(parts);
}

function addChanges(parts: RouteParts): void {
  const { admin, site, account } = parts;
  admin.route({
    method: "post",
    path: "/invitations/:id/resend",
    permission: "users.manage",
    summary: "Send an invitation again, with a new link; the former link ends",
    responses: { 200: sent, 404: error },
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      // A new link opens the account for its reader, so it is given like a new invitation.
      const stored = (await account.invitations.list()).find((each) => each.id === id);
      if (stored !== undefined) assertMayGive(parts, identity, [stored.role]);
      const renewed = await account.invitations.renew(id);
      if (renewed === null) throw notFound("no such invitation");
      const target = { type: "invitation", id: renewed.invitation.id };
      note(parts, req, { event: "invitation.resend", actor: identity, target });
      await site.http.json(req, res, await deliver(parts, renewed));
    },
  });
  admin.route({
    method: "delete",
    path: "/invitations/:id",
    permission: "users.manage",
    summary: "Withdraw an invitation",
    responses: { 200: z.object({ revoked: z.literal(true), id: text }), 404: error },
    handler: async (req, res, { params, identity }) => {
      const id = params["id"] ?? "";
      if (!(await account.invitations.revoke(id))) throw notFound("no such invitation");
      const target = { type: "invitation", id };
      note(parts, req, { event: "invitation.revoke", actor: identity, target });
      await site.http.json(req, res, { revoked: true, id });
    },
  });
}

/** @throws HttpError 400, 409. */
async function freeAddress({ site }: RouteParts, value: string): Promise<string> {
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
function assertPanelRole({ account: { roles } }: RouteParts, role: string): void {
  if (roles.open([role])) return;
  const names = roles.all.map(({ name }) => name).join(", ");
  const given = JSON.stringify(role);
  throw new HttpError(400, `role: ${given} does not open the panel; use one of ${names}`);
}

/** Queues the mail; without a mailer, the answer has the link. */
async function deliver(
  parts: RouteParts,
  { invitation: created, token }: { invitation: Invitation; token: string },
): Promise<z.infer<typeof sent>> {
  const { site, admin, account } = parts;
  const { title, url } = site.settings.site;
  const link = `${url}${admin.path}/invitations/${token}`;
  const mailer = mailerOf(site);
  if (mailer === null) return { ...shown(parts, created), sent: false, link };
  const { email, invitedBy } = created;
  const values = { site: title, inviter: invitedBy.name, link, days: String(INVITATION_DAYS) };
  try {
    await mailInvitation(mailer, email, values);
  } catch (cause) {
    // Not sent, so the link is known to no person.
    await account.invitations.revoke(created.id);
    throw cause;
  }
  return { ...shown(parts, created), sent: true };
}

function shown({ site }: RouteParts, stored: Invitation): z.infer<typeof invitation> {
  const { id, email, role, createdAt, expiresAt, invitedBy } = stored;
  const expired = expiresAt <= site.runtime.clock.now();
  return { id, email, role, createdAt, expiresAt, expired, invitedBy };
}
